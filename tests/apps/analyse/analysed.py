"""Games analysed in this process, as the outputs of `ox88 analyse` take them."""

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.records import AnalysedGame, fens_of
from ox88.apps.analyse.worker import AnalysisSettings, analyse_text
from ox88.batch.pgn.game_text import split_games
from ox88.engines.base import Limit
from ox88.engines.registry import MODERN
from tests.conftest import DATA

FAMOUS = DATA / "games" / "famous.pgn"
BLUNDERS = DATA / "games" / "blunders.pgn"


def analysed(*names: str, nodes: int) -> list[AnalysedGame]:
    """The famous games that have one of the names, with so many nodes a position."""
    settings, openings = AnalysisSettings(MODERN, (), Limit(nodes=nodes), "Ox88"), OpeningNames.load()
    games = [game for path in (FAMOUS, BLUNDERS) for game in split_games(path) if any(n in game.text for n in names)]
    records = [analyse_text(game.text, settings) for game in games]
    return [
        AnalysedGame(number, "file", game.line, record, openings.of_game(fens_of(record)))
        for number, (game, record) in enumerate(zip(games, records, strict=True), 1)
    ]
