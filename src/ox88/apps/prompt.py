"""A line typed at a prompt that changes meanwhile, such as one with a clock.

A timer signal interrupts the wait for keys ten times a second, and Python writes the prompt over the old one. Without
such a timer, as on Windows, the prompt does not change.
"""

import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Final

_EVERY: Final = 0.1  # Seconds.


def ask(prompt: Callable[[], str]) -> str:
    """`input` with a prompt that is asked for again and again. What `prompt` raises ends the wait."""
    shown = prompt()
    with _often(Prompt(prompt, shown).update):
        return input(shown)


class Prompt:
    """A prompt on the screen, behind which somebody types."""

    def __init__(self, text: Callable[[], str], shown: str) -> None:
        self._text = text
        self._shown = shown

    def update(self) -> None:
        """Write what has changed, in the place of the old prompt, so that what is typed stays where it is."""
        text = self._text().ljust(len(self._shown))
        if text != self._shown and self._is_on_one_line(text):
            self._shown = text
            with contextlib.suppress(OSError):  # The terminal was closed, so the input ends too.
                os.write(sys.stdout.fileno(), f"\x1b7\r{text}\x1b8".encode())  # Save the cursor; restore it.

    def _is_on_one_line(self, text: str) -> bool:
        if os.environ.get("TERM") == "dumb":  # Such a terminal cannot move the cursor.
            return False
        columns = shutil.get_terminal_size().columns
        return len(text) == len(self._shown) and len(text) + _typed() < columns


def _typed() -> int:
    """The number of characters typed so far; 0 where the number is not known."""
    with contextlib.suppress(ImportError):  # Windows has no readline.
        import readline

        return len(readline.get_line_buffer())
    return 0


@contextlib.contextmanager
def _often(call: Callable[[], None]) -> Iterator[None]:
    """Call a function often within the context, also while Python waits for keys. Without a timer, do nothing."""
    if sys.platform == "win32":
        yield
        return
    is_over = False

    def tick(*_: object) -> None:
        nonlocal is_over
        if not is_over:
            is_over = True  # After an exception of the call the timer stays off: nothing may disturb what follows.
            call()
            is_over = False

    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
    try:
        yield
    finally:
        is_over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
