"""A chess clock. It reads no clock itself: whoever asks says what time it is, in seconds."""

import math
from dataclasses import dataclass, field
from typing import Any, Final, Self

import chess

NAMES: Final = {chess.WHITE: "white", chess.BLACK: "black"}


@dataclass(slots=True)
class ChessClock:
    """What is left to both sides, and which of them is thinking, if any. All in seconds."""

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
        """Let a side's time run, and no other's."""
        self.stop(now)
        self.running, self._since = side, now

    def stop(self, now: float) -> None:
        if self.running is not None:
            self.left[self.running] = self.remaining(self.running, now)
            self.running = None

    def press(self, side: chess.Color, now: float) -> float:
        """A side has moved. Returns what it has left, with the increment."""
        self.left[side] = self.remaining(side, now) + self.increment
        self.running = None
        return self.left[side]

    def view(self, now: float) -> dict[str, Any]:
        """For the page."""
        running = None if self.running is None else NAMES[self.running]
        return {NAMES[side]: max(self.remaining(side, now), 0.0) for side in NAMES} | {"running": running}

    def save(self, now: float) -> dict[str, float]:
        """Plain data, as if it stood still."""
        left = {NAMES[side]: self.remaining(side, now) for side in NAMES}
        return {"initial": self.initial, "increment": self.increment} | left

    def text(self, side: chess.Color, now: float) -> str:
        """What a side has left, for people: 4:07, or 8.3 when it is getting late."""
        left = max(self.remaining(side, now), 0.0)
        whole = math.ceil(left)
        return f"{left:.1f}" if left < 10 else f"{whole // 60}:{whole % 60:02}"

    @classmethod
    def load(cls, data: dict[str, float]) -> Self:
        return cls(data["initial"], data["increment"], {side: data[name] for side, name in NAMES.items()})
