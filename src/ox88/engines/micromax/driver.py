"""micro-Max as an engine: everything that the original lacks.

This driver adds positions from any FEN, limits of time and depth, stopping, undoing moves, the opponent's
underpromotions, mate and stalemate, and a legal move where the listing finds none or only some moves are allowed.
It knows neither repetition nor the fifty-move rule: the listing searches every position as if it had no history.
"""

import math
import time
from collections.abc import Iterator
from typing import Final

import chess

from ox88.convert import from_chess_board, from_chess_move, to_chess_board, to_chess_move
from ox88.engines.base import MOST_CENTIPAWNS, EngineError, Info, Limit, OptionValue, Score, find_option, fit
from ox88.engines.micromax import MOVE_OVERHEAD, NAME, OPTIONS
from ox88.engines.micromax.machine import DEPTH_LIMIT, ENDLESS, NODE_LIMIT, Iteration, Machine, Snapshot
from ox88.engines.micromax.search import MATE, PAWN_VALUE
from ox88.engines.time_management import move_budget
from ox88.setup import Setup
from ox88.threads import Background
from ox88.types import (
    COLOUR_NAMES,
    QUEEN,
    castling_king_to,
    format_uci,
    is_castling,
    move_from,
    move_promotion,
    move_to,
)

SUBSTITUTE_NODES: Final = 1000  # For each legal move, if the listing finds none.
LEAST_NODES: Final = 2  # With fewer the listing searches nothing.
LONGEST_MATE: Final = DEPTH_LIMIT // 2  # Moves; scores this close to MATE are mates.
_POLL: Final = 0.005  # Seconds between two looks at a search in its thread.


class MachineSearch:
    """A search in a thread of its own. It starts at once, and ends by `stop`, `close`, or `iterations` at its limits.

    seconds: time limit, from `start_clock` on when pondering.
    """

    def __init__(
        self,
        machine: Machine,
        nodes: int = NODE_LIMIT,
        depth: int = DEPTH_LIMIT,
        seconds: float = math.inf,
        ponders: bool = False,
    ) -> None:
        self._machine = machine
        self._seconds = seconds
        self._end = math.inf if ponders else time.perf_counter() + seconds
        machine.record.stop = machine.record.log_length = 0
        self._background = Background(lambda: machine.think(nodes, depth), self.stop)

    def start_clock(self) -> None:
        """Let the time count from now, if it does not yet. From any thread."""
        if self._end == math.inf:
            self._end = time.perf_counter() + self._seconds

    def stop(self) -> None:
        """End the search within a millisecond. Finished iterations stay."""
        self._machine.stop()

    def close(self) -> None:
        """Stop, and wait for the end."""
        self._background.cancel()

    def iterations(self) -> Iterator[Iteration]:
        """Each iteration as soon as it is finished, until the search has ended."""
        shown = 0
        ended = False
        try:
            while not ended:
                # Only lines that were in the log before the wait: a newer one may be half written.
                length = int(self._machine.record.log_length)
                left = self._end - time.perf_counter()
                if left <= 0:
                    self.stop()
                ended = self._background.wait(min(left, _POLL) if left > 0 else _POLL)
                lines = self._machine.iterations(shown, None if ended else length)
                shown += len(lines)
                yield from lines
            self._background.result()
        finally:
            self.close()


class MicroMax:
    """The engine. Only one thread at a time may use it, but any thread may call `stop` and `ponder_hit`.

    machine: the listing's state, without the rules that this driver adds.
    """

    name = NAME

    def __init__(self) -> None:
        self.machine = Machine()
        self._board = chess.Board()
        self._past: list[Snapshot] = []
        self._search: MachineSearch | None = None
        self.set_option(MOVE_OVERHEAD.name, MOVE_OVERHEAD.default)

    @property
    def setup(self) -> Setup:
        return from_chess_board(self._board)

    def new_game(self) -> None:
        """Empty the table."""
        self._end_search()
        self.machine.clear_table()

    def set_option(self, name: str, value: OptionValue = None) -> str | None:
        fitted, remark = fit(find_option(OPTIONS, name), value)
        self._overhead = int(fitted or 0) / 1000  # Move Overhead is the only option.
        return remark

    def set_position(self, setup: Setup) -> None:
        """Start from a position, with an empty table. Raises IllegalPositionError and EngineError."""
        self._end_search()
        self.machine.set_position(setup)
        self._board = to_chess_board(setup)
        self._past = []

    def push(self, move: int) -> None:
        """Make a move as the listing does: clear the table, then let its legality call make the move."""
        self._end_search()
        chess_move = to_chess_move(move, self._board)
        if not self._board.is_legal(chess_move):
            raise EngineError(f"{format_uci(move)} is not legal in {self._board.fen()}")
        self._past.append(self.machine.snapshot())
        self._board.push(chess_move)
        self.machine.clear_table()
        to_square = castling_king_to(move) if is_castling(move) else move_to(move)
        if not self.machine.make_move(move_from(move), to_square):
            # The listing may find a legal move illegal, for example by a hash collision. Set up the position after it.
            self.machine.set_position(from_chess_board(self._board))
        elif move_promotion(move) not in (0, QUEEN):
            self.machine.underpromote(to_square, move_promotion(move))

    def pop(self) -> None:
        """Undo the last move: board, evaluation, en passant square and root move are as before it."""
        self._end_search()
        if not self._past:
            raise EngineError("there is no move to take back")
        self.machine.restore(self._past.pop())
        self.machine.clear_table()
        self._board.pop()

    def search(self, limit: Limit) -> Iterator[Info]:
        """Search; yields an Info for each finished iteration. Without a limit the listing's ten million nodes apply.

        As in the listing, a new iteration starts while fewer than `limit.nodes` are counted, and is then finished.
        The listing cannot search some root moves only: with `limit.moves` each of them gets a short search instead.
        """
        self._end_search()
        if not any(self._board.legal_moves):
            return iter((Info(0, Score(mate=0) if self._board.is_check() else Score(centipawns=0), 0, 0.0),))
        if limit.moves:
            legal = [move for move in dict.fromkeys(limit.moves) if self._is_legal(move)]
            if not legal:
                names = ", ".join(map(format_uci, limit.moves))
                raise EngineError(f"none of {names} is legal in {self._board.fen()}")
            return self._best_of(legal, limit.nodes)
        depth = DEPTH_LIMIT if limit.depth is None else min(limit.depth, DEPTH_LIMIT)
        budget = move_budget(limit, self._overhead, self._board.ply())
        seconds = math.inf if budget is None else min(budget.soft, budget.hard)
        self._search = MachineSearch(self.machine, _node_limit(limit), depth, seconds, limit.ponder)
        return self._infos(self._search, limit)

    def stop(self) -> None:
        """End the running search within milliseconds; it then yields its best move so far. From any thread."""
        search = self._search
        if search is not None:
            search.stop()

    def ponder_hit(self) -> None:
        """The expected move was played: the time of the running search counts from now. From any thread."""
        search = self._search
        if search is not None:
            search.start_clock()

    def board_text(self) -> str:
        """The position as the listing prints it."""
        self._end_search()
        return self.machine.board_text()

    def evaluation_text(self) -> str:
        """The listing's evaluation, a single number that it updates with each move."""
        self._end_search()
        pawns = int(self.machine.record.evaluation) / PAWN_VALUE
        return f"{pawns:+.2f} pawns for {COLOUR_NAMES[not self._board.turn]}: material, and steps towards the centre"

    def _end_search(self) -> None:
        """End a search and empty the table: with entries of a finished search the listing's next one goes wrong."""
        if self._search is not None:
            self._search.close()
            self._search = None
            self.machine.clear_table()

    def _infos(self, search: MachineSearch, limit: Limit) -> Iterator[Info]:
        """An Info for each iteration, until one finds a mate in `limit.mate` moves that starts with a legal move."""
        started = time.perf_counter()
        last = None
        for iteration in search.iterations():
            last = self._info(iteration, time.perf_counter() - started)
            yield last
            if 0 < (last.score.mate or 0) <= (limit.mate or 0) and self._is_legal(last.best_move):
                search.close()
                return
        if last is None or not self._is_legal(last.best_move):
            yield from self._best_of(
                [from_chess_move(move, self._board) for move in self._board.legal_moves], limit.nodes
            )

    def _info(self, iteration: Iteration, seconds: float) -> Info:
        line = () if iteration.from_square == iteration.to_square else (self._move(iteration),)
        return Info(iteration.depth, _score(iteration.score), iteration.nodes, seconds, line)

    def _move(self, iteration: Iteration) -> int:
        move = chess.Move(iteration.from_square, iteration.to_square)
        if self._board.piece_type_at(move.from_square) == chess.PAWN and chess.square_rank(move.to_square) in (0, 7):
            move.promotion = chess.QUEEN
        return from_chess_move(move, self._board)

    def _is_legal(self, move: int) -> bool:
        return self._board.is_legal(to_chess_move(move, self._board))

    def _best_of(self, moves: list[int], limit: int | None) -> Iterator[Info]:
        """The best of some legal moves by a short search of each, for positions where the listing finds none.

        limit: of nodes, of which each search has a share.
        """
        started = time.perf_counter()
        scores = {}
        nodes = 0
        share = SUBSTITUTE_NODES if limit is None else min(max(limit // len(moves), LEAST_NODES), SUBSTITUTE_NODES)
        for move in moves:
            self.push(move)
            scores[move] = _before_a_move(-self.machine.think(share))
            nodes += int(self.machine.record.nodes)
            self.pop()
        best = max(scores, key=scores.__getitem__)
        yield Info(1, _score(scores[best]), nodes, time.perf_counter() - started, (best,))


def _node_limit(limit: Limit) -> int:
    """The node limit: the listing's own if there is no other limit."""
    if limit.nodes is not None:
        return limit.nodes
    others = (limit.time, limit.depth, limit.mate, limit.clock)
    return NODE_LIMIT if all(other is None for other in others) else ENDLESS


def _before_a_move(score: int) -> int:
    """A score of the position after an own move, as of the position before: a mate takes this move, too."""
    return score - 1 if 0 <= MATE - score <= LONGEST_MATE else score


def _score(score: int) -> Score:
    """A listing score as a Score. The mated side has -MATE plus the moves to it; a pawn is 99, near enough to 100."""
    moves = MATE - abs(score)
    if 0 <= moves <= LONGEST_MATE:
        return Score(mate=moves if score > 0 else -moves)
    return Score(centipawns=min(max(score, -MOST_CENTIPAWNS), MOST_CENTIPAWNS))
