"""Scores of positions: workers search them, the journal keeps the results, and batches come out in order.

A batch waits until the last of its jobs is done. If that job is slow, a limited number of later batches wait too.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import RenderableType

from ox88.apps.dataset.source import Batch
from ox88.apps.jobs import Workers, do_jobs
from ox88.apps.journal import Journal
from ox88.apps.live import Progress, progress_bar
from ox88.batch.positions.packed import PACKED
from ox88.batch.positions.positions import Positions

SCORE: Final = np.dtype([("score", "<i2"), ("best", "<u2")])  # As `Positions.search` returns them.
JOB_ROWS: Final = 128  # A second or two at 10,000 nodes a position. When a worker dies, its jobs are done again.
_LEAST_WAITING: Final = 3  # Batches: one whose last jobs are being done, one between, one whose jobs are given out.
_JOBS_AHEAD: Final = 8  # Waiting jobs per worker, so that no worker idles while one job takes longer than others.
_KEY: Final = b"scores "


class Search(NamedTuple):
    """The limits of the search of each position. If both are given, the first one reached ends it."""

    nodes: int | None
    depth: int | None


@dataclass(frozen=True, slots=True)
class Job:
    """Positions to search. row: the number of the first one. packed: PACKED[n]."""

    row: int
    packed: bytes
    search: Search

    @property
    def key(self) -> bytes:
        """In the journal."""
        return _KEY + f"{self.row}+{len(self)}".encode()

    def __len__(self) -> int:
        return len(self.packed) // PACKED.itemsize


def do_job(job: Job) -> bytes:
    """Search the positions in this thread. Returns SCORE[n].

    Each job makes a new engine, in a millisecond, so it cannot depend on earlier jobs.
    """
    positions = Positions.from_packed(np.frombuffer(job.packed, PACKED), threads=1)
    found = positions.search(nodes=job.search.nodes, depth=job.search.depth, threads=1)
    scores = np.empty(len(positions), SCORE)
    scores["score"], scores["best"] = found.scores, found.moves
    return scores.tobytes()


def try_search(search: Search) -> None:
    """Compile the engine and check the limits, without a search. Raises Ox88Error."""
    do_job(Job(0, b"", search))


class ScoringProgress(Progress):
    """Numbers of positions."""

    def view(self) -> RenderableType:
        scored = self.known + self.done
        of = "" if self.total is None else f" of {self.total:,}"
        text = f"{scored:,}{of} positions scored, {self.done / self.elapsed:,.1f} positions/s"
        return progress_bar(self.total, scored, text, self.seconds_left)


class _Waiting(NamedTuple):
    """A batch, the keys of its jobs, and of those that are not done."""

    batch: Batch
    keys: list[bytes]
    missing: set[bytes]


@dataclass(slots=True)
class Scoring:
    """One run: batches of rows come in and leave with scores, which the journal keeps. row: the first one's number."""

    workers: Workers
    search: Search
    journal: Journal
    progress: ScoringProgress
    row: int = 0
    _waiting: deque[_Waiting] = field(default_factory=deque, init=False)
    _is_read: bool = field(default=False, init=False)

    def run(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, NDArray[Any]]]:
        """Each batch with SCORE[n] of its positions, when the scores of this batch and of all earlier ones are there.

        Raises Ox88Error if workers die again and again, or the journal cannot be written.
        """
        for _ in do_jobs(self.workers, try_search, [self.search]):  # One worker compiles for all of them.
            self.progress.restart()
        stream = iter(batches)
        while not self._is_read:  # A round ends early if the journal has all scores of the batches that may wait.
            for job, result in do_jobs(self.workers, do_job, self._jobs(stream)):
                self.journal.add(job.key, result)
                self.progress.done += len(job)
                for waiting in self._waiting:
                    waiting.missing.discard(job.key)
                yield from self._complete()
            yield from self._complete()

    def _jobs(self, batches: Iterator[Batch]) -> Iterator[Job | None]:
        """The jobs to do; None while enough batches wait."""
        for batch in batches:
            column = batch.table["position"].combine_chunks()
            packed = np.frombuffer(column.buffers()[1] or b"", PACKED, len(column), column.offset * PACKED.itemsize)
            jobs = [
                Job(self.row + first, packed[first : first + JOB_ROWS].tobytes(), self.search)
                for first in range(0, len(packed), JOB_ROWS)
            ]
            to_do = [job for job in jobs if job.key not in self.journal]
            self._waiting.append(_Waiting(batch, [job.key for job in jobs], {job.key for job in to_do}))
            self.progress.known += len(batch) - sum(map(len, to_do))
            yield from to_do
            self.row += len(batch)
            while self._is_full():
                yield None
        self._is_read = True

    def _complete(self) -> Iterator[tuple[Batch, NDArray[Any]]]:
        while self._waiting and not self._waiting[0].missing:
            batch, keys, _ = self._waiting.popleft()
            yield batch, np.frombuffer(b"".join(self.journal.get(key) or b"" for key in keys), SCORE)

    def _is_full(self) -> bool:
        rows = sum(len(waiting.batch) for waiting in self._waiting)
        return len(self._waiting) >= _LEAST_WAITING and rows >= _JOBS_AHEAD * self.workers.count * JOB_ROWS


def count_scored(journal: Journal) -> int:
    """The number of positions whose scores are in a journal."""
    return journal.size(_KEY) // SCORE.itemsize
