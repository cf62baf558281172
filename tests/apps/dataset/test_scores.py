"""Scores of `ox88 dataset`: as by `Positions.search`, however they are shared out, and whatever ends a run."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pyarrow.parquet
import pytest

import ox88
from ox88.apps.dataset import command, scoring, wanted
from ox88.apps.dataset.worker import Job, Search, do_job
from ox88.apps.journal import Journal
from ox88.types import Ox88Error
from tests.apps.conftest import Cluster
from tests.apps.dataset.conftest import Run
from tests.apps.inline import InlineWorkers
from tests.processes import PATIENCE, but_compiling, end, kill_a_worker, python, wait_for_journal

posix = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
GROUP_ROWS, JOB_ROWS = 40, 6
ENOUGH = 150_001  # Bytes of the journal, in which there are some jobs then.
WORDS = ("--columns", "game,fen,move", "--unique", "--nodes", "3000")

# Runs the command with small groups and jobs. Its workers know nothing of either.
SMALL = f"""
import sys
from ox88 import cli
from ox88.apps.dataset import output, scoring, wanted

wanted.SCORED_GROUP_ROWS, scoring.JOB_ROWS, output._PATIENCE = {GROUP_ROWS}, {JOB_ROWS}, float(sys.argv[1])
sys.argv[:2] = ["ox88", "dataset"]
cli.main()
"""


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    """Small groups and jobs, done by this process."""
    inline = InlineWorkers(Job)
    monkeypatch.setattr(command, "make_workers", lambda *_: inline)
    monkeypatch.setattr(wanted, "SCORED_GROUP_ROWS", GROUP_ROWS)
    monkeypatch.setattr(scoring, "JOB_ROWS", JOB_ROWS)
    return inline


def running(
    pgn: Path, output: Path, *options: str, patience: float = 5.0
) -> "AbstractContextManager[subprocess.Popen[str]]":
    """The command in a process of its own. patience: seconds for which groups are not told to the journal."""
    return python("-c", SMALL, str(patience), str(pgn), "-o", str(output), *WORDS, *options)


@pytest.fixture(scope="module")
def undisturbed(pgn: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What one worker writes."""
    output = tmp_path_factory.mktemp("undisturbed") / "out.parquet"
    with running(pgn, output, "--workers", "1") as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return output.read_bytes()


@pytest.fixture(scope="module")
def job_count(undisturbed: bytes) -> int:
    """Of all groups; the last one has fewer than the others."""
    rows: int = pyarrow.parquet.read_table(pyarrow.BufferReader(undisturbed)).num_rows
    whole, rest = divmod(rows, GROUP_ROWS)
    return whole * -(-GROUP_ROWS // JOB_ROWS) + -(-rest // JOB_ROWS)


def finished_jobs(output: Path) -> int:
    with contextlib.closing(sqlite3.connect(f"{output}.journal")) as journal:
        query = "SELECT count(*) FROM done WHERE substr(key, 1, 6) = CAST('scores' AS BLOB)"
        count: int = journal.execute(query).fetchone()[0]
        return count


@pytest.mark.parametrize("limit", [Search(None, 1), Search(300, None), Search(500, 2)])
def test_as_by_positions_search(limit: Search, run: Run, workers: InlineWorkers, pgn: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.parquet"
    words = [word for name, value in limit._asdict().items() if value for word in (f"--{name}", value)]
    code, said, errors = run(pgn, "-o", output, "--columns", "fen", "--per-game", 2, *words)
    rows = pyarrow.parquet.read_table(output).to_pylist()
    assert (code, errors) == (0, "")
    assert said.endswith(f" {len(rows)} rows\n")
    found = ox88.Positions.from_fens([row["fen"] for row in rows]).search(nodes=limit.nodes, depth=limit.depth)
    assert [round(row["score"] * 100) for row in rows] == found.scores.tolist()
    assert [row["best"] for row in rows] == [ox88.to_uci(int(move)) for move in found.moves]
    assert len(rows) > 2 * GROUP_ROWS
    assert {len(job.packed) // 32 for job in workers.jobs} >= {JOB_ROWS, GROUP_ROWS % JOB_ROWS}
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


def test_jobs_are_independent(run: Run, workers: InlineWorkers, pgn: Path, tmp_path: Path) -> None:
    """What comes of one is the same after others, and before."""
    run(pgn, "-o", tmp_path / "out.parquet", "--per-game", 1, "--nodes", 300)
    results = [do_job(job) for job in workers.jobs]
    assert [do_job(job) for job in reversed(workers.jobs)] == results[::-1]
    assert len(set(results)) > 5


def test_two_workers(pgn: Path, tmp_path: Path, undisturbed: bytes) -> None:
    output = tmp_path / "out.parquet"
    with running(pgn, output, "--workers", "2") as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, but_compiling(errors)) == (0, "")
    assert output.read_bytes() == undisturbed


@posix
@pytest.mark.parametrize(("how", "patience"), [(signal.SIGKILL, 0), (signal.SIGKILL, 5), (signal.SIGINT, 5)])
def test_a_run_that_ends_goes_on(
    how: signal.Signals,
    patience: float,
    pgn: Path,
    tmp_path: Path,
    undisturbed: bytes,
    job_count: int,
    run: Run,
    workers: InlineWorkers,
) -> None:
    """No job that is done is done twice, whether its group is in the file or not."""
    output = tmp_path / "out.parquet"
    with running(pgn, output, "--workers", "2", patience=patience) as process:
        wait_for_journal(output, process, ENOUGH)
        said, errors = end(process, how)
    assert said == ""
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert re.search(r"^ox88: \d+ scores are done; the same command goes on from there$", errors, re.MULTILINE)
        assert "Traceback" not in errors
    done = finished_jobs(output)
    assert 0 < done < job_count
    code, _, errors = run(pgn, "-o", output, *WORDS)
    assert code == 0
    assert re.search(r"^ox88: going on behind \d+ scores$", errors, re.MULTILINE)
    assert len(workers.jobs) == job_count - done
    assert output.read_bytes() == undisturbed
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


@posix
def test_a_worker_that_dies(pgn: Path, tmp_path: Path, undisturbed: bytes) -> None:
    output = tmp_path / "out.parquet"
    with running(pgn, output, "--workers", "2") as process:
        wait_for_journal(output, process, ENOUGH)
        kill_a_worker(process)
        assert process.poll() is None
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, but_compiling(errors)) == (0, "")
    assert output.read_bytes() == undisturbed


@posix
@pytest.mark.slow
def test_a_cluster_that_loses_a_worker(pgn: Path, tmp_path: Path, undisturbed: bytes, cluster: Cluster) -> None:
    output = tmp_path / "out.parquet"
    with running(pgn, output, "--scheduler", cluster.address) as process:
        wait_for_journal(output, process, ENOUGH)
        cluster.workers[0].kill()
        assert process.poll() is None
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, but_compiling(errors)) == (0, "")
    assert output.read_bytes() == undisturbed


def test_a_scheduler_that_is_not_there(pgn: Path, tmp_path: Path) -> None:
    begin = time.monotonic()
    with running(pgn, tmp_path / "out.parquet", "--scheduler", "tcp://127.0.0.1:9") as process:
        said, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (2, "")
    assert re.fullmatch(r"ox88: the scheduler 'tcp://127\.0\.0\.1:9' cannot be reached: .*\n", errors)
    assert not list(tmp_path.iterdir())
    assert time.monotonic() - begin < 60


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Ox88Error("the journal cannot be used: disk is full")])
@pytest.mark.parametrize(("jobs", "said"), [(0, ""), (3, "18 scores"), (10, "58 scores")])
def test_what_is_done_is_kept(
    jobs: int,
    said: str,
    error: BaseException,
    run: Run,
    workers: InlineWorkers,
    pgn: Path,
    tmp_path: Path,
    undisturbed: bytes,
    job_count: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also before the first group is complete."""
    output = tmp_path / "out.parquet"
    add, begun = Journal.add, []

    def failing(journal: Journal, key: bytes, result: bytes) -> None:
        if key.startswith(b"scores"):
            begun.append(key)
            if len(begun) > jobs:
                raise error
        add(journal, key, result)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", failing)
        code, _, errors = run(pgn, "-o", output, *WORDS)
    assert code == (130 if isinstance(error, KeyboardInterrupt) else 2)
    assert (f"ox88: {said} are done; the same command goes on from there\n" in errors) == bool(jobs)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ([f"out.parquet.{ending}" for ending in ("first", "journal", "part")] if jobs else [])
    workers.jobs.clear()
    code, _, errors = run(pgn, "-o", output, *WORDS)
    assert (code, errors) == (0, f"ox88: going on behind {said}\n" if jobs else "")
    assert len(workers.jobs) == job_count - jobs
    assert output.read_bytes() == undisturbed


def test_scores_may_be_named_among_the_columns(workers: InlineWorkers, run: Run, pgn: Path, tmp_path: Path) -> None:
    del workers
    path = tmp_path / "out.parquet"
    for named, columns in (("best,ply", ["best", "ply", "score"]), ("score", ["score", "best"])):
        assert run(pgn, "-o", path, "--columns", named, "--nodes", "10", "--to-ply", "0")[0] == 0
        assert pyarrow.parquet.read_schema(path).names == columns
