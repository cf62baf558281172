"""`ox88 puzzles`: from PGN to puzzles."""

import re
from pathlib import Path

import pytest

from ox88 import Puzzles
from ox88.apps.puzzles import command
from tests.apps.inline import InlineWorkers, Run, runner
from tests.cluster import Cluster
from tests.conftest import RunPython

MATE = '[White "Ann"]\n[Black "Bob"]\n[Date "2026.01.02"]\n\n1. f3 e5 2. g4 d6 3. e4 a6 *\n'
OTHER = '[White "Bob"]\n[Black "Cy"]\n[Site "https://lichess.org/abcd1234"]\n\n1. e4 g5 2. d4 f6 3. Nc3 *\n'
SOUND = '[White "Ann"]\n[Black "Cy"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n'
FEW = ("--nodes", "500")


@pytest.fixture
def run(workers: InlineWorkers, call_ox88: RunPython) -> Run:
    del workers
    return runner(call_ox88, "puzzles")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(f"{MATE}\n{OTHER}\n{SOUND}")
    return path


@pytest.mark.parametrize("kind", ["csv", "pgn.gz", "parquet"])
def test_puzzles_of_all(kind: str, games: Path, run: Run) -> None:
    output = games.with_name(f"puzzles.{kind}")
    assert run(games, "-o", output, *FEW) == (0, f"{output}: 2 puzzles of 3 games\n", "")
    first, second = Puzzles.read(output)
    assert (first.moves, first.played, first.source) == (("g2g4", "d8h4"), "d7d6", "Ann - Bob, 2026.01.02")
    assert (second.moves, second.played, second.source) == (("f7f6", "d1h5"), "b1c3", "https://lichess.org/abcd1234")
    assert not list(games.parent.glob("*.journal*"))


def test_puzzles_of_a_player(games: Path, run: Run, workers: InlineWorkers) -> None:
    output = games.with_name("puzzles.csv")
    assert run(games, "-o", output, "--player", " bob", *FEW)[:2] == (0, f"{output}: 2 puzzles of 2 games\n")
    assert len(workers.jobs) == 2
    assert run(games, "-o", output, "--player", "CY", *FEW)[1] == (
        f"{output}: 0 puzzles of 2 games: nobody erred where exactly one move wins, saves or mates\n"
    )
    assert len(Puzzles.read(output)) == 0
    code, said, errors = run(games, "-o", output, "--player", "Bobby", *FEW)
    assert (code, said) == (2, "")
    assert errors == "ox88: there is no game of 'Bobby' that can be read: the players are Ann; Bob; Cy\n"
    assert "--player has no name: a name in the games is expected" in run(games, "-o", output, "--player", " ")[2]


def test_a_position_is_one_puzzle(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "twice.pgn"
    path.write_text(f"{MATE}\n{MATE.replace('3. e4', '3. d4')}")
    assert run(path, "-o", tmp_path / "p.csv", *FEW)[1] == f"{tmp_path}/p.csv: 1 puzzle of 2 games\n"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', r":7: game 2: .*White has no king"),
        ('[Variant "Atomic"]\n\n1. e4 e5 *', r":7: game 2: .*'Atomic' is not chess"),
        ("1. e4 e5 2. Ke3 *", r":7: game 2: .*'Ke3' is not a legal move"),
        (
            '[Variant "Chess960"]\n[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1"]\n\n1. e4 e5 *',
            r"game 2: it is a game of Chess960, of which no puzzles are made",
        ),
    ],
)
def test_a_bad_game_is_told_in_a_line(bad: str, said: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "bad.pgn"
    path.write_text(f"{MATE}\n{bad}\n")
    code, out, errors = run(path, "-o", tmp_path / "p.csv", *FEW)
    assert (code, out) == (1, f"{tmp_path}/p.csv: 1 puzzle of 2 games\n")
    assert re.search(said, errors)
    assert errors.count("\n") == 1


def test_bad_names(games: Path, run: Run) -> None:
    for output, said in (
        ("puzzles.txt", "puzzles are .parquet, .csv or .pgn"),
        ("games.pgn", "is both read and written"),
        ("none/puzzles.csv", "cannot be written"),
    ):
        code, out, errors = run(games, "-o", games.parent / output, *FEW)
        assert (code, out) == (2, "")
        assert said in errors
        assert errors.count("\n") == 1
    assert run(games.with_name("none.pgn"), "-o", games.with_name("p.csv"))[0] == 2
    assert not games.with_name("p.csv").exists()


def test_a_run_that_is_stopped_goes_on(
    games: Path, run: Run, workers: InlineWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, whole = games.with_name("puzzles.csv"), games.with_name("whole.csv")
    assert run(games, "-o", whole, *FEW)[0] == 0
    workers.jobs.clear()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(command, "results", stop)
        code, _, errors = run(games, "-o", output, *FEW)
    assert code == 130
    assert "3 games are done; the same command resumes" in errors
    code, _, errors = run(games, "-o", output, *FEW)
    assert code == 0
    assert "resuming from" in errors
    assert len(workers.jobs) == 3  # Of the first run.
    assert output.read_bytes() == whole.read_bytes()


@pytest.mark.slow
@pytest.mark.posix("signals")
def test_workers_of_a_cluster(games: Path, cluster: Cluster, call_ox88: RunPython) -> None:
    output = games.with_name("puzzles.csv")
    process = call_ox88("puzzles", games, "-o", output, "--scheduler", cluster.address, *FEW)
    assert (process.returncode, process.stdout) == (0, f"{output}: 2 puzzles of 3 games\n")
    assert len(Puzzles.read(output)) == 2
