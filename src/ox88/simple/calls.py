"""Calls of an engine from any thread: one at a time uses the engine, and each ends the one before it."""

import concurrent.futures
import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final

from chess.engine import EngineTerminatedError

_INTERRUPTIBLE: Final = 0.1  # Seconds of a wait after which Python looks for Ctrl-C, on Windows too.


class Call:
    """A call that waits for the engine or uses it. `cancel` may come from any thread, at any time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # Reentrant: the garbage collector may cancel in the middle of anything.
        self._stop: Callable[[], None] | None = None
        self._error: Exception | None = None

    def cancel(self, error: Exception | None = None) -> None:
        """Stop the search of this call, if it runs. With an error: `check` raises it from now on."""
        with self._lock:
            self._error = self._error or error
            if self._stop is not None:
                self._stop()

    def begin(self, stop: Callable[[], None]) -> None:
        """The search of this call has begun. A cancel that came before stops it now."""
        with self._lock:
            self._stop = stop
            if self._error is not None:
                stop()

    def end(self) -> None:
        """The search has ended: from now on the engine's search is another call's."""
        with self._lock:
            self._stop = None

    @property
    def error(self) -> Exception | None:
        return self._error

    def check(self) -> None:
        """Raises what the call was cancelled with."""
        if self._error is not None:
            raise self._error


class Calls:
    """The calls of one engine."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine_lock = threading.Lock()
        self._newest: Call | None = None
        self._end: Exception | None = None
        self._is_left = False

    @contextlib.contextmanager
    def turn(self, timeout: float | None) -> Iterator[Call]:
        """Use the engine alone, after the call before has ended.

        Raises:
            CancelledError: another call came before the engine was free.
            EngineTerminatedError: the engine was closed.
            TimeoutError: the call before did not end in so many seconds.

        """
        call = Call()
        with self._lock:
            self.check_open()
            if self._newest is not None:
                self._newest.cancel(concurrent.futures.CancelledError("another call came before the end of this one"))
            self._newest = call
        with self.alone(timeout):
            call.check()
            yield call

    @contextlib.contextmanager
    def alone(self, timeout: float | None) -> Iterator[None]:
        """Wait until no other call uses the engine. Raises TimeoutError after so many seconds."""
        waited = 0.0
        while not self._engine_lock.acquire(timeout=_INTERRUPTIBLE):
            waited += _INTERRUPTIBLE
            if timeout is not None and waited >= timeout:
                raise TimeoutError(f"the call before has not ended within {timeout} seconds")
        try:
            yield
        finally:
            self._engine_lock.release()
            if self._is_left and threading.current_thread() is not threading.main_thread():
                threading.Event().wait()  # The program ends, and so does this thread; an error would only be printed.

    def check_open(self) -> None:
        """Raises EngineTerminatedError where the engine was closed."""
        if self._end is not None:
            raise self._end

    def close(self) -> None:
        """End the call that runs; it and all later ones raise EngineTerminatedError."""
        with self._lock:
            self._end = self._end or EngineTerminatedError("the engine was closed")
            if self._newest is not None:
                self._newest.cancel(self._end)

    def leave(self) -> None:
        """End the call that runs, because the program ends: its thread never goes on."""
        self._is_left = True
        self.close()
