"""Running kernels off the main thread. A kernel sees no Ctrl-C: the main thread waits for it and passes the word on."""

import threading
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

_T = TypeVar("_T")

_INTERRUPTIBLE: Final = 0.1  # Seconds of a wait after which Python looks for Ctrl-C, on Windows too.


class Background(Generic[_T]):
    """A call that runs in a thread of its own from the moment this is made. `stop` must make it end soon."""

    def __init__(self, call: Callable[[], _T], stop: Callable[[], None]) -> None:
        self._call = call
        self._stop = stop
        self._results: list[_T] = []
        self._errors: list[BaseException] = []
        # Not Thread.join: if Ctrl-C comes meanwhile, Python 3.11 takes a thread that still runs for one that has ended.
        self._ended = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._results.append(self._call())
        except BaseException as error:  # Whatever it is, it belongs to the thread that waits.
            self._errors.append(error)
        self._call = self._stop = _nothing  # Who made them may own this: in a circle, a large table would live on.
        self._ended.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether the call has ended."""
        return self._ended.wait(seconds)

    def result(self) -> _T:
        """Wait for the call's result, or raise its error. Ctrl-C meanwhile stops the call and is raised then."""
        try:
            while not self.wait(_INTERRUPTIBLE):
                pass
        except KeyboardInterrupt:
            self.cancel()
            raise
        if self._errors:
            raise self._errors[0]
        return self._results[0]

    def cancel(self) -> None:
        """Stop the call and wait for its end."""
        self._stop()
        while not self.wait(_INTERRUPTIBLE):
            self._stop()


def _nothing() -> Any:
    """What is left to call, or to stop, after the end."""
