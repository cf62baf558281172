"""What the compiler says while someone waits for it."""

import sys
from collections.abc import Callable
from typing import Final

_HEARD_STEP: Final = 10  # Kernels compiled between two words to a listener.


def _say_on_stderr(text: str) -> None:
    sys.stderr.write(f"ox88: {text}\n")
    sys.stderr.flush()


class Progress:
    """Says on stderr what the compiler is doing, each thing once a process, and to a terminal how far it has come."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._listener: Callable[[str], None] | None = None
        self._compiled = 0

    def listen(self, listener: Callable[[str], None] | None) -> None:
        """Let someone else hear it too, and how many kernels are compiled; None for nobody."""
        self._listener = listener

    def say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            _say_on_stderr(text)
            if self._listener is not None:
                self._listener(text)

    def compiling(self) -> None:
        self.say("compiling, once after an installation or a change; some seconds")

    def waiting(self) -> None:
        """Said only by a process that has compiled nothing: for another it is a short wait between its kernels."""
        if not self._said:
            self.say("another process is compiling; waiting for its result")

    def compiled(self) -> None:
        """One more kernel is compiled."""
        self._compiled += 1
        if self._listener is not None and self._compiled % _HEARD_STEP == 0:
            self._listener(f"{self._compiled} kernels are compiled")
        self._draw(".")

    def rests(self) -> None:
        """What Python called is compiled, with all that it needs."""
        if self._listener is not None and self._compiled % _HEARD_STEP:
            self._listener(f"{self._compiled} kernels are compiled")
        self._draw("\n")

    def _draw(self, text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(text)
            sys.stderr.flush()


progress = Progress()
