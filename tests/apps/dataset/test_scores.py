"""Scores of `ox88 dataset`: as by `Positions.search`, however they are shared out, and whatever ends a run."""

import re
import shutil
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import pyarrow.parquet
import pytest

import ox88
from ox88.apps.dataset import command, scoring
from ox88.apps.dataset.scoring import Job, Search
from ox88.apps.journal import Journal
from ox88.errors import Ox88Error
from tests.apps.dataset.conftest import PART_ROWS, ROW_GROUP, contents
from tests.apps.inline import InlineWorkers, Run
from tests.cluster import Cluster
from tests.processes import PATIENCE, but_compiling, end, kill_a_worker, python, wait_for_journal

posix = pytest.mark.posix("signals")
JOB_ROWS = 6
ENOUGH = 150_001  # Bytes of the journal, in which there are some jobs then.
COLUMNS = ("--columns", "game,fen,move", "--unique", "--per-game", "6")
WORDS, SLOW_WORDS = (*COLUMNS, "--nodes", "50"), (*COLUMNS, "--nodes", "3000")

# Runs the command with small parts and jobs. Its workers know nothing of either.
SMALL = f"""
import sys
import ox88.batch.pgn.reading
from ox88 import cli
from ox88.apps.dataset import parts, pipeline, scoring

parts.PART_ROWS, pipeline.SCORED_ROWS, scoring.JOB_ROWS = {PART_ROWS}, {ROW_GROUP}, {JOB_ROWS}
parts.ROW_GROUP, ox88.batch.pgn.reading.BLOCK = pipeline.SCORED_ROWS, 1500
sys.argv[:1] = ["ox88", "dataset"]
cli.main()
"""


@pytest.fixture
def workers(small_parts: None, monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    """Small parts and jobs, done by this process."""
    del small_parts
    inline = InlineWorkers(Job)
    monkeypatch.setattr(command, "make_workers", lambda *_: inline)
    monkeypatch.setattr(scoring, "JOB_ROWS", JOB_ROWS)
    return inline


def running(pgn: Path, output: Path, *options: str) -> "AbstractContextManager[subprocess.Popen[str]]":
    """The command in a process of its own, with slow searches."""
    return python("-c", SMALL, str(pgn), "-o", str(output), *SLOW_WORDS, *options)


UNDISTURBED: Final[dict[tuple[str, ...], tuple[dict[str, bytes], int]]] = {}


def undisturbed(
    run: Run, workers: InlineWorkers, pgn: Path, output: Path, words: tuple[str, ...]
) -> tuple[dict[str, bytes], int]:
    """What a run in this process writes, and its number of jobs; it runs once for all tests with these words."""
    if words not in UNDISTURBED:
        assert run(pgn, "-o", output, *words)[0] == 0
        UNDISTURBED[words] = contents(output), len(workers.jobs)
        workers.jobs.clear()
        shutil.rmtree(output)
    return UNDISTURBED[words]


@pytest.mark.parametrize("limit", [Search(None, 1), Search(300, 2)])
def test_as_by_positions_search(limit: Search, run: Run, workers: InlineWorkers, pgn: Path, output: Path) -> None:
    words = [word for name, value in limit._asdict().items() if value for word in (f"--{name}", value)]
    code, said, errors = run(pgn, "-o", output, "--columns", "fen", "--per-game", 2, *words)
    rows = pyarrow.parquet.read_table(output).to_pylist()
    assert (code, errors) == (0, "")
    assert said.endswith(f" {len(rows)} rows\n")
    found = ox88.Positions.from_fens([row["fen"] for row in rows]).search(nodes=limit.nodes, depth=limit.depth)
    assert [round(row["score"] * 100) for row in rows] == found.scores.tolist()
    assert [row["best"] for row in rows] == [ox88.format_uci(int(move)) for move in found.moves]
    assert len(rows) > 2 * ROW_GROUP
    assert {len(job.packed) // 32 for job in workers.jobs} >= {JOB_ROWS, ROW_GROUP % JOB_ROWS}
    assert len(contents(output)) == len(rows) // PART_ROWS + 1


def test_scores_may_be_named_among_the_columns(workers: InlineWorkers, run: Run, pgn: Path, tmp_path: Path) -> None:
    del workers
    for named, columns in (("best,ply", ["best", "ply", "score"]), ("score", ["score", "best"])):
        assert run(pgn, "-o", tmp_path / named, "--columns", named, "--nodes", "10", "--to-ply", "0")[0] == 0
        assert pyarrow.parquet.read_table(tmp_path / named).column_names == columns


@pytest.mark.parametrize(
    ("jobs", "said", "error"),
    [
        (0, "", KeyboardInterrupt()),
        (3, "18 scores", Ox88Error("the journal cannot be used: disk is full")),
        (30, "172 scores", KeyboardInterrupt()),
    ],
)
def test_what_is_done_is_kept(
    jobs: int,
    said: str,
    error: BaseException,
    run: Run,
    workers: InlineWorkers,
    pgn: Path,
    output: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before the first batch is complete, and after the first part."""
    expected, expected_jobs = undisturbed(run, workers, pgn, output, WORDS)
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
    assert (f"ox88: {said} are done; the same command resumes from there\n" in errors) == bool(jobs)
    assert len(list(output.glob("*.parquet"))) == (jobs == 30)
    assert output.exists() == bool(jobs)
    workers.jobs.clear()
    code, _, errors = run(pgn, "-o", output, *WORDS)
    assert (code, errors) == (0, f"ox88: resuming after {said}\n" if jobs else "")
    assert len(workers.jobs) == expected_jobs - jobs
    assert contents(output) == expected


@posix
@pytest.mark.slow
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT"])
def test_a_run_that_ends_goes_on(how: str, pgn: Path, output: Path, run: Run, workers: InlineWorkers) -> None:
    """Two workers begin, and this process resumes. No finished job is done again."""
    expected, jobs = undisturbed(run, workers, pgn, output, SLOW_WORDS)
    with running(pgn, output, "--workers", "2") as process:
        wait_for_journal(output / ".unfinished" / "done", process, ENOUGH)
        said, errors = end(process, how)
    assert said == ""
    if how == "SIGINT":
        assert process.returncode == 130
        assert re.search(r"^ox88: \d+ scores are done; the same command resumes from there$", errors, re.MULTILINE)
        assert "Traceback" not in errors
    code, _, errors = run(pgn, "-o", output, *SLOW_WORDS)
    assert code == 0
    assert re.search(r"^ox88: resuming after [1-9]\d* scores$", errors, re.MULTILINE)
    assert contents(output) == expected
    assert 0 < len(workers.jobs) < jobs


@posix
@pytest.mark.slow
@pytest.mark.parametrize("is_cluster", [False, True])
def test_a_worker_that_dies(
    is_cluster: bool, request: pytest.FixtureRequest, pgn: Path, output: Path, run: Run, workers: InlineWorkers
) -> None:
    cluster: Cluster | None = request.getfixturevalue("cluster") if is_cluster else None
    expected, _ = undisturbed(run, workers, pgn, output, SLOW_WORDS)
    options = ("--scheduler", cluster.address) if cluster else ("--workers", "2")
    with running(pgn, output, *options) as process:
        wait_for_journal(output / ".unfinished" / "done", process, ENOUGH)
        cluster.workers[0].kill() if cluster else kill_a_worker(process)
        assert process.poll() is None
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, but_compiling(errors)) == (0, "")
    assert contents(output) == expected


@pytest.mark.slow
def test_a_scheduler_that_is_not_there(run: Run, pgn: Path, output: Path) -> None:
    code, said, errors = run(pgn, "-o", output, *WORDS, "--scheduler", "tcp://127.0.0.1:9")
    assert (code, said) == (2, "")
    assert re.fullmatch(r"ox88: the scheduler 'tcp://127\.0\.0\.1:9' cannot be reached: .*\n", errors)
    assert not output.exists()
