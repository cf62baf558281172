"""What the compiler says while someone waits for it."""

import sys


def _say_on_stderr(text: str) -> None:
    sys.stderr.write(f"ox88: {text}\n")
    sys.stderr.flush()


class Progress:
    """Says on stderr what the compiler is doing, each thing once a process, and to a terminal how far it has come."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            _say_on_stderr(text)

    def compiling(self) -> None:
        self.say("compiling, once after an installation or a change; some seconds")

    def waiting(self) -> None:
        """Said only by a process that has compiled nothing: for another it is a short wait between its kernels."""
        if not self._said:
            self.say("another process is compiling; waiting for its result")

    def compiled(self, is_last: bool) -> None:
        """A kernel is compiled; after the last one the compiler rests."""
        if sys.stderr.isatty():
            sys.stderr.write("\n" if is_last else ".")
            sys.stderr.flush()


progress = Progress()
