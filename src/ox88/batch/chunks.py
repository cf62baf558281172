"""Work on an array shared out to threads, piece by piece.

A kernel sees no Ctrl-C. So an array is cut into chunks of some milliseconds, and between two of them Python looks. They
are not too small, since a thread that waits for Python's lock loses 50 microseconds.
"""

import functools
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from ox88.threads import run_all
from ox88.types import Ox88Error

MIN_CHUNK: Final = 8192  # Positions.
MAX_CHUNK: Final = 32768
_CHUNKS_A_THREAD: Final = 4  # So that one thread that is slower than others does not hold up all.
MAX_THREADS: Final = 256

Work = Callable[[slice], None]


def share(
    work: Work, count: int, threads: int | None = None, size: int | None = None, stop: Callable[[], None] | None = None
) -> None:
    """Call `work` with slices of at most `size` that make up `count` items together, from some threads at once.

    threads: all cores by default. size: by default what suits work on positions. What comes of the work must not depend
    on where slices end. stop: makes running calls end soon, for work that may take long.

    A kernel is called with slices of arrays, so that it knows nothing of chunks. The first error ends all, and so does
    Ctrl-C, each thread after the slice that it is at.
    """
    wanted = count_threads(threads)
    if size is None:
        size = min(max(-(-count // (wanted * _CHUNKS_A_THREAD)), MIN_CHUNK), MAX_CHUNK)
    chunks = _slices(count, size)
    workers = min(wanted, -(-count // size))
    if workers > 1 or (workers == 1 and stop is not None):
        _in_threads(work, chunks, workers, stop)
        return
    with np.errstate(over="ignore"):  # As plain Python, kernels let keys and bits wrap around.
        for chunk in chunks:
            work(chunk)


def count_threads(threads: int | None) -> int:
    """The number of threads that an argument asks for: all cores where it is None. Raises Ox88Error."""
    if threads is None:
        return min(_cores(), MAX_THREADS)
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads is {threads!r}: a whole number or None is expected")
    if not 1 <= threads <= MAX_THREADS:
        raise Ox88Error(f"work on {threads} threads: 1 to {MAX_THREADS} are possible, or None for all cores")
    return threads


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _slices(count: int, size: int) -> Iterator[slice]:
    return (slice(first, min(first + size, count)) for first in range(0, count, size))


def _in_threads(work: Work, chunks: Iterator[slice], workers: int, stop: Callable[[], None] | None) -> None:
    """Threads take chunks until there are none, one thread has failed, or Ctrl-C."""
    lock = threading.Lock()
    is_ended = threading.Event()

    def next_chunk() -> slice | None:
        with lock:
            return None if is_ended.is_set() else next(chunks, None)

    def run() -> None:
        with np.errstate(over="ignore"):
            while (chunk := next_chunk()) is not None:
                work(chunk)

    def end() -> None:
        is_ended.set()
        if stop is not None:
            stop()

    run_all(_pool(), [run] * workers, end)


@functools.cache
def _pool() -> ThreadPoolExecutor:
    """Threads for all calls, which stay: to start some takes as long as a thousand positions. As many as are needed."""
    return ThreadPoolExecutor(MAX_THREADS, "ox88-batch")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # A forked process has none of them.
