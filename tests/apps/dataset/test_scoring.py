"""Batches of rows get their scores: in order, and few at a time."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from rich.console import Console

import ox88
from ox88.apps.dataset import scoring
from ox88.apps.dataset.scoring import Job, Scoring, ScoringProgress, Search, count_scored
from ox88.apps.dataset.source import Batch, Chunk, Cursor, cut_into_batches
from ox88.apps.journal import Journal
from tests.apps.inline import ThreadWorkers
from tests.processes import wait_until

BATCH_ROWS, JOB_ROWS = 40, 6


def positions_of(pgn: Path) -> Any:
    """The positions of a PGN, as a table."""
    packed = ox88.read_pgn(pgn).positions(final=False).pack()
    return pyarrow.table({"position": pyarrow.array([row.tobytes() for row in packed], pyarrow.binary(32))})


def words(packed: bytes) -> bytes:
    """Four bytes a position, which stand for its score."""
    return np.frombuffer(packed, np.uint32).reshape(-1, 8)[:, 0].tobytes()


def test_few_batches_wait_behind_a_slow_job(pgn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile all other workers become idle, though there is more to read. More batches may be in the journal."""
    batches = list(cut_into_batches([Chunk(Cursor(), positions_of(pgn))], BATCH_ROWS, 0))
    read: list[Batch] = []
    read_meanwhile: list[int] = []
    begun: list[bytes] = []

    def reading() -> Iterator[Batch]:
        for batch in batches:
            read.append(batch)
            yield batch

    def work(job: Job) -> bytes:
        begun.append(job.key)
        if len(begun) == 1:
            wait_until(lambda: len(begun) > BATCH_ROWS // JOB_ROWS)
            before = 0
            while len(begun) > before:
                before = len(begun)
                time.sleep(0.5)
            read_meanwhile.append(len(read))
        return words(job.packed)

    for name, value in (("JOB_ROWS", JOB_ROWS), ("do_job", work), ("try_search", lambda _: None)):
        monkeypatch.setattr(scoring, name, value)
    with Journal(tmp_path / "journal", {}) as journal, ThreadWorkers() as workers:
        first, again = ScoringProgress(), ScoringProgress()
        scored = list(Scoring(workers, Search(1, None), journal, first).run(reading()))
        rows = sum(map(len, batches))
        assert (count_scored(journal), first.known, first.done) == (rows, 0, rows)
        from_journal = list(Scoring(workers, Search(1, None), journal, again).run(batches))
        assert (again.known, again.done) == (rows, 0)
    assert [scores.tobytes() for _, scores in from_journal] == [scores.tobytes() for _, scores in scored]
    assert [batch for batch, _ in scored] == batches
    for batch, scores in scored:
        assert scores.tobytes() == words(b"".join(batch.table["position"].to_pylist()))
    assert read_meanwhile[0] <= 3 < len(batches) / 4
    assert len(set(begun)) == len(begun)


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.apps.live.time.monotonic", lambda: 1030.0)
    for total, known, done, text in (
        (10_000, 2000, 0, "2,000 of 10,000 positions scored, 0.0 positions/s"),
        (10_000, 2000, 3000, "5,000 of 10,000 positions scored, 100.0 positions/s, 50 s left"),
        (10_000, 2000, 9000, "11,000 of 10,000 positions scored, 300.0 positions/s, 0 s left"),  # A file has grown.
        (None, 0, 3000, "3,000 positions scored, 100.0 positions/s"),
    ):
        console = Console(width=120)
        with console.capture() as capture:
            console.print(ScoringProgress(total, known, done, started=1000.0).view())
        assert capture.get().rstrip().endswith(f" {text}")
