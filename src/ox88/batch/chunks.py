"""Work on an array shared out to threads, piece by piece.

A kernel sees no Ctrl-C. So an array is cut into chunks of a millisecond or so, and between two of them Python looks.
The chunks are the same whatever the number of threads, and so is what comes of them.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final

import numpy as np

from ox88.types import Ox88Error

CHUNK: Final = 4096  # Positions.
MAX_THREADS: Final = 256
_WAIT: Final = 0.05  # Seconds between two looks for Ctrl-C.

Work = Callable[[slice], None]


def share(
    work: Work, count: int, threads: int | None = None, size: int = CHUNK, stop: Callable[[], None] | None = None
) -> None:
    """Call `work` with slices of at most `size` that make up `count` items together, from some threads at once.

    threads: all cores by default. stop: makes running calls end soon, for work that may take long.

    A kernel is called with slices of arrays, so that it knows nothing of chunks. The first error ends all, and so does
    Ctrl-C, each thread after the slice that it is at.
    """
    chunks = _slices(count, size)
    workers = min(count_threads(threads), -(-count // size))
    if workers > 1 or (workers == 1 and stop is not None):
        _in_threads(work, chunks, workers, stop or _nothing)
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


def _in_threads(work: Work, chunks: Iterator[slice], workers: int, stop: Callable[[], None]) -> None:
    ended, lock = threading.Event(), threading.Lock()

    def take() -> slice | None:
        with lock:
            return None if ended.is_set() else next(chunks, None)

    def run() -> None:
        try:
            with np.errstate(over="ignore"):
                while (chunk := take()) is not None:
                    work(chunk)
        except BaseException:
            ended.set()
            raise

    with ThreadPoolExecutor(workers, "ox88-batch") as pool:
        futures: list[Future[None]] = []
        try:
            futures.extend(pool.submit(run) for _ in range(workers))  # Ctrl-C may come here already.
            while wait(futures, timeout=_WAIT).not_done:
                if ended.is_set():
                    stop()
        except BaseException:
            ended.set()
            while wait(futures, timeout=_WAIT).not_done:
                stop()
            raise
    for future in futures:
        future.result()


def _nothing() -> None:
    """What there is to stop where no call takes long."""
