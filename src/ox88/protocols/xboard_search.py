"""The search that runs while commands come and go: for the engine's move, for a ponder move, or an analysis."""

import enum
import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ox88.engines.background import BackgroundSearch
from ox88.engines.base import Info, Limit
from ox88.engines.host import EngineHost

if TYPE_CHECKING:
    import chess


class Purpose(enum.Enum):
    """What a search is for."""

    MOVE = "its move will be played"
    PONDER = "its move will be played if the opponent makes the expected move"
    ANALYSIS = "it is shown only"


@dataclass(slots=True, eq=False)
class Search:
    """A search and what it has found.

    Attributes:
        purpose: what it is for; a ponder hit changes it.
        limit: the engine's limit.
        started: when the engine's clock began to run, or would have, in seconds.
        best: the newest Info of the best line.
        newest: the newest Info of all.
        line: the moves to be played, when the search has ended.
        background: the thread; None if the engine has failed at once.

    """

    purpose: Purpose
    limit: Limit
    started: float = field(default_factory=time.perf_counter)
    best: Info | None = None
    newest: Info | None = None
    line: tuple[int, ...] = ()
    background: BackgroundSearch | None = None

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.started


class SearchSlot:
    """Holds at most one search at a time. Callers hold the lock, except for `finish` and `close`, which wait.

    Args:
        host: the engine.
        lock: held while `moved` is called.
        shown: called with each Info, in the search's thread.
        failed: called with an exception of the engine, which then plays any move.
        moved: called with the search whose move is to be played, in the search's thread.
    """

    def __init__(
        self,
        host: EngineHost,
        lock: threading.RLock,
        *,
        shown: Callable[[Info], None],
        failed: Callable[[Exception], None],
        moved: Callable[[Search], None],
    ) -> None:
        self._host = host
        self._lock = lock
        self._shown = shown
        self._failed = failed
        self._moved = moved
        self.search: Search | None = None

    @property
    def purpose(self) -> Purpose | None:
        return self.search.purpose if self.search else None

    def begin(self, board: "chess.Board", limit: Limit, purpose: Purpose) -> None:
        """Search the last position of a game. An earlier search must have been abandoned."""
        search = self.search = Search(purpose, limit)
        try:
            self._host.place(board)
            engine = self._host.ready()
            infos = engine.search(limit)
        except Exception as error:  # A GUI waits for a move, whatever has failed.
            self._failed(error)
            self._end(search, ())
            return
        search.background = BackgroundSearch(
            engine,
            infos,
            listener=functools.partial(self._show, search),
            failed=self._failed,
            ended=functools.partial(self._end, search),
            held=purpose is not Purpose.MOVE,
            endless=purpose is Purpose.ANALYSIS,
        )

    def ponder_hit(self) -> None:
        """The opponent has made the expected move: the search now finds the engine's move."""
        search = self.search
        if search is not None and search.background is not None:
            search.purpose = Purpose.MOVE
            search.started = time.perf_counter()
            search.background.ponder_hit()

    def move_now(self) -> None:
        """End the search for the engine's move soon."""
        search = self.search
        if search is not None and search.background is not None and search.purpose is Purpose.MOVE:
            search.background.stop()

    def abandon(self) -> None:
        """Stop the search without a result. The engine is free when this returns."""
        search, self.search = self.search, None
        if search is not None and search.background is not None:
            search.background.free_engine()

    def finish(self) -> None:
        """Let the engine move now, if it is to move, and wait for that."""
        with self._lock:
            background = self.search.background if self.search and self.purpose is Purpose.MOVE else None
        if background is not None:
            background.end()

    def close(self) -> None:
        """Abandon the search, and wait for its thread."""
        with self._lock:
            background = self.search.background if self.search else None
            self.abandon()
        if background is not None:
            background.end()

    def _show(self, search: Search, info: Info) -> None:
        """Show an Info, unless the search was abandoned: a GUI would take it for one of the new position."""
        if self.search is not search:
            return
        search.newest = info
        if info.multipv == 1 and not info.current_move:
            search.best = info
        self._shown(info)

    def _end(self, search: Search, line: tuple[int, ...]) -> None:
        """Play the move, unless the search was abandoned meanwhile."""
        with self._lock:
            if self.search is search:
                self.search = None
                if search.purpose is Purpose.MOVE:
                    search.line = line
                    self._moved(search)
