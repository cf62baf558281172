"""Batches of rows get their scores: in order, few at a time, and from the journal if it has them."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest

import ox88
from ox88.apps.dataset import scoring
from ox88.apps.dataset.progress import ScoringProgress
from ox88.apps.dataset.scoring import Job, Scoring, Search, count_scored
from ox88.apps.dataset.source import Batch, Chunk, Cursor, cut_into_batches
from ox88.apps.jobs import Workers
from ox88.apps.journal import Journal
from tests.apps.inline import InlineWorkers, ThreadWorkers

BATCH_ROWS, JOB_ROWS = 40, 6
DoJob = Callable[[Job], bytes]
Scored = list[tuple[Batch, Any]]  # With the scores.


def positions_of(pgn: Path) -> Any:
    """The positions of a PGN, as a table."""
    packed = ox88.read_pgn(pgn).positions(final=False).pack()
    return pyarrow.table({"position": pyarrow.array([row.tobytes() for row in packed], pyarrow.binary(32))})


class Reading:
    """Batches of the rows of all games. number: how many were read."""

    def __init__(self, pgn: Path) -> None:
        self.batches = list(cut_into_batches([Chunk(Cursor(), positions_of(pgn))], BATCH_ROWS, 0))
        self.number = 0

    def __iter__(self) -> Iterator[Batch]:
        for batch in self.batches:
            self.number += 1
            yield batch

    @property
    def rows(self) -> int:
        return sum(map(len, self.batches))


@pytest.fixture
def reading(pgn: Path) -> Reading:
    return Reading(pgn)


def words(packed: bytes) -> bytes:
    """Four bytes a position, which stand for its score."""
    return np.frombuffer(packed, np.uint32).reshape(-1, 8)[:, 0].tobytes()


@pytest.fixture
def score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Scored]:
    """`score(workers, reading, progress, do_job)`, with small jobs and one journal for all calls."""

    def run(
        workers: Workers, reading: Reading, progress: ScoringProgress, work: DoJob = lambda job: words(job.packed)
    ) -> Scored:
        monkeypatch.setattr(scoring, "JOB_ROWS", JOB_ROWS)
        monkeypatch.setattr(scoring, "do_job", work)
        monkeypatch.setattr(scoring, "try_search", lambda _: None)
        with Journal(tmp_path / "journal", {}) as journal, workers:
            scored = list(Scoring(workers, Search(1, None), journal, progress).run(reading))
            assert count_scored(journal) == reading.rows
            return scored

    return run


def check(scored: Scored, batches: list[Batch]) -> None:
    assert [batch for batch, _ in scored] == batches
    for batch, scores in scored:
        packed = [position for table in batch.tables for position in table["position"].to_pylist()]
        assert scores.tobytes() == words(b"".join(packed))


def test_few_batches_wait_behind_a_slow_job(reading: Reading, score: Callable[..., Scored]) -> None:
    """Meanwhile all other workers become idle, though there is more to read."""
    begun: list[bytes] = []
    read_meanwhile: list[int] = []

    def work(job: Job) -> bytes:
        begun.append(job.key)
        if len(begun) == 1:
            before = 0
            while len(begun) > before:
                before = len(begun)
                time.sleep(0.5)
            assert before > BATCH_ROWS // JOB_ROWS
            read_meanwhile.append(reading.number)
        return words(job.packed)

    check(score(ThreadWorkers(), reading, ScoringProgress(None), work), reading.batches)
    assert read_meanwhile[0] <= 3 < len(reading.batches) / 4
    assert len(set(begun)) == len(begun)


def test_what_the_journal_has_is_not_done_again(reading: Reading, score: Callable[..., Scored]) -> None:
    """Also more batches than may wait."""
    first, second = InlineWorkers(Job), InlineWorkers(Job)
    progress = ScoringProgress(None)
    check(score(first, reading, progress), reading.batches)
    assert (progress.known, progress.done) == (0, reading.rows)
    progress = ScoringProgress(None)
    check(score(second, reading, progress), reading.batches)
    assert (progress.known, progress.done) == (reading.rows, 0)
    assert first.jobs
    assert second.jobs == []


def test_no_rows(reading: Reading, score: Callable[..., Scored]) -> None:
    reading.batches.clear()
    assert score(InlineWorkers(Job), reading, ScoringProgress(None)) == []


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.apps.dataset.progress.time.monotonic", lambda: 1030.0)
    known = ScoringProgress(10_000, known=2000, started=1000.0)
    unknown = ScoringProgress(None, done=3000, started=1000.0)
    assert "2,000 of 10,000 positions scored, 0.0 positions/s" in _text(known)
    assert "left" not in _text(known)
    known.done = 3000
    assert "5,000 of 10,000 positions scored, 100.0 positions/s, 50 s left" in _text(known)
    assert "3,000 positions scored, 100.0 positions/s" in _text(unknown)
    assert "left" not in _text(unknown)
    known.done = 9000  # There may be more than was counted: the file has grown.
    assert known.seconds_left == 0
    known.restart()
    assert known.started == 1030


def _text(shown: ScoringProgress) -> str:
    from rich.console import Console

    console = Console(width=120)
    with console.capture() as capture:
        console.print(shown.view())
    return capture.get()
