"""The legal moves of every position, one after another in one array.

A kernel fills lists that overlap: each is a MOVE_LIST whose moves begin where those of the one before end. So the moves
lie together from the start, and batches share the generator with everything else.
"""

import threading
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import share
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.records import MOVE_LIST
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_ROOM: Final = 1 << 16  # Moves that are written before they are copied: 128 KB, what a core has near it.
_MOVE_SIZE: Final = 2  # Bytes.


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


class _Room:
    """Room for the moves of one thread: the same bytes as moves, and as a MOVE_LIST at every second byte."""

    def __init__(self) -> None:
        header = MOVE_LIST.fields["moves"][1]  # type: ignore[index]  # What is in a list before its moves.
        room = np.zeros(header + _ROOM * _MOVE_SIZE, np.uint8)
        self.moves = room[header:].view(np.uint16)
        self.lists = np.ndarray(_ROOM - MOVE_LIST.itemsize, MOVE_LIST, room, 0, (_MOVE_SIZE,)).view(np.recarray)


def legal_moves(records: NDArray[Any], threads: int | None) -> LegalMoves:
    offsets = np.zeros(len(records) + 1, np.int64)
    counts = offsets[1:]
    parts: dict[int, NDArray[np.uint16]] = {}  # By the row that they begin with.
    own = threading.local()

    def work(rows: slice) -> None:
        if not hasattr(own, "room"):
            own.room = _Room()
        first = rows.start
        while first < rows.stop:
            done = list_legal(records[first : rows.stop], board_tables(), own.room.lists, counts[first : rows.stop])
            parts[first] = own.room.moves[: counts[first : first + done].sum()].copy()
            first += done

    share(work, len(records), threads)
    np.cumsum(offsets, out=offsets)
    return LegalMoves(_joined(parts, offsets, threads), offsets)


def _joined(
    parts: dict[int, NDArray[np.uint16]], offsets: NDArray[np.int64], threads: int | None
) -> NDArray[np.uint16]:
    moves = np.empty(offsets[-1], np.uint16)
    firsts = list(parts)

    def work(some: slice) -> None:
        for first in firsts[some]:
            moves[offsets[first] :][: len(parts[first])] = parts[first]

    share(work, len(firsts), threads, 16)
    return moves


@kernel
def list_legal(positions, tables, lists, counts):
    """Write the legal moves of as many positions as there is room for; returns how many these are.

    lists: of MOVE_LISTs, each a move further on than the one before. counts: of each position's moves.
    """
    place = np.int64(0)
    for row in range(len(positions)):
        if place >= len(lists):
            return np.int64(row)
        moves = lists[place]
        before = moves.length  # The last moves of the position before.
        count = np.int64(generate_legal(positions[row], tables, moves))
        moves.length = before
        counts[row] = count
        place += count
    return np.int64(len(positions))
