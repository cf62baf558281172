"""How far the table is."""

import time
from dataclasses import dataclass, field

from rich.console import RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ox88.apps.dataset.source import Counts


@dataclass(slots=True)
class Progress:
    """size: bytes of all files. known_games: of an earlier run. rows: written."""

    counts: Counts
    size: int
    known_games: int = 0
    rows: int = 0
    step: str = ""
    started: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        return max(time.monotonic() - self.started, 1e-9)

    def view(self) -> RenderableType:
        """A bar, and the numbers beside it."""
        counts = self.counts
        speed = (counts.games - self.known_games) / self.elapsed
        rows = f", {self.rows:,} rows" if self.rows else ""
        row = Table.grid(padding=(0, 1))
        bar = ProgressBar(max(self.size, counts.bytes, 1), counts.bytes, width=30)
        row.add_row(bar, Text(f"{self.step}{counts.games:,} games, {speed:,.0f} games/s{rows}"))
        return row
