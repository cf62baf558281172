"""The progress of a data set on a terminal."""

import time
from dataclasses import dataclass, field

from rich.console import RenderableType

from ox88.apps.dataset.source import Source
from ox88.apps.live import Progress, progress_bar


@dataclass(slots=True)
class ReadingProgress:
    """known_games: from an earlier run. rows: written. step: shown instead of numbers."""

    source: Source
    known_games: int = 0
    rows: int = 0
    step: str = ""
    started: float = field(default_factory=time.monotonic)

    def view(self) -> RenderableType:
        games, done = self.source.cursor.games, self.source.bytes_read
        speed = (games - self.known_games) / max(time.monotonic() - self.started, 1e-9)
        rows = f", {self.rows:,} rows" if self.rows else ""
        text = self.step or f"{games:,} games, {speed:,.0f} games/s{rows}"
        return progress_bar(max(self.source.size, done, 1), done, text)


class ScoringProgress(Progress):
    """Numbers of positions."""

    def view(self) -> RenderableType:
        scored = self.known + self.done
        of = "" if self.total is None else f" of {self.total:,}"
        text = f"{scored:,}{of} positions scored, {self.done / self.elapsed:,.1f} positions/s"
        return progress_bar(self.total, scored, text, self.seconds_left)
