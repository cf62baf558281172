"""The progress of an analysis."""

import time
from dataclasses import dataclass, field

from rich.console import RenderableType

from ox88.apps.live import progress_bar


@dataclass(slots=True)
class AnalysisProgress:
    """Counts of games, and of the characters in their texts (sizes). known: before this run; done: in this run."""

    games: int = 0
    size: int = 0
    done: int = 0
    known: int = 0
    done_size: int = 0
    known_size: int = 0
    positions: int = 0
    started: float = field(default_factory=time.monotonic)

    def restart(self) -> None:
        """Measure time from now on."""
        self.started = time.monotonic()

    @property
    def elapsed(self) -> float:
        return max(time.monotonic() - self.started, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """Estimated from the sizes of the texts."""
        if not self.done_size:
            return None
        return self.elapsed * max(self.size - self.known_size - self.done_size, 0) / self.done_size

    def view(self) -> RenderableType:
        finished = self.done + self.known
        text = f"{finished} of {self.games} games, {self.positions / self.elapsed:.1f} positions/s"
        return progress_bar(self.games, finished, text, self.seconds_left)
