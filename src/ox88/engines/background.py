"""A search in a thread of its own, which ends with exactly one line to be played."""

import threading
from collections.abc import Callable, Iterator
from typing import Final

from ox88.engines.base import Engine, Info
from ox88.threads import Background

_STOP_AGAIN_AFTER: Final = 0.1  # Seconds.


class BackgroundSearch:
    """Passes each Info on as it comes, and the best line at the end.

    Args:
        engine: the engine that searches.
        infos: what `engine.search` has returned.
        listener: called with each Info, in the search's thread.
        failed: called with an exception of the engine. The best line so far is then the result.
        ended: called once with the best line, empty where there is none.
        held: delay `ended` until `stop`, or until `ponder_hit` unless endless.
        endless: only `stop` ends the search.
    """

    def __init__(
        self,
        engine: Engine,
        infos: Iterator[Info],
        *,
        listener: Callable[[Info], None],
        failed: Callable[[Exception], None],
        ended: Callable[[tuple[int, ...]], None],
        held: bool = False,
        endless: bool = False,
    ) -> None:
        self._engine = engine
        self._infos = infos
        self._listener = listener
        self._failed = failed
        self._ended = ended
        self._is_endless = endless
        self._lock = threading.RLock()  # Held while the engine is stopped, so that `stop` cannot hit a later search.
        self._released = threading.Event()
        self._is_engine_free = threading.Event()
        if not held:
            self._released.set()
        self._background = Background(self._run, self.stop)

    def stop(self) -> None:
        """End the search soon. Does not wait, so `ended` may take a lock that the caller holds."""
        self._released.set()
        with self._lock:
            if not self._is_engine_free.is_set():
                self._engine.stop()

    def end(self) -> None:
        """Stop the search, if it still runs, and wait until `ended` has returned."""
        self._background.cancel()

    def free_engine(self) -> None:
        """Stop the search and wait until the engine is free. `ended` may be called after that."""
        self.stop()
        while not self._is_engine_free.wait(_STOP_AGAIN_AFTER):
            self.stop()

    def ponder_hit(self) -> None:
        """The move pondered on was played: time limits count from this call on, and `ended` may be called."""
        self._engine.ponder_hit()
        if not self._is_endless:
            self._released.set()

    def _run(self) -> None:
        line: tuple[int, ...] = ()
        try:
            for info in self._infos:
                self._listener(info)
                if info.multipv == 1 and info.line:
                    line = info.line
        except Exception as error:  # A protocol owes its GUI a move, whatever has failed.
            self._failed(error)
        with self._lock:
            self._is_engine_free.set()
        self._released.wait()
        self._ended(line)
        self._listener = self._failed = self._ended = _nothing  # Break reference cycles, which keep the engine alive.


def _nothing(_: object) -> None:
    """In place of listeners after the end."""
