"""`ox88 analyse` within the tests' own process: its workers do each job where they stand, and count it."""

import sys
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from ox88 import cli
from ox88.apps.analyse import command
from ox88.apps.analyse.worker import Job
from ox88.apps.engines import make_ready_engine
from ox88.apps.jobs import Workers
from ox88.engines.registry import MODERN


class InlineWorkers(Workers):
    """jobs: those that were given out."""

    def __init__(self) -> None:
        super().__init__(1)
        self.jobs: list[Job] = []

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        if isinstance(job, Job):
            self.jobs.append(job)
        future: Future[Any] = Future()
        try:
            future.set_result(function(job))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture(scope="session")
def compiled() -> None:
    """Nobody says that they compile, from now on."""
    make_ready_engine(MODERN, {})


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    inline = InlineWorkers()
    monkeypatch.setattr(command, "make_workers", lambda *_: inline)
    return inline


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    compiled: None, workers: InlineWorkers, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """`run(games, "-o", output, ...)`: exit code, standard output, stderr."""
    del compiled, workers

    def run_command(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["ox88", "analyse", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return run_command


def but_compiling(errors: str) -> str:
    """What was said on stderr, without the word on kernels that are compiled: a test may be the first to need some."""
    return "".join(line for line in errors.splitlines(keepends=True) if not line.startswith("ox88: compiling"))
