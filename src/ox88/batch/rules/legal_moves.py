"""The legal moves of every position, one after another in one array.

The generator writes to a MOVE_LIST. The lists of a chunk overlap in memory, so that the moves of each position begin
where those of the position before it end. So the moves of a chunk form one array without being copied.
"""

import threading
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import Ragged
from ox88.bitboard.attacks import checkers_and_pinned
from ox88.bitboard.legality import is_capture
from ox88.bitboard.movegen import generate_captures, generate_legal
from ox88.bitboard.records import MAX_MOVES, MOVE_LIST
from ox88.bitboard.tables import all_tables
from ox88.jit import kernel

_CHUNK: Final = 4096  # Positions. Their moves fit into a core's cache.
_MOVE_SIZE: Final = 2  # Bytes.
_USUAL_MOVES: Final = 48  # For a position. The average over games is nearly always lower.


class LegalMoves(Ragged[np.uint16]):
    """The legal moves of n positions, in no order: `legal[i]` is uint16[k], the moves of position i.

    A slice, an array of rows or a mask gives the LegalMoves of some positions, and iteration the moves of each.
    """

    __slots__ = ()

    @property
    def moves(self) -> NDArray[np.uint16]:
        """uint16[total]: those of all positions. ox88.types describes the bits of a move; `ox88.format_uci` writes it.

        Those of position i are `moves[offsets[i]:offsets[i + 1]]`.
        """
        return self._values


class _MoveBuffer:
    """Memory for the moves of a chunk, and `lists`: lists[i] is a MOVE_LIST over it whose first move is moves[i]."""

    def __init__(self) -> None:
        header = MOVE_LIST.fields["moves"][1]  # type: ignore[index]  # A record has fields.
        memory = np.zeros(_CHUNK * MAX_MOVES * _MOVE_SIZE + MOVE_LIST.itemsize, np.uint8)
        self.moves = memory[header:].view(np.uint16)
        self.lists = np.ndarray(_CHUNK * MAX_MOVES, MOVE_LIST, memory, 0, (_MOVE_SIZE,))


_buffers: Final[list[_MoveBuffer]] = []  # Kept for the next call: new memory costs more than a few positions.


class _MoveCollector:
    """Collects the moves of all chunks. A chunk is copied as soon as the moves of all chunks before it are counted.

    The first write to new memory is slow, so the moves are written once: to an array that is larger than usually needed
    and is cut at the end. Moves that do not fit are kept apart and appended at the end.
    """

    def __init__(self, positions: int) -> None:
        self.offsets = np.zeros(positions + 1, np.int64)
        self._moves = np.empty(positions * _USUAL_MOVES, np.uint16)
        self._overflow: dict[int, NDArray[np.uint16]] = {}  # Moves that do not fit, by their offset.
        self._condition = threading.Condition()
        self._rows = 0  # Rows counted so far.
        self._total = 0  # Moves of these rows.
        self._is_cancelled = False

    def append(self, rows: slice, moves: NDArray[np.uint16]) -> None:
        """Append the moves of a chunk, and make its offsets count from the first move of all."""
        if rows.stop - rows.start == len(self.offsets) - 1:  # The only chunk, often a small one.
            self._moves, self._total = moves.copy(), len(moves)
            return
        with self._condition:
            self._condition.wait_for(lambda: self._rows == rows.start or self._is_cancelled)
            first, end = self._total, self._total + len(moves)
            self._rows, self._total = rows.stop, end
            self._condition.notify_all()
        self.offsets[rows.start + 1 : rows.stop + 1] += first
        if end <= len(self._moves):
            self._moves[first:end] = moves
        else:
            self._overflow[first] = moves.copy()

    def cancel(self) -> None:
        """End the waiting of all chunks, after an error."""
        with self._condition:
            self._is_cancelled = True
            self._condition.notify_all()

    def result(self) -> LegalMoves:
        self._moves.resize(self._total, refcheck=False)
        for first, moves in self._overflow.items():
            self._moves[first : first + len(moves)] = moves
        return LegalMoves._of(self._moves, self.offsets)


def legal_moves(records: NDArray[Any], threads: int | None, captures: bool = False) -> LegalMoves:
    """captures: True for captures alone."""
    list_moves = list_captures if captures else list_legal
    collector = _MoveCollector(len(records))

    def work(rows: slice) -> None:
        try:
            buffer = _buffers.pop() if _buffers else _MoveBuffer()
            ends = collector.offsets[rows.start + 1 : rows.stop + 1]
            count = list_moves(records[rows], all_tables(), buffer.lists, ends)
            collector.append(rows, buffer.moves[:count])
            _buffers.append(buffer)
        except BaseException:
            collector.cancel()
            raise

    in_chunks(work, len(records), threads, _CHUNK)
    return collector.result()


@kernel
def list_legal(positions, all_tables, lists, ends):
    """Write the legal moves of all positions; returns their number.

    all_tables: an array of one. lists: those of a _MoveBuffer. ends: int64[n], set to the number of moves of all
    positions up to and including each.
    """
    tables = all_tables[0]
    place = np.int64(0)
    for row in range(len(positions)):
        moves = lists[place]
        saved = moves.length  # These bytes hold moves of the position before.
        place += np.int64(generate_legal(positions[row], tables, moves))
        moves.length = saved
        ends[row] = place
    return place


@kernel
def list_captures(positions, all_tables, lists, ends):
    """The same for captures; the generator adds promotions, which are left out again."""
    tables = all_tables[0]
    place = np.int64(0)
    for row in range(len(positions)):
        position = positions[row]
        moves = lists[place]
        saved = moves.length
        moves.length = 0
        checkers, pinned = checkers_and_pinned(position, tables, np.int64(position.turn))
        kept = np.int64(0)
        for number in range(np.int64(generate_captures(position, tables, moves, checkers, pinned))):
            move = np.int64(moves.moves[number])
            if is_capture(position, move):
                moves.moves[kept] = move
                kept += 1
        moves.length = saved
        place += kept
        ends[row] = place
    return place
