"""The analysed games, one after another, as outputs take them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ox88.apps.analyse.opening_names import Opening, OpeningNames
from ox88.apps.analyse.records import GameRecord, unpack
from ox88.apps.analyse.texts import GameText, read_games
from ox88.apps.journal import Journal
from ox88.types import Ox88Error


@dataclass(frozen=True, slots=True)
class Finished:
    """A game, the number that it has in the input, from 1, and where it stands there."""

    number: int
    file: str
    line: int
    record: GameRecord
    opening: Opening | None

    @property
    def tags(self) -> dict[str, str]:
        """Those of the game, and of its opening where it has none."""
        tags = dict(self.record["headers"])
        if self.opening is not None:
            tags = tags | {"ECO": self.opening.eco, "Opening": self.opening.name} | tags
        return tags

    @property
    def flaws(self) -> Iterator[str]:
        """What is wrong in it, for people."""
        for flaw in self.record["flaws"]:
            yield f"{self.file}:{self.line + flaw['line']}: game {self.number}: {flaw['reason']}"


def finished_games(
    paths: Iterable[Path], journal: Journal, key: Callable[[GameText], bytes], names: OpeningNames
) -> Iterator[Finished]:
    """The games in the order of the input. Raises Ox88Error where that has changed meanwhile."""
    games = (game for game in read_games(paths) if isinstance(game, GameText))
    for number, game in enumerate(games, 1):
        packed = journal.get(key(game))
        if packed is None:
            raise Ox88Error(f"{game.file} has changed meanwhile: the same command analyses what is new")
        record = unpack(packed)
        yield Finished(number, game.file, game.line, record, names.of_game(record))
