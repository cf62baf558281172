"""A cluster, for the commands that spread their work, and a store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ox88.apps.store import Store
from tests.cluster import Cluster, start_cluster


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with start_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.sqlite3") as store:
        yield store
