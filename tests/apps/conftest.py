"""For commands that spread their work: a cluster, or workers in the tests' own process; and a store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ox88.apps.analyse.worker import Job
from ox88.apps.options import make_ready_engine
from ox88.apps.store import Store
from ox88.engines.registry import MODERN
from tests.apps.inline import InlineWorkers
from tests.cluster import Cluster, start_cluster


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with start_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def compiled() -> None:
    """The engine is compiled, so no later run reports it."""
    make_ready_engine(MODERN, {})


@pytest.fixture
def workers(compiled: None, monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    """The workers of `ox88 analyse` and `ox88 puzzles`: they do each job at once, and keep a list of them."""
    del compiled
    inline = InlineWorkers(Job)
    for command in ("analyse", "puzzles"):
        monkeypatch.setattr(f"ox88.apps.{command}.command.make_workers", lambda *_: inline)
    return inline


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.sqlite3") as store:
        yield store
