"""The engines that the same functions are run against: a process that python-chess drives, and ours."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from chess.engine import SimpleEngine

import ox88
from ox88.apps.match.participant import find_program
from tests.conftest import missing


def stockfish() -> SimpleEngine:
    command = find_program("stockfish")
    if command is None:
        missing("Stockfish is not installed, so nothing is compared with it (Debian: apt-get install stockfish)")
    return SimpleEngine.popen_uci(command)


OurEngine = ox88.Engine | ox88.MicroMax
AnyEngine = SimpleEngine | OurEngine
OURS: Final[dict[str, Callable[[], OurEngine]]] = {"Engine": ox88.Engine, "MicroMax": ox88.MicroMax}
MAKERS: Final[dict[str, Callable[[], AnyEngine]]] = {"stockfish": stockfish, **OURS}


@pytest.fixture(scope="module", params=MAKERS)
def engine(request: pytest.FixtureRequest) -> Iterator[AnyEngine]:
    """Each engine: what holds for one holds for all."""
    with MAKERS[request.param]() as engine:
        yield engine


@pytest.fixture(scope="module", params=OURS)
def ours(request: pytest.FixtureRequest) -> Iterator[OurEngine]:
    with OURS[request.param]() as engine:
        yield engine
