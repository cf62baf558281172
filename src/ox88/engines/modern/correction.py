"""Correction history: how far static evaluations were from what searches found, in positions that are alike.

Positions are alike if they have the same pawns, the same other pieces of one side, or the same last two moves. For each
of these features there is a table of average errors. If the evaluation misjudges a pawn structure, the average error
corrects it in every position with that structure. (Caissa and Stockfish use the same features; the weights are Ox88's.)

A feature's index into its table is a hash. Two features with the same hash share an average. The tables are small, so
that they stay in the cache of the processor.
"""

import numpy as np

from ox88.engines.modern.records import BEFORE_ROOT, CORRECTION_BITS, CORRECTIONS, MATE_BOUND, PIECE_TO
from ox88.engines.modern.table import LOWER, UPPER
from ox88.jit import kernel
from ox88.types import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

GRAIN = np.int64(256)  # The tables hold errors in units of 1/256 centipawn.
LIMIT = np.int64(64 * 256)
WEIGHT_UNIT = np.int64(128)
SHIFT = np.uint64(64 - CORRECTION_BITS)
SHIFT_BY_MOVES = np.uint64(64 - CORRECTION_BITS - 1)  # The pieces that moved tell the side to move.

# Each bitboard is multiplied by a large odd number of its own. The highest bits of the product depend on all squares.
FACTOR_1 = np.uint64(0x9E3779B97F4A7C15)
FACTOR_2 = np.uint64(0xC2B2AE3D27D4EB4F)
FACTOR_3 = np.uint64(0x165667B19E3779F9)
FACTOR_4 = np.uint64(0xD6E8FEB86659FD93)
FACTOR_5 = np.uint64(0xA0761D6478BD642F)


@kernel
def table_index(position, hashed):
    """Index by the side to move and the highest bits of a hash."""
    return np.int64(position.turn) * CORRECTIONS + np.int64(hashed >> SHIFT)


@kernel
def pawn_index(position):
    """Index by the pawns of both sides."""
    pawns = position.kinds[PAWN]
    return table_index(position, (pawns & position.colours[0]) * FACTOR_1 ^ (pawns & position.colours[1]) * FACTOR_2)


@kernel
def non_pawn_index(position, colour):
    """Index by a side's king and pieces."""
    own = position.colours[colour]
    kinds = position.kinds
    hashed = (
        (own & kinds[KNIGHT]) * FACTOR_1
        ^ (own & kinds[BISHOP]) * FACTOR_2
        ^ (own & kinds[ROOK]) * FACTOR_3
        ^ (own & kinds[QUEEN]) * FACTOR_4
        ^ (own & kinds[KING]) * FACTOR_5
    )
    return colour * 2 * CORRECTIONS + table_index(position, hashed)


@kernel
def continuation_index(s):
    """Index by the pieces of the last two moves and their targets."""
    ply = s.ply + BEFORE_ROOT
    last_two = s.frames[ply - 2].piece_to * PIECE_TO + s.frames[ply - 1].piece_to
    return np.int64(np.uint64(last_two) * FACTOR_1 >> SHIFT_BY_MOVES)


@kernel
def corrected_eval(s, static_eval):
    """A static evaluation plus the weighted average errors of the position's features."""
    p = s.parameters
    if p.use_correction == 0:
        return static_eval
    position = s.position
    non_pawns = np.int64(0)
    for colour in range(2):
        non_pawns += np.int64(s.non_pawn_correction[non_pawn_index(position, colour)])
    error = (
        p.pawn_correction_weight * np.int64(s.pawn_correction[pawn_index(position)])
        + p.non_pawn_correction_weight * non_pawns
        + p.continuation_correction_weight * np.int64(s.continuation_correction[continuation_index(s)])
    )
    value = static_eval + error // (WEIGHT_UNIT * GRAIN)
    return min(max(value, -MATE_BOUND + 1), MATE_BOUND - 1)


@kernel
def update_correction(s, static_eval, value, bound, depth):
    """Let the error of a static evaluation count in the average of each feature. value, bound: what the search found.

    If the static evaluation lies within the bound, its error is not known, and nothing changes.
    """
    p = s.parameters
    says_nothing = (bound == LOWER and value <= static_eval) or (bound == UPPER and value >= static_eval)
    if p.use_correction == 0 or says_nothing or abs(value) >= MATE_BOUND:
        return
    position = s.position
    weight = min(depth + 1, p.correction_weight_limit)
    error = min(max((value - static_eval) * GRAIN, -LIMIT), LIMIT)
    index = pawn_index(position)
    s.pawn_correction[index] = averaged(np.int64(s.pawn_correction[index]), error, weight)
    for colour in range(2):
        index = non_pawn_index(position, colour)
        s.non_pawn_correction[index] = averaged(np.int64(s.non_pawn_correction[index]), error, weight)
    index = continuation_index(s)
    s.continuation_correction[index] = averaged(np.int64(s.continuation_correction[index]), error, weight)


@kernel
def averaged(average, error, weight):
    """An average after one more error, which counts with a weight in 1/256."""
    return (average * (GRAIN - weight) + error * weight) // GRAIN
