"""`ox88 match` on a Dask cluster of processes on this machine, with workers and schedulers that are lost."""

from collections import Counter
from pathlib import Path

import psutil
import pytest

from tests.apps.match.scripted import command_text, games_in, scripted
from tests.cluster import Cluster
from tests.conftest import RunPython
from tests.processes import PATIENCE, python, wait_until

pytestmark = pytest.mark.slow

A, B = (command_text(scripted(name=name)) for name in "ab")
MATCH = ("-m", "ox88", "match", A, B, "--nodes", "10", "--openings", "random", "--draw", "0", "4", "100")


def games_begun(pgn: Path) -> int:
    return pgn.read_text().count("[Event ") if pgn.exists() else 0


def test_a_hundred_games_while_a_worker_is_lost(cluster: Cluster, tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    with python(*MATCH, "--games", "100", "--pgn", pgn, "--scheduler", cluster.address) as match:
        wait_until(lambda: games_begun(pgn) >= 20)
        wait_until(lambda: all(len(psutil.Process(worker.pid).children()) == 2 for worker in cluster.workers))
        cluster.workers[0].kill()
        assert games_begun(pgn) < 100
        out, err = match.communicate(timeout=PATIENCE)
    assert match.returncode == 0, err
    assert err == ""
    assert "100 of 100 games" in out
    games = games_in(pgn)
    rounds = Counter(game.headers["Round"] for game in games)
    assert rounds == Counter(f"{pair}.{number}" for pair in range(1, 51) for number in (1, 2))
    assert not any("Failure" in game.headers for game in games)


def test_a_scheduler_that_dies(cluster: Cluster, tmp_path: Path) -> None:
    """One line, and the games that are over are kept."""
    pgn = tmp_path / "games.pgn"
    with python(*MATCH, "--games", "1000", "--pgn", pgn, "--scheduler", cluster.address) as match:
        wait_until(lambda: games_begun(pgn) >= 4)
        cluster.scheduler.kill()
        out, err = match.communicate(timeout=PATIENCE)
    assert match.returncode == 2
    assert err.startswith(f"ox88: the cluster of '{cluster.address}' has failed: ")
    assert len(err.splitlines()) == 1
    assert out.startswith(f"{games_begun(pgn)} of 1000 games")


def test_a_cluster_without_workers(cluster: Cluster, run_python: RunPython, tmp_path: Path) -> None:
    for worker in cluster.workers:
        worker.kill()
        worker.wait()
    process = run_python(*MATCH, "--scheduler", cluster.address, "--pgn", str(tmp_path / "pgn"))
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr == (
        f"ox88: the scheduler '{cluster.address}' has no workers: start some, by `dask worker {cluster.address}`\n"
    )
    assert not (tmp_path / "pgn").exists()
