"""`ox88 analyse` with real workers: killed, interrupted, spread over processes and machines."""

import re
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path

import chess
import chess.pgn
import pytest

from ox88.apps.match.openings import RandomOpenings
from tests.apps.inline import InlineWorkers, Run
from tests.cluster import Cluster
from tests.processes import PATIENCE, but_compiling, end, kill_a_worker, python, wait_for_journal

posix = pytest.mark.posix("signals")
GAMES = 16
NODES = ("--nodes", "2000")
ENOUGH = 80_000  # Bytes of a journal with a few games.


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short games, so that there are many jobs."""
    path = tmp_path_factory.mktemp("games") / "games.pgn"
    openings = RandomOpenings(seed=1, plies=12)
    texts = []
    for number in range(GAMES):
        game = chess.pgn.Game.from_board(openings.opening(number).board())
        game.headers["Round"] = str(number)
        texts.append(str(game))
    path.write_text("\n\n".join(texts))
    return path


def running(games: Path, output: Path, *options: str) -> "AbstractContextManager[subprocess.Popen[str]]":
    """The command in a process of its own."""
    return python("-m", "ox88", "analyse", str(games), "-o", str(output), *NODES, *options)


@pytest.fixture(scope="module")
def undisturbed(games: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The output of one worker."""
    output = tmp_path_factory.mktemp("undisturbed") / "out.pgn"
    with running(games, output, "--workers", "1") as process:
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return output.read_bytes()


@pytest.mark.slow
@posix
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT"])
def test_a_run_that_ends_goes_on(
    how: str, games: Path, tmp_path: Path, undisturbed: bytes, run: Run, workers: InlineWorkers
) -> None:
    output = tmp_path / "out.pgn"
    with running(games, output, "--workers", "2") as process:
        wait_for_journal(output, process, ENOUGH)
        said, errors = end(process, how)
    assert said == ""
    if how == "SIGINT":
        assert process.returncode == 130
        assert "the same command resumes from" in errors
        assert "Traceback" not in errors
    code, _, errors = run(games, "-o", output, *NODES)
    assert code == 0
    (done,) = map(int, re.findall(r"resuming from .*, (\d+) games are done", errors))
    assert 0 < done < GAMES
    assert len(workers.jobs) == GAMES - done
    assert output.read_bytes() == undisturbed
    assert not list(tmp_path.glob("*.journal*"))


@pytest.mark.slow
@posix
@pytest.mark.parametrize("loss", ["none", "a worker", "a worker of the cluster"])
def test_many_workers(
    loss: str, games: Path, tmp_path: Path, undisturbed: bytes, request: pytest.FixtureRequest
) -> None:
    output = tmp_path / "out.pgn"
    cluster: Cluster | None = request.getfixturevalue("cluster") if "cluster" in loss else None
    options = ("--scheduler", cluster.address) if cluster else ("--workers", "2")
    with running(games, output, *options) as process:
        if loss != "none":
            wait_for_journal(output, process, ENOUGH)
            cluster.workers[0].kill() if cluster else kill_a_worker(process)
        said, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, but_compiling(errors)) == (0, "")
    assert f"{output}: {GAMES} games, " in said
    assert output.read_bytes() == undisturbed
