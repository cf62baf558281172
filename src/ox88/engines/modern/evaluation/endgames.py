"""Endgames: how much of an advantage can be won, and how a lone king is driven to mate."""

import numpy as np

from ox88.bitboard.attacks import king_square
from ox88.bitboard.bits import FILE_A, FILE_H, NO_SQUARES, mask
from ox88.engines.modern.evaluation.records import ENDGAME
from ox88.engines.modern.evaluation.spans import distance
from ox88.jit import kernel, popcount
from ox88.types import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

_DARK_SQUARES = np.uint64(0xAA55AA55AA55AA55)  # a1 among them.


@kernel
def evaluate_lone_king(position, evaluation, colour):
    """A colour's winnings from driving a king that has nothing left to the edge, or into the bishop's corner."""
    weights = evaluation.weights
    score = np.int64(0)
    counts = evaluation.counts
    theirs = position.colours[colour ^ 1] & ~position.kinds[KING]
    if theirs == NO_SQUARES and can_mate(position, evaluation, colour):
        king, target = king_square(position, colour), king_square(position, colour ^ 1)
        file, rank = target & 7, target >> 3
        score += weights.lone_king + (7 - distance(king, target)) * weights.lone_king_near
        score += (max(3 - file, file - 4) + max(3 - rank, rank - 4)) * weights.lone_king_edge
        if counts[colour, BISHOP] == 1 and counts[colour, PAWN] + counts[colour, ROOK] + counts[colour, QUEEN] == 0:
            dark = position.kinds[BISHOP] & _DARK_SQUARES != NO_SQUARES
            # The corners a1 and h8 are dark: files and ranks that are alike are near them.
            away = abs(file - rank) if dark else abs(7 - file - rank)
            score += (7 - away) * weights.lone_king_corner
    evaluation.terms[ENDGAME, colour] = score


@kernel
def can_mate(position, evaluation, colour):
    """Whether a colour's pieces can force mate on a lone king; pawns are left to what promotes them."""
    counts = evaluation.counts
    if counts[colour, ROOK] + counts[colour, QUEEN] != 0:
        return True
    bishops = position.kinds[BISHOP] & position.colours[colour]
    both = bishops & _DARK_SQUARES != NO_SQUARES and bishops & ~_DARK_SQUARES != NO_SQUARES
    return both or (bishops != NO_SQUARES and counts[colour, KNIGHT] != 0) or counts[colour, KNIGHT] > 2


@kernel
def scale(position, evaluation, entry, strong):
    """What share of its advantage a colour can hope to turn into a win, in 64ths of it."""
    weights = evaluation.weights
    counts = evaluation.counts
    weak = strong ^ 1
    bishops = position.kinds[BISHOP]
    pieces, their_pieces = pieces_value(evaluation, strong), pieces_value(evaluation, weak)
    pawns = counts[strong, PAWN]
    if pawns == 0:
        minor = weights.piece_values[BISHOP] >> 32
        if pieces - their_pieces <= minor:
            if pieces <= minor:
                return np.int64(0)
            return weights.minor_defends_scale if 0 < their_pieces <= minor else weights.no_pawns_scale
        if pieces == counts[strong, KNIGHT] * (weights.piece_values[KNIGHT] >> 32) and counts[strong, KNIGHT] == 2:
            return weights.knights_scale
    elif their_pieces == 0 and pieces == counts[strong, BISHOP] * (weights.piece_values[BISHOP] >> 32):
        if is_wrong_corner(position, strong):
            return np.int64(0)
    dark = popcount(bishops & _DARK_SQUARES)
    opposite = counts[strong, BISHOP] == 1 and counts[weak, BISHOP] == 1 and dark == 1
    if opposite:
        if pieces == their_pieces and pieces == weights.piece_values[BISHOP] >> 32:
            passed = popcount(entry.passed[strong])
            return min(weights.bishops_scale + passed * weights.bishops_passed_scale, weights.full_scale)
        return min(weights.few_pawns_scale + pawns * weights.bishops_pawn_scale, weights.full_scale)
    return min(weights.few_pawns_scale + pawns * weights.pawn_scale, weights.full_scale)


@kernel
def pieces_value(evaluation, colour):
    """What a colour's pieces, without its pawns, are worth in the endgame."""
    value = np.int64(0)
    for kind in range(KNIGHT, KING):
        value += evaluation.counts[colour, kind] * (evaluation.weights.piece_values[kind] >> 32)
    return value


@kernel
def is_wrong_corner(position, strong):
    """Whether all pawns go to one corner that no bishop of theirs controls, and the lone king is there."""
    own = position.colours[strong]
    pawns = own & position.kinds[PAWN]
    if pawns & ~FILE_A != NO_SQUARES and pawns & ~FILE_H != NO_SQUARES:
        return False
    corner = (0 if pawns & FILE_A != NO_SQUARES else 7) | 56 ^ 56 * strong
    same = _DARK_SQUARES if mask(corner) & _DARK_SQUARES != NO_SQUARES else ~_DARK_SQUARES
    if own & position.kinds[BISHOP] & same != NO_SQUARES:
        return False
    return distance(king_square(position, strong ^ 1), corner) <= 1
