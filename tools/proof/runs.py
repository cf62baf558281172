"""Runs of commands that are ended in any way, and what is left of them afterwards."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Final, NamedTuple

import psutil

from tests.processes import but_compiling
from tools.proof.campaign import FailureError

POLL: Final = 0.01  # Seconds. Polls are counted, since a clock runs on while this process is stopped.
MOST_SECONDS: Final = 600.0  # Of a run. More is a hang.
MOST_LINGERING: Final = 60.0  # Seconds that children may take to see that their parent is gone.
ROOT: Final = Path(__file__).parents[2]
_MARK: Final = "OX88_PROOF"  # In the environment of a run and of all processes that it starts.
_SHOWN: Final = 3000  # Characters.


class Ended(NamedTuple):
    """How a run has ended. errors: from stderr, without what the compiler says. compiled: whether it said anything."""

    code: int
    said: str
    errors: str
    compiled: bool
    seconds: float

    def __str__(self) -> str:
        return f"exit code {self.code}\n{self.said[-_SHOWN:]}\n{self.errors[-_SHOWN:]}"


class Run:
    """A command in a session of its own. A context manager that kills what is left of it."""

    def __init__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        """words: a program, or the arguments of Python where the first one begins with a dash. folder: to run in."""
        self._mark = uuid.uuid4().hex
        self._words = [sys.executable, "-P", *words] if words[0].startswith("-") else [*words]
        own = {_MARK: self._mark, "PYTHONPATH": str(ROOT), **(environment or {})}
        self._out, self._errors = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115 - Until __exit__.
        self._started = time.monotonic()
        with _interrupts_by_default():
            self._process = subprocess.Popen(  # noqa: S603 - Ox88 itself.
                self._words,
                stdin=subprocess.DEVNULL,
                stdout=self._out,
                stderr=self._errors,
                cwd=folder,
                env={**os.environ, **own},
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self._survivors(), *self._own()]:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self._process.wait()
        self._out.close()
        self._errors.close()

    def _own(self) -> list[psutil.Process]:
        return [] if self._process.poll() is not None else [psutil.Process(self._process.pid)]

    def has_ended_after(self, seconds: float) -> bool:
        """Wait so long, or until it ends."""
        for _ in range(max(int(seconds / POLL), 1)):
            if self._process.poll() is not None:
                return True
            time.sleep(POLL)
        return False

    def end(self, how: signal.Signals, whole_group: bool) -> None:
        """Send a signal to the process, or to all of its group as a terminal does. The process may have ended."""
        with contextlib.suppress(ProcessLookupError):
            if whole_group:
                os.killpg(self._process.pid, how)
            else:
                os.kill(self._process.pid, how)

    def wait(self) -> Ended:
        """Wait for its end, and for that of all processes it has started. Raises FailureError."""
        if not self.has_ended_after(MOST_SECONDS):
            raise FailureError(f"{self} runs for more than {MOST_SECONDS:g} seconds\n{self._read(self._errors)}")
        seconds = time.monotonic() - self._started
        self._check_nothing_runs()
        errors = self._read(self._errors)
        own = but_compiling(errors)
        return Ended(self._process.returncode, self._read(self._out), own, own != errors, seconds)

    def said(self) -> str:
        """What it has written on stdout so far."""
        return self._read(self._out)

    def _read(self, file: IO[bytes]) -> str:
        return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode(errors="replace")

    def _check_nothing_runs(self) -> None:
        for _ in range(int(MOST_LINGERING / POLL / 10)):
            if not any(self._survivors()):
                return
            time.sleep(10 * POLL)
        names = [" ".join(process.info["cmdline"] or ["?"])[:200] for process in self._survivors(("cmdline",))]
        if names:
            raise FailureError(f"{self} has ended, and left {'; '.join(names)}")

    def _survivors(self, fields: Sequence[str] = ()) -> Iterator[psutil.Process]:
        """The processes that the run has started, itself not among them, but for those that have ended."""
        for process in psutil.process_iter(["pid", "environ", "status", *fields]):
            is_own = (process.info["environ"] or {}).get(_MARK) == self._mark
            if is_own and process.pid != self._process.pid and process.info["status"] != psutil.STATUS_ZOMBIE:
                yield process

    def __str__(self) -> str:
        return " ".join(self._words)[-300:]


def run_to_end(words: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a command undisturbed. Raises FailureError if it hangs, or leaves a process."""
    with Run(words, folder, environment) as run:
        return run.wait()


def check_told(ended: Ended, how: int) -> None:
    """Raise FailureError if a run that a signal ended shows a traceback, or has a wrong exit code: 130 for Ctrl-C.

    0 is right too: the run was at its end, or is a server. So is an end by the signal itself, which shells call 130 as
    well: in its last milliseconds Python no longer minds Ctrl-C.
    """
    if ended.code not in (0, 130 if how == signal.SIGINT else -how, -how) or "Traceback" in ended.errors:
        raise FailureError(f"after signal {how}: {ended}")


@contextlib.contextmanager
def _interrupts_by_default() -> Iterator[None]:
    """Let processes that start now be interrupted by SIGINT. Workers ignore it, and their children inherit that."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
