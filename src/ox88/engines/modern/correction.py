"""Correction history: by how much searches have found the static evaluation wrong in positions with a common feature.

The features: the pawns of both sides, the other pieces of each side, the last two moves. For each, a table keeps a
moving average of the errors, so an evaluation that misjudges a pawn structure is mended wherever that structure stands.
(Caissa and Stockfish use the same features; the weights are Ox88's.)

An index is the highest bits of a product with a large odd number, which mixes the bits well. Features that share an
index share an average; small tables stay in the cache of the processor.
"""

import numpy as np

from ox88.engines.modern.records import BEFORE_ROOT, CORRECTION_BITS, CORRECTIONS, MATE_BOUND, PIECE_TO
from ox88.engines.modern.table import LOWER, UPPER
from ox88.jit import kernel
from ox88.types import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

GRAIN = np.int64(256)  # Errors are kept in 1/256 of a centipawn.
LIMIT = np.int64(64 * 256)
WEIGHT_UNIT = np.int64(128)
SHIFT = np.uint64(64 - CORRECTION_BITS)
SHIFT_BY_MOVES = np.uint64(64 - CORRECTION_BITS - 1)  # The pieces that moved tell the side to move.

# One for each bitboard of a feature.
FACTOR_1 = np.uint64(0x9E3779B97F4A7C15)
FACTOR_2 = np.uint64(0xC2B2AE3D27D4EB4F)
FACTOR_3 = np.uint64(0x165667B19E3779F9)
FACTOR_4 = np.uint64(0xD6E8FEB86659FD93)
FACTOR_5 = np.uint64(0xA0761D6478BD642F)


@kernel
def table_index(position, mixed):
    """Index by the side to move and the highest bits of a mixture of bitboards."""
    return np.int64(position.turn) * CORRECTIONS + np.int64(mixed >> SHIFT)


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
    mixed = (
        (own & kinds[KNIGHT]) * FACTOR_1
        ^ (own & kinds[BISHOP]) * FACTOR_2
        ^ (own & kinds[ROOK]) * FACTOR_3
        ^ (own & kinds[QUEEN]) * FACTOR_4
        ^ (own & kinds[KING]) * FACTOR_5
    )
    return colour * 2 * CORRECTIONS + table_index(position, mixed)


@kernel
def continuation_index(s):
    """Index by the pieces of the last two moves and their targets."""
    ply = s.ply + BEFORE_ROOT
    last_two = s.frames[ply - 2].piece_to * PIECE_TO + s.frames[ply - 1].piece_to
    return np.int64(np.uint64(last_two) * FACTOR_1 >> SHIFT_BY_MOVES)


@kernel
def corrected_eval(s, static_eval):
    """A static evaluation plus the weighted sum of the average errors."""
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
    """Move the averages towards the difference between a search's value and the static evaluation.

    A bound that the static evaluation satisfies says nothing about its error.
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
