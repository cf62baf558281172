"""Tables and progress: redrawn on a terminal while a command works, and printed once at the end."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final

from rich import box
from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ox88.apps.streams import lenient

_PIPE_WIDTH: Final = 120  # Columns of output that goes to no terminal.


def print_view(view: RenderableType, to_stderr: bool = False) -> None:
    """Print a view on standard output or on stderr."""
    _console(to_stderr).print(view)


def _console(to_stderr: bool) -> Console:
    stream = lenient(sys.stderr if to_stderr else sys.stdout)
    return Console(file=stream, width=None if stream.isatty() else _PIPE_WIDTH, highlight=False)


def results_table(first: str, *others: str) -> Table:
    """An empty table. Names in its first column are folded if they are long, numbers in the others never."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


class LiveView:
    """A context manager that redraws what `render` returns on stderr, if that is a terminal.

    is_shown: True if stderr is a terminal.
    """

    def __init__(self, render: Callable[[], RenderableType]) -> None:
        console = _console(to_stderr=True)
        self._live = Live(
            get_renderable=render,
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=console.is_terminal,
            refresh_per_second=4,
        )
        self.is_shown = console.is_terminal

    def __enter__(self) -> None:
        if self.is_shown:
            self._live.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_shown:
            self._live.stop()


@dataclass(slots=True)
class Progress:
    """How much of some work is done. total: None if not known. known: done by an earlier run. done: by this one."""

    total: int | None = None
    known: int = 0
    done: int = 0
    started: float = field(default_factory=time.monotonic)

    def restart(self) -> None:
        """Measure time from here on."""
        self.started = time.monotonic()

    @property
    def elapsed(self) -> float:
        return max(time.monotonic() - self.started, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        if self.total is None or not self.done:
            return None
        return self.elapsed * max(self.total - self.known - self.done, 0) / self.done


def progress_bar(total: int | None, done: int, text: str, seconds_left: float | None = None) -> RenderableType:
    """A bar and a text. total, seconds_left: None if not known."""
    row = Table.grid(padding=(0, 1))
    row.add_row(
        ProgressBar(total, done, width=30),
        Text(text if seconds_left is None else f"{text}, {format_duration(seconds_left)} left"),
    )
    return row


def format_duration(seconds: float) -> str:
    """Such as 42 s, 12:30 min or 3:05 h."""
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    return f"{whole // 60}:{whole % 60:02} min" if whole < 6000 else f"{whole // 3600}:{whole // 60 % 60:02} h"
