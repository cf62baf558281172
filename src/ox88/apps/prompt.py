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

    def update() -> None:
        """Write what has changed, in the place of the old prompt, so that what is typed stays where it is."""
        nonlocal shown
        text = prompt().ljust(len(shown))
        if text != shown and len(text) == len(shown) and _fits_on_a_line(text):
            shown = text
            with contextlib.suppress(OSError):  # The terminal was closed, so the input ends too.
                os.write(sys.stdout.fileno(), f"\x1b7\r{text}\x1b8".encode())  # Save the cursor; restore it.

    with _often(update):
        return input(shown)


def _fits_on_a_line(prompt: str) -> bool:
    """True if the prompt and what is typed so far are on one line of a terminal that can move its cursor."""
    typed = 0
    with contextlib.suppress(ImportError):  # Windows has no readline.
        import readline

        typed = len(readline.get_line_buffer())
    return os.environ.get("TERM") != "dumb" and len(prompt) + typed < shutil.get_terminal_size().columns


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
