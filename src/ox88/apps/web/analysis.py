"""Analysis for the page: the best lines of a position while it is searched, and whole games as in `ox88 analyse`."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.outputs import game_text
from ox88.apps.analyse.page_output import page_data
from ox88.apps.analyse.parsing import ParsedGame, parse_game
from ox88.apps.analyse.recording import record_analysis, record_line
from ox88.apps.analyse.records import AnalysedGame, fens_of, format_evaluation
from ox88.apps.analyse.search import PositionAnalysis, line_of, search_backwards
from ox88.apps.web.engine_pool import EnginePool, Lease, PooledEngine
from ox88.apps.web.messages import Tell
from ox88.engines.base import Info, Limit
from ox88.engines.registry import MODERN
from ox88.types import Ox88Error

LONGEST: Final = 300.0  # Seconds, after which an analysis ends: the page may have been forgotten.
MOST_NODES: Final = 2_000_000  # A position of a game.
LONGEST_GAME: Final = 1000  # Plies; more would keep an engine from others for too long.
_PAUSE: Final = 0.05  # Seconds between two reports at least.
_ANNOTATOR: Final = "Ox88"


async def analyse_position(engines: EnginePool, user: object, board: chess.Board, lines: int, tell: Tell) -> None:
    """Tell the best lines of a position again and again. Raises Ox88Error."""
    reports = _Reports(board, asyncio.get_running_loop(), tell)
    await engines.run(
        Lease(MODERN, user, {"MultiPV": lines}),
        lambda engine: engine.search(board, Limit(time=LONGEST), reports.listen),
        lambda notice: tell({"type": "info", "notice": notice}),
    )
    reports.end()


class _Reports:
    """Takes Infos in the search's thread, and tells them in the event loop, at most one report every `_PAUSE`."""

    def __init__(self, board: chess.Board, loop: asyncio.AbstractEventLoop, tell: Tell) -> None:
        self._board = board
        self._loop = loop
        self._tell = tell
        self._lock = threading.Lock()
        self._lines: dict[int, Info] = {}
        self._last: Info | None = None
        self._is_scheduled = False

    def listen(self, info: Info) -> None:
        with self._lock:
            self._last = info
            if info.line and info.bound == "exact":
                self._lines[info.multipv] = info
            if self._is_scheduled:
                return
            self._is_scheduled = True
        self._loop.call_soon_threadsafe(self._report)

    def _report(self) -> None:
        """Tell now, and look again after a pause."""
        self._say(is_over=False)
        self._loop.call_later(_PAUSE, self._look_again)

    def _look_again(self) -> None:
        with self._lock:
            self._is_scheduled = self._last is not None
        if self._is_scheduled:
            self._report()

    def end(self) -> None:
        self._say(is_over=True)

    def _say(self, is_over: bool) -> None:
        with self._lock:
            last, infos = self._last, list(self._lines.values())
            self._last = None
        if last is not None or is_over:
            self._tell(_describe_search(self._board, infos, last) | {"over": is_over})


def _describe_search(board: chess.Board, infos: Iterable[Info], last: Info | None) -> dict[str, Any]:
    """The lines, the best first, and the state of the search."""
    infos = sorted(infos, key=lambda info: info.multipv)
    last = last or max(infos, key=lambda info: info.nodes, default=None)
    described: dict[str, Any] = {"type": "info", "lines": [_describe_line(info, board) for info in infos]}
    if last is not None:
        depth = max((info.depth for info in infos), default=last.depth)
        described |= {"depth": depth, "nodes": last.nodes, "speed": last.nodes_per_second, "time": round(last.time, 2)}
    return described


def _describe_line(info: Info, board: chess.Board) -> dict[str, Any]:
    """The line as a record, but with White's evaluation as text, and White's winning chances in percent."""
    line = line_of(info, board)
    record = record_line(line)
    return {**record, "eval": format_evaluation(record["eval"]), "win": round(line.evaluation.win_percent, 2)}


# --- Whole games ------------------------------------------------------------------------------------------------------


async def analyse_game(
    engines: EnginePool, user: object, names: OpeningNames, text: str, nodes: int, tell: Tell
) -> dict[str, Any]:
    """Analyse the game of a PGN, and tell the progress: positions are searched from the last to the first.

    Returns the data of the page (see `page_output`) and an annotated PGN. Raises Ox88Error if no move can be read.
    """
    parsed = await asyncio.to_thread(parse_game, text)
    if not parsed.moves:
        raise Ox88Error(parsed.errors[0]["reason"] if parsed.errors else "there is no move to analyse in this game")
    if len(parsed.moves) > LONGEST_GAME:
        raise Ox88Error(f"the game has {len(parsed.moves)} plies: at most {LONGEST_GAME} are analysed here")
    loop = asyncio.get_running_loop()

    def listen(done: int, position: PositionAnalysis) -> None:
        news = {"type": "progress", "done": done, "total": len(parsed.moves) + 1}
        loop.call_soon_threadsafe(tell, news | {"win": round(position.evaluation.win_percent, 2)})

    positions = await engines.run(
        Lease(MODERN, user),
        lambda engine: _search_game(engine, parsed, Limit(nodes=nodes), listen),
        lambda notice: tell({"type": "progress", "notice": notice}),
    )
    return await asyncio.to_thread(_describe_game, parsed, positions, names)


def _search_game(
    engine: PooledEngine, parsed: ParsedGame, limit: Limit, listen: Callable[[int, PositionAnalysis], None]
) -> list[PositionAnalysis]:
    """The analyses, first position first. Ends early if the engine is stopped."""
    found: list[PositionAnalysis] = []
    with contextlib.closing(search_backwards(engine.placed, parsed.last_board(), limit)) as searches:
        for position in searches:
            if engine.is_stopped():
                break
            found.append(position)
            listen(len(found), position)
    return found[::-1]


def _describe_game(parsed: ParsedGame, positions: list[PositionAnalysis], names: OpeningNames) -> dict[str, Any]:
    record = record_analysis(parsed, positions, _ANNOTATOR)
    game = AnalysedGame(1, "game", 1, record, names.of_game(fens_of(record)))
    return {"type": "annotation", "game": page_data(game), "pgn": game_text(game)}
