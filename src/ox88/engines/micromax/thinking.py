"""A think of micro-Max in a thread of its own, whose iterations can be read while it goes on."""

import threading
import time
from collections.abc import Iterator
from typing import Final

from ox88.engines.micromax.machine import DEPTH_LIMIT, NODE_LIMIT, Iteration, Machine
from ox88.threads import Background

_POLL: Final = 0.005  # Seconds.


class Thinking:
    """Starts at once, and ends by itself at its limits; `stop` and `close` end it before.

    seconds: how long it may think, from `start_clock` on if it ponders. elapsed: how long the search alone took.
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
        self._lock = threading.Lock()  # An alarm must not stop the search that comes after this one.
        self._alarm: threading.Timer | None = None
        self._is_closed = False
        if not ponders:
            self.start_clock()
        self._background = Background(self._think, self.stop)

    def start_clock(self) -> None:
        """Let the time count from now, if it does not yet; from any thread."""
        with self._lock:
            if self._seconds is None or self._alarm is not None or self._is_closed:
                return
            self._alarm = threading.Timer(min(self._seconds, threading.TIMEOUT_MAX), self._ring)
            self._alarm.daemon = True
            self._alarm.start()

    def _ring(self) -> None:
        with self._lock:
            if not self._is_closed:
                self.stop()

    def _think(self) -> int:
        started = time.perf_counter()
        score = self._machine.think(*self._limits)
        self.elapsed = time.perf_counter() - started
        return score

    def stop(self) -> None:
        """End the search within a millisecond; the iterations that were finished stand."""
        self._machine.stop()

    def close(self) -> None:
        """Stop, and wait for the end."""
        with self._lock:
            self._is_closed = True
            if self._alarm is not None:
                self._alarm.cancel()
                self._alarm = None  # It knows this, and this the table: in a circle that would live on.
        self._background.cancel()

    def iterations(self) -> Iterator[Iteration]:
        """The finished iterations, in order, each as soon as it is there, until the search has ended."""
        shown = 0
        ended = False
        try:
            while not ended:
                # Lines that stood in the log before the wait are whole, also where stores are reordered.
                length = int(self._machine.record.log_length)
                ended = self._background.wait(_POLL)
                lines = self._machine.iterations(shown, None if ended else length)
                shown += len(lines)
                yield from lines
            self._background.result()
        finally:
            self.close()
