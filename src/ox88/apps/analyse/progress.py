"""The progress of an analysis."""

from dataclasses import dataclass, field

from rich.console import RenderableType

from ox88.apps.live import Progress, progress_bar


@dataclass(slots=True)
class AnalysisProgress:
    """Of games, and of the characters in their texts, by which the time is estimated. results: found, in a unit."""

    games: Progress = field(default_factory=lambda: Progress(0))
    characters: Progress = field(default_factory=lambda: Progress(0))
    results: int = 0
    unit: str = "positions"

    def view(self) -> RenderableType:
        finished = self.games.known + self.games.done
        speed = self.results / self.characters.elapsed
        text = f"{finished} of {self.games.total} games, {speed:.1f} {self.unit}/s"
        return progress_bar(self.games.total, finished, text, self.characters.seconds_left)
