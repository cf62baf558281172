"""One game between two engine processes: its place in the match, moves in turn, clocks, adjudication, and its PGN."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import chess
import chess.engine
import chess.pgn

from ox88.apps.match.engine_process import PATIENCE, EngineFailure, EngineProcess
from ox88.apps.match.openings import Opening
from ox88.apps.streams import label
from ox88.apps.time_control import RemainingTime
from ox88.errors import Ox88Error
from ox88.rules import DRAW, GameEnd, colour_name, game_end, lost_by, win_of

MAX_MOVES: Final = 500  # A game of so many plies is a draw.
_MATE_SCORE: Final = 100_000  # Centipawns.


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A draw after draw_move if the last draw_plies scores of both sides were within draw_score, in centipawns.

    A win if the last win_plies scores were beyond win_score. A rule with 0 plies is off.
    """

    draw_move: int
    draw_plies: int
    draw_score: int
    win_plies: int
    win_score: int


NO_ADJUDICATION: Final = Adjudication(0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules for all games of a match.

    margin: seconds by which a move may exceed the time. patience: seconds after which a move without a time limit is a
    hang. The patience is not shown, since a match that was stopped may go on with another one.
    """

    adjudication: Adjudication = NO_ADJUDICATION
    margin: float = 0.0
    patience: float = field(default=PATIENCE, repr=False)


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game between two participants, by their numbers. `first` has White unless the game is reversed.

    Two games with the same opening and reversed colours are a pair. Pairs count from 0 between each two participants.
    """

    first: int
    second: int
    pair: int
    is_reversed: bool

    @property
    def white(self) -> int:
        return self.second if self.is_reversed else self.first

    @property
    def black(self) -> int:
        return self.first if self.is_reversed else self.second

    @property
    def round(self) -> str:
        """The PGN tag `Round`: 17.2 is the second game of the 17th pair."""
        return f"{self.pair + 1}.{2 if self.is_reversed else 1}"


@dataclass(frozen=True, slots=True)
class Work:
    """Totals of a side's moves."""

    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0

    def __add__(self, other: "Work") -> "Work":
        return Work(self.moves + other.moves, self.seconds + other.seconds, self.nodes + other.nodes)


NO_WORK: Final = Work()


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game of a match. failure: what an engine did that ended the game, if any; failed: its colour.

    work: the searches of White and of Black.
    """

    end: GameEnd
    pgn: str
    failure: str = ""
    failed: chess.Color | None = None
    work: tuple[Work, Work] = (NO_WORK, NO_WORK)


class MatchGame:
    """A game in progress. The engines are started before the first move, and left running."""

    def __init__(self, opening: Opening, white: EngineProcess, black: EngineProcess, rules: Rules) -> None:
        self._engines = {chess.WHITE: white, chess.BLACK: black}
        self._limits = {side: engine.participant.limits for side, engine in self._engines.items()}
        self._rules = rules
        self._board = opening.board()
        self._pgn = chess.pgn.Game.from_board(self._board)
        self._node = self._pgn.end()
        self._clocks = {
            side: RemainingTime(limits.time_control)
            for side, limits in self._limits.items()
            if limits.time_control is not None
        }
        self._scores: list[int | None] = []
        self._work = {chess.WHITE: NO_WORK, chess.BLACK: NO_WORK}
        self._failure = ""
        self._failed: chess.Color | None = None

    async def play(self, tags: Mapping[str, str]) -> FinishedGame:
        """Play the game to its end. tags: for the PGN. Raises Ox88Error if an engine of Ox88 itself does not start."""
        end = await self._start()
        while end is None:
            end = game_end(self._board)
            if end is None and len(self._board.move_stack) >= 2 * MAX_MOVES:
                end = GameEnd(DRAW, f"{MAX_MOVES} moves")
            end = end or adjudicate(self._board, self._scores, self._rules.adjudication) or await self._move()
        for engine in self._engines.values():
            await engine.send_result(self._board, end.result, end.reason)
        own = {"WhiteTimeControl": str(self._limits[chess.WHITE]), "BlackTimeControl": str(self._limits[chess.BLACK])}
        own |= {"Result": end.result, "Termination": end.reason}
        if self._failed is not None:
            own["Failure"] = f"{colour_name(self._failed)}: {self._failure}"
        for name, value in {**tags, **own}.items():
            self._pgn.headers[name] = label(value)
        work = (self._work[chess.WHITE], self._work[chess.BLACK])
        return FinishedGame(end, str(self._pgn), self._failure, self._failed, work)

    async def _start(self) -> GameEnd | None:
        for side, engine in self._engines.items():
            try:
                await engine.start()
                reason = engine.why_unplayable(self._board)
                if reason:
                    raise EngineFailure("protocol error", reason)
            except EngineFailure as failure:
                if engine.participant.builtin:
                    raise Ox88Error(f"{engine.participant.name} cannot play: {failure}") from None
                return self._lost(side, failure)
        return None

    async def _move(self) -> GameEnd | None:
        """Have the side to move play. Returns the end of the game if the engine fails or resigns."""
        side = self._board.turn
        try:
            limit, patience = self._limit(side), self._rules.patience
            played, seconds = await self._engines[side].play(self._board, limit, game=self, patience=patience)
            if not played.resigned:
                self._spend(side, seconds)
        except EngineFailure as failure:
            return self._lost(side, failure)
        if played.resigned or played.move is None:
            return lost_by(side, f"{self._engines[side].participant.name} resigns", self._board)
        score, nodes = played.info.get("score"), played.info.get("nodes", 0)
        self._work[side] += Work(1, seconds, nodes)
        self._node = self._node.add_variation(played.move)
        if score is not None:
            self._node.set_eval(score, played.info.get("depth") or None)
        if side in self._clocks:
            self._node.set_clock(max(0.0, self._clocks[side].seconds))
        self._node.set_emt(seconds)
        self._scores.append(score.white().score(mate_score=_MATE_SCORE) if score is not None else None)
        self._board.push(played.move)
        return None

    def _spend(self, side: chess.Color, seconds: float) -> None:
        """Count the time of a move. Raises EngineFailure if it is too long for the clock, or for a move."""
        clock, longest, margin = self._clocks.get(side), self._limits[side].seconds, self._rules.margin
        if clock and not clock.spend(seconds, margin):
            raise EngineFailure("time", f"{-clock.seconds:.3f} s over")
        if longest is not None and seconds > longest + margin:
            raise EngineFailure("time", f"{seconds - longest:.3f} s over")

    def _limit(self, side: chess.Color) -> chess.engine.Limit:
        own = self._limits[side]
        limit = chess.engine.Limit(nodes=own.nodes, depth=own.depth, time=own.seconds)
        if side in self._clocks:
            white, black = self._clocks.get(chess.WHITE), self._clocks.get(chess.BLACK)
            limit.clock_id = self
            limit.remaining_moves = self._clocks[side].moves_to_go
            if white:
                limit.white_clock, limit.white_inc = white.sent_seconds, white.increment
            if black:
                limit.black_clock, limit.black_inc = black.sent_seconds, black.increment
        return limit

    def _lost(self, side: chess.Color, failure: EngineFailure) -> GameEnd:
        self._failure, self._failed = failure.kind, side
        return lost_by(side, f"{self._engines[side].participant.name} loses by {failure}", self._board)


def adjudicate(board: chess.Board, scores: list[int | None], rules: Adjudication) -> GameEnd | None:
    """The result on which the scores of both engines agree. scores: White's, in centipawns, by ply; None if unknown."""
    if board.fullmove_number > rules.draw_move:
        last = _last_scores(scores, rules.draw_plies)
        if last and max(map(abs, last)) <= rules.draw_score:
            return GameEnd(DRAW, "adjudication: a draw by the scores")
    last = _last_scores(scores, rules.win_plies)
    if last and min(last) >= rules.win_score:
        return GameEnd(win_of(chess.WHITE), "adjudication: a win by the scores")
    if last and max(last) <= -rules.win_score:
        return GameEnd(win_of(chess.BLACK), "adjudication: a win by the scores")
    return None


def _last_scores(scores: list[int | None], plies: int) -> list[int]:
    """The last scores; empty if they are too few or one is unknown."""
    known = [score for score in scores[-plies:] if score is not None] if plies else []
    return known if len(known) == plies else []
