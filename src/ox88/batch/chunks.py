"""Work in threads: on the rows of an array, chunk by chunk, or on the items of a stream, in their order.

Ctrl-C is not seen while a kernel runs, so an array is cut into chunks that take some milliseconds each. They are not
smaller, since a thread that waits for Python's lock loses 50 microseconds.
"""

import functools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import Final, TypeVar

import numpy as np

from ox88.threads import run_all, wait_for
from ox88.types import Ox88Error

MIN_CHUNK: Final = 8192  # Positions.
MAX_CHUNK: Final = 32768
_CHUNKS_A_THREAD: Final = 4  # More than one, so that a slow thread does not hold up the others.
MAX_THREADS: Final = 256

Work = Callable[[slice], None]
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def in_chunks(
    work: Work, count: int, threads: int | None = None, size: int | None = None, stop: Callable[[], None] | None = None
) -> None:
    """Call `work` in some threads with slices that cover `count` rows; the result must not depend on their bounds.

    After the first error, or Ctrl-C, each thread ends with its current slice.

    Args:
        work: Called with a slice of at most `size` rows.
        count: Number of rows.
        threads: Number of threads; all cores by default.
        size: By default a size that suits work on positions.
        stop: Makes running calls of `work` end soon, if they may take long.
    """
    workers = count_threads(threads)
    if size is None:
        size = min(max(-(-count // (workers * _CHUNKS_A_THREAD)), MIN_CHUNK), MAX_CHUNK)
    chunks = (slice(first, min(first + size, count)) for first in range(0, count, size))
    lock, is_ended = threading.Lock(), threading.Event()

    def next_chunk() -> slice | None:
        with lock:
            return None if is_ended.is_set() else next(chunks, None)

    def run() -> None:
        with np.errstate(over="ignore"):  # As plain Python, kernels let keys and bits wrap around.
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


def count_threads(threads: int | None) -> int:
    """The number of threads: all cores for None. Raises TypeError, Ox88Error."""
    if threads is None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(cores, MAX_THREADS)
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads is {threads!r}: a whole number or None is expected")
    if not 1 <= threads <= MAX_THREADS:
        raise Ox88Error(f"work on {threads} threads: 1 to {MAX_THREADS} are expected, or None for all cores")
    return threads


@functools.cache
def _pool() -> ThreadPoolExecutor:
    """Threads that are kept for all calls, since starting one costs as much as a thousand positions."""
    return ThreadPoolExecutor(MAX_THREADS, "ox88-batch")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # Threads do not survive a fork.


def in_order(work: Callable[[_Item], _Result], items: Iterable[_Item], threads: int) -> Iterator[_Result]:
    """Call `work` with each item of a stream, in some threads; yields the results in the order of the items.

    A call should take a fraction of a second, since Ctrl-C is seen between calls. Only a few items are read ahead.
    """

    def run(item: _Item) -> _Result:
        with np.errstate(over="ignore"):  # As plain Python, kernels let keys and bits wrap around.
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
                if len(waiting) > threads:  # One item more than threads, so that no thread waits for its next one.
                    yield wait_for(waiting.popleft())
            while waiting:
                yield wait_for(waiting.popleft())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
