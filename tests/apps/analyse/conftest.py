"""`ox88 analyse` in the tests' own process: its workers do each job at once, and keep a list of them."""

import pytest

from ox88.apps.analyse import command
from ox88.apps.analyse.worker import Job
from ox88.apps.options import make_ready_engine
from ox88.engines.registry import MODERN
from tests.apps.inline import InlineWorkers, Run, runner
from tests.conftest import RunPython


@pytest.fixture(scope="session")
def compiled() -> None:
    """The engine is compiled, so no later run reports it."""
    make_ready_engine(MODERN, {})


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    inline = InlineWorkers(Job)
    monkeypatch.setattr(command, "make_workers", lambda *_: inline)
    return inline


@pytest.fixture
def run(compiled: None, workers: InlineWorkers, call_ox88: RunPython) -> Run:
    del compiled, workers
    return runner(call_ox88, "analyse")
