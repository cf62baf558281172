"""`ox88 epd`: what it prints, writes and refuses."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from itertools import islice
from pathlib import Path

import psutil
import pytest

from ox88.apps.epd.solving import Answer, Solver
from ox88.apps.epd.suite import Case
from tests.conftest import RunPython
from tests.processes import PATIENCE, python, wait_until

MATES = [
    '6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id "mate.1";',
    '8/8/8/8/8/5k2/7q/4K3 b - - bm Qe2#; id "mate.2";',
    '7k/6pp/8/8/8/8/8/R5K1 w - - am Ra2; id "mate.3";',
]
POINTS = [
    '6k1/5ppp/8/8/8/8/8/R3K3 w Q - id "quick.1"; c8 "10 2"; c9 "a1a8 a1a2";',
    '6k1/5ppp/8/8/8/8/8/R3K3 w Q - id "[/slow] b.1"; c8 "10 2"; c9 "a1a2 a1a8";',
]
ENGINE = ["--engine", "micro-max", "--nodes", "2000"]


@pytest.fixture
def suites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The names of two suites in the working folder: a table folds long paths."""
    monkeypatch.chdir(tmp_path)
    Path("mates.epd").write_text("\n".join(MATES))
    Path("points.epd").write_text("\n".join(POINTS))
    return "mates.epd", "points.epd"


def rows(table: str) -> list[list[str]]:
    return [re.split(r"\s{2,}", line.strip()) for line in table.splitlines() if re.search(r"\d\s*$", line)]


def test_table_and_json(suites: tuple[str, str], tmp_path: Path, call_ox88: RunPython) -> None:
    file = tmp_path / "results.json"
    process = call_ox88("epd", *suites, *ENGINE, "--json", str(file))
    assert (process.returncode, process.stderr) == (0, "")
    assert rows(process.stdout) == [
        [suites[0], "3", "3", "100.0"],
        [suites[1], "2", "1", "50.0", "12", "20", "60.0"],
        ["quick", "1", "1", "100.0", "10", "10", "100.0"],
        ["[/slow] b", "1", "0", "0.0", "2", "10", "20.0"],
        ["total", "5", "4", "80.0", "12", "20", "60.0"],
    ]
    assert process.stdout.endswith(f"\nNot solved:\n  {suites[1]}: [/slow] b.1: Ra8# (best: Ra2)\n\n")
    data = json.loads(file.read_text())
    assert (data["engine"], data["interrupted"], data["bad_lines"]) == ("micro-Max", False, [])
    assert data["limit"] == {"seconds": None, "depth": None, "nodes": 2000}
    assert [position["move"] for position in data["positions"]] == ["a1a8", "h2e2", "a1a8", "a1a8", "a1a8"]


def test_what_is_not_solved_is_named(tmp_path: Path, call_ox88: RunPython) -> None:
    path = tmp_path / "hard.epd"
    wrong = [
        '6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra2 Ra3; id "rook";',
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ra8#;",
        *['6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra2; id "again";'] * 20,
    ]
    path.write_text("\n".join([*wrong, MATES[0]]))
    process = call_ox88("epd", path, *ENGINE)
    assert (process.returncode, process.stderr) == (0, "")
    lines = process.stdout.split("Not solved:\n")[1].splitlines()
    assert lines[:2] == ["  rook: Ra8# (best: Ra2, Ra3)", "  line 2: Ra8# (to avoid: Ra8#)"]
    assert lines[2:] == ["  again: Ra8# (best: Ra2)"] * 18 + ["  ... and 2 more; --json has all of them", ""]


def test_bad_lines_are_named_and_counted(tmp_path: Path, call_ox88: RunPython) -> None:
    path = tmp_path / "some.epd"
    castling = "4k3/8/8/8/8/8/8/1R2K3 w Q - bm O-O-O;"
    path.write_bytes("\n".join([MATES[0], castling, *["nonsense bm e4"] * 29]).encode() + b"\n\xff")
    process = call_ox88("epd", path, *ENGINE)
    *shown, more, unsolved, summary = process.stderr.splitlines()
    assert [line.split(": ")[1] for line in shown] == [f"{path}:{number}" for number in range(3, 23)]
    assert more == "ox88: ... and 10 more"
    assert unsolved.startswith(f"ox88: {path}:2: micro-Max cannot castle with the rook on b1")
    assert (process.returncode, summary) == (1, "ox88: bad lines: 30, positions without a move: 1")
    assert rows(process.stdout) == [[str(path), "2", "1", "50.0"]]
    assert "Not solved" not in process.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "FILES"),
        (["missing.epd"], "missing.epd cannot be read"),
        (["{mates}", "--json", "no/such/folder.json"], "folder.json cannot be written"),
        (["{mates}", "--json", "{mates}"], "mates.epd is both read and written: name another output"),
        (["{mates}", "--engine", "nonsense"], "--engine"),
        (["{mates}", "--engine", "micro-Max", "--option", "Nonsense=1"], "'Nonsense'"),
        (["{mates}", "--option", "=1"], "Name=Value"),
        (["{mates}", "--time", "0"], "--time"),
        (["{mates}", "--workers", "0"], "--workers"),
    ],
)
def test_what_is_refused(arguments: list[str], reason: str, suites: tuple[str, str], call_ox88: RunPython) -> None:
    process = call_ox88("epd", *(argument.format(mates=suites[0]) for argument in arguments))
    assert process.returncode == 2
    assert reason in process.stderr
    assert "Traceback" not in process.stderr
    assert process.stdout == ""
    assert Path(suites[0]).read_text().splitlines() == MATES


@pytest.mark.parametrize("solved", [0, 1])
def test_ctrl_c_keeps_what_is_done(
    solved: int, suites: tuple[str, str], call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve = Solver.solve

    def interrupted(solver: Solver, cases: Sequence[Case]) -> Generator[Answer, None, None]:
        yield from islice(solve(solver, cases), solved)
        raise KeyboardInterrupt

    monkeypatch.setattr(Solver, "solve", interrupted)
    process = call_ox88("epd", suites[0], *ENGINE, "--json", "-")
    data = json.loads(process.stdout)
    assert (process.returncode, data["interrupted"]) == (130, True)
    assert [position["move"] for position in data["positions"]] == ["a1a8"][:solved]
    assert rows(process.stderr) == [[suites[0], "0/3", "0"], [suites[0], "1/3", "1", "100.0"]][solved : solved + 1]


def are_searching(process: "subprocess.Popen[str]", workers: int) -> bool:
    """True when each worker has used so much processor time that it searches. A single one is the process itself."""
    own = psutil.Process(process.pid)
    return sum(sum(each.cpu_times()[:2]) > 3 for each in (own.children() if workers > 1 else [own])) == workers


@pytest.mark.slow
@pytest.mark.posix("signals")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_searches_in_processes(workers: int, tmp_path: Path) -> None:
    path = tmp_path / "long.epd"
    path.write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4\n" * 5)
    search = ("--depth", "40", "--workers", str(workers), "--engine", "micro-Max")
    with python("-m", "ox88", "epd", path, *search, "--json", "-") as process:
        wait_until(lambda: are_searching(process, workers))
        os.killpg(process.pid, signal.SIGINT)  # A terminal sends it to the workers too.
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "Traceback" in errors) == (130, False)
    assert json.loads(output)["positions"] == []


def test_the_table_grows_on_a_terminal(
    suites: tuple[str, str], monkeypatch: pytest.MonkeyPatch, call_ox88: RunPython
) -> None:
    """It is gone at the end, where standard output has it."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    process = call_ox88("epd", suites[0], *ENGINE)
    assert "solved" in terminal.getvalue()
    assert "3/3" not in terminal.getvalue()
    assert rows(process.stdout) == [[suites[0], "3", "3", "100.0"]]
