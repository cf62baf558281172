"""Sets of squares before, behind and beside pawns, as one side sees them: its own pawns go up the board."""

import numpy as np

from ox88.bitboard.bits import FILE_A, FILE_H
from ox88.jit import kernel
from ox88.types import WHITE

_ODD_BYTES = np.uint64(0x00FF00FF00FF00FF)
_ODD_PAIRS = np.uint64(0x0000FFFF0000FFFF)
_BYTE = np.uint64(8)
_PAIR = np.uint64(16)
_HALF = np.uint64(32)
_STEP = np.uint64(1)


@kernel
def seen_by(squares, colour):
    """Squares as a colour sees them, and back again: for Black the ranks change places. One instruction."""
    if colour == WHITE:
        return squares
    squares = (squares >> _BYTE) & _ODD_BYTES | (squares & _ODD_BYTES) << _BYTE
    squares = (squares >> _PAIR) & _ODD_PAIRS | (squares & _ODD_PAIRS) << _PAIR
    return squares >> _HALF | squares << _HALF


@kernel
def up_from(squares):
    """The squares and all before them on their files."""
    squares |= squares << _BYTE
    squares |= squares << _PAIR
    return squares | squares << _HALF


@kernel
def down_from(squares):
    """The squares and all behind them on their files."""
    squares |= squares >> _BYTE
    squares |= squares >> _PAIR
    return squares | squares >> _HALF


@kernel
def beside(squares):
    """The neighbours of the squares on their ranks."""
    return (squares & ~FILE_A) >> _STEP | (squares & ~FILE_H) << _STEP
