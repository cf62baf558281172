"""The command line: help, exit codes, bad input, standard streams."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from ox88.cli import COMMANDS, cli
from tests.conftest import RunPython
from tests.processes import PATIENCE, but_compiling, python, wait_for_work

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"


def test_version_and_help(run_python: RunPython) -> None:
    assert run_python("-m", "ox88", "--version").stdout.startswith("ox88 ")
    code = """
import sys, ox88.cli
sys.argv = ["ox88", "--help"]
try:
    ox88.cli.main()
finally:
    print([m for m in sys.modules if m.startswith("ox88.apps") or m in ("numba", "numpy", "chess", "rich")])
"""
    help_text = run_python("-c", code).stdout
    assert help_text.endswith("[]\n")
    for name, (_, line) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", help_text, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "-h"], prog_name="ox88")
    assert (result.exit_code, result.stderr) == (0, "")
    usage, _, text = result.stdout.partition("\n\n")
    assert usage.startswith(f"Usage: ox88 {name}")
    assert " ".join(text.split()).startswith(COMMANDS[name][1])
    assert "\\" not in result.stdout


def test_the_help_of_commands_imports_no_compiler(run_python: RunPython) -> None:
    code = """
import importlib, sys, ox88.cli
for module, _ in ox88.cli.COMMANDS.values():
    importlib.import_module(module)
print([m for m in ("numba", "numpy", "chess", "rich", "starlette") if m in sys.modules])
"""
    assert run_python("-c", code).stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("ox88 p", ["perft", "play", "puzzles"]),
        ("ox88 play --or", ["--original"]),
        ("ox88 play --engine m", ["micro-max"]),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="pipes that stay open are inherited as on POSIX")
def test_a_shell_completes_words(words: str, completions: list[str], run_python: RunPython) -> None:
    """Though standard input is a pipe that stays open, from which a GUI might send `uci`."""
    count = len(words.split()) - 1
    reader, writer = os.pipe()
    try:
        asked = {"_OX88_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(count)}
        process = run_python("-m", "ox88", env=asked, stdin=reader, timeout=PATIENCE)
    finally:
        os.close(reader)
        os.close(writer)
    assert (process.returncode, process.stderr) == (0, "")
    assert [line.partition(",")[2] for line in process.stdout.splitlines()] == completions


def test_ctrl_c_while_the_command_line_is_imported(run_python: RunPython) -> None:
    code = """
import runpy, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
runpy.run_module("ox88", run_name="__main__")
"""
    process = run_python("-c", code)
    assert (process.returncode, process.stdout, process.stderr) == (130, "", "")


def test_commands_are_completed_without_being_imported(run_python: RunPython) -> None:
    code = """
import sys, ox88.cli
try:
    ox88.cli.main()
finally:
    print([m for m in sys.modules if m.startswith("ox88.apps")])
"""
    asked = {"_OX88_COMPLETE": "zsh_complete", "COMP_WORDS": "ox88 w", "COMP_CWORD": "1"}
    output = run_python("-c", code, env=asked, input="").stdout
    assert output == f"plain\nwarmup\n{COMMANDS['warmup'][1]}\n[]\n"


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", "micro-Max cannot castle with the rook on b1"),
        ("noise", "1 rank"),
    ],
)
def test_a_bad_fen_is_named(fen: str, reason: str, call_ox88: RunPython) -> None:
    process = call_ox88("play", "--fen", fen)
    assert process.returncode == 2
    assert reason in process.stderr
    assert process.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["play", "--side", "green"],
        ["play", "--nodes", "-1"],
        ["play", "--time", "soon"],
        ["play", "--time", "0"],
        ["play", "--time", "nan"],
        ["play", "--depth", "0"],
        ["play", "--elo", "1000"],
        ["play", "--engine", "Ox88", "--elo", "399"],
        ["trace", "--plies", "0"],
        ["trace", "--eval", "1e9"],
        ["bench", "nonsense"],
    ],
)
def test_bad_options(arguments: list[str], call_ox88: RunPython) -> None:
    process = call_ox88(*arguments)
    assert process.returncode == 2
    assert "Error: " in process.stderr or process.stderr.startswith("ox88: ")
    assert process.stdout == ""


@pytest.mark.posix("names of at most 255 bytes")
@pytest.mark.parametrize("ending", ["", ".gz", ".plain"])
def test_a_name_of_a_file_that_is_too_long(ending: str, call_ox88: RunPython, tmp_path: Path) -> None:
    name, games = "9" * 300 + ending, tmp_path / "games.pgn"
    games.write_text("1. e4 *")
    for arguments in (["dataset", name, "-o", "data"], ["dataset", str(games), "-o", name], ["games", name]):
        process = call_ox88(*arguments)
        assert (process.returncode, process.stdout) == (2, "")
        assert re.fullmatch(r"ox88: '?9{50,}.* too long\n", process.stderr), arguments


def test_trace_names_bad_lines_and_goes_on(call_ox88: RunPython) -> None:
    lines = [MATE_IN_ONE, "", "nonsense", "8/8/8/8/8/8/8/4K3 w - - 0 1", MATE_IN_ONE]
    process = call_ox88("trace", "--nodes", "1000", input="\n".join(lines))
    assert process.returncode == 1
    traced = [json.loads(line) for line in process.stdout.splitlines()]
    assert [line["fen"] for line in traced] == [MATE_IN_ONE] * 2
    assert traced[0] == traced[1]
    errors = process.stderr.splitlines()
    assert [error.split(": ")[1] for error in errors] == ["line 3", "line 4"]


def test_trace_options(call_ox88: RunPython) -> None:
    process = call_ox88("trace", "--nodes", "500", "--plies", "3", "--eval", "150", input=MATE_IN_ONE)
    (line,) = [json.loads(line) for line in process.stdout.splitlines()]
    assert (line["fen"], line["node_limit"], line["eval"]) == (MATE_IN_ONE, 500, 150)
    assert [ply["move"] for ply in line["plies"]] == ["a1a8", "a8a8"]
    assert line["plies"][1]["result"] == "illegal or none"


def test_trace_of_events(call_ox88: RunPython) -> None:
    options = ["--nodes", "500", "--events", "30", "--node", "40", "--without", "hash", "--without", "best move first"]
    lines = [MATE_IN_ONE, "8/8/8/8/8/8/8/4K3 w - - 0 1", MATE_IN_ONE]
    process = call_ox88("trace", *options, input="\n".join(lines))
    assert process.returncode == 1
    assert process.stderr == "ox88: line 2: illegal position: Black has no king\n"
    start, *events = [json.loads(line) for line in process.stdout.splitlines()[:31]]
    assert process.stdout.splitlines()[31:] == process.stdout.splitlines()[:31]
    assert (start["fen"], start["nodes"], len(start["board"]), start["is_end"]) == (MATE_IN_ONE, 39, 129, False)
    assert start["line"][0]["number"] == 1
    assert events[0]["kind"] == "ENTER"
    assert {"kind": "NODE", "ply": events[0]["ply"], "number": 40} in events


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--events", "5", "--node", "900000"], "line 1: there is no node 900,000: the search has "),
        (["--events", "5", "--nodes", "10000001"], "line 1: the node limit is 10,000,001: expected 1 to 10,000,000"),
        (["--events", "5001"], "5001 is not in the range 1<=x<=5000"),
        (["--events", "5", "--node", "0"], "0 is not in the range 1<=x<=10000000"),
        (["--events", "5", "--without", "luck"], "'luck' is not one of 'hash'"),
        (["--events", "5", "--plies", "2"], "--plies cannot be used with --events"),
        (["--node", "5"], "--node and --without are for --events only"),
        (["--without", "hash"], "--node and --without are for --events only"),
    ],
)
def test_wrong_questions_for_events(options: list[str], message: str, call_ox88: RunPython) -> None:
    process = call_ox88("trace", "--nodes", "500", *options, input=MATE_IN_ONE)
    assert process.returncode in (1, 2)
    assert message in process.stderr
    assert process.stdout == ""


def test_undecodable_bytes_are_a_bad_line(call_ox88: RunPython) -> None:
    process = call_ox88("trace", "--nodes", 10, input=b"\xff\xfe\x00\n" + MATE_IN_ONE.encode())
    assert process.returncode == 1
    assert process.stderr.startswith("ox88: line 1: FEN ")
    assert process.stdout.count("\n") == 1


@pytest.mark.slow
@pytest.mark.posix("signals")
def test_interrupting_a_trace() -> None:
    with python("-m", "ox88", "trace", "--nodes", "1000000000000", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write("startpos\n")
        process.stdin.flush()
        wait_for_work(process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert (output, errors.strip()) == ("", "")


@pytest.mark.posix("shells")
def test_a_reader_that_leaves_is_no_error() -> None:
    command = f"yes '{MATE_IN_ONE}' | head -50 | {sys.executable} -m ox88 trace --nodes 10 | head -1"
    process = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert process.stdout.count("\n") == 1
    assert process.stderr == ""


TOO_LITTLE: Final = "ox88: a limit of 341 MB of memory (ulimit -v) is too low: Ox88 needs 1,024 MB\n"


@pytest.mark.posix("shells")
@pytest.mark.parametrize(
    ("command", "code", "error"),
    [
        ("ox88 --help >/dev/full", 2, "ox88: standard output cannot be written: No space left on device\n"),
        ("ox88 show >&-", 0, ""),
        ("ox88 uci <&-", 0, ""),
        ("ulimit -v 350000; ox88 dataset games.pgn -o data", 2, TOO_LITTLE),
        ("ulimit -v 350000; ox88 uci", 2, TOO_LITTLE),
    ],
)
def test_streams_that_are_full_or_closed_and_too_little_memory(command: str, code: int, error: str) -> None:
    if sys.platform != "linux" and ("/dev/full" in command or "ulimit" in command):
        pytest.skip("only Linux has a device that is full, and keeps to a limit of addresses")
    shell = ["sh", "-c", command.replace("ox88", f"{sys.executable} -m ox88", 1)]
    process = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (process.returncode, but_compiling(process.stderr)) == (code, error)


REFUSING = """
import errno, unittest.mock, ox88.cli
for error in (
    OSError("the library 'x.so' cannot be loaded"),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    OSError(errno.EIO, "Input/output error"),
    MemoryError(),
):
    with unittest.mock.patch("ox88.cli.cli.main", side_effect=error):
        try:
            ox88.cli.main()
        except SystemExit as end:
            assert end.code == 2
"""


def test_what_the_system_refuses_is_told_in_a_line(run_python: RunPython) -> None:
    process = run_python("-c", REFUSING)
    assert (process.returncode, process.stderr.splitlines()) == (0, [
        "ox88: the library 'x.so' cannot be loaded",
        "ox88: Cannot allocate memory",
        "ox88: standard output cannot be written: Input/output error",
        "ox88: there is not enough memory",
    ])  # fmt: skip


@pytest.mark.slow
def test_warmup_tells_what_it_does(run_ox88: RunPython) -> None:
    process = run_ox88("warmup")
    assert (process.returncode, process.stdout) == (0, "")
    assert "micro-Max" in process.stderr


@pytest.mark.slow
def test_bench_micromax(run_ox88: RunPython) -> None:
    process = run_ox88("bench", "micromax")
    lines = process.stdout.splitlines()
    assert lines[0] == " 0 ply,         1 searched,      0 by a8a8"
    assert lines[8] == " 8 ply,  31259342 searched,      1 by b1c3"
    assert lines[10].startswith("31259342 nodes, ")
    assert re.fullmatch(
        r"before the search, \d+\.\d+ s of processor time: Python starts, kernels are loaded", lines[11]
    )


@pytest.mark.slow
def test_bench_with_threads_says_what_the_machine_can_do(run_ox88: RunPython) -> None:
    process = run_ox88("bench", "--threads", "2", "--depth", "5")
    first, empty, *_, last = process.stdout.splitlines()
    assert re.fullmatch(r".+: one process \d+ nodes/s, 2 at once \d\.\d\d times as many", first)
    assert empty == ""
    assert last.startswith("Nodes/second")
