"""Perft of every position."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import share
from ox88.bitboard.perft import perft_counted
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import SEARCHER, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from ox88.perft import MAX_DEPTH
from ox88.types import Ox88Error

_SHALLOW = 2  # Plies that take some microseconds a position, so that many are counted at once.
_FEW = 256


def perft(records: NDArray[Any], depth: int, threads: int | None) -> NDArray[np.int64]:
    if isinstance(depth, bool) or not isinstance(depth, (int, np.integer)):
        raise TypeError(f"depth is {depth!r}: a whole number is expected")
    if not 0 <= depth <= MAX_DEPTH:
        raise Ox88Error(f"perft of {depth} plies: 0 to {MAX_DEPTH} are possible")
    counts = np.ones(len(records), np.int64)
    searchers: list[Any] = []
    own = threading.local()

    def work(rows: slice) -> None:
        if not hasattr(own, "searcher"):
            own.searcher = make_record(SEARCHER)
            searchers.append(own.searcher)
        count_all(records[rows], board_tables(), own.searcher, np.int64(depth), counts[rows])

    def stop() -> None:
        for searcher in searchers:
            searcher.stop = 1

    if depth > 0:
        share(work, len(records), threads, _FEW if depth <= _SHALLOW else 1, stop)
    return counts


@kernel
def count_all(positions, tables, searcher, depth, counts):
    """Means nothing once searcher.stop is set."""
    for row in range(len(positions)):
        copy_position(positions[row], searcher.position)
        counts[row] = perft_counted(searcher, tables, depth)
