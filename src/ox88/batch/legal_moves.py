"""The legal moves of every position, one after another in one array.

The generator writes to a MOVE_LIST. Here the lists of a chunk overlap: the moves of each begin where those of the one
before it end. So all moves of a chunk are contiguous without being copied.
"""

import threading
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import in_chunks
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.records import MAX_MOVES, MOVE_LIST
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_CHUNK: Final = 4096  # Positions; their moves fit into a core's cache.
_MOVE_SIZE: Final = 2  # Bytes.
_USUAL_MOVES: Final = 48  # More than the average of nearly any sample of games.


class LegalMoves(NamedTuple):
    """The legal moves of n positions; those of position i are `moves[offsets[i]:offsets[i + 1]]`, in no order.

    Attributes:
        moves: uint16[total]; ox88.types describes the bits of a move.
        offsets: int64[n + 1].
    """

    moves: NDArray[np.uint16]
    offsets: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """int64[n]: the number of moves of each position."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> NDArray[np.int64]:
        """int64[total]: the row of each move's position; `positions[rows].push(moves)` plays all moves."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)


class _Room:
    """Memory for the moves of a chunk, seen as moves and as a MOVE_LIST that begins at every move."""

    def __init__(self) -> None:
        header = MOVE_LIST.fields["moves"][1]  # type: ignore[index]  # The bytes before the moves.
        room = np.zeros(_CHUNK * MAX_MOVES * _MOVE_SIZE + MOVE_LIST.itemsize, np.uint8)
        self.moves = room[header:].view(np.uint16)
        self.lists = np.ndarray(_CHUNK * MAX_MOVES, MOVE_LIST, room, 0, (_MOVE_SIZE,)).view(np.recarray)


class _Joined:
    """The moves of all chunks. Each chunk is copied behind the one before it as soon as that is counted.

    The first write to memory is expensive. So there is one array, larger than usually needed, which is cut at the end;
    moves that do not fit are appended then.
    """

    def __init__(self, positions: int) -> None:
        self.offsets = np.zeros(positions + 1, np.int64)
        self._moves = np.empty(positions * _USUAL_MOVES, np.uint16)
        self._waiting: dict[int, NDArray[np.uint16]] = {}  # Moves that do not fit, by offset.
        self._turn = threading.Condition()
        self._rows = 0  # Counted so far.
        self._total = 0  # Moves of these.
        self._is_given_up = False

    def append(self, rows: slice, moves: NDArray[np.uint16]) -> None:
        """Append a chunk, whose offsets count from its own first move."""
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
        """Let no chunk wait for another, after an error."""
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

    in_chunks(work, len(records), threads, _CHUNK)
    return joined.whole()


@kernel
def list_legal(positions, tables, lists, ends):
    """Write the legal moves of all positions; returns their number.

    lists: MOVE_LISTs, each beginning one move behind the one before. ends: int64[n], the number of moves up to each
    position.
    """
    place = np.int64(0)
    for row in range(len(positions)):
        moves = lists[place]
        before = moves.length  # These bytes are moves of the position before.
        place += np.int64(generate_legal(positions[row], tables, moves))
        moves.length = before
        ends[row] = place
    return place
