"""Campaigns that crash, hang and fail."""

import ctypes
import os
import time
from collections.abc import Callable
from typing import ClassVar

from tools.proof.campaign import Campaign, Tally


def crash() -> None:
    ctypes.string_at(0)


def hang() -> None:
    while True:
        pass


def end() -> None:
    os._exit(7)


def take_memory() -> None:
    taken = bytearray(400 << 20)
    taken[::4096] = bytes([1]) * len(taken[::4096])
    wait()


def wait() -> None:
    time.sleep(60)


def fail() -> None:
    raise KeyError("nobody has told of it")


WRONG: dict[int, Callable[[], None]] = {1: crash, 2: hang, 4: end, 5: take_memory, 7: wait, 8: fail}


class Misbehaving(Campaign):
    """A case does what WRONG says."""

    goal: ClassVar = 10
    block: ClassVar = 10
    watched: ClassVar = True
    most_waiting: ClassVar = 3.0

    def run(self, case: int, seed: int, tally: Tally) -> None:
        tally.counts["seeds"] += seed
        WRONG.get(case, lambda: None)()
        tally.counts["cases that ended"] += 1

    @classmethod
    def describe(cls, case: int, seed: int) -> str:
        return f"the input of {case} of {seed}"


class Unable(Misbehaving):
    """Cannot begin."""

    def __init__(self) -> None:
        raise ValueError("it has no board")
