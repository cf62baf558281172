"""The search that runs beside the commands: for the engine's move, while pondering, or as an analysis."""

import enum
import functools
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ox88.engines.background import BackgroundSearch
from ox88.engines.base import Info, Limit
from ox88.engines.host import EngineHost

if TYPE_CHECKING:
    import chess


class Purpose(enum.Enum):
    """What a search is for."""

    MOVE = "the engine's move"
    PONDER = "the engine's move after the move that is expected of the opponent"
    ANALYSIS = "thinking output alone"


class SearchSlot:
    """Holds at most one search at a time. Callers hold the lock, except for `finish` and `close`, which wait.

    Attributes:
        purpose: what the search that runs is for; None where none runs. A ponder hit changes it.
        limit: the engine's limit in the last search.
        best: the search's newest Info of the best line.
        newest: its newest Info of any kind.
    """

    def __init__(
        self,
        host: EngineHost,
        lock: threading.RLock,
        *,
        shown: Callable[[Info], None],
        failed: Callable[[Exception], None],
        moved: Callable[[tuple[int, ...]], None],
    ) -> None:
        """Hold no search yet.

        Args:
            host: the engine.
            lock: held while `moved` is called.
            shown: called with each Info, in the search's thread.
            failed: called with an exception of the engine, which then plays any move.
            moved: called with the line whose first move is to be played, in the search's thread.
        """
        self.purpose: Purpose | None = None
        self.limit = Limit()
        self.best: Info | None = None
        self.newest: Info | None = None
        self._host = host
        self._lock = lock
        self._shown = shown
        self._failed = failed
        self._moved = moved
        self._background: BackgroundSearch | None = None
        self._started = 0.0
        self._number = 0  # Counts searches. By its number an abandoned search is known, so that its moves are ignored.

    @property
    def elapsed(self) -> float:
        """Seconds since the engine's clock began to run, or would have."""
        return time.perf_counter() - self._started

    def begin(self, board: "chess.Board", limit: Limit, purpose: Purpose) -> None:
        """Search the last position of a game. An earlier search must have been abandoned."""
        self.purpose, self.limit, self.best, self.newest = purpose, limit, None, None
        self._background = None
        self._started = time.perf_counter()
        self._number += 1
        number = self._number
        try:
            self._host.place(board)
            engine = self._host.ready()
            self._background = BackgroundSearch(
                engine,
                engine.search(limit),
                listener=functools.partial(self._show, number),
                failed=self._failed,
                ended=functools.partial(self._end, number),
                held=purpose is not Purpose.MOVE,
                endless=purpose is Purpose.ANALYSIS,
            )
        except Exception as error:  # A GUI waits for a move, whatever has failed.
            self._failed(error)
            self._end(number, ())

    def ponder_hit(self) -> None:
        """The opponent has made the expected move: the search now finds the engine's move."""
        if self._background is not None:
            self.purpose = Purpose.MOVE
            self._started = time.perf_counter()
            self._background.ponder_hit()

    def move_now(self) -> None:
        """End the search for the engine's move soon."""
        if self._background is not None and self.purpose is Purpose.MOVE:
            self._background.stop()

    def abandon(self) -> None:
        """Stop the search without a result. The engine is free when this returns."""
        if self.purpose is not None:
            self.purpose = None
            if self._background is not None:
                self._background.free_engine()

    def finish(self) -> None:
        """Let the engine move now, if it is to move, and wait for its move."""
        with self._lock:
            background = self._background if self.purpose is Purpose.MOVE else None
        if background is not None:
            background.end()

    def close(self) -> None:
        """Abandon the search, and wait for its thread."""
        with self._lock:
            self.abandon()
            background = self._background
        if background is not None:
            background.end()

    def _is_current(self, number: int) -> bool:
        return number == self._number and self.purpose is not None

    def _show(self, number: int, info: Info) -> None:
        """Show an Info, unless the search was abandoned: a GUI would take it for an Info on the new position."""
        if self._is_current(number):
            self.newest = info
            if info.multipv == 1 and not info.current_move:
                self.best = info
            self._shown(info)

    def _end(self, number: int, line: tuple[int, ...]) -> None:
        """Play the move, unless the search was abandoned meanwhile."""
        with self._lock:
            if self._is_current(number):
                purpose, self.purpose = self.purpose, None
                if purpose is Purpose.MOVE:
                    self._moved(line)
