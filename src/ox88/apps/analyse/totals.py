"""Sums over all games, and over the games of each player if the players are few."""

from dataclasses import dataclass, field
from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from ox88.apps.analyse.records import AnalysedGame, PlayerRecord
from ox88.apps.streams import label

MAX_PLAYERS: Final = 20  # With more players, only the sums of all games are printed.


@dataclass(slots=True)
class PlayerTotals:
    games: int = 0
    accuracy: float = 0.0
    centipawn_loss: int = 0
    inaccuracies: int = 0
    mistakes: int = 0
    blunders: int = 0

    def add(self, record: PlayerRecord) -> None:
        self.games += 1
        self.accuracy += record["accuracy"] or 0.0
        self.centipawn_loss += record["acpl"] or 0
        self.inaccuracies += record["inaccuracies"]
        self.mistakes += record["mistakes"]
        self.blunders += record["blunders"]


@dataclass(slots=True)
class Totals:
    """with_errors: games with errors in their text. players: by name, in the order of the games."""

    games: int = 0
    moves: int = 0
    with_errors: int = 0
    all_players: PlayerTotals = field(default_factory=PlayerTotals)
    players: dict[str, PlayerTotals] = field(default_factory=dict)

    def add(self, game: AnalysedGame) -> None:
        record = game.record
        self.games += 1
        self.moves += len(record["moves"])
        self.with_errors += bool(record["errors"])
        for color, player in (("White", record["white"]), ("Black", record["black"])):
            if player is not None and player["accuracy"] is not None:
                name = label(game.tags.get(color, "?"))
                self.all_players.add(player)
                if name != "?" and (name in self.players or len(self.players) <= MAX_PLAYERS):
                    self.players.setdefault(name, PlayerTotals()).add(player)


def players_table(totals: Totals) -> Table:
    """A row for each player."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", overflow="fold")
    for name in ("games", "accuracy %", "avg. loss", "?!", "?", "??"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, player in totals.players.items():
        accuracy, loss = f"{player.accuracy / player.games:.1f}", f"{player.centipawn_loss / player.games:.0f}"
        errors = (str(player.inaccuracies), str(player.mistakes), str(player.blunders))
        table.add_row(Text(name), str(player.games), accuracy, loss, *errors)
    return table
