"""What campaigns share: their chance, and the outside judge."""

from collections.abc import Iterator
from random import Random

import pytest

from ox88.apps.match.participant import find_program
from ox88.apps.warmup import warm_up
from tests.campaigns.stockfish import Stockfish
from tests.conftest import missing


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Everything is compiled and loaded before, since an input has a limit of time."""
    warm_up()


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> Random:
    """Random numbers that the name of the test decides, so that it can be run again alone."""
    return Random(request.node.nodeid)


@pytest.fixture(scope="module")
def stockfish() -> Iterator[Stockfish]:
    command = find_program("stockfish")
    if command is None:
        missing("Stockfish is not installed")
    judge = Stockfish(command)
    yield judge
    judge.close()
