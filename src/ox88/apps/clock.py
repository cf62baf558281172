"""A chess clock. It does not read the time: each call passes `now`, in seconds."""

import math
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, TypedDict

import chess

Color = Literal["white", "black"]
NAMES: Final[dict[chess.Color, Color]] = {chess.WHITE: "white", chess.BLACK: "black"}


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
