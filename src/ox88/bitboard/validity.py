"""The rules of `Setup.check` as a kernel, for many positions. `Setup.broken_rules` explains in words what is wrong."""

import numpy as np

from ox88.bitboard.attacks import is_attacked, king_square, occupied_squares
from ox88.bitboard.bits import BACK_RANKS, NO_SQUARES, RANK_1, RANK_8, mask, more_than_one
from ox88.jit import kernel, popcount
from ox88.types import KING, MAX_PAWNS, MAX_PIECES, PAWN, ROOK, WHITE


@kernel
def is_valid(position, tables):
    """True if a filled POSITION breaks no rule. Its fields may have any values."""
    turn = np.int64(position.turn)
    if turn > 1 or not has_valid_counts(position):
        return False
    if position.kinds[PAWN] & BACK_RANKS != NO_SQUARES:
        return False
    if position.castling != NO_SQUARES and not has_valid_castling(position):
        return False
    if position.en_passant != 0 and not has_valid_en_passant(position, turn):
        return False
    return not is_attacked(position, tables, king_square(position, turn ^ 1), turn)


@kernel
def has_valid_counts(position):
    for colour in range(2):
        own = position.colours[colour]
        if popcount(own & position.kinds[KING]) != 1 or popcount(own) > MAX_PIECES:
            return False
        if popcount(own & position.kinds[PAWN]) > MAX_PAWNS:
            return False
    return True


@kernel
def has_valid_castling(position):
    """True if each king has at most one castling rook on each side, all on its back rank."""
    seen = NO_SQUARES
    for colour in range(2):
        back_rank = RANK_1 if colour == WHITE else RANK_8
        rooks = position.castling & back_rank & position.colours[colour] & position.kinds[ROOK]
        king = position.kinds[KING] & position.colours[colour]
        below = king - np.uint64(1)
        if rooks != NO_SQUARES and king & back_rank == NO_SQUARES:
            return False
        if more_than_one(rooks & below) or more_than_one(rooks & ~below):
            return False
        seen |= rooks
    return seen == position.castling


@kernel
def has_valid_en_passant(position, turn):
    """True if a pawn of the other side can have just passed the square."""
    square = np.int64(position.en_passant)
    if square >> 3 != (5 if turn == WHITE else 2):
        return False
    forward = 8 if turn == WHITE else -8
    pawn = mask(square - forward) & position.kinds[PAWN] & position.colours[turn ^ 1]
    return pawn != NO_SQUARES and occupied_squares(position) & (mask(square) | mask(square + forward)) == NO_SQUARES
