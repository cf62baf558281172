"""A chess clock. It does not read the time: each call passes `now`, in seconds."""

import math
from dataclasses import dataclass, field
from typing import Any, Final, Self

import chess

NAMES: Final = {chess.WHITE: "white", chess.BLACK: "black"}


@dataclass(slots=True)
class ChessClock:
    """The seconds that are left to both sides. running: the side whose time runs; None if the clock is stopped."""

    initial: float
    increment: float
    left: dict[chess.Color, float] = field(default_factory=dict)
    running: chess.Color | None = None
    _since: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.left or {chess.WHITE: self.initial, chess.BLACK: self.initial}

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
        self.left[side] = self.remaining(side, now) + self.increment
        self.running = None
        return self.left[side]

    def view(self, now: float) -> dict[str, Any]:
        """The state of the clock for the web page."""
        running = None if self.running is None else NAMES[self.running]
        return {NAMES[side]: max(self.remaining(side, now), 0.0) for side in NAMES} | {"running": running}

    def save(self, now: float) -> dict[str, float]:
        """The clock as JSON has it, stopped now."""
        left = {NAMES[side]: self.remaining(side, now) for side in NAMES}
        return {"initial": self.initial, "increment": self.increment} | left

    def text(self, side: chess.Color, now: float) -> str:
        """The time that a side has left: 4:07, or 8.3 below ten seconds."""
        left = max(self.remaining(side, now), 0.0)
        whole = math.ceil(left)
        return f"{left:.1f}" if left < 10 else f"{whole // 60}:{whole % 60:02}"

    @classmethod
    def load(cls, data: dict[str, float]) -> Self:
        return cls(data["initial"], data["increment"], {side: data[name] for side, name in NAMES.items()})
