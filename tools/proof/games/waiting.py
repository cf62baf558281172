"""How long processes had work to do while others held the cores, so that no move is blamed for that."""

import contextlib
import os
from pathlib import Path
from typing import Final

_NANOSECONDS: Final = 1e-9


def waited_together(process: int | None) -> float:
    """Seconds that an engine's process and this one, which talks to it, have waited for a core. Only Linux tells.

    process: the number of the engine's; None if it has ended.
    """
    return seconds_waited(process) + seconds_waited(os.getpid())


def seconds_waited(process: int | None) -> float:
    """Seconds that the threads of a process have waited for a core, together, since it began."""
    waited = 0.0
    with contextlib.suppress(OSError):  # A thread may end meanwhile.
        for thread in Path(f"/proc/{process}/task").iterdir():
            waited += int((thread / "schedstat").read_bytes().split()[1]) * _NANOSECONDS
    return waited


def seconds_over(seconds: float, clock: float, waited: float) -> float:
    """Seconds by which a move was late, less those that its process waited for a core; 0 for a move in time.

    seconds: that the move took. clock: that it had.
    """
    return max(seconds - clock - max(waited, 0.0), 0.0)
