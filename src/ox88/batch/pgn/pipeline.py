"""Pieces of a stream worked on by threads, with results in the order of the pieces."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

import numpy as np

from ox88.threads import wait_for

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")


def in_order(work: Callable[[_Piece], _Result], pieces: Iterable[_Piece], threads: int) -> Iterator[_Result]:
    """The result of work on each piece, which takes a fraction of a second: so often Python looks for Ctrl-C."""

    def run(piece: _Piece) -> _Result:
        with np.errstate(over="ignore"):  # As plain Python, kernels let keys and bits wrap around.
            return work(piece)

    stream = iter(pieces)
    first = list(islice(stream, 2))
    if threads == 1 or len(first) < 2:
        yield from map(run, chain(first, stream))
    else:
        yield from _by_threads(run, chain(first, stream), threads)


def _by_threads(run: Callable[[_Piece], _Result], pieces: Iterable[_Piece], threads: int) -> Iterator[_Result]:
    """As many pieces are taken ahead as there are threads, so that none of them waits for the next one."""
    waiting: deque[Future[_Result]] = deque()
    with ThreadPoolExecutor(threads, "ox88-pgn") as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(run, piece))
                if len(waiting) > threads:
                    yield wait_for(waiting.popleft())
            while waiting:
                yield wait_for(waiting.popleft())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
