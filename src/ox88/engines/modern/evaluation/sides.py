"""What each side's terms start from: counts, king, attacks of pawns and king, pins, mobility area."""

import numpy as np

from ox88.bitboard.attacks import pawns_attack, pinned
from ox88.bitboard.bits import FILE_A, FILE_H, RANK_2, RANK_3, RANK_6, RANK_7, mask, moved_by
from ox88.engines.modern.evaluation.records import MATERIAL
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import BISHOP, KING, PAWN, QUEEN, WHITE


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
    count_pieces(position, weights, us)

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
def count_pieces(position, weights, us):
    """Count a side's pieces, and sum up their material and game phase."""
    material = np.int64(0)
    phase = np.int64(0)
    for kind in range(PAWN, KING):
        count = popcount(us.own & position.kinds[kind])
        us.counts[kind] = count
        material += count * weights.piece_values[kind]
        phase += count * weights.phases[kind]
    us.phase = phase
    us.pieces_value = (material - us.counts[PAWN] * weights.piece_values[PAWN]) >> 32
    if us.counts[BISHOP] > 1:
        material += weights.bishop_pair
    us.terms[MATERIAL] = material
