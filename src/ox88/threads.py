"""Kernels run off the main thread, which waits for them in a way that Ctrl-C can interrupt.

A kernel does not see Ctrl-C, and on Windows neither does a thread that waits without a time limit. So every wait here
is cut into short ones, and between two of them Python raises KeyboardInterrupt. A loop that may end only between two
of its steps notes Ctrl-C instead (`noting_interrupts`).
"""

import contextlib
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, wait
from typing import Any, Final, Generic, TypeVar

_T = TypeVar("_T")

IDLE_THREAD: Final = "ox88 idle"  # The name of a thread that waits for another call.
_POLL: Final = 0.05  # Seconds between two checks for Ctrl-C.
IDLE_SECONDS: Final = 10.0
_idle: Final[list["_Thread"]] = []

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # Threads do not survive a fork.


def wait_until(is_over: Callable[[float], bool]) -> None:
    """Call a function until it returns True. Its argument is the number of seconds that it may wait at most."""
    while not is_over(_POLL):
        pass


def wait_for(future: "Future[_T]") -> _T:
    """Wait for a future; returns its result or raises its error."""
    wait_until(lambda seconds: not wait([future], seconds).not_done)
    return future.result()


def next_item(items: "queue.SimpleQueue[_T]") -> _T:
    """Wait for the next item of a queue."""
    while True:
        try:
            return items.get(timeout=_POLL)
        except queue.Empty:
            continue


def run_all(pool: Executor, calls: Iterable[Callable[[], object]], stop: Callable[[], None]) -> None:
    """Run calls in a pool and wait for all of them.

    After Ctrl-C or the first error, `stop` is called until the other calls have ended. Then the error is raised.
    """
    futures: list[Future[object]] = []

    def is_over(seconds: float) -> bool:
        done, others = wait(futures, seconds, FIRST_EXCEPTION)
        return not others or any(future.exception() for future in done)

    try:
        futures.extend(pool.submit(call) for call in calls)
        wait_until(is_over)
        for future in futures:
            if future.done():
                future.result()
    except BaseException:
        stop()
        while wait(futures, _POLL).not_done:
            stop()
        raise


def _start(call: Callable[[], None]) -> None:
    """Run a call in a thread that is idle, or in a new one.

    Searches follow each other, and on a busy machine a new thread waits longer for a core than an idle thread.
    """
    try:
        thread = _idle.pop()
    except IndexError:
        thread = _Thread()
        thread.start()
    thread.name = "ox88 busy"
    thread.calls.put(call)


class _Thread(threading.Thread):
    """Runs calls one after another, until none has come for some seconds."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()

    def run(self) -> None:
        while True:
            try:
                call = self.calls.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                with contextlib.suppress(ValueError):  # Somebody has taken the thread from the list: a call is coming.
                    _idle.remove(self)
                    return
                continue
            call()
            del call  # What the call refers to may be large.
            self.name = IDLE_THREAD
            _idle.append(self)


class Background(Generic[_T]):
    """A call that starts at once in another thread. `stop` must make it end soon."""

    def __init__(self, call: Callable[[], _T], stop: Callable[[], None]) -> None:
        self._call = call
        self._stop = stop
        self._results: list[_T] = []
        self._errors: list[BaseException] = []
        # Not Thread.join: after Ctrl-C, Python 3.11 takes a running thread for one that has ended.
        self._ended = threading.Event()
        _start(self._run)

    def _run(self) -> None:
        try:
            self._results.append(self._call())
        except BaseException as error:  # The thread that waits raises the error.
            self._errors.append(error)
        self._call = self._stop = _nothing  # Break reference cycles, which would keep a large hash table alive.
        self._ended.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most this many seconds; True if the call has ended."""
        return self._ended.wait(seconds)

    def result(self) -> _T:
        """Wait for the call; returns its result or raises its error. Ctrl-C stops the call first."""
        try:
            wait_until(self.wait)
        except KeyboardInterrupt:
            self.cancel()
            raise
        if self._errors:
            raise self._errors[0]
        return self._results[0]

    def cancel(self) -> None:
        """Stop the call and wait for its end."""
        self._stop()
        while not self.wait(_POLL):
            self._stop()


def _nothing() -> Any:
    """In place of a call and its `stop` after the end."""


@contextlib.contextmanager
def noting_interrupts(stop: Callable[[], object] = _nothing) -> Iterator[list[int]]:
    """Within the context Ctrl-C calls `stop` instead of raising. Yields a list with an entry for each Ctrl-C.

    A KeyboardInterrupt is raised wherever Python is, and can be lost if that is inside a library. A note is not lost.
    """
    interrupts: list[int] = []

    def interrupt(number: int, _: object) -> None:
        interrupts.append(number)
        stop()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)
