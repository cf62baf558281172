"""The records that kernels take: a position, what undo needs, and a move list.

Kernels of the board take these records, never a larger one around them. So perft, batches and the engine share one
compiled version.

`kinds` has the pieces of a kind, both colours together, and `colours` all pieces of a colour. Other sets, such as the
white pawns or all rooks and queens, are one AND or OR of two of them. That costs less than to keep them up to date.
"""

from typing import Any

import numpy as np

# 15 queens with 27 moves each, 8 king's moves and 2 castlings: no position that Setup.check lets pass has as many.
# Moves are written four at a time, so three slots behind the last are overwritten.
MAX_MOVES = 415 + 3
MAX_PLY = 128
MAX_CHANGES = 3
NOWHERE = np.int64(64)  # Where a captured piece goes to, and where a promoted one comes from.

POSITION = np.dtype(
    [
        ("kinds", np.uint64, 7),  # By kind, both colours; 0 is unused.
        ("colours", np.uint64, 2),
        ("castling", np.uint64),  # The rooks that may still castle.
        ("key", np.uint64),
        ("board", np.uint8, 64),  # The seed's piece_in_square, from which the boards are filled.
        ("material", np.int16),  # The seed's imbalance: White's pieces less Black's, in hundredths of a pawn.
        ("halfmove_clock", np.uint16),
        ("fullmove_number", np.uint16),
        ("turn", np.uint8),
        ("en_passant", np.uint8),  # After every double step, as in FEN; 0 where there was none.
    ],
    align=True,
)

CHANGE = np.dtype([("piece", np.uint8), ("from_square", np.uint8), ("to_square", np.uint8)], align=True)
CHANGES = np.dtype([("count", np.int64), ("list", CHANGE, MAX_CHANGES)], align=True)  # Of one move, in order.

UNDO = np.dtype(
    [
        ("key", np.uint64),
        ("castling", np.uint64),
        ("material", np.int16),
        ("halfmove_clock", np.uint16),
        ("move", np.uint16),
        ("en_passant", np.uint8),
        ("piece", np.uint8),  # The one that moved, as it was; EMPTY for a null move.
        ("captured", np.uint8),
        ("capture_square", np.uint8),  # Where it stood, or would have.
    ],
    align=True,
)

MOVE_LIST = np.dtype([("length", np.int64), ("moves", np.uint16, MAX_MOVES)], align=True)


def make_record(dtype: np.dtype[Any]) -> Any:
    """A record of zeros, for a kernel to take whole; aligned to 64 bytes, a cache line."""
    room = np.zeros(dtype.itemsize + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start : start + dtype.itemsize].view(dtype).view(np.recarray)[0]
