"""Pawns: their structure, the king's shelter behind them, and the passed ones.

Structure and shelter depend on pawns and kings alone, which few moves change. So both are kept in a hash table in the
EVALUATION record. An entry holds the bitboards that it was made from, so two positions are never confused. It also
holds the rooks that may castle, because the shelter after castling counts as well.
"""

import numpy as np

from ox88.bitboard.bits import ALL_SQUARES, FILE_A, FILE_H, NO_SQUARES, mask, without_lowest
from ox88.engines.modern.evaluation.records import HALF, PASSED, PAWN_ENTRIES
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import PAWN, WHITE

# Large odd numbers: multiplying by them spreads a bitboard over the upper bits of the product.
_WHITE_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_BLACK_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
_KINGS_FACTOR = np.uint64(0x165667B19E3779F9)
_INDEX_SHIFT = np.uint64(65 - PAWN_ENTRIES.bit_length())

_ODD_BYTES = np.uint64(0x00FF00FF00FF00FF)
_ODD_PAIRS = np.uint64(0x0000FFFF0000FFFF)
_STEP = np.uint64(1)
_BYTE = np.uint64(8)  # One rank.
_PAIR = np.uint64(16)
_HALF_BOARD = np.uint64(32)
_KING_SIDE = 6  # The files on which a castled king stands.
_QUEEN_SIDE = 2


@kernel
def pawn_index(position, evaluation):
    """Index of the position's entry in the pawn table. Fills the entry if another position holds it."""
    white = evaluation.sides[0]
    black = evaluation.sides[1]
    white_boards = white.pawns | position.castling & white.own
    black_boards = black.pawns | position.castling & black.own
    kings = white.king | black.king << 6
    mixed = white_boards * _WHITE_FACTOR ^ black_boards * _BLACK_FACTOR
    mixed = (mixed ^ mixed >> _INDEX_SHIFT ^ np.uint64(kings)) * _KINGS_FACTOR
    index = np.int64(mixed >> _INDEX_SHIFT)
    entry = evaluation.pawn_table[index]
    if entry.kings != kings or entry.sides[0].boards != white_boards or entry.sides[1].boards != black_boards:
        entry.kings = kings
        entry.sides[0].boards = white_boards
        entry.sides[1].boards = black_boards
        for colour in range(2):
            us = evaluation.sides[colour]
            them = evaluation.sides[colour ^ 1]
            pawn_side = entry.sides[colour]
            fill_structure(evaluation.weights, us, them, pawn_side)
            fill_shelter(evaluation.weights, us, them, pawn_side, position.castling)
    return index


@kernel
def fill_structure(weights, us, them, pawn_side):
    """Score a side's pawn structure into its PAWN_SIDE. All squares are relative to that side."""
    own = relative_squares(us.pawns, us.colour)
    theirs = relative_squares(them.pawns, us.colour)
    guarded = neighbours(own) << _BYTE
    stopped = (neighbours(theirs) >> _BYTE | theirs) >> _BYTE
    isolated = own & ~neighbours(north_fill(south_fill(own)))
    # Backward: no pawn on a neighbouring file is beside or behind it, so none can ever guard it.
    backward = own & stopped & ~north_fill(neighbours(own)) & ~isolated
    unopposed = (isolated | backward) & ~south_fill(theirs)
    doubled = own & south_fill(own >> _BYTE)
    passed = own & ~doubled & ~south_fill((theirs | neighbours(theirs)) >> _BYTE)
    pawn_side.span = relative_squares(north_fill(guarded), us.colour)
    pawn_side.passed = relative_squares(passed, us.colour)

    score = popcount(isolated) * weights.isolated_pawn + popcount(backward) * weights.backward_pawn
    score += popcount(unopposed) * weights.unopposed_weak_pawn + popcount(doubled) * weights.doubled_pawn
    squares = np.int64(0)
    passed_score = np.int64(0)
    king = us.king ^ us.relative
    their_king = them.king ^ us.relative
    nearest = np.int64(7)
    phalanx = own & neighbours(own)
    pawns = own
    while pawns != NO_SQUARES:
        square = lowest_bit(pawns)
        pawn = mask(square)
        rank = square >> 3
        squares += weights.piece_squares[PAWN, square]
        nearest = min(nearest, np.int64(weights.distances[king, square]))
        if phalanx & pawn != NO_SQUARES:
            score += weights.phalanx[rank]
        if guarded & pawn != NO_SQUARES:
            score += weights.supported_pawn[rank]
        if passed & pawn != NO_SQUARES:
            far = weights.far_king
            passed_score += weights.passed_pawn[rank]
            passed_score += (
                min(np.int64(weights.distances[their_king, square + 8]), far) * weights.passed_their_king[rank]
            )
            passed_score += min(np.int64(weights.distances[king, square + 8]), far) * weights.passed_own_king[rank]
        pawns = without_lowest(pawns)
    if own != NO_SQUARES:
        score += nearest * weights.king_pawn_distance
    pawn_side.squares = squares
    pawn_side.structure = score
    pawn_side.passed_score = passed_score


@kernel
def fill_shelter(weights, us, them, pawn_side, castling):
    """Score the shelter of a side's king where it stands or, if better, where it may castle to."""
    own = relative_squares(us.pawns, us.colour)
    theirs = relative_squares(them.pawns, us.colour)
    king = us.king ^ us.relative
    best = shelter_at(weights, own, theirs, king)
    rooks = castling & us.own
    while rooks != NO_SQUARES:
        castled = np.int64(_KING_SIDE if lowest_bit(rooks) > us.king else _QUEEN_SIDE)
        other = shelter_at(weights, own, theirs, castled)
        # Compare the middlegame halves alone.
        if other - ((other + HALF) >> 32 << 32) > best - ((best + HALF) >> 32 << 32):
            best = other
        rooks = without_lowest(rooks)
    pawn_side.shelter = best


@kernel
def shelter_at(weights, own, theirs, king):
    """Shelter and pawn storm on the three files around a king, counting pawns level with or ahead of it."""
    ahead = ALL_SQUARES << np.uint64(king & 56)
    centre = min(max(king & 7, 1), 6)
    score = np.int64(0)
    for file in range(centre - 1, centre + 2):
        column = (FILE_A << np.uint64(file)) & ahead
        # Without a pawn lowest_bit is 64: rank 8, which `& 7` turns into rank 0.
        guard = lowest_bit(own & column) >> 3 & 7
        stormer = lowest_bit(theirs & column) >> 3 & 7
        edge = min(file, 7 - file)
        score += weights.shelter[edge, guard]
        if guard != 0 and stormer == guard + 1:
            score += weights.blocked_storm[stormer]
        else:
            score += weights.storm[edge, stormer]
    return score


# --- Passed pawns -----------------------------------------------------------------------------------------------------


@kernel
def evaluate_passed(tables, weights, us, them, own_pawns):
    """Score a side's passed pawns: is the way to the last rank safe, at least the next square, or is it blocked?"""
    score = own_pawns.passed_score
    pawns = own_pawns.passed
    unsafe = them.attacked | them.own
    while pawns != NO_SQUARES:
        square = lowest_bit(pawns)
        rank = (square ^ us.relative) >> 3
        stop = mask(square + us.forward)
        if them.own & stop != NO_SQUARES:
            score += weights.passed_blocked[rank]
        elif us.own & stop == NO_SQUARES:
            last = square & 7 | 56 ^ us.relative
            path = tables.between[square, last] | mask(last)
            if path & unsafe == NO_SQUARES:
                score += weights.passed_safe_path[rank]
            elif stop & unsafe == NO_SQUARES:
                score += weights.passed_safe_step[rank]
            if stop & us.attacked != NO_SQUARES:
                score += weights.passed_defended_step[rank]
        pawns = without_lowest(pawns)
    us.terms[PASSED] = score


# --- Sets of squares, relative to a side: its own pawns move north ----------------------------------------------------


@kernel
def relative_squares(squares, colour):
    """Squares as a side sees them. For Black the ranks are swapped: compiled, that is one byte swap."""
    if colour == WHITE:
        return squares
    squares = (squares >> _BYTE) & _ODD_BYTES | (squares & _ODD_BYTES) << _BYTE
    squares = (squares >> _PAIR) & _ODD_PAIRS | (squares & _ODD_PAIRS) << _PAIR
    return squares >> _HALF_BOARD | squares << _HALF_BOARD


@kernel
def north_fill(squares):
    """The squares and all squares north of them."""
    squares |= squares << _BYTE
    squares |= squares << _PAIR
    return squares | squares << _HALF_BOARD


@kernel
def south_fill(squares):
    """The squares and all squares south of them."""
    squares |= squares >> _BYTE
    squares |= squares >> _PAIR
    return squares | squares >> _HALF_BOARD


@kernel
def neighbours(squares):
    """The squares to the left and right of the squares."""
    return (squares & ~FILE_A) >> _STEP | (squares & ~FILE_H) << _STEP
