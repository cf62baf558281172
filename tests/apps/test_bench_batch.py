"""`ox88 bench batch`, `bench env` and `bench tree`: what they measure and on what; never how fast."""

import io
from pathlib import Path

import chess.pgn
import pytest

import ox88
from ox88.apps.bench import batch as bench
from ox88.apps.bench import env, tree
from tests.conftest import DATA, RunPython

GAMES = DATA / "pgn" / "odd" / "kasparov-deep-blue.pgn"


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "RUNS": 1,
        "PEERS_POSITIONS": 6,
        "PEERS_GAMES": 2,
        "RANDOM_GAMES": 5,
        "RANDOM_PLIES": 30,
        "CALLS": 2,
    }.items():
        monkeypatch.setattr(bench, name, value)


@pytest.mark.parametrize("pgn", [None, GAMES])
def test_a_line_on_everything(pgn: Path | None) -> None:
    lines: list[str] = []
    bench.bench_batch(pgn, lines.append)
    middle = next(number for number, line in enumerate(lines) if line.startswith("microseconds a call"))
    lines, calls = lines[:middle], lines[middle + 1 :]
    measured = [line.split("  ")[0] for line in lines[1:] if not line.startswith(" ")]
    assert measured == [
        "legal_moves", "from_fens, of bytes", "fens", "planes, uint8, in batches", "planes, uint8, a new array",
        "planes, float32, in batches", "planes, float32, a new array", "evaluate, handcrafted",
        "evaluate, by a network", "read_pgn, plies", "read_pgn, boards, plies",
    ]  # fmt: skip
    assert len([line for line in lines if line.startswith("    python-chess")]) == 6
    speeds = [float(line[28:].split()[0]) for line in lines[1:]]
    assert all(speed > 0 for speed in speeds)
    assert [line.split("  ")[0] for line in calls] == [
        "legal_moves", "push", "planes", "planes, out", "policy_mask", "policy_mask, out", "is_check", "outcome",
        "an array of rows", "a row",
    ]  # fmt: skip
    assert all(float(number) >= 0 for line in calls for number in line[28:].replace("python-chess", "").split())


def test_a_line_on_every_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"GAMES": 3, "STEPS": 2, "SINGLE_STEPS": 5}.items():
        monkeypatch.setattr(env, name, value)
    monkeypatch.setattr(env, "optional", lambda _: None)
    lines: list[str] = []
    env.bench_env(lines.append)
    assert [line.split("   ")[0] for line in lines[1:]] == [
        "3 games, 18 planes", "3 games, 119 planes", "3 games, 112 planes", "3 games, NNUE's inputs",
        "one game, 18 planes",
    ]  # fmt: skip
    assert all(float(line[28:]) > 0 for line in lines[1:])


def test_a_line_on_every_tree_search(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"GAMES": 2, "SIMULATIONS": 16}.items():
        monkeypatch.setattr(tree, name, value)
    monkeypatch.setattr(tree, "optional", lambda _: None)
    lines: list[str] = []
    tree.bench_tree(lines.append)
    assert [line.split(",")[0] for line in lines[1:]] == ["constant", "constant", "NumPy"]
    assert all(float(line[28:].split()[0]) > 0 for line in lines[1:])


def test_every_task_does_all_of_its_work(tmp_path: Path) -> None:
    pgn = tmp_path / "random.pgn"
    pgn.write_text(bench.random_pgn())
    positions = bench.sample(pgn)
    games = ox88.read_pgn(pgn)
    for task in bench.tasks(positions, pgn):
        expected = len(games.moves) if task.name.startswith("read_pgn") else len(positions)
        assert [task.work(threads) for threads in (1, 2)] == [expected, expected]
        for peer in task.peers.values():
            assert peer() in (6, sum(games[:2].lengths), len(games.moves))


def test_random_games_are_legal_and_always_the_same() -> None:
    text = bench.random_pgn()
    assert text == bench.random_pgn()
    stream = io.StringIO(text)
    games = []
    while (game := chess.pgn.read_game(stream)) is not None:
        games.append(game)
    assert len(games) == 5
    assert not [error for game in games for error in game.errors]
    assert max(game.end().ply() for game in games) == 30


def test_files_that_cannot_be_measured_on(tmp_path: Path, call_ox88: RunPython) -> None:
    empty = tmp_path / "empty.pgn"
    empty.write_text("")
    for path, reason in ((empty, "has no games to measure with"), (tmp_path / "none.pgn", "none.pgn")):
        process = call_ox88("bench", "batch", "--pgn", str(path))
        assert process.returncode == 2
        assert reason in process.stderr
        assert process.stderr.count("\n") == 1
    process = call_ox88("bench", "perft", "--pgn", str(empty))
    assert process.returncode == 2
    assert "--pgn is for bench batch only" in process.stderr
