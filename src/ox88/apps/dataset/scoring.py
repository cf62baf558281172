"""Scores for row groups: positions searched by workers, what is done in the journal, groups out in their order.

A group waits until the last of its jobs is done. However long that one takes, only some groups wait behind it.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.apps.dataset.columns import packed_of
from ox88.apps.dataset.groups import Group
from ox88.apps.dataset.progress import ScoringProgress
from ox88.apps.dataset.worker import SCORE, Job, Search, do_job, try_search
from ox88.apps.jobs import Workers, do_jobs
from ox88.apps.journal import Journal

JOB_ROWS: Final = 128  # A second or two at 10,000 nodes a position: so much is done again when a worker dies.
_LEAST_WAITING: Final = 3  # Groups: one whose last jobs are done, one of which jobs are given out, and one between.
_JOBS_AHEAD: Final = 8  # Of each worker, in groups that wait: so much slower than others a job may be before they rest.
_KEY: Final = b"scores "


class Scored(NamedTuple):
    """A row group, and SCORE[n] of its positions."""

    group: Group
    scores: NDArray[Any]


class _Waiting:
    """A group while jobs of it are not done. missing: how many."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.scores = np.empty(len(group), SCORE)
        self.missing = 0


class Scoring:
    """One run: row groups in, the same groups with scores out. row: the number of the first one's first row."""

    def __init__(
        self, workers: Workers, search: Search, journal: Journal, progress: ScoringProgress, row: int = 0
    ) -> None:
        self._workers = workers
        self._search = search
        self._journal = journal
        self._progress = progress
        self._row = row
        self._waiting: deque[_Waiting] = deque()
        self._places: dict[bytes, tuple[_Waiting, slice]] = {}  # Of the jobs that are not done.
        self._is_read = False

    def run(self, groups: Iterable[Group]) -> Iterator[Scored]:
        """Each group as soon as its scores are there, and those of all groups before it.

        Raises Ox88Error where workers die again and again, or nothing can be written to the journal.
        """
        for _ in do_jobs(self._workers, try_search, [self._search]):  # One worker compiles what all of them need.
            self._progress.restart()
        stream = iter(groups)
        while not self._is_read:  # Several rounds where all that may wait is in the journal already.
            for done in do_jobs(self._workers, do_job, self._jobs(stream)):
                self._journal.add(done.job.key, done.result)
                self._progress.done += self._take(done.job.key, done.result)
                yield from self._complete()
            yield from self._complete()

    def _jobs(self, groups: Iterator[Group]) -> Iterator[Job | None]:
        """What is to be done; None while enough groups wait."""
        for group in groups:
            for job in self._begin(group):
                result = self._journal.get(job.key)
                if result is None:
                    yield job
                else:
                    self._progress.known += self._take(job.key, result)
            while self._is_full():
                yield None
        self._is_read = True

    def _begin(self, group: Group) -> list[Job]:
        """Let a group wait for its jobs, each named by the number of its first row and how many they are."""
        waiting = _Waiting(group)
        packed = packed_of(group.tables)
        jobs = []
        for first in range(0, len(packed), JOB_ROWS):
            some = packed[first : first + JOB_ROWS]
            key = _KEY + f"{self._row + first}+{len(some)}".encode()
            self._places[key] = waiting, slice(first, first + len(some))
            jobs.append(Job(key, some.tobytes(), self._search))
        waiting.missing = len(jobs)
        self._row += len(packed)
        self._waiting.append(waiting)
        return jobs

    def _take(self, key: bytes, result: bytes) -> int:
        """Scores go to their place. Returns how many."""
        waiting, place = self._places.pop(key)
        scores = np.frombuffer(result, SCORE)
        waiting.scores[place] = scores
        waiting.missing -= 1
        return len(scores)

    def _complete(self) -> Iterator[Scored]:
        while self._waiting and not self._waiting[0].missing:
            waiting = self._waiting.popleft()
            yield Scored(waiting.group, waiting.scores)

    def _is_full(self) -> bool:
        rows = sum(len(waiting.scores) for waiting in self._waiting)
        return len(self._waiting) >= _LEAST_WAITING and rows >= _JOBS_AHEAD * self._workers.count * JOB_ROWS


def count_scored(journal: Journal) -> int:
    """Of how many positions the scores are in a journal."""
    return journal.size(_KEY) // SCORE.itemsize
