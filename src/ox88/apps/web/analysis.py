"""Analysis for the page: the best lines of a position while it is searched, and whole games as in `ox88 analyse`."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import Final

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.page_output import page_data
from ox88.apps.analyse.parsing import ParsedGame, parse_game
from ox88.apps.analyse.recording import explain_errors, record_analysis, record_line, set_evaluation
from ox88.apps.analyse.records import AnalysedGame, fens_of, format_evaluation
from ox88.apps.analyse.search import PositionAnalysis, line_of, search_backwards
from ox88.apps.reasons.reason import Reason
from ox88.apps.reasons.searching import search_by_placed
from ox88.apps.web import from_server
from ox88.apps.web.engine_pool import EnginePool, Lease, PooledEngine
from ox88.apps.web.messages import Tell
from ox88.apps.web.positions import describe_tree
from ox88.engines.base import EngineEntry, Info, Limit
from ox88.engines.registry import MODERN
from ox88.errors import Ox88Error

LONGEST: Final = 300.0  # Seconds. Then an analysis ends, since nobody may be looking at the page any more.
LONGEST_GAME: Final = 1000  # Plies; more would keep an engine from others for too long.
_PAUSE: Final = 0.05  # Seconds between two reports at least.


async def analyse_position(
    engines: EnginePool, user: object, entry: EngineEntry, board: chess.Board, lines: int, tell: Tell
) -> from_server.Info:
    """Tell the best lines of a position again and again; an engine without MultiPV has one. Returns the last.

    Raises Ox88Error.
    """
    best: dict[int, Info] = {}  # The last Info of each line, by its rank.
    newest: deque[Info] = deque(maxlen=1)
    loop, arrived = asyncio.get_running_loop(), asyncio.Event()

    def listen(info: Info) -> None:  # In the thread of the search.
        if info.line and info.bound == "exact":
            best[info.multipv] = info
        newest.append(info)
        loop.call_soon_threadsafe(arrived.set)

    async def report() -> None:
        while await arrived.wait():
            arrived.clear()
            tell(_describe_search(board, best.copy(), newest[0], is_over=False))
            await asyncio.sleep(_PAUSE)

    reporting = asyncio.create_task(report())
    try:
        await engines.run(
            Lease(entry, user, {"MultiPV": lines}),
            lambda engine: engine.search(board, Limit(time=LONGEST), listen),
            lambda notice: tell({"type": "info", "notice": notice}),
        )
    finally:
        reporting.cancel()
    return _describe_search(board, best, newest[0] if newest else None, is_over=True)


def _describe_search(board: chess.Board, best: dict[int, Info], last: Info | None, is_over: bool) -> from_server.Info:
    """The lines, the best first, and the state of the search."""
    infos = [best[number] for number in sorted(best)]
    described: from_server.Info = {
        "type": "info",
        "lines": [_describe_line(info, board) for info in infos],
        "over": is_over,
    }
    if last is not None:
        described["depth"] = max((info.depth for info in infos), default=last.depth)
        described["nodes"] = last.nodes
        described["speed"] = last.nodes_per_second
        described["time"] = round(last.time, 2)
    return described


def _describe_line(info: Info, board: chess.Board) -> from_server.LineData:
    """The line as a record, but with White's evaluation as text, and White's winning chances in percent."""
    line = line_of(info, board)
    record = record_line(line)
    return {
        "eval": format_evaluation(record["eval"]),
        "win": round(line.evaluation.win_percent, 2),
        "depth": record["depth"],
        "moves": record["moves"],
        "san": record["san"],
    }


# --- Whole games ------------------------------------------------------------------------------------------------------


async def analyse_game(
    engines: EnginePool, user: object, names: OpeningNames, text: str, nodes: int, tell: Tell
) -> from_server.Annotation:
    """Analyse the game of a PGN, and tell the progress: positions are searched from the last to the first.

    Returns the annotated game as `describe_tree` has it, its tags, and what `page_output` says of the players. Raises
    Ox88Error if no move can be read.
    """
    parsed = await asyncio.to_thread(parse_game, text)
    if not parsed.moves:
        raise Ox88Error(parsed.errors[0]["reason"] if parsed.errors else "there is no move to analyse in this game")
    if len(parsed.moves) > LONGEST_GAME:
        raise Ox88Error(f"the game has {len(parsed.moves)} plies: at most {LONGEST_GAME} are analysed here")
    loop = asyncio.get_running_loop()

    def listen(done: int, position: PositionAnalysis) -> None:
        win = round(position.evaluation.win_percent, 2)
        news: from_server.Progress = {"type": "progress", "done": done, "total": len(parsed.moves) + 1, "win": win}
        loop.call_soon_threadsafe(tell, news)

    positions, reasons = await engines.run(
        Lease(MODERN, user),
        lambda engine: _search_game(engine, parsed, Limit(nodes=nodes), listen),
        lambda notice: tell({"type": "progress", "notice": notice}),
    )

    def describe() -> from_server.Annotation:
        record = record_analysis(parsed, positions, "Ox88", reasons)
        game = AnalysedGame(1, "game", 1, record, names.of_game(fens_of(record)))
        set_evaluation(parsed.game, positions[0].evaluation)
        data, nodes = page_data(game), describe_tree(parsed.game, names)
        white, black = data["white"], data["black"]
        return {"type": "annotation", "tags": game.tags, "nodes": nodes, "white": white, "black": black}

    return await asyncio.to_thread(describe)


def _search_game(
    engine: PooledEngine, parsed: ParsedGame, limit: Limit, listen: Callable[[int, PositionAnalysis], None]
) -> tuple[list[PositionAnalysis], dict[int, Reason]]:
    """The analyses, first position first, and the reasons of errors. Ends early if the engine is stopped."""
    found: list[PositionAnalysis] = []
    with contextlib.closing(search_backwards(engine.placed, parsed.last_board(), limit)) as searches:
        for position in searches:
            if engine.is_stopped():
                break
            found.append(position)
            listen(len(found), position)
    if engine.is_stopped():
        return found[::-1], {}
    search = search_by_placed(engine.placed, limit)
    return found[::-1], explain_errors(search, parsed, found[::-1], engine.is_stopped)
