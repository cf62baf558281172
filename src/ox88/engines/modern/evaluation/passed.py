"""Passed pawns: what the pieces make of them. Rank and kings are counted with the pawn structure."""

from ox88.bitboard.attacks import occupied_squares
from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.engines.modern.evaluation.records import PASSED
from ox88.jit import kernel, lowest_bit


@kernel
def evaluate_passed(position, tables, evaluation, entry, colour):
    """Whether a colour's passed pawns can go on: to the last rank, or one step, or not at all."""
    weights = evaluation.weights
    score = entry.passed_score[colour]
    turned = 56 * colour
    pawns = entry.passed[colour]
    occupied, theirs = occupied_squares(position), position.colours[colour ^ 1]
    taboo = evaluation.attacks[colour ^ 1, 0] | theirs
    while pawns != NO_SQUARES:
        square = lowest_bit(pawns)
        rank = (square ^ turned) >> 3
        stop = mask((square ^ turned) + 8 ^ turned)
        if theirs & stop != NO_SQUARES:
            score += weights.passed_blocked[rank]
        elif occupied & stop == NO_SQUARES:
            last = square & 7 | 56 ^ turned
            path = tables.between[square, last] | mask(last)
            if path & taboo == NO_SQUARES:
                score += weights.passed_safe_path[rank]
            elif stop & taboo == NO_SQUARES:
                score += weights.passed_safe_step[rank]
            if stop & evaluation.attacks[colour, 0] != NO_SQUARES:
                score += weights.passed_defended_step[rank]
        pawns = without_lowest(pawns)
    evaluation.terms[PASSED, colour] = score
