"""The results as a table: it grows on a terminal while the engine searches, and is printed at the end."""

from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from ox88.apps.epd.results import Results, Tally

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
