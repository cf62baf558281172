"""Watching processes from a test, and what they say."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

PATIENCE = 500  # Seconds, on a machine that has other work.


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something that must come; fail where it does not."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never comes"
        time.sleep(0.02)


def is_running(number: int) -> bool:
    """Whether there is a process with this number that has not ended. One that nobody has asked how it ended, has."""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def but_compiling(errors: str) -> str:
    """What was said on stderr, without the word on kernels that are compiled: a test may be the first to need some."""
    return "".join(line for line in errors.splitlines(keepends=True) if not line.startswith("ox88: compiling"))


@contextlib.contextmanager
def python(*words: str) -> "Iterator[subprocess.Popen[str]]":
    """Python in a process, and a group, of its own. Nothing of it is left."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, *words], stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_journal(output: Path, process: "subprocess.Popen[str]", size: int) -> None:
    """Until some jobs, so many bytes, are in the journal beside an output, which its own process alone can open."""
    log = output.with_name(f"{output.name}.journal-wal")

    def are_done() -> bool:
        assert process.poll() is None, process.communicate()
        return log.exists() and log.stat().st_size >= size

    wait_until(are_done, PATIENCE)


def end(process: "subprocess.Popen[str]", how: int) -> tuple[str, str]:
    """End a process by SIGINT to its group, or by SIGKILL. What it said, and on stderr; its children end with it."""
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, how) if how == signal.SIGINT else process.kill()
    said, errors = process.communicate(timeout=PATIENCE)
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert not alive
    return said, errors


def kill_a_worker(process: "subprocess.Popen[str]") -> None:
    """Kill the greatest of the processes that a process has started."""
    children = psutil.Process(process.pid).children(recursive=True)
    max(children, key=lambda child: child.memory_info().rss).kill()
