"""The campaign server, with small loads, and what it does not let pass."""

from collections.abc import Iterator
from random import Random

import pytest

from tools.proof.campaign import FailureError, Tally
from tools.proof.runs import Run
from tools.proof.server import server
from tools.proof.server.players import percentile
from tools.proof.serving import prepare, serving


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Run, str]]:
    folder = tmp_path_factory.mktemp("server")
    prepare(folder)
    with serving(folder) as found:
        yield found


@pytest.mark.parametrize("kind", server.KINDS)
def test_a_small_load(kind: server.Kind, running: tuple[Run, str], monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {
        "PLAYERS": 3,
        "SECONDS": 6.0,
        "REST": 0.1,
        "VISITORS": 30,
        "SLOW": 3,
        "SLOW_SECONDS": 10.0,
    }
    for name, number in numbers.items():
        monkeypatch.setattr(server, name, number)
    tally = Tally()
    kind(running[1], Random(1), tally)
    assert sum(tally.counts.values()) > 3
    server.check_serves(running[1])


def test_what_is_not_refused_fails(running: tuple[Run, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_OUTSIDE", ("/",))
    with pytest.raises(FailureError, match="is answered by 200, expected"):
        server.foreign_visitors(running[1], Random(1), Tally())


def test_memory_that_is_kept_fails(running: tuple[Run, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_SETTLING", 1.0)
    monkeypatch.setattr(server, "MOST_GROWTH", 0.5)
    with (
        pytest.raises(FailureError, match=r"the server had \d+ MB, and has"),
        server.memory_given_back(running[0], Tally()),
    ):
        pass


def test_percentile() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2
    assert percentile(range(101), 0.99) == 99
