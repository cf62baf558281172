"""Commands and their workers within the process of the tests."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ox88.apps.jobs import Workers
from tests.conftest import RunPython

Run = Callable[..., tuple[int, str, str]]


def runner(call_ox88: RunPython, command: str) -> Run:
    """`run(games, "-o", output, ...)`: exit code, standard output, stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        process = call_ox88(command, *arguments)
        return process.returncode, process.stdout, process.stderr

    return run


class InlineWorkers(Workers):
    """They do each job at once, in the calling thread. jobs: the jobs of one kind that were given out."""

    def __init__(self, kind: type) -> None:
        super().__init__(1)
        self._kind = kind
        self.jobs: list[Any] = []

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        if isinstance(job, self._kind):
            self.jobs.append(job)
        future: Future[Any] = Future()
        try:
            future.set_result(function(job))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self, at_once: bool) -> None:
        """There is nothing to end."""


class ThreadWorkers(Workers):
    """They do some jobs at a time."""

    def __init__(self, count: int = 2) -> None:
        super().__init__(count)
        self._pool = ThreadPoolExecutor(count)

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        return self._pool.submit(function, job)

    def close(self, at_once: bool) -> None:
        self._pool.shutdown(cancel_futures=at_once)
