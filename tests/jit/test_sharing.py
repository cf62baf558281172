"""Processes that compile at the same time share the work: each kernel is compiled once, and nobody waits for ever."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.jit.test_jit import python_path

KERNELS = """
from ox88.jit import kernel

@kernel
def leaf(x):
    return x + 1

@kernel
def left(x):
    return leaf(x) * 2

@kernel
def right(x):
    return leaf(x) * 3

@kernel
def top(x):
    return left(x) + right(x)
"""
# What a process does is written to a file, a line for each kernel that it compiles and each part that it is given.
LOG = """
import os
from pathlib import Path
from numba.core import event

def note(text):
    with Path(__file__).with_name("log").open("a") as file:
        file.write(f"{os.getpid()} {text}\\n")

class Listener(event.Listener):
    def on_start(self, started):
        note("compiles " + started.data["dispatcher"].__name__)

    def on_end(self, ended):
        pass

event.register("numba:compile", Listener())
"""
PARTS = """
import os, time
import shared.log
from shared.kernels import leaf, left, right

def help_with_right():
    right(1)

def fail():
    shared.log.note("helps")
    os._exit(1)

def hang():
    with right._lock:
        shared.log.note("helps")
        time.sleep(600)
"""
RUN = """
import os, sys, threading, time, signal
import shared.log
from pathlib import Path
from ox88.jit import sharing_the_work
from shared import kernels, parts

log = Path(shared.log.__file__).with_name("log")

def helper():
    # The other process, once it is at work: else this one might be done before it begins.
    begins = ("helps", "compiles")
    return next((int(line.split()[0]) for line in log.read_text().splitlines() if line.split()[1] in begins), 0)

def main(part, *calls):
    is_cold = part and not kernels.top.is_kept
    with sharing_the_work([kernels.top], [getattr(parts, part)] if part else []):
        shared.log.note("starts")
        while is_cold and not helper():
            time.sleep(0.01)
        if part == "hang":
            threading.Timer(0.5, os.kill, (helper(), signal.SIGTERM)).start()
        for call in calls:
            value = getattr(kernels, call)(1)
    print(value)

main(*sys.argv[1:])
"""
HELP = ("help_with_right", "top")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    folder.mkdir()
    for name, text in (("__init__", ""), ("kernels", KERNELS), ("log", LOG), ("parts", PARTS), ("run", RUN)):
        (folder / f"{name}.py").write_text(text)
    return folder


def start(package: Path, *arguments: str, **env: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "shared.run", *arguments],
        env={**os.environ, "PYTHONPATH": python_path(package), "NUMBA_CACHE_DIR": str(package / "cache"), **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def value(process: "subprocess.Popen[str]") -> int:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return int(output)


def log(package: Path) -> list[tuple[str, str]]:
    """Process and what it does."""
    lines = [line.split(" ", 1) for line in (package / "log").read_text().splitlines()]
    return [(process, what) for process, what in lines]


def compiled(package: Path) -> Counter[str]:
    return Counter(what.removeprefix("compiles ") for _, what in log(package) if what.startswith("compiles"))


ONCE = Counter(("leaf", "left", "right", "top"))

several_cores = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core: there is no other process")


@several_cores
def test_two_processes_compile_each_kernel_once(package: Path) -> None:
    assert value(start(package, *HELP)) == 10
    assert compiled(package) == ONCE
    assert len({process for process, what in log(package) if what.startswith("compiles")}) == 2


@several_cores
def test_no_other_process_where_all_is_compiled(package: Path) -> None:
    value(start(package, *HELP))
    (package / "log").unlink()
    assert value(start(package, *HELP)) == 10
    assert [what for _, what in log(package)] == ["starts"]


@several_cores
@pytest.mark.parametrize("part", ["fail", "hang"])
def test_a_helper_that_dies_does_no_harm(package: Path, part: str) -> None:
    assert value(start(package, part, "top")) == 10
    assert compiled(package) == ONCE


@several_cores
def test_a_helper_does_not_outlive_the_work(package: Path) -> None:
    assert value(start(package, "hang", "left")) == 4  # Its lock is on another kernel: nobody waits for that.


def test_many_processes_in_any_order(package: Path) -> None:
    orders = (("left", "right", "top"), ("right", "left", "top"), ("leaf", "right", "top"), ("top",))
    processes = [start(package, "", *order) for order in orders]
    assert [value(process) for process in processes] == [10] * 4
    assert compiled(package) == ONCE


def test_without_a_compiler_there_is_nothing_to_share(package: Path) -> None:
    assert value(start(package, "", "top", NUMBA_DISABLE_JIT="1")) == 10
    assert [what for _, what in log(package)] == ["starts"]
