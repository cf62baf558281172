"""The entry point of the evaluation: the value of a position for the side to move, in hundredths of a pawn."""

from typing import Any

import numpy as np

from ox88.bitboard.attacks import pawns_attack, pinned
from ox88.bitboard.bits import FILE_A, FILE_H, RANK_2, RANK_3, RANK_6, RANK_7, mask, moved_by
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.endgames import driving, scale_factor
from ox88.engines.modern.evaluation.kings import evaluate_king
from ox88.engines.modern.evaluation.pawns import evaluate_passed, pawn_index
from ox88.engines.modern.evaluation.pieces import evaluate_pieces, evaluate_threats
from ox88.engines.modern.evaluation.records import (
    ENDGAME,
    HALF,
    MATERIAL,
    PAWNS,
    TERM_COUNT,
    TERM_NAMES,
    make_evaluation,
    unpack,
)
from ox88.engines.modern.evaluation.weights import CLOCK_SHIFT, FULL_PHASE, MAX_VALUE, SCALE_SHIFT
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import BISHOP, BLACK, KING, PAWN, QUEEN, WHITE


@kernel
def evaluate(position, tables, evaluation):
    """Value of a position for the side to move, tempo included, from -MAX_VALUE to MAX_VALUE.

    position: POSITION. tables: TABLES. evaluation: EVALUATION; its pawn table and sides are overwritten.
    """
    weights = evaluation.weights
    # Step 1. Material, kings, and what pawns and kings attack, which the later steps need.
    for colour in range(2):
        init_side(position, tables, weights, evaluation.sides[colour], colour)
    # Step 2. Pawn structure and king shelter, from the pawn table where it has them.
    entry = evaluation.pawn_table[pawn_index(position, evaluation)]
    # Step 3. The pieces. After this the sets of attacked squares are complete.
    for colour in range(2):
        us = evaluation.sides[colour]
        them = evaluation.sides[colour ^ 1]
        evaluate_pieces(position, tables, weights, us, them, entry.sides[colour], entry.sides[colour ^ 1])
    # Step 4. The terms that need all attacks: king safety, threats, passed pawns; and driving a king to its mate.
    for colour in range(2):
        us = evaluation.sides[colour]
        them = evaluation.sides[colour ^ 1]
        pawns = entry.sides[colour]
        us.terms[PAWNS] = pawns.structure
        evaluate_king(position, tables, weights, us, them, pawns.shelter)
        evaluate_threats(position, weights, us, them)
        evaluate_passed(tables, weights, us, them, pawns)
        us.terms[ENDGAME] = driving(position, weights, us, them)
    # Step 5. The difference, from the mover's view so that rounding is the same for both colours.
    turn = np.int64(position.turn)
    us = evaluation.sides[turn]
    them = evaluation.sides[turn ^ 1]
    score = weights.tempo
    for term in range(TERM_COUNT):
        score += us.terms[term] - them.terms[term]
    # Step 6. Scale down endgames that are hard to win.
    endgame = (score + HALF) >> 32
    middlegame = score - (endgame << 32)
    strong = turn if endgame > 0 else turn ^ 1
    us = evaluation.sides[strong]
    them = evaluation.sides[strong ^ 1]
    share = scale_factor(position, weights, us, them, entry.sides[strong].passed)
    if share == 0:
        return np.int64(0)
    endgame = endgame * share >> SCALE_SHIFT
    if share < weights.few_pawns_scale:  # A drawish endgame scales the middlegame score down too.
        middlegame = middlegame * share >> SCALE_SHIFT
    # Step 7. Interpolate between middlegame and endgame; damp the value as the fifty-move rule comes near.
    phase = min(us.phase + them.phase, FULL_PHASE)
    value = (middlegame * phase + endgame * (FULL_PHASE - phase)) // FULL_PHASE
    return damped(position, value)


@kernel
def init_side(position, tables, weights, us, colour):
    """Fill a SIDE with everything that does not need the attacks of pieces."""
    own = position.colours[colour]
    theirs = position.colours[colour ^ 1]
    forward = 8 if colour == WHITE else -8
    pawns = own & position.kinds[PAWN]
    king = lowest_bit(own & position.kinds[KING])
    us.colour = colour
    us.relative = 56 * colour
    us.forward = forward
    us.own = own
    us.pawns = pawns
    us.king = king

    material = np.int64(0)
    phase = np.int64(0)
    for kind in range(PAWN, KING):
        count = popcount(own & position.kinds[kind])
        us.counts[kind] = count
        material += count * weights.piece_values[kind]
        phase += count * weights.phases[kind]
    us.phase = phase
    us.pieces_value = (material - us.counts[PAWN] * weights.piece_values[PAWN]) >> 32
    if us.counts[BISHOP] > 1:
        material += weights.bishop_pair
    us.terms[MATERIAL] = material

    left = moved_by(pawns & ~FILE_A, forward - 1)
    right = moved_by(pawns & ~FILE_H, forward + 1)
    steps = tables.king_attacks[king]
    us.attacks[PAWN] = left | right
    us.attacks[KING] = steps
    us.attacked = left | right | steps
    us.attacked_twice = left & right | (left | right) & steps
    us.pinned = pinned(position, tables, colour)
    us.king_zone = weights.zones[king] & ~(left & right)

    low_ranks = RANK_2 | RANK_3 if colour == WHITE else RANK_7 | RANK_6
    idle_pawns = pawns & (moved_by(own | theirs, -forward) | low_ranks)
    queens = own & position.kinds[QUEEN]
    us.mobility_area = ~(idle_pawns | queens | mask(king) | pawns_attack(theirs & position.kinds[PAWN], colour ^ 1))


@kernel
def damped(position, value):
    """A value that comes nearer to zero with the fifty-move rule, from -MAX_VALUE to MAX_VALUE."""
    value -= value * np.int64(position.halfmove_clock) >> CLOCK_SHIFT
    return min(max(value, -MAX_VALUE), MAX_VALUE)


Score = tuple[int, int]  # Middlegame and endgame, in hundredths of a pawn.


def explain(position: Any) -> tuple[int, dict[str, tuple[Score, Score]]]:
    """(value for the side to move, White's and Black's score by the name of the term) of a POSITION.

    The value also counts what is no term: tempo, endgame scaling, and damping by the fifty-move clock.
    """
    evaluation = make_evaluation()
    with np.errstate(over="ignore"):  # Products of bitboards overflow; as plain Python, NumPy would warn.
        value = int(evaluate(position, board_tables(), evaluation))
    white, black = (map(unpack, evaluation.sides[colour].terms) for colour in (WHITE, BLACK))
    return value, dict(zip(TERM_NAMES, zip(white, black, strict=True), strict=True))
