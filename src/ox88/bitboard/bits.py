"""Bitboards: sets of squares as the bits of one uint64, a1 the lowest.

Every constant and shift is typed, since uint64 with int64 gives float64 or int64 in Numba, and floats in old numpy.
"""

import numpy as np

from ox88.jit import kernel

NO_SQUARES = np.uint64(0)
ONE = np.uint64(1)
ALL_SQUARES = np.uint64(0xFFFFFFFFFFFFFFFF)

FILE_A = np.uint64(0x0101010101010101)
FILE_H = np.uint64(0x8080808080808080)
RANK_1 = np.uint64(0x00000000000000FF)
RANK_2 = np.uint64(0x000000000000FF00)
RANK_3 = np.uint64(0x0000000000FF0000)
RANK_6 = np.uint64(0x0000FF0000000000)
RANK_7 = np.uint64(0x00FF000000000000)
RANK_8 = np.uint64(0xFF00000000000000)
BACK_RANKS = RANK_1 | RANK_8
DARK_SQUARES = np.uint64(0xAA55AA55AA55AA55)  # a1 is dark.


@kernel
def mask(square):
    """The bitboard of one square. A shift costs less than a table of 64 masks."""
    return ONE << np.uint64(square)


@kernel
def without_lowest(squares):
    """The set without its lowest square."""
    return squares & (squares - ONE)


@kernel
def more_than_one(squares):
    return without_lowest(squares) != NO_SQUARES


@kernel
def moved_by(squares, step):
    """All squares moved by a step of -63 to 63. What leaves the board at one end enters at the other.

    This rotation is one instruction for both colours.
    """
    left = np.uint64(step & 63)
    return squares << left | squares >> (np.uint64(-step & 63))
