"""The entry point: what a position is worth to the side to move, in hundredths of a pawn."""

import numpy as np

from ox88.engines.modern.evaluation.endgames import lone_king, scale
from ox88.engines.modern.evaluation.kings import evaluate_king
from ox88.engines.modern.evaluation.passed import evaluate_passed
from ox88.engines.modern.evaluation.pawns import pawn_index
from ox88.engines.modern.evaluation.pieces import evaluate_pieces
from ox88.engines.modern.evaluation.records import ENDGAME, HALF, PAWNS, TERM_COUNT
from ox88.engines.modern.evaluation.sides import prepare
from ox88.engines.modern.evaluation.threats import evaluate_threats
from ox88.engines.modern.evaluation.weights import CLOCK_SHIFT, FULL_PHASE, MAX_VALUE, SCALE_SHIFT
from ox88.jit import kernel
from ox88.types import PAWN


@kernel
def evaluate(position, tables, evaluation):
    """Value of a position for the side to move, tempo included; between -MAX_VALUE and MAX_VALUE.

    position: POSITION. tables: TABLES. evaluation: EVALUATION, whose pawn table and sides it writes.
    """
    weights = evaluation.weights
    # Step 1. Material, kings, and what pawns and kings attack: each side's pieces are judged by that.
    for colour in range(2):
        prepare(position, tables, weights, evaluation.sides[colour], colour)
    # Step 2. Pawns and kings alone: structure and shelter, from the pawn table if they are there.
    entry = evaluation.pawn_table[pawn_index(position, evaluation)]
    # Step 3. The pieces, which complete the sets of attacked squares.
    for colour in range(2):
        us = evaluation.sides[colour]
        them = evaluation.sides[colour ^ 1]
        evaluate_pieces(position, tables, weights, us, them, entry.sides[colour], entry.sides[colour ^ 1])
    # Step 4. What follows from all attacks together.
    for colour in range(2):
        us = evaluation.sides[colour]
        them = evaluation.sides[colour ^ 1]
        pawns = entry.sides[colour]
        us.terms[PAWNS] = pawns.structure
        evaluate_king(position, tables, weights, us, them, pawns.shelter)
        evaluate_threats(position, weights, us, them)
        evaluate_passed(tables, weights, us, them, pawns)
        us.terms[ENDGAME] = 0
        if them.phase + them.counts[PAWN] == 0:
            us.terms[ENDGAME] = lone_king(position, weights, us, them)
    # Step 5. The difference, seen by the side to move, so that both colours round alike.
    turn = np.int64(position.turn)
    us = evaluation.sides[turn]
    them = evaluation.sides[turn ^ 1]
    score = weights.tempo
    for term in range(TERM_COUNT):
        score += us.terms[term] - them.terms[term]
    # Step 6. Endgames that cannot be won count less than they promise.
    endgame = (score + HALF) >> 32
    middlegame = score - (endgame << 32)
    strong = turn if endgame > 0 else turn ^ 1
    us = evaluation.sides[strong]
    them = evaluation.sides[strong ^ 1]
    share = scale(position, weights, us, them, entry.sides[strong].passed)
    if share == 0:
        return np.int64(0)
    endgame = endgame * share >> SCALE_SHIFT
    if share < weights.few_pawns_scale:  # Pieces do not help there, so that the middlegame says nothing else.
        middlegame = middlegame * share >> SCALE_SHIFT
    # Step 7. Between middlegame and endgame by the pieces left; a game without progress goes towards a draw.
    phase = min(us.phase + them.phase, FULL_PHASE)
    value = (middlegame * phase + endgame * (FULL_PHASE - phase)) // FULL_PHASE
    value -= value * np.int64(position.halfmove_clock) >> CLOCK_SHIFT
    return min(max(value, -MAX_VALUE), MAX_VALUE)
