"""How far an analysis is."""

import time
from dataclasses import dataclass, field

from rich.console import RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ox88.apps.analyse.records import GameRecord
from ox88.apps.live import duration


@dataclass(slots=True)
class Progress:
    """games, size: all there is, in games and letters. The other numbers: of what is done, known: before this run."""

    games: int
    size: int
    done: int = 0
    known: int = 0
    done_size: int = 0
    known_size: int = 0
    positions: int = 0
    started: float = field(default_factory=time.monotonic)
    _out: set[bytes] = field(default_factory=set)

    def restart(self) -> None:
        """The clock begins to run."""
        self.started = time.monotonic()

    def begin(self, key: bytes) -> bool:
        """A game is given out. False where one of the same key is out already."""
        is_new = key not in self._out
        self._out.add(key)
        return is_new

    def end(self, key: bytes, size: int, record: GameRecord) -> None:
        """A game was analysed."""
        self._out.discard(key)
        self.done += 1
        self.done_size += size
        self.positions += len(record["moves"]) + 1 if record["moves"] else 0

    def add_known(self, size: int) -> None:
        """A game, or another with the same text, was analysed before."""
        self.known += 1
        self.known_size += size

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started

    @property
    def speed(self) -> float:
        """Positions a second."""
        return self.positions / max(self.elapsed, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """A guess from the length of the games' texts."""
        if not self.done_size:
            return None
        return self.elapsed * max(self.size - self.known_size - self.done_size, 0) / self.done_size

    def view(self) -> RenderableType:
        """A bar, and the numbers beside it."""
        bar = ProgressBar(self.games, self.done + self.known, width=30)
        left = self.seconds_left
        numbers = f"{self.done + self.known} of {self.games} games, {self.speed:.1f} positions/s"
        row = Table.grid(padding=(0, 1))
        row.add_row(bar, Text(numbers if left is None else f"{numbers}, {duration(left)} left"))
        return row
