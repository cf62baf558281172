"""What an engine thinks of a position, told while it thinks: for one person, until another position is asked for."""

import asyncio
import functools
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final

import chess

from ox88.apps.analyse.recording import record_line
from ox88.apps.analyse.records import format_evaluation
from ox88.apps.analyse.search import line_of
from ox88.apps.web.thinkers import Loan, Thinkers
from ox88.apps.web.thinking import think
from ox88.engines.base import Info, Limit
from ox88.engines.registry import MODERN

LONGEST: Final = 300.0  # Seconds, after which an analysis rests: somebody may have forgotten it.
_PAUSE: Final = 0.05  # Seconds between two reports at the least; what comes meanwhile is put together.


async def analyse(
    thinkers: Thinkers, user: object, board: chess.Board, lines: int, tell: Callable[[dict[str, Any]], None]
) -> None:
    """Tell of the best lines of a position again and again. Raises Ox88Error."""
    reports = _Reports(board, asyncio.get_running_loop(), tell)

    def told(notice: str) -> None:
        tell({"type": "info", "notice": notice})

    async with thinkers.borrow(Loan(MODERN, user, {"MultiPV": lines}), told) as thinker:
        await thinkers.run(thinker, functools.partial(think, thinker, board, Limit(time=LONGEST), reports.listen))
    reports.end()


class _Reports:
    """Takes Infos in the search's thread, and tells of them in the loop's, not too often."""

    def __init__(
        self, board: chess.Board, loop: asyncio.AbstractEventLoop, tell: Callable[[dict[str, Any]], None]
    ) -> None:
        self._board = board
        self._loop = loop
        self._tell = tell
        self._lock = threading.Lock()
        self._lines: dict[int, Info] = {}
        self._last: Info | None = None
        self._is_announced = False

    def listen(self, info: Info) -> None:
        with self._lock:
            self._last = info
            if info.line and info.bound == "exact":
                self._lines[info.multipv] = info
            if self._is_announced:
                return
            self._is_announced = True
        self._loop.call_soon_threadsafe(self._report)

    def _report(self) -> None:
        """Tell now, and look again after a pause."""
        self._say(is_over=False)
        self._loop.call_later(_PAUSE, self._rest)

    def _rest(self) -> None:
        with self._lock:
            self._is_announced = self._last is not None
        if self._is_announced:
            self._report()

    def end(self) -> None:
        self._say(is_over=True)

    def _say(self, is_over: bool) -> None:
        with self._lock:
            last, infos = self._last, list(self._lines.values())
            self._last = None
        if last is not None or is_over:
            self._tell(describe_search(self._board, infos, last) | {"over": is_over})


def describe_search(board: chess.Board, infos: Iterable[Info], last: Info | None) -> dict[str, Any]:
    """The lines, the best first, and the state of the search."""
    infos = sorted(infos, key=lambda info: info.multipv)
    last = last or max(infos, key=lambda info: info.nodes, default=None)
    described: dict[str, Any] = {"type": "info", "lines": [_describe_line(info, board) for info in infos]}
    if last is not None:
        depth = max((info.depth for info in infos), default=last.depth)
        described |= {
            "depth": depth,
            "nodes": last.nodes,
            "speed": last.nodes_per_second,
            "time": round(last.time, 2),
        }
    return described


def _describe_line(info: Info, board: chess.Board) -> dict[str, Any]:
    """The line as a record, but with White's evaluation as text, and White's winning chances in percent."""
    line = line_of(info, board)
    record = record_line(line)
    return {**record, "eval": format_evaluation(record["eval"]), "win": round(line.evaluation.win_percent, 2)}
