"""Insufficient material."""

from ox88.bitboard.attacks import occupied_squares
from ox88.bitboard.bits import DARK_SQUARES, NO_SQUARES
from ox88.jit import kernel, popcount
from ox88.types import BISHOP, KNIGHT, PAWN, QUEEN, ROOK


@kernel
def is_insufficient(position):
    """True if no sequence of moves can mate: bare kings, one minor piece, or only bishops on squares of one colour."""
    kinds = position.kinds
    if (kinds[PAWN] | kinds[ROOK] | kinds[QUEEN]) != NO_SQUARES:
        return False
    if popcount(occupied_squares(position)) <= 3:
        return True
    bishops = kinds[BISHOP]
    same_colour = bishops & DARK_SQUARES == NO_SQUARES or bishops & ~DARK_SQUARES == NO_SQUARES
    return kinds[KNIGHT] == NO_SQUARES and same_colour
