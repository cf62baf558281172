"""Watching processes from a test, and what they say."""

import time
from collections.abc import Callable

import psutil


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something that must come; fail where it does not."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never comes"
        time.sleep(0.02)


def is_running(number: int) -> bool:
    """Whether there is a process with this number that has not ended. One that nobody has asked how it ended, has."""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def but_compiling(errors: str) -> str:
    """What was said on stderr, without the word on kernels that are compiled: a test may be the first to need some."""
    return "".join(line for line in errors.splitlines(keepends=True) if not line.startswith("ox88: compiling"))
