"""Endgames: scaling down advantages that are hard to win, and driving a king towards mate."""

import numpy as np

from ox88.bitboard.bits import DARK_SQUARES, FILE_A, FILE_H, NO_SQUARES, mask, without_lowest
from ox88.engines.modern.evaluation.weights import FULL_SCALE
from ox88.jit import kernel, popcount
from ox88.types import BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK, WHITE

DARK = np.int64(1)
LIGHT = np.int64(2)
BOTH = DARK | LIGHT


@kernel
def is_queen_against_piece(position):
    """True if one side has a queen, the other a rook, a bishop or a knight, and nobody has anything else."""
    white, black = without_lowest(position.colours[WHITE]), without_lowest(position.colours[BLACK])
    if white == NO_SQUARES or black == NO_SQUARES or without_lowest(white) | without_lowest(black) != NO_SQUARES:
        return False
    return popcount(position.kinds[QUEEN]) == 1 and position.kinds[PAWN] == NO_SQUARES


@kernel
def wins_by_driving(position, us, them):
    """True if we win by driving their king to the edge: it is alone, or it has one piece and we have a queen."""
    if them.phase + them.counts[PAWN] != 0:
        return us.counts[QUEEN] == 1 and is_queen_against_piece(position)
    heavy = us.counts[ROOK] + us.counts[QUEEN]
    bishops = bishop_colours(position, us)
    return heavy != 0 or bishops == BOTH or (bishops != 0 and us.counts[KNIGHT] != 0)


@kernel
def driving(position, weights, us, them):
    """Score for driving their king to the edge, or with bishop and knight to a corner of the bishop's colour.

    0 where driving the king does not win. (The idea is Stockfish's: what brings the mate nearer outweighs the other
    terms.)
    """
    if not wins_by_driving(position, us, them):
        return np.int64(0)
    file = them.king & 7
    rank = them.king >> 3
    score = (7 - np.int64(weights.distances[us.king, them.king])) * weights.driving_near
    if them.phase == 0:
        score += weights.known_win
    bishops = bishop_colours(position, us)
    if bishops == BOTH or us.counts[ROOK] + us.counts[QUEEN] != 0:
        return score + (max(3 - file, file - 4) + max(3 - rank, rank - 4)) * weights.driving_edge
    # Steps from the diagonal between the wrong corners.
    steps = abs(7 - file - rank) if bishops == DARK else abs(file - rank)
    return score + steps * weights.driving_corner


@kernel
def bishop_colours(position, us):
    """The colours of the squares on which our bishops stand: 0, DARK, LIGHT or BOTH."""
    bishops = us.own & position.kinds[BISHOP]
    dark = np.int64(bishops & DARK_SQUARES != NO_SQUARES)
    return dark * DARK | np.int64(bishops & ~DARK_SQUARES != NO_SQUARES) * LIGHT


@kernel
def scale_factor(position, weights, us, them, passed):
    """The share of its endgame value that the leader keeps, in 1/FULL_SCALE; 0 for a draw. passed: its passed pawns."""
    pawns = us.counts[PAWN]
    bishop_value = weights.piece_values[BISHOP] >> 32
    if pawns == 0 and us.pieces_value - them.pieces_value <= bishop_value:
        if us.pieces_value <= bishop_value:
            return np.int64(0)
        return weights.minor_defends_scale if 0 < them.pieces_value <= bishop_value else weights.no_pawns_scale
    if pawns == 0 and us.phase == 2 and us.counts[KNIGHT] == 2:
        return weights.knights_scale
    if us.phase == us.counts[BISHOP] and them.phase == 0 and has_wrong_rook_pawn(position, weights, us, them):
        return np.int64(0)
    opposite = us.counts[BISHOP] == 1 and them.counts[BISHOP] == 1
    if opposite and popcount(position.kinds[BISHOP] & DARK_SQUARES) == 1:
        if us.phase == 1 and them.phase == 1:
            return weights.bishops_scale + popcount(passed) * weights.bishops_passed_scale
        return min(weights.few_pawns_scale + pawns * weights.bishops_pawn_scale, FULL_SCALE)
    return min(weights.few_pawns_scale + pawns * weights.pawn_scale, FULL_SCALE)


@kernel
def has_wrong_rook_pawn(position, weights, us, them):
    """True if all pawns are rook pawns of one file, no bishop covers their corner, and the bare king stands there."""
    if us.pawns & ~FILE_A != NO_SQUARES and us.pawns & ~FILE_H != NO_SQUARES:
        return False
    corner = (0 if us.pawns & FILE_A != NO_SQUARES else 7) | 56 ^ us.relative
    same = DARK_SQUARES if mask(corner) & DARK_SQUARES != NO_SQUARES else ~DARK_SQUARES
    if us.own & position.kinds[BISHOP] & same != NO_SQUARES:
        return False
    return weights.distances[them.king, corner] <= 1
