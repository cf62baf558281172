"""`ox88 serve` as a process."""

import contextlib
import json
import re
import shutil
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.conftest import RunPython
from tests.processes import PATIENCE, but_compiling, python


@pytest.fixture
def data(tmp_path: Path, board: Path) -> Path:
    """A data folder with the board."""
    shutil.copytree(board, tmp_path / "chessground")
    return tmp_path


@contextlib.contextmanager
def serving(data: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server and its address; it is killed at the end."""
    with python("-m", "ox88", "serve", "--port", "0", "--data", data) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield process, found[0]


@pytest.mark.posix("signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_page_is_served_until_an_interrupt_which_ends_it_quietly(data: Path, number: signal.Signals) -> None:
    with serving(data) as (process, url):
        with urllib.request.urlopen(url) as response:  # noqa: S310
            assert "<title>Ox88</title>" in response.read().decode()
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
    assert but_compiling(errors) == ""
    assert process.returncode in (0, -number)


@pytest.mark.slow
@pytest.mark.posix("signals")
def test_an_interrupt_ends_what_goes_on(data: Path, run_python: RunPython) -> None:
    assert run_python("-m", "ox88", "warmup").returncode == 0
    with serving(data) as (process, url), connect(url.replace("http", "ws") + "socket") as page:
        page.recv()
        page.send(json.dumps({"type": "analyse", "start": "startpos", "moves": [], "lines": 1}))
        while "depth" not in str(page.recv(PATIENCE)):
            pass
        page.send(json.dumps({"type": "new", "engine": "Ox88", "side": "black", "seconds": 60}))
        while '"thinking":true' not in str(page.recv(PATIENCE)):
            pass
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert errors == ""
    assert process.returncode == 0


def nowhere(folder: Path) -> dict[str, str]:
    """Environment variables for a user who has no data yet."""
    return {"XDG_DATA_HOME": str(folder), "HOME": str(folder), "WIN_PD_OVERRIDE_LOCAL_APPDATA": str(folder)}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], r"the board is not installed: `ox88 serve --fetch-board` fetches it, once, by npm"),
        (["--fetch-board"], "the board cannot be fetched: npm .*"),  # There is no npm in an empty folder.
    ],
)
def test_without_the_board_it_says_what_is_missing(
    run_python: RunPython, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    done = run_python("-m", "ox88", "serve", *arguments, env=nowhere(tmp_path) | {"PATH": str(tmp_path)})
    assert done.returncode == 2
    assert re.fullmatch(rf"ox88: {reason}\n", done.stderr)


def test_a_server_that_cannot_begin_says_why(data: Path, call_ox88: RunPython) -> None:
    (data / "games.sqlite3").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for words, reason in (
            (("--port", port), f"cannot listen at 127.0.0.1 port {port}: .*"),
            *((("--host", host), "cannot listen at .*") for host in ("300.1.1.1", "no such host", "x" * 300)),
            (("--port", 0), "games cannot be kept in .*"),
        ):
            done = call_ox88("serve", "--data", data, *words)
            assert done.returncode == 2
            assert re.fullmatch(rf"ox88: {reason}\n", done.stderr)


def test_the_engines_and_the_web_are_not_loaded_to_say_so(run_python: RunPython, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom ox88.cli import main\n"
        "sys.argv = ['ox88', 'serve']\n"
        "try:\n    main()\nexcept SystemExit:\n"
        "    print([name for name in ('numba', 'starlette') if name in sys.modules])"
    )
    assert run_python("-c", code, env=nowhere(tmp_path)).stdout == "[]\n"


def test_the_server_is_up_before_the_compiler_is_loaded(run_python: RunPython) -> None:
    code = "import sys, ox88.apps.web.app; print('numba' in sys.modules)"
    assert run_python("-c", code).stdout == "False\n"
