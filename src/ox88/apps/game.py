"""A game that is played here: the board with its past, the clock, how the game ended, and its PGN.

Nothing here reads the time: calls pass `now`, in seconds.
"""

import datetime
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, TypedDict

import chess

from ox88.engines.base import Score, accepts_draw
from ox88.rules import DRAW, GameEnd, MoveError, colour_name, game_end, lost_by, parse_move, win_of

Color = Literal["white", "black"]
NAMES: Final[dict[chess.Color, Color]] = {chess.WHITE: "white", chess.BLACK: "black"}


_MATE: Final = 10_000  # Centipawns.


class ClockView(TypedDict):
    """The seconds that are left, and whose clock runs."""

    white: float
    black: float
    running: Color | None


@dataclass(slots=True)
class ChessClock:
    """The seconds that are left to both sides.

    Attributes:
        initial: seconds at the start.
        increment: seconds for each move.
        left: seconds left to each side.
        running: the side whose time runs; None if the clock is stopped.
        control_of_black: Black's initial seconds and increment, if they are not White's.

    """

    initial: float
    increment: float
    left: dict[chess.Color, float] = field(default_factory=dict)
    running: chess.Color | None = None
    _since: float = 0.0
    control_of_black: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.control_of_black == (self.initial, self.increment):
            self.control_of_black = None
        self.left = self.left or {side: self.control(side)[0] for side in NAMES}

    def control(self, side: chess.Color) -> tuple[float, float]:
        """The seconds of a side at the start, and for each of its moves."""
        white = self.initial, self.increment
        return white if side == chess.WHITE else self.control_of_black or white

    def anew(self, swap: bool) -> Self:
        """The clock before the first move. swap: each side gets the other side's time."""
        white, black = (self.control(side != swap) for side in NAMES)
        return type(self)(*white, control_of_black=black)

    def remaining(self, side: chess.Color, now: float) -> float:
        used = now - self._since if side == self.running else 0.0
        return self.left[side] - used

    def start(self, side: chess.Color, now: float) -> None:
        """Start the clock of one side, and stop the other one."""
        self.stop(now)
        self.running, self._since = side, now

    def stop(self, now: float) -> None:
        if self.running is not None:
            self.left[self.running] = self.remaining(self.running, now)
            self.running = None

    def press(self, side: chess.Color, now: float) -> float:
        """Stop the clock of a side that has moved, and add the increment. Returns the seconds that it has left."""
        self.left[side] = self.remaining(side, now) + self.control(side)[1]
        self.running = None
        return self.left[side]

    def set_back(self, left: dict[chess.Color, float]) -> None:
        """Stop the clock, and set the seconds that both sides have left."""
        self.left, self.running = dict(left), None

    def view(self, now: float) -> ClockView:
        """The state of the clock for the web page."""
        white, black = (max(self.remaining(side, now), 0.0) for side in NAMES)
        return {"white": white, "black": black, "running": None if self.running is None else NAMES[self.running]}

    def save(self, now: float) -> dict[str, Any]:
        """The clock as JSON has it, stopped now."""
        left = {NAMES[side]: self.remaining(side, now) for side in NAMES}
        black = {} if self.control_of_black is None else {"control_of_black": self.control_of_black}
        return {"initial": self.initial, "increment": self.increment} | left | black

    def text(self, side: chess.Color, now: float) -> str:
        """The time that a side has left: 4:07, or 8.3 below ten seconds."""
        left = max(self.remaining(side, now), 0.0)
        whole = math.ceil(left)
        return f"{left:.1f}" if left < 10 else f"{whole // 60}:{whole % 60:02}"

    @classmethod
    def load(cls, data: dict[str, Any]) -> Self:
        left = {side: data[name] for side, name in NAMES.items()}
        black = tuple(data["control_of_black"]) if "control_of_black" in data else None
        return cls(data["initial"], data["increment"], left, control_of_black=black)


@dataclass(slots=True, kw_only=True)
class Game:
    """A game in progress, or ended.

    Attributes:
        board: the position with its past.
        clock: the chess clock, if there is one.
        clocks: seconds left after each move; None without a clock.
        scores: what the engine saw at each of its moves, in centipawns from its own view; None for other moves.
        verdict: how the clock or the players have ended the game. The end by the rules follows from the board.

    """

    board: chess.Board
    clock: ChessClock | None = None
    clocks: list[float | None] = field(default_factory=list)
    scores: list[int | None] = field(default_factory=list)
    verdict: GameEnd | None = None

    @property
    def end(self) -> GameEnd | None:
        """How the game has ended; None while it goes on."""
        return game_end(self.board) or self.verdict

    def play(self, text: str, now: float) -> str:
        """Play a move that a person has typed, at a time in seconds. Returns it in SAN; raises MoveError."""
        if self.end is not None:
            raise MoveError(f"{text.strip()}: the game is over ({self.end})")
        return self.push(parse_move(text, self.board), now)

    def push(self, move: chess.Move, now: float, score: Score | None = None) -> str:
        """Play a legal move, which an engine has scored, and press the clock. Returns the move in SAN."""
        san = self.board.san(move)
        if score is not None and score.mate is not None:
            score = Score(_MATE if score.mate > 0 else -_MATE)
        self.scores.append(None if score is None else score.centipawns)
        self.clocks.append(self.clock.press(self.board.turn, now) if self.clock else None)
        self.board.push(move)
        return san

    def undo(self) -> str:
        """Take the last move back. Both sides have the time again that they had before the move.

        Returns the move in SAN; raises MoveError at the start.
        """
        if not self.board.move_stack:
            raise MoveError("there is no move to take back")
        move = self.board.pop()
        self.clocks.pop()
        self.scores.pop()
        self.verdict = None
        if self.clock is not None:
            self.clock.set_back(self._left_after_moves(self.clock))
        return self.board.san(move)

    def _left_after_moves(self, clock: ChessClock) -> dict[chess.Color, float]:
        """The seconds that both sides had when the last move was made."""
        sides = not self.board.turn, self.board.turn  # The sides of the last move, and of the move before it.
        found = zip(sides, (None, None, *self.clocks)[:-3:-1], strict=True)
        return {side: clock.control(side)[0] if seconds is None else seconds for side, seconds in found}

    def resign(self, side: chess.Color) -> None:
        """Raises MoveError if the game is over."""
        self.check_goes_on()
        self.verdict = GameEnd(win_of(not side), f"{colour_name(side)} resigns")

    def engine_accepts_draw(self) -> bool:
        return accepts_draw([Score(score) for score in self.scores if score is not None])

    def agree_draw(self) -> None:
        """Raises MoveError if the game is over."""
        self.check_goes_on()
        self.verdict = GameEnd(DRAW, "draw agreed")

    def check_goes_on(self) -> None:
        """Raises MoveError if the game is over."""
        if self.end is not None:
            raise MoveError(f"the game is over ({self.end})")

    def lose_on_time(self, side: chess.Color) -> None:
        self.verdict = lost_by(side, f"{colour_name(side)}'s time is out", self.board)

    def to_pgn(self, white: str, black: str, date: datetime.date, comments: Mapping[int, str] | None = None) -> str:
        """The game as PGN, with the names of the players. comments: on moves, by the plies before them."""
        import chess.pgn  # Imports asyncio, which a start need not wait for.

        game = chess.pgn.Game.from_board(self.board)
        game.headers.update(Event="Casual game", Site="?", Date=f"{date:%Y.%m.%d}", White=white, Black=black)
        game.headers["Result"] = "*"
        if self.end is not None:
            game.headers["Termination"], game.headers["Result"] = self.end.reason, self.end.result
        for ply, (node, seconds) in enumerate(zip(game.mainline(), self.clocks, strict=False)):
            node.comment = (comments or {}).get(ply, "")
            if seconds is not None:
                node.set_clock(seconds)
        text = io.StringIO()
        game.accept(chess.pgn.FileExporter(text))
        return text.getvalue().strip()
