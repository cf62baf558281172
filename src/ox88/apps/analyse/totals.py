"""What all games come to, and each player where there are few."""

from dataclasses import dataclass, field
from typing import Final

from ox88.apps.analyse.finished import Finished
from ox88.apps.analyse.records import PlayerRecord
from ox88.apps.labels import label

MOST_PLAYERS: Final = 20  # Of whom sums are kept; there may be a million.


@dataclass(slots=True)
class Tally:
    """A player's sums over games."""

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
    """Sums over all games. flawed: games with errors. players: by name, the first that came."""

    games: int = 0
    moves: int = 0
    flawed: int = 0
    all_players: Tally = field(default_factory=Tally)
    players: dict[str, Tally] = field(default_factory=dict)

    def add(self, game: Finished) -> None:
        record = game.record
        self.games += 1
        self.moves += len(record["moves"])
        self.flawed += bool(record["flaws"])
        for color, player in (("White", record["white"]), ("Black", record["black"])):
            if player is not None and player["accuracy"] is not None:
                self._add_player(label(game.tags.get(color, "?")), player)

    def _add_player(self, name: str, record: PlayerRecord) -> None:
        self.all_players.add(record)
        if name != "?" and (name in self.players or len(self.players) <= MOST_PLAYERS):
            self.players.setdefault(name, Tally()).add(record)

    @property
    def has_few_players(self) -> bool:
        """Whether all of them are in `players`."""
        return 0 < len(self.players) <= MOST_PLAYERS
