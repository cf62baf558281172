"""Runs work in threads: on chunks of the rows of an array, or on the items of a stream, in their order.

Python cannot react to Ctrl-C while a kernel runs, so an array is cut into chunks that take a few milliseconds each.
Smaller chunks would be slower: a thread may wait 50 microseconds for Python's lock (the GIL) before each one.
"""

import contextlib
import functools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import Final, TypeVar

import numpy as np

from ox88.cores import cores
from ox88.errors import Ox88Error
from ox88.jit import is_compiled
from ox88.threads import run_all, wait_for

MIN_CHUNK: Final = 8192  # Positions.
MAX_CHUNK: Final = 32768
_CHUNKS_A_THREAD: Final = 4  # More than one, so that a slow thread does not hold up the others.
MAX_THREADS: Final = 256

Work = Callable[[slice], object]
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def in_chunks(
    work: Work, count: int, threads: int | None = None, size: int | None = None, stop: Callable[[], None] | None = None
) -> None:
    """Call `work` with slices that together cover `count` rows, in several threads.

    The result must not depend on where the slices are cut. After an error or Ctrl-C, each thread finishes its slice.

    Args:
        work: Called with a slice of at most `size` rows.
        count: Number of rows.
        threads: Number of threads; all cores by default.
        size: Number of rows in a slice; by default a size that suits work on positions.
        stop: Called after an error or Ctrl-C, to make calls of `work` end that would still take long.
    """
    if threads is not None:
        count_threads(threads)
    if stop is None and count <= (size or MIN_CHUNK):  # One chunk: what threads need would take longer than the work.
        if count:
            with _wrapping():
                work(slice(0, count))
        return
    workers = count_threads(threads)
    if size is None:
        size = min(max(-(-count // (workers * _CHUNKS_A_THREAD)), MIN_CHUNK), MAX_CHUNK)
    chunks = (slice(first, min(first + size, count)) for first in range(0, count, size))
    lock, is_ended = threading.Lock(), threading.Event()

    def next_chunk() -> slice | None:
        with lock:
            return None if is_ended.is_set() else next(chunks, None)

    def run() -> None:
        with _wrapping():
            while (chunk := next_chunk()) is not None:
                work(chunk)

    def end() -> None:
        is_ended.set()
        if stop is not None:
            stop()

    workers = min(workers, -(-count // size))
    if workers <= 1 and stop is None:
        run()
    else:
        run_all(_pool(), [run] * workers, end)


def _wrapping() -> contextlib.AbstractContextManager[None]:
    """Kernels that run as plain Python let integers wrap around, without a warning."""
    return contextlib.nullcontext() if is_compiled() else np.errstate(over="ignore")


def count_threads(threads: int | None) -> int:
    """The number of threads: all cores for None. Raises TypeError, Ox88Error."""
    if threads is None:
        return min(cores(), MAX_THREADS)
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads is {threads!r}: a whole number or None is expected")
    if not 1 <= threads <= MAX_THREADS:
        raise Ox88Error(f"work on {threads} threads: 1 to {MAX_THREADS} are expected, or None for all cores")
    return threads


@functools.cache
def _pool() -> ThreadPoolExecutor:
    """The threads, which are kept between calls: starting one takes as long as work on a thousand positions."""
    return ThreadPoolExecutor(MAX_THREADS, "ox88-batch")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # Threads do not survive a fork.


def in_order(work: Callable[[_Item], _Result], items: Iterable[_Item], threads: int) -> Iterator[_Result]:
    """Call `work` with each item of a stream, in several threads; yields the results in the order of the items.

    A call should take a fraction of a second, since Ctrl-C waits for its end. Only a few items are read in advance.
    """

    def run(item: _Item) -> _Result:
        with _wrapping():
            return work(item)

    stream = iter(items)
    first = list(islice(stream, 2))
    if threads == 1 or len(first) < 2:
        yield from map(run, chain(first, stream))
        return
    waiting: deque[Future[_Result]] = deque()
    with ThreadPoolExecutor(threads, "ox88-stream") as pool:
        try:
            for item in chain(first, stream):
                waiting.append(pool.submit(run, item))
                if len(waiting) > threads:  # One more item than threads, so that no thread is idle.
                    yield wait_for(waiting.popleft())
            while waiting:
                yield wait_for(waiting.popleft())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
