"""Positions that the engine made by playing itself."""

import numpy as np
import pytest

from ox88.apps.match.openings import RandomOpenings
from tools.datagen.games import Job, play_job
from tools.packing import Packed

JOBS, NODES = 3, 30


def make_job(number: int) -> Job:
    """As the command makes it without a book."""
    openings = RandomOpenings(1)
    return Job(number, tuple(openings.opening(number * 8 + game) for game in range(8)), 4, NODES, 1)


@pytest.fixture(scope="session")
def jobs_done() -> list[Packed]:
    return [play_job(make_job(number)) for number in range(JOBS)]


@pytest.fixture(scope="session")
def played(jobs_done: list[Packed]) -> Packed:
    return np.concatenate(jobs_done)
