"""Watching processes from a test."""

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
