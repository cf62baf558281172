"""King safety: the shelter, and the danger that the other side's pieces are.

Danger is counted in units, and its square in hundredths of a pawn: an attacker more is worth little alone and much in
company. (The sum is that of Stockfish 11; the square goes back to attack tables such as Fruit's and Rybka's.)
"""

import numpy as np

from ox88.bitboard.attacks import king_square
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.engines.modern.evaluation.records import HALF, KING_SAFETY
from ox88.jit import kernel, popcount
from ox88.types import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE

_CAMP = (np.uint64(0x000000FFFFFFFFFF), np.uint64(0xFFFFFFFFFF000000))  # By colour: all but the last three ranks.
_FILES = (np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x3C3C3C3C3C3C3C3C), np.uint64(0xF0F0F0F0F0F0F0F0))


@kernel
def evaluate_king(position, tables, evaluation, entry, colour):
    weights = evaluation.weights
    shelter = entry.shelter[colour]
    units = check_units(position, tables, evaluation, colour)
    units += flank_units(position, evaluation, colour)
    units += evaluation.attackers[colour] * evaluation.attacker_units[colour]
    units += evaluation.near_attacks[colour] * weights.near_attack_units
    units += popcount(evaluation.pinned[colour]) * weights.pinned_units
    units += (shelter - ((shelter + HALF) >> 32 << 32)) * weights.shelter_units + weights.base_units
    if evaluation.counts[colour ^ 1, QUEEN] == 0:
        units += weights.no_queen_units
    if evaluation.attacks[colour, KNIGHT] & evaluation.attacks[colour, KING] != NO_SQUARES:
        units += weights.knight_defender_units
    score = shelter
    if units > weights.harmless_units:
        score -= units * units // weights.danger_square_divisor + (units // weights.danger_divisor << 32)
    evaluation.terms[KING_SAFETY, colour] = score


@kernel
def check_units(position, tables, evaluation, colour):
    """Units for the checks that the other side could give at once, and for the badly defended squares of the zone."""
    weights = evaluation.weights
    own, theirs = position.colours[colour], position.colours[colour ^ 1]
    king = king_square(position, colour)
    attacked, their_attacks = evaluation.attacks[colour, 0], evaluation.attacks[colour ^ 1, 0]
    by_queen = evaluation.attacks[colour, QUEEN]
    weak = their_attacks & ~evaluation.attacked_twice[colour]
    weak &= ~attacked | evaluation.attacks[colour, KING] | by_queen
    safe = ~theirs & (~attacked | weak & evaluation.attacked_twice[colour ^ 1])

    occupied = (own | theirs) ^ own & position.kinds[QUEEN]
    straight, diagonal = rook_attacks(tables, king, occupied), bishop_attacks(tables, king, occupied)
    rooks = straight & evaluation.attacks[colour ^ 1, ROOK]
    bishops = diagonal & evaluation.attacks[colour ^ 1, BISHOP]
    knights = tables.knight_attacks[king] & evaluation.attacks[colour ^ 1, KNIGHT]
    queens = (straight | diagonal) & evaluation.attacks[colour ^ 1, QUEEN] & safe & ~by_queen & ~rooks
    units = popcount(weak & evaluation.zone[colour]) * weights.weak_zone_units
    unsafe = NO_SQUARES
    if queens != NO_SQUARES:
        units += weights.safe_check_units[QUEEN]
    if rooks & safe != NO_SQUARES:
        units += weights.safe_check_units[ROOK]
    else:
        unsafe |= rooks
    if bishops & safe & ~queens != NO_SQUARES:
        units += weights.safe_check_units[BISHOP]
    else:
        unsafe |= bishops
    if knights & safe != NO_SQUARES:
        units += weights.safe_check_units[KNIGHT]
    else:
        unsafe |= knights
    return units + popcount(unsafe) * weights.unsafe_check_units


@kernel
def flank_units(position, evaluation, colour):
    """Units for how often each side attacks the king's part of the board."""
    weights = evaluation.weights
    file = king_square(position, colour) & 7
    flank = _FILES[0] if file < 3 else _FILES[1] if file < 5 else _FILES[2]
    flank &= _CAMP[0] if colour == WHITE else _CAMP[1]
    attacks = popcount(flank & evaluation.attacks[colour ^ 1, 0])
    attacks += popcount(flank & evaluation.attacked_twice[colour ^ 1] & ~evaluation.attacks[colour, PAWN])
    units = attacks * attacks * weights.flank_attack_units >> weights.flank_attack_shift
    return units + popcount(flank & evaluation.attacks[colour, 0]) * weights.flank_defence_units
