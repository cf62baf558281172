"""How many cores this process may use: not all cores of the machine, but what an administrator leaves to it.

A process may be pinned to some cores (its affinity), and a container or a service may have a quota of processor time (a
control group, cgroup). Work that is cut for more cores only waits, and its games are lost on time.
"""

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_GROUPS: Final = Path("/proc/self/cgroup")  # The groups of this process, on Linux.
_MOUNTED: Final = Path("/sys/fs/cgroup")


def cores() -> int:
    """The number of cores that this process may use, at least 1."""
    return max(1, min(_unpinned(), _quota()))


def _unpinned() -> int:
    """The cores to which this process is not denied access. From Python 3.13 on, PYTHON_CPU_COUNT can name another."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # noqa: TID251 - The one place.


@functools.cache
def _quota() -> int:
    """The cores that the quota of this process pays for. It is asked once: bulk work asks for cores very often."""
    return quota(_GROUPS, _MOUNTED)


def quota(groups: Path, mounted: Path) -> int:
    """The cores that control groups leave to a process, rounded down; sys.maxsize if they set no limit.

    A group's limit holds for all groups within it. In a container the outermost group may be the container's own, and
    `groups` may still tell the path outside: folders that do not exist are passed over.

    Args:
        groups: the file /proc/PID/cgroup, with a line such as `4:cpu,cpuacct:/user` (version 1) or `0::/user` (version
            2) for each hierarchy of groups.
        mounted: where the hierarchies are mounted.
    """
    try:
        lines = groups.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # There are no groups, as on macOS and Windows.
        return sys.maxsize
    return min((int(share) for line in lines for share in _shares(line, mounted)), default=sys.maxsize)


def _shares(line: str, mounted: Path) -> Iterator[float]:
    """The limits, in cores, of a group and of the groups around it. line: of /proc/PID/cgroup."""
    _, controllers, path = line.split(":", 2)
    if controllers and "cpu" not in controllers.split(","):
        return
    folder = mounted / controllers
    for group in (folder / path.lstrip("/"), *(folder / path.lstrip("/")).parents):
        if not group.is_relative_to(folder):
            return
        names = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if controllers else ("cpu.max",)
        numbers = _numbers(group, *names)
        if len(numbers) == 2 and min(numbers) > 0:  # `max`, or -1, is no limit.
            yield numbers[0] / numbers[1]


def _numbers(group: Path, *names: str) -> list[int]:
    """The whole numbers in files of a group; none if one cannot be read."""
    try:
        words = " ".join((group / name).read_text(encoding="ascii") for name in names).split()
    except OSError:
        return []
    return [int(word) for word in words if word.removeprefix("-").isdecimal()]
