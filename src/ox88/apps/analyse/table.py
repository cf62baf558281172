"""How the players did, as a table."""

from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from ox88.apps.analyse.totals import Tally, Totals

_NUMBERS: Final = ("games", "accuracy %", "avg. loss", "?!", "?", "??")


def players_table(totals: Totals) -> Table:
    """A row for each player, in the order in which they come."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", overflow="fold")
    for name in _NUMBERS:
        table.add_column(name, justify="right", no_wrap=True)
    for name, tally in totals.players.items():
        table.add_row(Text(name), *_cells(tally))
    return table


def _cells(tally: Tally) -> list[str]:
    accuracy, loss = f"{tally.accuracy / tally.games:.1f}", f"{tally.centipawn_loss / tally.games:.0f}"
    return [str(tally.games), accuracy, loss, str(tally.inaccuracies), str(tally.mistakes), str(tally.blunders)]
