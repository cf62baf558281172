"""Threats: pieces attacked by lesser ones or not defended, and pawns that can attack pieces with their next step."""

import numpy as np

from ox88.bitboard.attacks import occupied_squares, pawns_attack
from ox88.bitboard.bits import NO_SQUARES, RANK_3, RANK_6, moved_by, without_lowest
from ox88.engines.modern.evaluation.records import THREATS
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import BISHOP, KING, KNIGHT, PAWN, ROOK, WHITE


@kernel
def evaluate_threats(position, evaluation, colour):
    """What a colour threatens."""
    weights = evaluation.weights
    theirs = position.colours[colour ^ 1]
    attacked, their_attacks = evaluation.attacks[colour, 0], evaluation.attacks[colour ^ 1, 0]
    twice = evaluation.attacked_twice[colour]
    pieces = theirs & ~position.kinds[PAWN]
    held = evaluation.attacks[colour ^ 1, PAWN] | evaluation.attacked_twice[colour ^ 1] & ~twice
    weak = theirs & ~held & attacked
    score = np.int64(0)
    victims = (weak | pieces) & (evaluation.attacks[colour, KNIGHT] | evaluation.attacks[colour, BISHOP])
    while victims != NO_SQUARES:
        score += weights.threat_by_minor[np.int64(position.board[lowest_bit(victims)]) & 7]
        victims = without_lowest(victims)
    victims = weak & evaluation.attacks[colour, ROOK]
    while victims != NO_SQUARES:
        score += weights.threat_by_rook[np.int64(position.board[lowest_bit(victims)]) & 7]
        victims = without_lowest(victims)
    if weak & evaluation.attacks[colour, KING] != NO_SQUARES:
        score += weights.threat_by_king
    score += popcount(weak & (~their_attacks | pieces & twice)) * weights.hanging
    score += popcount(their_attacks & ~held & attacked) * weights.restricted
    evaluation.terms[THREATS, colour] = score + pawn_threats(position, evaluation, colour, pieces)


@kernel
def pawn_threats(position, evaluation, colour, pieces):
    """Pawns that attack pieces now, from squares where they are not simply lost, or after a step to such a square."""
    weights = evaluation.weights
    pawns = position.colours[colour] & position.kinds[PAWN]
    empty = ~occupied_squares(position)
    safe = ~evaluation.attacks[colour ^ 1, 0] | evaluation.attacks[colour, 0]
    score = popcount(pawns_attack(pawns & safe, colour) & pieces) * weights.threat_by_safe_pawn
    forward = 8 if colour == WHITE else -8
    third = RANK_3 if colour == WHITE else RANK_6
    steps = moved_by(pawns, forward) & empty
    steps |= moved_by(steps & third, forward) & empty
    steps &= safe & ~evaluation.attacks[colour ^ 1, PAWN]
    return score + popcount(pawns_attack(steps, colour) & pieces) * weights.threat_by_pawn_push
