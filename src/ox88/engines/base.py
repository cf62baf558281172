"""What every engine offers, and the words it is asked and answers in: plain dataclasses, no compiler, no protocol."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ox88.types import NO_MOVE, Ox88Error, Setup


class EngineError(Ox88Error):
    """An engine was asked for something that it cannot do; the text says what and why."""


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search ends: at the first of those that are given. nodes: positions; time: seconds; depth: plies."""

    nodes: int | None = None
    time: float | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "time", "depth"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise EngineError(f"the limit {name}={value} is not a number from 0 on")


@dataclass(frozen=True, slots=True)
class Score:
    """From the mover's view: centipawns, or moves to mate (positive: gives it; negative or 0: suffers it)."""

    centipawns: int | None = None
    mate: int | None = None

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.centipawns or 0) / 100:+.2f}"


@dataclass(frozen=True, slots=True)
class Info:
    """What a search has found so far. time: seconds since it began; line: the best moves, the first to be played."""

    depth: int
    score: Score
    nodes: int
    time: float
    line: tuple[int, ...] = ()

    @property
    def best_move(self) -> int:
        return self.line[0] if self.line else NO_MOVE

    @property
    def nodes_per_second(self) -> int:
        return int(self.nodes / self.time) if self.time > 0 else 0


class Engine(Protocol):
    """A chess engine. It holds a position, searches it, and never prints.

    `search` is a generator of Info; the last one carries the move to play, or no line where there is no legal move.
    `stop` may be called from any thread: the search that runs then ends within milliseconds.
    """

    name: str

    def set_position(self, setup: Setup) -> None: ...

    def push(self, move: int) -> None: ...

    def pop(self) -> None: ...

    def search(self, limit: Limit) -> Iterator[Info]: ...

    def stop(self) -> None: ...

    def board_text(self) -> str:
        """The position as the engine itself prints it."""
