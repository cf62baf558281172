"""How long an engine may think: a clock for the game, or a limit for each move."""

from dataclasses import dataclass
from typing import Final

import chess.engine

from ox88.apps.time_control import TimeControl
from ox88.types import Ox88Error

_MOST_SECONDS: Final = 1e6  # A move.


@dataclass(frozen=True, slots=True)
class Pace:
    """What limits an engine's thinking; several limits hold at once. time: seconds a move."""

    clock: TimeControl | None = None
    nodes: int | None = None
    depth: int | None = None
    time: float | None = None

    def __post_init__(self) -> None:
        """Raises Ox88Error for a time that no engine can be told."""
        if self.time is not None and not 0 < self.time <= _MOST_SECONDS:
            raise Ox88Error(f"{self.time:g} is no time for a move: seconds above 0 are expected, such as 0.1")

    def __bool__(self) -> bool:
        return any(limit is not None for limit in (self.clock, self.nodes, self.depth, self.time))

    def __str__(self) -> str:
        limits = (
            ("{}", self.clock),
            ("{} nodes", self.nodes),
            ("depth {}", self.depth),
            ("{:g} seconds a move", self.time),
        )
        return ", ".join(words.format(limit) for words, limit in limits if limit is not None)

    def limit(self, white: "Remaining", black: "Remaining", game: object) -> chess.engine.Limit:
        """The limit of a move as python-chess wants it, of a side whose pace this is. game: names the clocks' game."""
        if self.clock is None:
            return chess.engine.Limit(nodes=self.nodes, depth=self.depth, time=self.time)
        return chess.engine.Limit(
            nodes=self.nodes,
            depth=self.depth,
            time=self.time,
            white_clock=white.shown,
            black_clock=black.shown,
            white_inc=white.increment,
            black_inc=black.increment,
            clock_id=game,
        )


class Remaining:
    """The time a side has left, in seconds, of its time control; without one there is always enough."""

    def __init__(self, control: TimeControl | None) -> None:
        self._control = control
        self._moves = 0
        self.seconds = control.seconds if control else float("inf")

    @property
    def increment(self) -> float | None:
        return self._control.increment or None if self._control else None

    @property
    def shown(self) -> float | None:
        """What an engine is told: never nothing, which would mean that there is no clock."""
        return max(0.001, self.seconds) if self._control else None

    @property
    def moves_to_go(self) -> int | None:
        if self._control is None or not self._control.moves:
            return None
        return self._control.moves - self._moves % self._control.moves

    def spend(self, seconds: float, margin: float) -> bool:
        """Take what a move took. Whether the flag has not fallen, margin seconds being forgiven."""
        if self._control is None:
            return True
        left = self.seconds - seconds
        if left < -margin:
            self.seconds = left
            return False
        self._moves += 1
        renewed = self._control.seconds if self._control.moves and self._moves % self._control.moves == 0 else 0.0
        self.seconds = max(0.0, left) + self._control.increment + renewed
        return True
