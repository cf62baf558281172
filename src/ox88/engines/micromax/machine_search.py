"""A search of micro-Max in its own thread. Its iterations can be read while it runs."""

import math
import time
from collections.abc import Iterator
from typing import Final

from ox88.engines.micromax.machine import DEPTH_LIMIT, NODE_LIMIT, Iteration, Machine
from ox88.threads import Background

_POLL: Final = 0.005  # Seconds.


class MachineSearch:
    """Starts at once. It ends by `stop` or `close`, or while `iterations` is read, at its limits.

    seconds: time limit, from `start_clock` on when pondering. elapsed: seconds that the finished search took.
    """

    def __init__(
        self,
        machine: Machine,
        nodes: int = NODE_LIMIT,
        depth: int = DEPTH_LIMIT,
        seconds: float = math.inf,
        ponders: bool = False,
    ) -> None:
        self._machine = machine
        self._limits = (nodes, depth)
        self._seconds = seconds
        self._end = math.inf if ponders else time.perf_counter() + seconds
        self.elapsed = 0.0
        machine.record.stop = machine.record.log_length = 0
        self._background = Background(self._think, self.stop)

    def start_clock(self) -> None:
        """Let the time count from now, if it does not yet. From any thread."""
        if self._end == math.inf:
            self._end = time.perf_counter() + self._seconds

    def _think(self) -> None:
        started = time.perf_counter()
        self._machine.think(*self._limits)
        self.elapsed = time.perf_counter() - started

    def stop(self) -> None:
        """End the search within a millisecond. Finished iterations stay."""
        self._machine.stop()

    def close(self) -> None:
        """Stop, and wait for the end."""
        self._background.cancel()

    def iterations(self) -> Iterator[Iteration]:
        """Each iteration as soon as it is finished, until the search has ended."""
        shown = 0
        ended = False
        try:
            while not ended:
                # Only lines that were in the log before the wait: a newer one may be half written.
                length = int(self._machine.record.log_length)
                left = self._end - time.perf_counter()
                if left <= 0:
                    self.stop()
                ended = self._background.wait(min(left, _POLL) if left > 0 else _POLL)
                lines = self._machine.iterations(shown, None if ended else length)
                shown += len(lines)
                yield from lines
            self._background.result()
        finally:
            self.close()
