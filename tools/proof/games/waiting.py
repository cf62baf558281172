"""How long processes had work to do while others held the cores, so that no move is blamed for that."""

import contextlib
import os
from pathlib import Path
from typing import Final

_NANOSECONDS: Final = 1e-9


class Waiting:
    """How long an engine's process and this one, which talks to it, wait for a core from now on. Only Linux tells."""

    def __init__(self, process: int | None) -> None:
        """process: the number of the engine's; None if it has ended."""
        self._before = {number: seconds_waited(number) for number in (process, os.getpid())}

    def seconds(self) -> float:
        """Of the thread that has waited longest in each of the two, together.

        Threads wait at the same time: all of them together would excuse more time than has passed.
        """
        return sum(_longest(before, seconds_waited(number)) for number, before in self._before.items())


def seconds_waited(process: int | None) -> dict[str, float]:
    """Seconds that each thread of a process has waited for a core since it began, by the thread's number."""
    waited: dict[str, float] = {}
    with contextlib.suppress(OSError):  # The process may have ended.
        for thread in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):  # A thread may end meanwhile.
                waited[thread.name] = int((thread / "schedstat").read_bytes().split()[1]) * _NANOSECONDS
    return waited


def _longest(before: dict[str, float], after: dict[str, float]) -> float:
    return max((seconds - before.get(thread, 0.0) for thread, seconds in after.items()), default=0.0)


def seconds_over(seconds: float, clock: float, waited: float) -> float:
    """Seconds by which a move was late, less those that its process waited for a core; 0 for a move in time.

    seconds: that the move took. clock: that it had.
    """
    return max(seconds - clock - max(waited, 0.0), 0.0)
