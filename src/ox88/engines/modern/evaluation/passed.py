"""Passed pawns: what the pieces make of them. Rank and kings are counted with the pawn structure."""

from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.engines.modern.evaluation.records import PASSED
from ox88.jit import kernel, lowest_bit


@kernel
def evaluate_passed(tables, weights, us, them, own_pawns):
    """Whether a side's passed pawns can go on: to the last rank, or one step, or not at all."""
    score = own_pawns.passed_score
    pawns = own_pawns.passed
    taboo = them.attacked | them.own
    while pawns != NO_SQUARES:
        square = lowest_bit(pawns)
        rank = (square ^ us.turned) >> 3
        stop = mask(square + us.forward)
        if them.own & stop != NO_SQUARES:
            score += weights.passed_blocked[rank]
        elif us.own & stop == NO_SQUARES:
            last = square & 7 | 56 ^ us.turned
            path = tables.between[square, last] | mask(last)
            if path & taboo == NO_SQUARES:
                score += weights.passed_safe_path[rank]
            elif stop & taboo == NO_SQUARES:
                score += weights.passed_safe_step[rank]
            if stop & us.attacked != NO_SQUARES:
                score += weights.passed_defended_step[rank]
        pawns = without_lowest(pawns)
    us.terms[PASSED] = score
