"""A process that is spoken to line by line, with the time at which each line has come."""

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tools.proof.campaign import FailureError
from tools.proof.games.waiting import Waiting

PATIENCE: Final = 30.0  # Seconds for an answer. More is a stall.
STARTING: Final = 600.0  # Seconds until it is ready, which may have to compile.
_SHOWN: Final = 20_000  # Characters of what it has said.


class Said(NamedTuple):
    """A line, and the time.perf_counter() at which it came."""

    at: float
    text: str


class Talker:
    """An engine's process. A context manager that kills it."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """words: arguments for Python."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - Until __exit__.
        self._process = subprocess.Popen(  # noqa: S603 - Ox88 itself.
            [sys.executable, "-P", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            bufsize=1,
            env={**os.environ, **(environment or {})},
        )
        self._lines: queue.SimpleQueue[Said | None] = queue.SimpleQueue()
        self._last: list[str] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def __enter__(self) -> "Talker":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reading.join()
        for pipe in filter(None, (self._process.stdin, self._process.stdout)):
            with contextlib.suppress(OSError):  # What it has not read is lost.
                pipe.close()
        self._errors.close()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(Said(time.perf_counter(), line.rstrip("\n")))
        self._lines.put(None)

    def say(self, line: str) -> float:
        """Send a line. Returns the time at which it is sent."""
        self._last = [*self._last[-400:], f"> {line}"]
        try:
            print(line, file=self._process.stdin, flush=True)
        except OSError:
            raise self.failure("it has ended") from None
        return time.perf_counter()

    def hear(self, last: str, seconds: float = PATIENCE) -> list[Said]:
        """All lines up to one whose first word is `last`. Raises FailureError."""
        heard: list[Said] = []
        end = time.perf_counter() + seconds
        while not heard or heard[-1].text.split(maxsplit=1)[:1] != [last]:
            try:
                said = self._lines.get(timeout=max(end - time.perf_counter(), 0.001))
            except queue.Empty:
                raise self.failure(f"no {last} within {seconds:g} seconds") from None
            if said is None:
                raise self.failure(f"it has ended with the code {self._process.wait()}")
            self._last = [*self._last[-400:], said.text]
            heard.append(said)
        return heard

    def waiting(self) -> Waiting:
        """How long it and this process wait for a core from now on."""
        return Waiting(self._process.pid)

    def check_silent(self) -> None:
        """Raise FailureError if it has said anything that nobody has heard."""
        if not self._lines.empty():
            raise self.failure(f"it says {self._lines.get()} unasked")

    def quit(self) -> None:
        """Let it end. Raises FailureError if it does not, or says that something is wrong."""
        self.say("quit")
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise self.failure("it does not quit") from None
        if code:
            raise self.failure(f"it quits with the code {code}")

    def failure(self, reason: str) -> FailureError:
        """What is wrong, with the end of the dialogue and of stderr."""
        self._errors.seek(0)
        told = self._errors.read().decode(errors="replace")[-_SHOWN:]
        return FailureError("\n".join([reason, "\n".join(self._last)[-_SHOWN:], told]))
