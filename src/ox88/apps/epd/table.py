"""The results as a table: it grows on a terminal while the engine searches, and is printed at the end."""

import sys
from types import TracebackType
from typing import Final

from rich import box
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ox88.apps.epd.results import Results, Tally
from ox88.apps.streams import lenient

_PIPE_WIDTH: Final = 120  # Columns, where there is no terminal to ask.
_NUMBERS: Final = ("tried", "solved", "%", "points", "of", "%")
_INDENT: Final = "  "  # Before a theme.


def results_table(results: Results) -> Table:
    """A row for each suite and theme, and their sum below more than one suite."""
    has_points = results.total.all_points > 0
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("suite", overflow="fold")
    for name in _NUMBERS if has_points else _NUMBERS[:3]:
        table.add_column(name, justify="right", no_wrap=True)
    for suite, tally in results.suites.items():
        _add_row(table, tally, has_points)
        for (owner, _), theme in results.themes.items():
            if owner == suite:
                _add_row(table, theme, has_points, _INDENT)
    if len(results.suites) > 1:
        table.add_section()
        _add_row(table, results.total, has_points)
    return table


def _add_row(table: Table, tally: Tally, has_points: bool, indent: str = "") -> None:
    tried = str(tally.tried) if tally.tried == tally.positions else f"{tally.tried}/{tally.positions}"
    cells = [tried, str(tally.solved), _percent(tally.solved, tally.tried)]
    if has_points and tally.all_points:
        cells += [str(tally.points), str(tally.most_points), _percent(tally.points, tally.most_points)]
    table.add_row(Text(indent + tally.name), *cells)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else ""


def print_table(results: Results, to_stderr: bool) -> None:
    """Print the table on standard output or on stderr."""
    _console(to_stderr).print(results_table(results))


def _console(to_stderr: bool) -> Console:
    stream = lenient(sys.stderr if to_stderr else sys.stdout)
    return Console(file=stream, width=None if stream.isatty() else _PIPE_WIDTH)


class LiveTable:
    """The table on stderr, drawn anew as answers come; nothing where stderr is no terminal."""

    def __init__(self, results: Results) -> None:
        self._results = results
        console = _console(to_stderr=True)
        self._live = Live(
            get_renderable=lambda: results_table(self._results),
            console=console,
            transient=True,
            redirect_stdout=False,
            refresh_per_second=4,
        )
        self._is_shown = console.is_terminal

    def __enter__(self) -> None:
        if self._is_shown:
            self._live.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_shown:
            self._live.stop()
