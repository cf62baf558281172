"""The legal moves of every position, one after another in one array.

A kernel fills lists that overlap: each is a MOVE_LIST whose moves begin where those of the one before end. So the moves
of a chunk lie together from the start, and batches share the generator with everything else.
"""

import threading
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import share
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.records import MAX_MOVES, MOVE_LIST
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_CHUNK: Final = 4096  # Positions, whose moves a core has near it while it writes them.
_MOVE_SIZE: Final = 2  # Bytes.
_USUAL_MOVES: Final = 48  # More than the positions of most games have on average.


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
    """Room for the moves of a chunk: the same bytes as moves, and as a MOVE_LIST at every second byte."""

    def __init__(self) -> None:
        header = MOVE_LIST.fields["moves"][1]  # type: ignore[index]  # What is in a list before its moves.
        room = np.zeros(_CHUNK * MAX_MOVES * _MOVE_SIZE + MOVE_LIST.itemsize, np.uint8)
        self.moves = room[header:].view(np.uint16)
        self.lists = np.ndarray(_CHUNK * MAX_MOVES, MOVE_LIST, room, 0, (_MOVE_SIZE,)).view(np.recarray)


class _Joined:
    """The moves of all chunks, each put behind those of the chunk before as soon as these are counted.

    Memory costs most when it is first written to. So there is one array, with room for more moves than usual, of which
    the rest is given back; moves that do not fit wait for the end.
    """

    def __init__(self, positions: int) -> None:
        self.offsets = np.zeros(positions + 1, np.int64)
        self._moves = np.empty(positions * _USUAL_MOVES, np.uint16)
        self._waiting: dict[int, NDArray[np.uint16]] = {}  # By their offset.
        self._turn = threading.Condition()
        self._rows = 0  # That are counted,
        self._total = 0  # and their moves.
        self._is_given_up = False

    def append(self, rows: slice, moves: NDArray[np.uint16]) -> None:
        """rows: whose offsets count from their own first move."""
        with self._turn:
            self._turn.wait_for(lambda: self._rows == rows.start or self._is_given_up)
            first, end = self._total, self._total + len(moves)
            self._rows, self._total = rows.stop, end
            self._turn.notify_all()
        self.offsets[rows.start + 1 : rows.stop + 1] += first
        if end <= len(self._moves):
            self._moves[first:end] = moves
        else:
            self._waiting[first] = moves.copy()

    def give_up(self) -> None:
        """No chunk waits for another any more."""
        with self._turn:
            self._is_given_up = True
            self._turn.notify_all()

    def whole(self) -> LegalMoves:
        self._moves.resize(self._total, refcheck=False)
        for first, moves in self._waiting.items():
            self._moves[first : first + len(moves)] = moves
        return LegalMoves(self._moves, self.offsets)


def legal_moves(records: NDArray[Any], threads: int | None) -> LegalMoves:
    joined = _Joined(len(records))
    own = threading.local()

    def work(rows: slice) -> None:
        try:
            if not hasattr(own, "room"):
                own.room = _Room()
            ends = joined.offsets[rows.start + 1 : rows.stop + 1]
            count = list_legal(records[rows], board_tables(), own.room.lists, ends)
            joined.append(rows, own.room.moves[:count])
        except BaseException:
            joined.give_up()
            raise

    share(work, len(records), threads, _CHUNK)
    return joined.whole()


@kernel
def list_legal(positions, tables, lists, ends):
    """Write the legal moves of all positions; returns how many there are.

    lists: of MOVE_LISTs, each a move further on than the one before. ends: gets how many there are up to each position.
    """
    place = np.int64(0)
    for row in range(len(positions)):
        moves = lists[place]
        before = moves.length  # The last moves of the position before.
        place += np.int64(generate_legal(positions[row], tables, moves))
        moves.length = before
        ends[row] = place
    return place
