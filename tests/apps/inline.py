"""Workers that do each job where they stand, and keep it."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ox88.apps.jobs import Workers


class InlineWorkers(Workers):
    """jobs: those of a kind that were given out."""

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
