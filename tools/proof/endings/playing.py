"""Solved endings played out: Ox88, with and without tables, against the best play that the solution knows."""

import tempfile
from collections.abc import Callable
from random import Random
from typing import ClassVar, Final
from unittest import mock

import chess
from chess.engine import Limit

import ox88
from ox88.engines.modern import syzygy_files
from ox88.rules import game_end
from tools.proof.campaign import FailureError, Tally
from tools.proof.endings.three_men import three_men

NODES: Final = 30_000  # A move, ...
MORE_NODES: Final = 1_000_000  # ... and for a move that has spoilt the result: one pawn needs a deep search.
TABLE_NODES: Final = 100  # A move, where tables know what to play.
HELD_PLIES: Final = 60  # After so many, a drawn game counts as held.
RANDOM_MOVES: Final = 0.2  # Of those that set traps.
WON: Final = {"queen": 1, "rook": 1, "pawn": 4}  # How often each is drawn by lot. Pawns are hardest.
DRAWN: Final = {"queen": 1, "rook": 1, "pawn": 8}


class Player:
    """Ox88 at some nodes a move. more_nodes: for a move that spoils the result; None where none may do that."""

    def __init__(self, engine: ox88.Engine, nodes: int, more_nodes: int | None = None) -> None:
        self._engine, self._nodes, self._more_nodes = engine, nodes, more_nodes
        self._game = object()

    def play(self, board: chess.Board, is_right: Callable[[chess.Board], bool], tally: Tally) -> bool:
        """Make a move. Returns False if the position after it is not right."""
        board.push(self._move(board, self._nodes))
        if self._more_nodes is not None and not is_right(board):
            tally.counts[f"moves that {self._nodes:,} nodes are too few for"] += 1
            board.pop()
            board.push(self._move(board, self._more_nodes))
        return is_right(board)

    def _move(self, board: chess.Board, nodes: int) -> chess.Move:
        move = self._engine.play(board, Limit(nodes=nodes), game=self._game).move
        assert move is not None  # noqa: S101 - The game goes on.
        return move


def alone(engine: ox88.Engine) -> Player:
    return Player(engine, NODES, MORE_NODES)


def by_tables(engine: ox88.Engine) -> Player:
    """engine: that of `engine_with_tables`."""
    return Player(engine, TABLE_NODES)


class ThreeMenTables:
    """Replaces python-chess's prober of Syzygy tables. Plies to mate serve as well as plies to a capture or pawn move.

    Ox88 plays a pawn's move that wins in any case, and asks for the distance of the others alone.
    """

    wdl: ClassVar = dict.fromkeys(("KQvK", "KRvK", "KPvK"))

    def add_directory(self, _: str) -> int:
        return len(self.wdl)

    def probe_wdl(self, board: chess.Board) -> int:
        plies = three_men().plies(board)
        if plies is None:
            return 0
        return 2 if board.turn == _strong_side(board) else -2

    def probe_dtz(self, board: chess.Board) -> int:
        return (three_men().plies(board) or 0) * (1 if board.turn == _strong_side(board) else -1)


def engine_with_tables() -> ox88.Engine:
    """Ox88 with the tables of three men in reach."""
    with mock.patch.object(syzygy_files, "CheckedTablebase", ThreeMenTables):
        return ox88.Engine({"Hash": 1, "SyzygyPath": tempfile.gettempdir()})


def win(player: Player, random: Random, tally: Tally) -> None:
    """Mate from a won position before fifty moves are over. Every move must keep the win. Raises FailureError."""
    piece = _draw(WON, random)
    board = three_men().random_board(piece, is_won=True, random=random)
    strong = _strong_side(board)
    while (end := game_end(board)) is None:
        if board.turn != strong:
            board.push(_longest_defence(board, random))
        elif not player.play(board, _is_won, tally):
            raise _wrong(board, "the last move lets the win slip")
        else:
            tally.counts["moves that had to keep a win"] += 1
    if end.reason != "checkmate":
        raise _wrong(board, f"a won game has ended by {end.reason}")
    tally.counts[f"wins played out, with a {piece}"] += 1
    tally.measure(f"moves of a win with a {piece}", (len(board.move_stack) + 1) // 2)


def hold(player: Player, random: Random, tally: Tally) -> None:
    """Hold a drawn position with the bare king. No move may lose. Raises FailureError."""
    piece = _draw(DRAWN, random)
    board = three_men().random_board(piece, is_won=False, random=random)
    strong = _strong_side(board)
    while game_end(board) is None and len(board.move_stack) < HELD_PLIES:
        if board.turn == strong:
            board.push(_trap(board, random))
        elif not player.play(board, lambda after: not _is_won(after), tally):
            raise _wrong(board, "the last move loses a drawn game")
        else:
            tally.counts["moves that had to keep a draw"] += 1
    tally.counts[f"draws held, against a {piece}"] += 1


def _draw(weights: dict[str, int], random: Random) -> str:
    (piece,) = random.choices(list(weights), list(weights.values()))
    return piece


def _strong_side(board: chess.Board) -> chess.Color:
    """The side that has more than its king."""
    return bool(board.occupied_co[chess.WHITE] & ~board.kings)


def _is_won(board: chess.Board) -> bool:
    return three_men().plies(board) is not None


def _longest_defence(board: chess.Board, random: Random) -> chess.Move:
    """A move after which the mate takes longest."""

    def plies(move: chess.Move) -> int:
        return three_men().plies(_after(board, move)) or 0

    moves = list(board.legal_moves)
    most = max(map(plies, moves))
    return random.choice([move for move in moves if plies(move) == most])


def _trap(board: chess.Board, random: Random) -> chess.Move:
    """A move that leaves as few drawing replies as possible; now and then any move."""

    def replies(move: chess.Move) -> int:
        after = _after(board, move)
        return sum(not _is_won(_after(after, reply)) for reply in after.legal_moves)

    moves = list(board.legal_moves)
    going_on = [move for move in moves if replies(move) > 0]  # No stalemate.
    if not going_on or random.random() < RANDOM_MOVES:
        return random.choice(moves)
    fewest = min(map(replies, going_on))
    return random.choice([move for move in going_on if replies(move) == fewest])


def _after(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy(stack=False)
    after.push(move)
    return after


def _wrong(board: chess.Board, what: str) -> FailureError:
    moves = " ".join(move.uci() for move in board.move_stack)
    return FailureError(f"position fen {board.root().fen()} moves {moves}: {what}")
