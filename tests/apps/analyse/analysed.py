"""Games as `ox88 analyse` has them when they are done, made here and now."""

from ox88.apps.analyse.finished import Finished
from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.records import unpack
from ox88.apps.analyse.texts import GameText, read_games
from ox88.apps.analyse.worker import Job, Way, do_job
from ox88.engines.base import Limit
from ox88.engines.registry import MODERN
from tests.conftest import DATA

FAMOUS = DATA / "games" / "famous.pgn"
BLUNDERS = DATA / "games" / "blunders.pgn"


def analysed(*names: str, nodes: int) -> list[Finished]:
    """The famous games that have one of the names, with so many nodes a position."""
    way, openings = Way(MODERN, (), Limit(nodes=nodes), "Ox88"), OpeningNames.load()
    texts = (game for game in read_games([FAMOUS, BLUNDERS]) if isinstance(game, GameText))
    games = [game for game in texts if any(name in game.text for name in names)]
    records = [unpack(do_job(Job(b"", game.text, way))) for game in games]
    return [
        Finished(number, game.file, game.line, record, openings.of_game(record))
        for number, (game, record) in enumerate(zip(games, records, strict=True), 1)
    ]
