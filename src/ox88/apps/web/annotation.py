"""A whole game analysed for the page, as `ox88 analyse` does it, with news on the way."""

import asyncio
import contextlib
import functools
from collections.abc import Callable
from typing import Any, Final

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.outputs import game_text
from ox88.apps.analyse.page_output import page_data
from ox88.apps.analyse.parsing import ParsedGame, parse_game
from ox88.apps.analyse.recording import record_analysis
from ox88.apps.analyse.records import AnalysedGame, fens_of
from ox88.apps.analyse.search import PositionAnalysis, search_backwards
from ox88.apps.web.thinkers import Loan, Thinker, Thinkers
from ox88.engines.base import Limit
from ox88.engines.registry import MODERN
from ox88.types import Ox88Error

MOST_NODES: Final = 2_000_000
LONGEST_GAME: Final = 1000  # Plies; more would keep an engine from others for too long.
_ANNOTATOR: Final = "Ox88"

Tell = Callable[[dict[str, Any]], None]


async def annotate(
    thinkers: Thinkers, user: object, names: OpeningNames, text: str, nodes: int, tell: Tell
) -> dict[str, Any]:
    """The game of a PGN with all that was found out, as `page_output` has it. Raises Ox88Error.

    tell: hears of each position as it is done, from the last to the first.
    """
    parsed = await asyncio.to_thread(parse_game, text)
    if not parsed.moves:
        raise Ox88Error(parsed.errors[0]["reason"] if parsed.errors else "there is no move to analyse in this game")
    if len(parsed.moves) > LONGEST_GAME:
        raise Ox88Error(f"the game has {len(parsed.moves)} plies: at most {LONGEST_GAME} are analysed here")
    loop = asyncio.get_running_loop()

    def told(notice: str) -> None:
        tell({"type": "progress", "notice": notice})

    def searched(done: int, position: PositionAnalysis) -> None:
        news = {"type": "progress", "done": done, "total": len(parsed.moves) + 1}
        loop.call_soon_threadsafe(tell, news | {"win": round(position.evaluation.win_percent, 2)})

    async with thinkers.borrow(Loan(MODERN, user), told) as thinker:
        search = functools.partial(_search, thinker, parsed, Limit(nodes=nodes), searched)
        positions = await thinkers.run(thinker, search)
    return await asyncio.to_thread(_describe, parsed, positions, names)


def _search(
    thinker: Thinker, parsed: ParsedGame, limit: Limit, listen: Callable[[int, PositionAnalysis], None]
) -> list[PositionAnalysis]:
    """From the first position to the last. Ends early where the thinker is stopped."""
    found: list[PositionAnalysis] = []
    searches = search_backwards(thinker.engine, parsed.game.board(), parsed.moves, limit)
    with contextlib.closing(searches):
        for position in searches:
            if thinker.is_stopped():
                break
            found.append(position)
            listen(len(found), position)
    return found[::-1]


def _describe(parsed: ParsedGame, positions: list[PositionAnalysis], names: OpeningNames) -> dict[str, Any]:
    record = record_analysis(parsed, positions, _ANNOTATOR)
    game = AnalysedGame(1, "game", 1, record, names.of_game(fens_of(record)))
    return {"type": "annotation", "game": page_data(game), "pgn": game_text(game)}
