"""Threats: attacks on undefended or more valuable pieces, and pawn pushes that would attack pieces."""

import numpy as np

from ox88.bitboard.attacks import pawns_attack
from ox88.bitboard.bits import NO_SQUARES, RANK_3, RANK_6, moved_by
from ox88.engines.modern.evaluation.records import THREATS
from ox88.jit import kernel, popcount
from ox88.types import BISHOP, KING, KNIGHT, PAWN, ROOK, WHITE


@kernel
def evaluate_threats(position, weights, us, them):
    """Score a side's threats."""
    pieces = them.own & ~them.pawns
    strongly_defended = them.attacks[PAWN] | them.attacked_twice & ~us.attacked_twice
    weak = them.own & ~strongly_defended & us.attacked
    by_minor = (weak | pieces) & (us.attacks[KNIGHT] | us.attacks[BISHOP])
    by_rook = weak & us.attacks[ROOK]
    score = np.int64(0)
    for kind in range(PAWN, KING):
        score += popcount(by_minor & position.kinds[kind]) * weights.threat_by_minor[kind]
        score += popcount(by_rook & position.kinds[kind]) * weights.threat_by_rook[kind]
    if weak & us.attacks[KING] != NO_SQUARES:
        score += weights.threat_by_king
    score += popcount(weak & (~them.attacked | pieces & us.attacked_twice)) * weights.hanging
    score += popcount(them.attacked & ~strongly_defended & us.attacked) * weights.restricted

    # Attacks of pawns that are not simply lost, now and after a push to a safe square.
    safe = ~them.attacked | us.attacked
    score += popcount(pawns_attack(us.pawns & safe, us.colour) & pieces) * weights.threat_by_safe_pawn
    empty = ~(us.own | them.own)
    steps = moved_by(us.pawns, us.forward) & empty
    steps |= moved_by(steps & (RANK_3 if us.colour == WHITE else RANK_6), us.forward) & empty
    steps &= safe & ~them.attacks[PAWN]
    us.terms[THREATS] = score + popcount(pawns_attack(steps, us.colour) & pieces) * weights.threat_by_pawn_push
