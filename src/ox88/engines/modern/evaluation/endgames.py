"""Endgames: scaling down advantages that are hard to win, and driving a lone king towards mate."""

import numpy as np

from ox88.bitboard.bits import DARK_SQUARES, FILE_A, FILE_H, NO_SQUARES, mask
from ox88.engines.modern.evaluation.weights import FULL_SCALE
from ox88.jit import kernel, popcount
from ox88.types import BISHOP, KNIGHT, PAWN, QUEEN, ROOK


@kernel
def lone_king(position, weights, us, them):
    """Score for driving a bare king to the edge, or to a corner of the bishop's colour.

    0 where our pieces cannot force mate.
    """
    counts = us.counts
    bishops = us.own & position.kinds[BISHOP]
    dark = bishops & DARK_SQUARES != NO_SQUARES
    light = bishops & ~DARK_SQUARES != NO_SQUARES
    heavy = counts[ROOK] + counts[QUEEN]
    if heavy == 0 and not (dark and light) and (bishops == NO_SQUARES or counts[KNIGHT] == 0):
        return np.int64(0)
    file = them.king & 7
    rank = them.king >> 3
    score = weights.lone_king + (7 - np.int64(weights.distances[us.king, them.king])) * weights.lone_king_near
    score += (max(3 - file, file - 4) + max(3 - rank, rank - 4)) * weights.lone_king_edge
    if heavy == 0 and dark != light:
        # Near the dark corners, a1 and h8, file and rank are alike.
        away = abs(file - rank) if dark else abs(7 - file - rank)
        score += (7 - away) * weights.lone_king_corner
    return score


@kernel
def scale_factor(position, weights, us, them, passed):
    """Scale factor of the side that is ahead, in 1/FULL_SCALE; 0 is a certain draw. passed: its passed pawns."""
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
