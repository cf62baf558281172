"""`ox88 match` as a program: bad input, whole matches, and a match that is killed."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import chess
import psutil
import pytest

from ox88.apps.match.participant import find_program
from tests.apps.match.scripted import command_text, games_in, scripted
from tests.conftest import RunPython
from tests.processes import but_compiling, is_running, python, wait_until

MATCH = ("-m", "ox88", "match")
A, B = (command_text(scripted("score=300", name=name)) for name in "ab")
QUICK = ("--nodes", "10", "--openings", "none")
FULL_GAMES = (*QUICK, "--no-adjudication")


BAD_INPUT = [
    ((), "Missing argument 'ENGINE ENGINE...'"),
    (("Ox88", "--nodes", "1"), "ox88: a match needs two engines or more, and 'Ox88' is one"),
    (("Ox88", "micro-Max"), "ox88: 'Ox88' has no limit: give --tc, --nodes, --depth or --time"),
    (("Ox88", "micro-Max", "--tc", "5,5"), "ox88: the time control '5,5' cannot be read: expected SECONDS+INC"),
    (("Ox88", "micro-Max", "--nodes", "0"), "Invalid value for '--nodes': 0 is not in the range x>=1"),
    (("Ox88", "micro-Max", "--depth", "x"), "Invalid value for '--depth': 'x' is not a valid integer."),
    (("Ox88", "micro-Max", "--time", "x"), "Invalid value for '--time': 'x' is not a valid number."),
    (("A", "B", "--nodes", "1", "--option", "=1"), "ox88: the option '=1' has no name: Name=Value is expected"),
    (("A", "B", "--nodes", "1", "--openings", "missing.pgn"), "ox88: 'missing.pgn' cannot be opened: No such"),
    *(
        (("A", "B", "--nodes", "1", "--sprt", *elos.split()), f"ox88: --sprt {elos}: the smaller comes first")
        for elos in ("5 0", "5 5", "0 2000", "-2000 0", "nan 5", "0 inf")
    ),
    (("A", "B", "C", "--nodes", "1", "--sprt", "0", "5"), "ox88: --sprt is a test of two engines, not of 3"),
    (("A", "B", "--nodes", "1", "--draw", "-1", "0", "0"), "Invalid value for '--draw': -1 is not in the range x>=0"),
    (("A", "B", "--nodes", "1", "--json", "missing/x"), "ox88: missing/x cannot be written: No such file or directory"),
    (("A", "B", "--nodes", "1", "--pgn", "missing/x"), "ox88: missing/x cannot be used: No such file or directory"),
    (("A", "B", "--nodes", "1", "--pgn", "-"), "ox88: --pgn writes no games to standard output, since a match resumes"),
    (("A", "B", "--nodes", "1", "--scheduler", "x"), "ox88: 'x' is not a scheduler's address: expected one such as"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_INPUT)
def test_bad_input(
    arguments: tuple[str, ...], message: str, call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Exit code 2, one clear line, and no file written."""
    monkeypatch.chdir(tmp_path)
    files = () if {"missing/x", "-"} & set(arguments) else ("--pgn", "pgn", "--json", "json")
    process = call_ox88("match", *arguments, *files)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.splitlines()[-1].removeprefix("Error: ").startswith(message)
    assert process.stderr.count("\n") == 1 or process.stderr.startswith("Usage: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.posix("links for everybody")
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--pgn", "games", "--json", "./games"), "games is written twice: each output needs a file of its own"),
        (("--openings", "book", "--json", "book"), "book is both read and written: name another output"),
        (("--openings", "book", "--pgn", "link"), "link is both read and written: name another output"),
        (("--openings", "games.lock", "--pgn", "games"), "games.lock cannot be named: Ox88 keeps unfinished work"),
    ],
)
def test_files_that_would_be_overwritten(
    arguments: tuple[str, ...], reason: str, call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("book", "games.lock"):
        Path(name).write_text(chess.STARTING_FEN)
    Path("link").symlink_to("book")
    process = call_ox88("match", A, B, "--nodes", 10, "--games", 2, "--concurrency", 1, *arguments)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.startswith(f"ox88: {reason}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book", "games.lock", "link"]
    assert Path("book").read_text() == Path("games.lock").read_text() == chess.STARTING_FEN


def test_a_match(run_python: RunPython, tmp_path: Path) -> None:
    """Two games at a time, with an engine that plays illegal moves: table, JSON and PGN say so; the exit code is 0."""
    bad = command_text(scripted("play=5:a1a1", name="bad", protocol="xboard"))
    files = ("--pgn", str(tmp_path / "pgn"), "--json", str(tmp_path / "json"))
    limits = ("--tc", "20+1", "--draw", "0", "12", "300", "--openings", "random", "--seed", "4")
    process = run_python(*MATCH, A, bad, *limits, "--games", "6", "--concurrency", "2", *files)
    assert (process.returncode, process.stderr) == (0, "")
    assert "6 of 6 games, 20+1, openings: 8 random plies, seed 4" in process.stdout
    assert "bad lost 6 by illegal move" in process.stdout
    data = json.loads((tmp_path / "json").read_text())
    assert data["pairings"][0]["pentanomial"] == [0, 0, 0, 0, 3]
    for game in games_in(tmp_path / "pgn"):
        assert "loses by illegal move: a1a1" in game.headers["Termination"]


@pytest.mark.slow
def test_engines_of_ox88(run_ox88: RunPython, tmp_path: Path) -> None:
    """With an option that only one of them has."""
    options = ("--nodes", "300", "--option", "Hash=2", "--games", "2", "--concurrency", "1")
    process = run_ox88("match", "Ox88; Threads=2", "micro-Max; name=µ", *options, "--pgn", str(tmp_path / "pgn"))
    assert (process.returncode, process.stderr) == (0, "")
    assert "Ox88 : µ" in process.stdout
    assert [len(list(game.mainline())) > 8 for game in games_in(tmp_path / "pgn")] == [True, True]


@pytest.mark.slow
@pytest.mark.skipif(find_program("fairymax") is None, reason="needs Fairy-Max")
def test_fairy_max(run_python: RunPython, tmp_path: Path) -> None:
    """It has no setboard."""
    options = ("--depth", "1", "--games", "2", "--concurrency", "1", "--no-adjudication")
    process = run_python(*MATCH, "fairymax; protocol=xboard", A, *options, "--pgn", str(tmp_path / "pgn"))
    assert (process.returncode, process.stderr) == (0, "")
    assert "lost" not in process.stdout.splitlines()[-1]
    for game in games_in(tmp_path / "pgn"):
        assert game.headers["Termination"] in ("checkmate", "threefold repetition", "stalemate", "fifty-move rule")


@pytest.mark.slow
def test_a_match_that_is_killed_goes_on(run_python: RunPython, tmp_path: Path) -> None:
    """Killed twice: no game is lost or played again, and no process is left."""
    pgn = tmp_path / "games.pgn"
    stubborn = command_text(scripted("quit=ignore", "slow=2", name="stubborn"))  # So the kill comes in the middle.
    command = (*MATCH, A, stubborn, *FULL_GAMES, "--games", "14", "--concurrency", "2", "--pgn", str(pgn))
    before = 0
    for _ in range(2):
        with python(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wait_until(lambda known=before: pgn.exists() and pgn.read_text().count("[Event ") >= known + 3)  # type: ignore[misc]
            started = [child.pid for child in psutil.Process(process.pid).children(recursive=True)]
            process.kill()
            process.wait()
            assert len(started) >= 5  # Two workers, Python's resource tracker, and engines, some not yet started.
            wait_until(lambda numbers=started: not any(map(is_running, numbers)))  # type: ignore[misc]
        before = pgn.read_text().count("[Event ")
        assert before < 14
    finished = run_python(*command)
    assert finished.returncode == 0
    assert but_compiling(finished.stderr).startswith("ox88: resuming after ")
    assert "14 of 14 games" in finished.stdout
    assert Counter(game.headers["Round"] for game in games_in(pgn)) == Counter(
        f"{pair}.{number}" for pair in range(1, 8) for number in (1, 2)
    )
