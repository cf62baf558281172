"""The legal moves of every position, one after another in one array."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import CHUNK, share
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.records import MAX_MOVES, MOVE_LIST
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_LISTS = 16


class LegalMoves(NamedTuple):
    """Those of position i are `moves[offsets[i]:offsets[i + 1]]`, in no particular order.

    moves: uint16[total], each as ox88.types writes a move. offsets: int64[n + 1].
    """

    moves: NDArray[np.uint16]
    offsets: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """int64[n]: how many moves each position has."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> NDArray[np.int64]:
        """int64[total]: the row of each move's position, so that `positions[rows].push(moves)` plays them all."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)


def legal_moves(records: NDArray[Any], threads: int | None) -> LegalMoves:
    offsets = np.zeros(len(records) + 1, np.int64)
    pieces: dict[int, NDArray[np.uint16]] = {}

    def work(rows: slice) -> None:
        lists = np.empty(_LISTS, MOVE_LIST).view(np.recarray)
        room = np.empty((rows.stop - rows.start) * MAX_MOVES, np.uint16)
        total = list_legal(records[rows], board_tables(), lists, room, offsets[rows.start + 1 : rows.stop + 1])
        pieces[rows.start] = room[:total].copy()

    share(work, len(records), threads, CHUNK)
    np.cumsum(offsets, out=offsets)
    moves = np.concatenate([pieces[first] for first in sorted(pieces)] or [np.empty(0, np.uint16)])
    return LegalMoves(moves, offsets)


@kernel
def list_legal(positions, tables, lists, moves, counts):
    """Write the legal moves of all positions to `moves`, and how many each has to `counts`; returns their sum."""
    total = np.int64(0)
    for row in range(len(positions)):
        found = lists[0]
        count = generate_legal(positions[row], tables, found)
        for number in range(count):
            moves[total + number] = found.moves[number]
        counts[row] = count
        total += count
    return total
