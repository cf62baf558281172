"""Pieces of a stream worked on by threads, with results in the order of the pieces."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final, TypeVar

import numpy as np

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")

_WAIT: Final = 0.05  # Seconds between two looks for Ctrl-C.


def in_order(work: Callable[[_Piece], _Result], pieces: Iterable[_Piece], threads: int) -> Iterator[_Result]:
    """The result of work on each piece. A few pieces are taken ahead, so that no thread waits for the next one.

    With one thread nothing is: then one core is busy, with taking a piece or with work on it.
    """
    ahead = threads if threads > 1 else 0
    waiting: deque[Future[_Result]] = deque()

    def run(piece: _Piece) -> _Result:
        with np.errstate(over="ignore"):  # As plain Python, kernels let keys and bits wrap around.
            return work(piece)

    with ThreadPoolExecutor(threads, "ox88-pgn") as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(run, piece))
                if len(waiting) > ahead:
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _result(future: "Future[_Result]") -> _Result:
    while wait([future], timeout=_WAIT).not_done:
        pass
    return future.result()
