"""Positions that the engine made by playing itself."""

import contextlib
from collections.abc import Iterator

import numpy as np
import pytest

from ox88.apps.journal import Journal
from tools.datagen.__main__ import openings_of
from tools.datagen.games import Job, play_job
from tools.packing import Packed

JOBS, NODES = 3, 60


def make_job(number: int) -> Job:
    """As the command makes it without a book."""
    return Job(number, openings_of(number, []), (6, 9), NODES, 1)


@pytest.fixture(scope="session")
def jobs_done() -> list[Packed]:
    return [play_job(make_job(number)) for number in range(JOBS)]


@pytest.fixture(scope="session")
def played(jobs_done: list[Packed]) -> Packed:
    return np.concatenate(jobs_done)


@contextlib.contextmanager
def interrupted_after(results: int) -> Iterator[None]:
    """As by Ctrl-C, as soon as a journal has so many results."""
    add = Journal.add

    def add_and_stop(journal: Journal, key: bytes, result: bytes) -> None:
        add(journal, key, result)
        if len(journal) == results:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "add", add_and_stop)
        yield
