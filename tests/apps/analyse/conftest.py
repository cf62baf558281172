"""`ox88 analyse` in the tests' own process: its workers do each job at once, and keep a list of them."""

from collections.abc import Callable

import pytest

from ox88.apps.analyse import command
from ox88.apps.analyse.worker import Job
from ox88.apps.options import make_ready_engine
from ox88.engines.registry import MODERN
from tests.apps.inline import InlineWorkers
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


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(compiled: None, workers: InlineWorkers, call_ox88: RunPython) -> Run:
    """`run(games, "-o", output, ...)`: exit code, standard output, stderr."""
    del compiled, workers

    def run_command(*arguments: object) -> tuple[int, str, str]:
        process = call_ox88("analyse", *arguments)
        return process.returncode, process.stdout, process.stderr

    return run_command
