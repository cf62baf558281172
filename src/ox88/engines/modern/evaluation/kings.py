"""King safety: the pawn shelter, less the danger from the other side's pieces.

Danger is counted in units, whose square becomes hundredths of a pawn: one attacker alone matters little, several
together much. (The sum follows Stockfish 11; the square goes back to attack tables such as Fruit's and Rybka's.)
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.engines.modern.evaluation.records import HALF, KING_SAFETY
from ox88.engines.modern.evaluation.weights import DANGER_SHIFT, FLANK_ATTACK_SHIFT, SQUARED_DANGER_SHIFT
from ox88.jit import kernel, popcount
from ox88.types import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE

# A side's first five ranks.
_WHITE_CAMP = np.uint64(0x000000FFFFFFFFFF)
_BLACK_CAMP = np.uint64(0xFFFFFFFFFF000000)
# Files a to d, c to f, e to h.
_QUEEN_SIDE = np.uint64(0x0F0F0F0F0F0F0F0F)
_CENTRE = np.uint64(0x3C3C3C3C3C3C3C3C)
_KING_SIDE = np.uint64(0xF0F0F0F0F0F0F0F0)


@kernel
def evaluate_king(position, tables, weights, us, them, shelter):
    """Score a side's king safety: its shelter, less the danger."""
    units = check_units(position, tables, weights, us, them) + flank_units(weights, us, them)
    units += us.attackers * us.attacker_units + us.near_attacks * weights.near_attack_units
    units += popcount(us.pinned) * weights.pinned_units
    units += (shelter - ((shelter + HALF) >> 32 << 32)) * weights.shelter_units + weights.base_units
    if them.counts[QUEEN] == 0:
        units += weights.no_queen_units
    if us.attacks[KNIGHT] & us.attacks[KING] != NO_SQUARES:
        units += weights.knight_defender_units
    if units > weights.harmless_units:
        shelter -= (units * units >> SQUARED_DANGER_SHIFT) + (units >> DANGER_SHIFT << 32)
    us.terms[KING_SAFETY] = shelter


@kernel
def check_units(position, tables, weights, us, them):
    """Danger units for possible checks and for badly defended squares of the king zone."""
    by_queen = us.attacks[QUEEN]
    weak = them.attacked & ~us.attacked_twice & (~us.attacked | us.attacks[KING] | by_queen)
    safe = ~them.own & (~us.attacked | weak & them.attacked_twice)
    occupied = (us.own | them.own) ^ us.own & position.kinds[QUEEN]
    straight = rook_attacks(tables, us.king, occupied)
    diagonal = bishop_attacks(tables, us.king, occupied)
    rooks = straight & them.attacks[ROOK]
    bishops = diagonal & them.attacks[BISHOP]
    knights = tables.knight_attacks[us.king] & them.attacks[KNIGHT]
    # Count a square once: for the rook rather than the queen, for the queen rather than the bishop.
    queens = (straight | diagonal) & them.attacks[QUEEN] & safe & ~(by_queen | rooks)
    units = popcount(weak & us.king_zone) * weights.weak_zone_units
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
def flank_units(weights, us, them):
    """Danger units for how often each side attacks the files around the king."""
    file = us.king & 7
    flank = _QUEEN_SIDE if file < 3 else _CENTRE if file < 5 else _KING_SIDE
    flank &= _WHITE_CAMP if us.colour == WHITE else _BLACK_CAMP
    attacks = popcount(flank & them.attacked) + popcount(flank & them.attacked_twice & ~us.attacks[PAWN])
    units = attacks * attacks * weights.flank_attack_units >> FLANK_ATTACK_SHIFT
    return units + popcount(flank & us.attacked) * weights.flank_defence_units
