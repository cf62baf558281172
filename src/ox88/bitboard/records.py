"""The records that kernels take: a position, what undo needs, and a move list.

Kernels of the board take these records, never a larger one around them. So perft, batches and the engine share one
compiled version.

`kinds` has the pieces of a kind, both colours together, and `colours` all pieces of a colour. Other sets, such as the
white pawns or all rooks and queens, are one AND or OR of two of them. That costs less than to keep them up to date.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# The most legal moves: 15 queens have 27 each, the king has 8 and 2 castlings. Moves are written four at a time, so up
# to three slots behind the last are written too.
MAX_MOVES = 415 + 3
MAX_PLY = 128
MAX_CHANGES = 3
CACHE_LINE = 64  # Bytes.
HUGE_PAGE = 1 << 21
LEAST_HUGE = 1 << 22  # NumPy asks for huge pages for arrays of so many bytes or more.
NOWHERE = np.int64(64)  # In CHANGES: the target of a captured piece, the origin of a promoted one.


def record_type(fields: list[Any]) -> np.dtype[Any]:
    """The dtype of arrays whose items are records, with fields as attributes, as kernels in plain Python need them.

    Numba and NumPy handle a plain array in less time than a recarray.
    """
    return np.dtype((np.record, np.dtype(fields, align=True)))


POSITION = record_type(
    [
        ("kinds", np.uint64, 7),  # By kind, both colours; 0 is unused.
        ("colours", np.uint64, 2),
        ("castling", np.uint64),  # The rooks that may still castle.
        ("key", np.uint64),
        ("board", np.uint8, 64),  # The piece on each square.
        ("material", np.int16),  # White's pieces minus Black's, in centipawns.
        ("halfmove_clock", np.uint16),
        ("fullmove_number", np.uint16),
        ("turn", np.uint8),
        ("en_passant", np.uint8),  # The square, after every double step, as in FEN; 0 for none.
    ]
)

CHANGE = np.dtype([("piece", np.uint8), ("from_square", np.uint8), ("to_square", np.uint8)], align=True)
CHANGES = np.dtype([("count", np.int64), ("list", CHANGE, MAX_CHANGES)], align=True)  # Of one move, in order.

UNDO = record_type(
    [
        ("key", np.uint64),
        ("castling", np.uint64),
        ("material", np.int16),
        ("halfmove_clock", np.uint16),
        ("move", np.uint16),
        ("en_passant", np.uint8),
        ("piece", np.uint8),  # The piece that moved, before a promotion; EMPTY for a null move.
        ("captured", np.uint8),
        ("capture_square", np.uint8),  # The captured piece's square; the move's target if nothing was captured.
    ]
)

MOVE_LIST = record_type([("length", np.int64), ("moves", np.uint16, MAX_MOVES)])


def make_record(dtype: np.dtype[Any]) -> Any:
    """A record of zeros."""
    return make_buffer(dtype.itemsize).view(dtype).view(np.recarray)[0]


def make_buffer(size: int) -> NDArray[np.uint8]:
    """Zeros that begin with a cache line, or with a huge page if they are many. Raises MemoryError.

    A search reads its large tables at random. In pages of 4 kB the processor must look up most addresses first.
    """
    unit = HUGE_PAGE if size > HUGE_PAGE // 2 else CACHE_LINE
    wanted = -(-size // unit) * unit + unit
    buffer = np.zeros(wanted if unit == CACHE_LINE else max(wanted, LEAST_HUGE), np.uint8)
    start = -buffer.ctypes.data % unit
    return buffer[start : start + size]


def as_array(record: Any) -> NDArray[Any]:
    """The array of length one that holds a record of `make_record`."""
    array: NDArray[Any] = record.base.view(np.ndarray)
    return array
