"""`ox88 match` on a Dask cluster of processes on this machine, with workers and schedulers that are lost."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import chess.pgn
import psutil
import pytest

from tests.apps.match.scripted import scripted, words_of
from tests.conftest import RunPython
from tests.processes import python, wait_until

pytestmark = pytest.mark.slow

A, B = (words_of(scripted(name=name)) for name in "ab")
MATCH = ("-m", "ox88", "match", A, B, "--nodes", "10", "--openings", "random", "--draw", "0", "4", "100")
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a part of the cluster; all of them end with the test."""
    processes: list[subprocess.Popen[bytes]] = []

    def dask(*arguments: str) -> subprocess.Popen[bytes]:
        log = (tmp_path / f"{arguments[0]}-{len(processes)}.log").open("wb")
        with log:
            command = [sys.executable, "-m", "dask", *arguments, "--scheduler-file", str(tmp_path / "scheduler.json")]
            processes.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path))
        return processes[-1]

    try:
        yield dask
    finally:
        for process in processes:
            process.kill()
            process.wait()


def start_scheduler(start: Start, tmp_path: Path) -> tuple[subprocess.Popen[bytes], str]:
    file = tmp_path / "scheduler.json"
    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    wait_until(file.exists)
    address: str = json.loads(file.read_text())["address"]
    return scheduler, address


def start_worker(start: Start) -> subprocess.Popen[bytes]:
    return start("worker", "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard")


def games_begun(pgn: Path) -> int:
    return pgn.read_text().count("[Event ") if pgn.exists() else 0


def engines_of(worker: subprocess.Popen[bytes]) -> int:
    return len(psutil.Process(worker.pid).children())


def test_a_hundred_games_while_a_worker_is_lost(start: Start, tmp_path: Path) -> None:
    _, address = start_scheduler(start, tmp_path)
    first, second = start_worker(start), start_worker(start)
    pgn = tmp_path / "games.pgn"
    with python(*MATCH, "--games", "100", "--pgn", pgn, "--scheduler", address) as match:
        wait_until(lambda: games_begun(pgn) >= 20 and engines_of(first) == engines_of(second) == 2)
        first.kill()
        assert games_begun(pgn) < 100
        out, err = match.communicate(timeout=400)
    assert (match.returncode, err) == (0, "")
    assert "100 of 100 games" in out
    with pgn.open() as stream:
        games = list(iter(lambda: chess.pgn.read_game(stream), None))
    rounds = Counter(game.headers["Round"] for game in games)
    assert rounds == Counter(f"{pair}.{number}" for pair in range(1, 51) for number in (1, 2))
    assert not any("Failure" in game.headers for game in games)


def test_a_scheduler_that_dies(start: Start, tmp_path: Path) -> None:
    """One line, and the games that are over are kept."""
    scheduler, address = start_scheduler(start, tmp_path)
    start_worker(start)
    pgn = tmp_path / "games.pgn"
    with python(*MATCH, "--games", "1000", "--pgn", pgn, "--scheduler", address) as match:
        wait_until(lambda: games_begun(pgn) >= 4)
        scheduler.kill()
        out, err = match.communicate(timeout=120)
    assert match.returncode == 2
    assert err.startswith(f"ox88: the cluster of '{address}' has failed: ")
    assert len(err.splitlines()) == 1
    assert out.startswith(f"{games_begun(pgn)} of 1000 games")


def test_a_cluster_without_workers(start: Start, run_python: RunPython, tmp_path: Path) -> None:
    _, address = start_scheduler(start, tmp_path)
    process = run_python(*MATCH, "--scheduler", address, "--pgn", str(tmp_path / "pgn"))
    assert (process.returncode, process.stdout) == (2, "")
    expected = f"ox88: the scheduler '{address}' has no workers: start some, by `dask worker {address}`\n"
    assert process.stderr == expected
    assert not (tmp_path / "pgn").exists()


def test_a_scheduler_that_is_not_there(run_python: RunPython, tmp_path: Path) -> None:
    """An error in seconds."""
    begun = time.monotonic()
    process = run_python(*MATCH, "--scheduler", "tcp://127.0.0.1:1", "--pgn", str(tmp_path / "pgn"))
    assert time.monotonic() - begun < 30
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.startswith("ox88: the scheduler 'tcp://127.0.0.1:1' cannot be reached: ")
    assert len(process.stderr.splitlines()) == 1
    assert os.listdir(tmp_path) == []  # noqa: PTH208
