"""Attackers of a square, checkers, pinned pieces, and the pawns that may legally capture en passant.

Checkers and pins need no attack table: count the pieces between the king and each enemy slider that is in line with it.
So rotated bitboards use these functions too.
"""

import numpy as np

from ox88.bitboard.bits import FILE_A, FILE_H, NO_SQUARES, mask, more_than_one, moved_by, without_lowest
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.jit import kernel, lowest_bit, rarely_called
from ox88.types import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE


@kernel
def bishops_queens(position):
    """Diagonal sliders of both colours."""
    return position.kinds[BISHOP] | position.kinds[QUEEN]


@kernel
def rooks_queens(position):
    """Straight sliders of both colours."""
    return position.kinds[ROOK] | position.kinds[QUEEN]


@kernel
def king_square(position, colour):
    return lowest_bit(position.kinds[KING] & position.colours[colour])


@kernel
def occupied_squares(position):
    return position.colours[0] | position.colours[1]


@kernel
def aligned_sliders(position, tables, square, colour):
    """Sliders of a colour that would attack a square on an empty board."""
    straight = tables.rook_rays[square] & rooks_queens(position)
    diagonal = tables.bishop_rays[square] & bishops_queens(position)
    return (straight | diagonal) & position.colours[colour]


@kernel
def piece_attacks(tables, kind, square, occupied):
    """Squares that a piece other than a pawn attacks from a square."""
    if kind == KNIGHT:
        return tables.knight_attacks[square]
    if kind == KING:
        return tables.king_attacks[square]
    attacks = NO_SQUARES
    if kind != ROOK:
        attacks |= bishop_attacks(tables, square, occupied)
    if kind != BISHOP:
        attacks |= rook_attacks(tables, square, occupied)
    return attacks


@kernel
def attackers_to(position, tables, square, occupied):
    """Pieces of both colours that attack a square, given the occupied squares."""
    kinds = position.kinds
    return (
        (tables.pawn_attacks[1, square] & kinds[PAWN] & position.colours[0])
        | (tables.pawn_attacks[0, square] & kinds[PAWN] & position.colours[1])
        | (tables.knight_attacks[square] & kinds[KNIGHT])
        | (tables.king_attacks[square] & kinds[KING])
        | (bishop_attacks(tables, square, occupied) & bishops_queens(position))
        | (rook_attacks(tables, square, occupied) & rooks_queens(position))
    )


@kernel
def is_attacked(position, tables, square, by_colour):
    attackers = attackers_to(position, tables, square, occupied_squares(position))
    return attackers & position.colours[by_colour] != NO_SQUARES


@kernel
def checkers_and_pinned(position, tables, colour):
    """(pieces that give check to a colour's king, pieces of that colour that are pinned to it)."""
    king = king_square(position, colour)
    own = position.colours[colour]
    theirs = position.colours[colour ^ 1]
    occupied = own | theirs
    checkers = theirs & (
        (tables.pawn_attacks[colour, king] & position.kinds[PAWN])
        | (tables.knight_attacks[king] & position.kinds[KNIGHT])
    )
    pinned = NO_SQUARES
    sliders = aligned_sliders(position, tables, king, colour ^ 1)
    while sliders != NO_SQUARES:
        slider = lowest_bit(sliders)
        sliders = without_lowest(sliders)
        blockers = tables.between[king, slider] & occupied
        if blockers == NO_SQUARES:
            checkers |= mask(slider)
        elif not more_than_one(blockers):
            pinned |= blockers & own
    return checkers, pinned


@kernel
def checkers(position, tables):
    """Pieces that give check to the side to move."""
    return checkers_and_pinned(position, tables, np.int64(position.turn))[0]


@kernel
def pinned(position, tables, colour):
    return checkers_and_pinned(position, tables, colour)[1]


@kernel
def sees_slider(tables, square, sliders, occupied):
    """True if one of `sliders`, which are aligned with a square, attacks it, given the occupied squares."""
    while sliders != NO_SQUARES:
        if tables.between[square, lowest_bit(sliders)] & occupied == NO_SQUARES:
            return True
        sliders = without_lowest(sliders)
    return False


@kernel
def unattacked(position, tables, squares, by_colour, occupied):
    """The subset of `squares` that no piece of a colour attacks, given the occupied squares.

    For a few squares it is cheaper to look along the lines of the sliders than to find all attacks.
    """
    free = NO_SQUARES
    while squares != NO_SQUARES:
        square = lowest_bit(squares)
        leapers = position.colours[by_colour] & (
            (tables.pawn_attacks[by_colour ^ 1, square] & position.kinds[PAWN])
            | (tables.knight_attacks[square] & position.kinds[KNIGHT])
            | (tables.king_attacks[square] & position.kinds[KING])
        )
        if leapers == NO_SQUARES:
            sliders = aligned_sliders(position, tables, square, by_colour)
            if not sees_slider(tables, square, sliders, occupied):
                free |= mask(square)
        squares = without_lowest(squares)
    return free


@kernel
def pawns_attack(pawns, colour):
    """All squares that pawns of a colour attack."""
    forward = 8 if colour == WHITE else -8
    return moved_by(pawns & ~FILE_A, forward - 1) | moved_by(pawns & ~FILE_H, forward + 1)


@kernel
def leapers_attack(position, tables, colour):
    """All squares that a colour's pawns, knights and king attack."""
    own = position.colours[colour]
    squares = pawns_attack(own & position.kinds[PAWN], colour) | tables.king_attacks[king_square(position, colour)]
    knights = own & position.kinds[KNIGHT]
    while knights != NO_SQUARES:
        squares |= tables.knight_attacks[lowest_bit(knights)]
        knights = without_lowest(knights)
    return squares


@kernel
def attacked_by(position, tables, colour, occupied):
    """All squares that a colour attacks, given the occupied squares."""
    squares = leapers_attack(position, tables, colour)
    own = position.colours[colour]
    diagonal = own & bishops_queens(position)
    while diagonal != NO_SQUARES:
        squares |= bishop_attacks(tables, lowest_bit(diagonal), occupied)
        diagonal = without_lowest(diagonal)
    straight = own & rooks_queens(position)
    while straight != NO_SQUARES:
        squares |= rook_attacks(tables, lowest_bit(straight), occupied)
        straight = without_lowest(straight)
    return squares


# --- En passant -------------------------------------------------------------------------------------------------------


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
