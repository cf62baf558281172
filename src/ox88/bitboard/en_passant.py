"""Pawns that stand beside the pawn that has just passed, and which of them may legally capture it en passant."""

import numpy as np

from ox88.bitboard.attacks import aligned_sliders, king_square, occupied_squares, sees_slider
from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.jit import kernel, rarely_called
from ox88.types import KING, KNIGHT, PAWN


@kernel
def pawns_beside(position, tables):
    """Pawns of the side to move beside the pawn that has just passed, even if they may not capture it."""
    square = np.int64(position.en_passant)
    turn = np.int64(position.turn)
    if square == 0:
        return NO_SQUARES
    return tables.pawn_attacks[turn ^ 1, square] & position.kinds[PAWN] & position.colours[turn]


@kernel
def en_passant_pawns(position, tables):
    """Pawns that may legally capture en passant."""
    pawns = pawns_beside(position, tables)
    return legal_captors(position, tables, pawns) if pawns != NO_SQUARES else pawns


@kernel
def legal_captors(position, tables, pawns):
    """The pawns of `pawns_beside` that may legally capture. Without a king, which is illegal, all of them may."""
    rarely_called()
    turn = np.int64(position.turn)
    if position.kinds[KING] & position.colours[turn] == NO_SQUARES:
        return pawns
    # Two pawns leave the rank at once, which pins do not cover, so test the board after the capture.
    square = np.int64(position.en_passant)
    king = king_square(position, turn)
    passed = mask(square ^ 8)
    leapers = tables.knight_attacks[king] & position.kinds[KNIGHT]
    leapers |= tables.pawn_attacks[turn, king] & position.kinds[PAWN] & ~passed
    if leapers & position.colours[turn ^ 1] != NO_SQUARES:
        return NO_SQUARES
    sliders = aligned_sliders(position, tables, king, turn ^ 1)
    legal = NO_SQUARES
    while pawns != NO_SQUARES:
        pawn = pawns & ~without_lowest(pawns)
        pawns ^= pawn
        if not sees_slider(tables, king, sliders, occupied_squares(position) ^ pawn ^ passed ^ mask(square)):
            legal |= pawn
    return legal
