"""Messages of the compiler on stderr."""

import sys
from collections.abc import Callable
from typing import Final

_STEP: Final = 10  # Kernels between two messages to a listener.


class Progress:
    """Says on stderr what the compiler does: each message once per process and, on a terminal, a dot per kernel."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._listener: Callable[[str], None] | None = None
        self._compiled = 0

    def listen(self, listener: Callable[[str], None] | None) -> None:
        """Pass messages, and the number of compiled kernels, to a function too; None ends that."""
        self._listener = listener

    def say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            sys.stderr.write(f"ox88: {text}\n")
            sys.stderr.flush()
            if self._listener is not None:
                self._listener(text)

    def compiling(self) -> None:
        self.say("compiling, once after an installation or a change; this takes some seconds")

    def waiting(self) -> None:
        """Say that this process waits, if it has said nothing before: a wait after that is short."""
        if not self._said:
            self.say("another process is compiling; waiting for its result")

    def compiled(self) -> None:
        self._compiled += 1
        if self._listener is not None and self._compiled % _STEP == 0:
            self._listener(f"{self._compiled} kernels are compiled")
        self._draw(".")

    def finished(self) -> None:
        """Report that the kernel which Python called is compiled, with all that it calls."""
        if self._listener is not None and self._compiled % _STEP:
            self._listener(f"{self._compiled} kernels are compiled")
        self._draw("\n")

    def _draw(self, text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(text)
            sys.stderr.flush()


progress = Progress()
