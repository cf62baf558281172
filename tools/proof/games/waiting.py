"""How long a process had work to do while other processes held the cores, so that no move is blamed for that."""

import contextlib
from pathlib import Path
from typing import Final

_NANOSECONDS: Final = 1e-9


def seconds_waited(process: int | None) -> float:
    """Seconds that the threads of a process have waited for a core, together, since it began. Only Linux tells.

    process: its number; None for one that has ended.
    """
    waited = 0.0
    with contextlib.suppress(OSError):  # A thread may end meanwhile.
        for thread in Path(f"/proc/{process}/task").iterdir():
            waited += int((thread / "schedstat").read_bytes().split()[1]) * _NANOSECONDS
    return waited


def seconds_over(seconds: float, clock: float, waited: float) -> float:
    """Seconds by which a move is later than its clock and the time that its process waited for a core allow.

    seconds: that the move took. Returns 0 for a move in time.
    """
    return max(seconds - clock - max(waited, 0.0), 0.0)
