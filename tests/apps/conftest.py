"""A cluster, for the commands that spread their work."""

from collections.abc import Iterator

import pytest

from tests.cluster import Cluster, start_cluster


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with start_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster
