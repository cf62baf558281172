"""A search of micro-Max in its own thread. Its iterations can be read while it runs."""

import threading
import time
from collections.abc import Iterator
from typing import Final

from ox88.engines.micromax.machine import DEPTH_LIMIT, NODE_LIMIT, Iteration, Machine
from ox88.threads import Background

_POLL: Final = 0.005  # Seconds.


class MachineSearch:
    """Starts at once, and ends at its limits or by `stop` or `close`.

    seconds: time limit, from `start_clock` on when pondering. elapsed: seconds that the finished search took.
    """

    def __init__(
        self,
        machine: Machine,
        nodes: int = NODE_LIMIT,
        depth: int = DEPTH_LIMIT,
        seconds: float | None = None,
        ponders: bool = False,
    ) -> None:
        self._machine = machine
        self._limits = (nodes, depth)
        self.elapsed = 0.0
        machine.record.stop = machine.record.log_length = 0
        self._seconds = seconds
        self._lock = threading.Lock()  # A late timer must not stop the next search.
        self._timer: threading.Timer | None = None
        self._is_closed = False
        if not ponders:
            self.start_clock()
        self._background = Background(self._think, self.stop)

    def start_clock(self) -> None:
        """Let the time count from now, if it does not yet. From any thread."""
        with self._lock:
            if self._seconds is None or self._timer is not None or self._is_closed:
                return
            self._timer = threading.Timer(min(self._seconds, threading.TIMEOUT_MAX), self._on_timer)
            self._timer.daemon = True
            self._timer.start()

    def _on_timer(self) -> None:
        with self._lock:
            if not self._is_closed:
                self.stop()

    def _think(self) -> int:
        started = time.perf_counter()
        score = self._machine.think(*self._limits)
        self.elapsed = time.perf_counter() - started
        return score

    def stop(self) -> None:
        """End the search within a millisecond. Finished iterations stay."""
        self._machine.stop()

    def close(self) -> None:
        """Stop, and wait for the end."""
        with self._lock:
            self._is_closed = True
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None  # Breaks a reference cycle that would keep the table in memory.
        self._background.cancel()

    def iterations(self) -> Iterator[Iteration]:
        """Each iteration as soon as it is finished, until the search has ended."""
        shown = 0
        ended = False
        try:
            while not ended:
                # Only lines that were in the log before the wait: a newer one may be half written.
                length = int(self._machine.record.log_length)
                ended = self._background.wait(_POLL)
                lines = self._machine.iterations(shown, None if ended else length)
                shown += len(lines)
                yield from lines
            self._background.result()
        finally:
            self.close()
