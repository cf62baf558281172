"""Processes that tests start, watch and end."""

import _thread
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

from ox88 import threads

PATIENCE = 1800  # Seconds for a child, on a machine that has much other work and nothing compiled yet.
TEST_LIMIT = 2400  # Seconds for a test, ...
SLOW_TEST_LIMIT = 7200  # ... and for a slow one.


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until the condition holds; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"the condition does not hold after {seconds} seconds"
        time.sleep(0.02)


def is_running(number: int) -> bool:
    """True if the process exists and has not ended; a zombie has ended."""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for_work(process: "subprocess.Popen[str]", seconds: float = 5) -> None:
    """Wait until a process has used so much processor time: then everything is imported, and it works."""
    wait_until(lambda: sum(psutil.Process(process.pid).cpu_times()[:2]) > seconds, PATIENCE)


def busy_threads() -> set[threading.Thread]:
    """The threads of this process but those that wait for another call of `Background`."""
    return {thread for thread in threading.enumerate() if thread.name != threads.IDLE_THREAD}


def interrupt_when_waiting(seconds: float = 0.0) -> None:
    """Interrupt this thread, as Ctrl-C does, when it has waited for other threads for some seconds, and not before."""
    number = threading.get_ident()

    def is_waiting() -> bool:
        frames = traceback.walk_stack(sys._current_frames()[number])
        return any(frame.f_code is threads.wait_until.__code__ for frame, _ in frames)

    def interrupt() -> None:
        wait_until(is_waiting)
        time.sleep(seconds)
        _thread.interrupt_main()

    threading.Thread(target=interrupt, daemon=True).start()


def but_compiling(errors: str) -> str:
    """The text of stderr without what the compiler says: a test may be the first to need some kernel."""
    said = ("ox88: compiling", "ox88: another process is compiling")
    return "".join(line for line in errors.splitlines(keepends=True) if not line.startswith(said))


def end_children() -> None:
    """Kill all descendants of this process."""
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            child.kill()


@contextlib.contextmanager
def python(*words: str | Path, **options: Any) -> "Iterator[subprocess.Popen[str]]":
    """Start Python with these arguments in a process group of its own, and kill the whole group at the end.

    options: for Popen; stdout and stderr are pipes of text unless they say otherwise.
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, *words], start_new_session=True, **(pipes | options)) as process:
        try:
            yield process
        finally:
            kill_group(process)


def kill_group(process: "subprocess.Popen[Any]") -> None:
    """Kill a process and all that are in its group; on Windows the process alone."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def wait_for_journal(output: Path, process: "subprocess.Popen[str]", size: int) -> None:
    """Wait until the journal beside an output holds so many bytes. Only its own process can open it."""
    log = output.with_name(f"{output.name}.journal-wal")

    def are_done() -> bool:
        assert process.poll() is None, process.communicate()
        return log.exists() and log.stat().st_size >= size

    wait_until(are_done, PATIENCE)


def end(process: "subprocess.Popen[str]", how: str) -> tuple[str, str]:
    """End a process by SIGINT to its group or by SIGKILL; its children must end. Returns stdout and stderr."""
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT) if how == "SIGINT" else process.kill()
    said, errors = process.communicate(timeout=PATIENCE)
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert not alive
    return said, errors


def kill_a_worker(process: "subprocess.Popen[str]") -> None:
    """Kill the child that takes most memory: a worker."""
    children = psutil.Process(process.pid).children(recursive=True)
    max(children, key=lambda child: child.memory_info().rss).kill()
