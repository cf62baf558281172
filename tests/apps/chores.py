"""Jobs for workers in processes of their own, and a program that has some done: `python -m tests.apps.chores DIR`."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def process_id(_: int) -> int:
    return os.getpid()


def fail(number: int) -> int:
    raise ValueError(f"job {number}")


def die(_: int) -> int:
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    return 0


def die_once(file: str) -> str:
    """Die at the first call, but not at the second. file: counts the calls."""
    if not Path(file).exists():
        Path(file).touch()
        die(0)
    return file


def start_child(folder: str) -> int:
    """Start a process that does not end, write its number and ours to files, and wait."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    (Path(folder) / str(child.pid)).touch()
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(1000)
    return 0


def main(folder: str) -> None:
    from ox88.apps.jobs import LocalWorkers, do_jobs

    try:
        with LocalWorkers(2) as workers:
            list(do_jobs(workers, start_child, [folder, folder]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1])
