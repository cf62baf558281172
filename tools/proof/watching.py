"""Runs cases in a process of their own, the child, which is watched: a case may crash it, hang, or fill the memory.

The child sends the result of each case through a pipe, so the case that it is at is known. Where it dies or breaks a
limit, that case has failed, and a new child goes on with the next one. Time is that of the processor, so that a busy
machine fails no case. Where a case was when it hung or crashed is written by Python's faulthandler.
"""

import contextlib
import faulthandler
import gc
import math
import multiprocessing
import os
import re
import signal
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from ox88.apps.jobs import kill_children
from tools.proof.campaign import Block, Campaign, Finding, Tally, campaign_class, run_case

MOST_MEMORY: Final = 2 << 30  # Bytes of the child.
_MOST_STARTING: Final = 600.0  # Seconds of the processor before the first case, which may have to compile.
_POLL: Final = 0.05
_PEAK: Final = re.compile(r"^VmHWM:\s*(\d+) kB", re.MULTILINE)
_SHOWN: Final = 4000  # Characters of what the child has written.


class Used(NamedTuple):
    """What a process has used. seconds: of the processor. memory: bytes, at most so far."""

    seconds: float
    memory: int

    @classmethod
    def by(cls, process: psutil.Process) -> "Used":
        with process.oneshot():
            times = process.cpu_times()
            return cls(times.user + times.system, _most_memory(process))


def _most_memory(process: psutil.Process) -> int:
    """The peak of a process's memory, in bytes. Where the system does not tell it, the memory at present.

    Not ru_maxrss, which on Linux begins with the memory of the process that has started this one.
    """
    now = process.memory_info()
    if psutil.LINUX:
        with contextlib.suppress(OSError):  # It has just ended.
            status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
            if found := _PEAK.search(status):
                return int(found[1]) << 10
    return getattr(now, "peak_wset", now.rss)  # Which Windows has.


class CaseResult(NamedTuple):
    """What a child sends when it is ready, and after each case. used: by the child since it began."""

    tally: Tally
    failure: str | None
    used: Used


class LostError(Exception):
    """The child is gone, or had to be ended; the text says why."""


def run_watched(block: Block) -> Finding:
    """Run all cases of a block, with as many children as it takes."""
    started, tally, failures = time.monotonic(), Tally(), {}
    kind, cases = campaign_class(block.campaign), range(block.first, block.first + block.count)
    while cases:
        with _Child(kind, block.seed, cases) as child:
            for case in cases:
                cases = range(case + 1, cases.stop)
                try:
                    result = child.next_result()
                except LostError as error:
                    failures[case] = f"{kind.describe(case, block.seed)}\n{child.last_words()}\n{error}".strip()
                    break
                tally.add(result.tally)
                if result.failure is not None:
                    failures[case] = result.failure
    return Finding(tally, failures, time.monotonic() - started)


class _Child:
    """The process that runs some cases. A context manager that ends it."""

    def __init__(self, kind: type[Campaign], seed: int, cases: range) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far_end = context.Pipe(duplex=False)
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # For all files of the child.
        self._log = Path(self._folder.name) / "log"
        self._log.touch()
        arguments = (kind, seed, cases, far_end, self._log)
        self._kind = kind
        self._process = context.Process(target=_run_cases, args=arguments, daemon=True)
        self._process.start()
        far_end.close()
        self._running = psutil.Process(self._process.pid)
        self._before = Used(0.0, 0)  # At the end of the last case.

    def __enter__(self) -> "_Child":
        try:
            self.next_result(_MOST_STARTING, math.inf)
        except LostError as error:
            words = self.last_words()
            self.__exit__()
            raise RuntimeError(f"the campaign cannot begin: {error}\n{words}") from None
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(psutil.Error):
            kill_children(self._running)
        self._process.kill()
        self._process.join()
        self._pipe.close()
        self._folder.cleanup()

    def next_result(self, most_seconds: float | None = None, most_waiting: float | None = None) -> CaseResult:
        """The result of the next case. Without limits, those of the campaign hold. Raises LostError."""
        most_seconds = self._kind.most_seconds if most_seconds is None else most_seconds
        most_waiting = self._kind.most_waiting if most_waiting is None else most_waiting
        waited, last = 0.0, self._before
        while not self._pipe.poll(_POLL):  # Polls are counted, since a clock runs on while this process is stopped.
            with contextlib.suppress(psutil.Error):  # It is about to be gone, which ends its pipe.
                used = Used.by(self._running)
                waited += _POLL if used.seconds == last.seconds and not self._is_runnable() else 0.0
                last = used
            reason = self._broken_limit(last, most_seconds)
            if waited > most_waiting:
                reason = f"it waits for more than {most_waiting:g} seconds"
            if reason:
                self._abort()
                raise LostError(reason)
        try:
            result: CaseResult = self._pipe.recv()
        except EOFError:
            self._process.join()
            raise LostError(f"its process ends with the exit code {self._process.exitcode}") from None
        if reason := self._broken_limit(result.used, most_seconds):
            raise LostError(reason)
        self._before = result.used
        return result

    def _broken_limit(self, used: Used, most_seconds: float) -> str:
        if used.seconds - self._before.seconds > most_seconds:
            return f"it takes more than {most_seconds:g} seconds of the processor"
        if used.memory > MOST_MEMORY:
            return f"the process takes {used.memory >> 20:,} MB of memory"
        return ""

    def _is_runnable(self) -> bool:
        """True if it would go on if other processes left it a core. Only Linux tells."""
        return psutil.LINUX and self._running.status() == psutil.STATUS_RUNNING

    def _abort(self) -> None:
        """End the child, which writes where it is."""
        with contextlib.suppress(OSError):
            os.kill(self._process.pid or 0, signal.SIGABRT)
            self._process.join(5)

    def last_words(self) -> str:
        """The end of what the child has written."""
        written = self._log.read_text(encoding="utf-8", errors="replace")
        return re.sub("^Extension modules: .*", "", written, flags=re.MULTILINE).strip()[-_SHOWN:]


def _run_cases(kind: type[Campaign], seed: int, cases: range, pipe: Connection, log: Path) -> None:
    """What a child does."""
    tempfile.tempdir = str(log.parent)
    _write_into(log)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    chosen = kind()
    gc.collect()
    gc.freeze()  # What is there now stays; collections need not look at it.
    process = psutil.Process()
    before = Used.by(process)
    pipe.send(CaseResult(Tally(), None, before))
    for case in cases:
        tally = Tally()
        failure = run_case(chosen, case, seed, tally)
        used = Used.by(process)
        tally.measure("seconds of the processor for a case", used.seconds - before.seconds)
        tally.measure("megabytes of the process", used.memory >> 20)
        before = used
        pipe.send(CaseResult(tally, failure, used))


def _write_into(log: Path) -> None:
    """Let a file take what this process prints, and what Python writes when it crashes."""
    file = os.open(log, os.O_WRONLY | os.O_APPEND)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(file, stream.fileno())
    faulthandler.enable(file)
    with contextlib.suppress(ImportError):
        import resource  # Which Windows does not have.

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
