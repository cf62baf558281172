"""The entry point: what a position is worth to the side to move, in hundredths of a pawn."""

import numpy as np

from ox88.engines.modern.evaluation.endgames import evaluate_lone_king, scale
from ox88.engines.modern.evaluation.kings import evaluate_king
from ox88.engines.modern.evaluation.passed import evaluate_passed
from ox88.engines.modern.evaluation.pawns import pawn_index
from ox88.engines.modern.evaluation.pieces import evaluate_pieces, prepare
from ox88.engines.modern.evaluation.records import HALF, PAWNS, TERM_COUNT
from ox88.engines.modern.evaluation.threats import evaluate_threats
from ox88.jit import kernel
from ox88.types import KING, KNIGHT


@kernel
def evaluate(position, tables, evaluation):
    """Value of a position for the side to move, tempo included; between -MAX_VALUE and MAX_VALUE.

    position: POSITION. tables: TABLES. evaluation: EVALUATION, whose pawn table and scratch it writes.
    """
    # Step 1. Pawns and kings alone: structure and shelter, from the pawn table if they are there.
    entry = evaluation.pawn_table[pawn_index(position, tables, evaluation)]
    # Step 2. Material, and what both sides' pawns and kings attack: each side's pieces are judged by that.
    for colour in range(2):
        evaluation.terms[PAWNS, colour] = entry.structure[colour]
        prepare(position, tables, evaluation, colour)
    # Step 3. The pieces, which complete the sets of attacked squares.
    for colour in range(2):
        evaluate_pieces(position, tables, evaluation, entry, colour)
    # Step 4. What follows from all attacks together.
    for colour in range(2):
        evaluate_king(position, tables, evaluation, entry, colour)
        evaluate_threats(position, evaluation, colour)
        evaluate_passed(position, tables, evaluation, entry, colour)
        evaluate_lone_king(position, evaluation, colour)
    # Step 5. The difference, seen by the side to move, so that both colours round alike.
    turn = np.int64(position.turn)
    score = evaluation.weights.tempo
    for term in range(TERM_COUNT):
        score += evaluation.terms[term, turn] - evaluation.terms[term, turn ^ 1]
    return tapered(position, evaluation, entry, score)


@kernel
def tapered(position, evaluation, entry, score):
    """One number of a packed score: between middlegame and endgame by the pieces left, scaled, damped, bounded."""
    weights = evaluation.weights
    turn = np.int64(position.turn)
    endgame = (score + HALF) >> 32
    middlegame = score - (endgame << 32)
    phase = np.int64(0)
    for kind in range(KNIGHT, KING):
        phase += (evaluation.counts[0, kind] + evaluation.counts[1, kind]) * weights.phases[kind]
    phase = min(phase, weights.full_phase)
    share = scale(position, evaluation, entry, turn if endgame > 0 else turn ^ 1)
    if share == 0:
        return np.int64(0)
    endgame = endgame * share // weights.full_scale
    if share < weights.few_pawns_scale:  # Pieces do not help there, so that the middlegame says nothing else.
        middlegame = middlegame * share // weights.full_scale
    value = (middlegame * phase + endgame * (weights.full_phase - phase)) // weights.full_phase
    value -= value * np.int64(position.halfmove_clock) // weights.clock_share
    return min(max(value, -weights.max_value), weights.max_value)
