"""Pieces: their squares, mobility, outposts and files, the attack sets for later terms, and the threats of a side."""

import numpy as np

from ox88.bitboard.attacks import pawns_attack
from ox88.bitboard.bits import (
    DARK_SQUARES,
    FILE_A,
    NO_SQUARES,
    RANK_2,
    RANK_3,
    RANK_6,
    RANK_7,
    mask,
    moved_by,
    without_lowest,
)
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.engines.modern.evaluation.records import MOBILITY, PIECES, SQUARES, THREATS
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE

_SEVENTH = 6
# Ranks 4 to 6 as the side sees them.
_WHITE_OUTPOSTS = np.uint64(0x0000FFFFFF000000)
_BLACK_OUTPOSTS = np.uint64(0x000000FFFFFF0000)
_FEW_SQUARES = 3  # A rook with no more moves than this may be trapped.


@kernel
def evaluate_pieces(position, tables, weights, us, them, own_pawns, their_pawns):
    """Score a side's pieces one by one. Also fills its attack sets and counts its attacks on the other king.

    own_pawns, their_pawns: PAWN_SIDE.
    """
    queens = position.kinds[QUEEN]
    occupied = us.own | them.own
    # X-rays: sliders attack through queens, and rooks through rooks of their own side.
    before_bishops = occupied ^ queens
    before_rooks = before_bishops ^ us.own & position.kinds[ROOK]
    outposts = _WHITE_OUTPOSTS if us.colour == WHITE else _BLACK_OUTPOSTS
    outposts &= us.attacks[PAWN] & ~their_pawns.span
    beside_king = them.attacks[KING]
    attacked = us.attacked
    twice = us.attacked_twice
    squares = own_pawns.squares + weights.piece_squares[KING, us.king ^ us.relative]
    mobility = np.int64(0)
    posts = np.int64(0)
    attackers = np.int64(0)
    units = np.int64(0)
    near = np.int64(0)
    for kind in range(KNIGHT, KING):
        pieces = us.own & position.kinds[kind]
        reached = NO_SQUARES
        while pieces != NO_SQUARES:
            square = lowest_bit(pieces)
            pieces = without_lowest(pieces)
            attacks = NO_SQUARES
            if kind == KNIGHT:
                attacks = tables.knight_attacks[square]
            elif kind != ROOK:
                attacks = bishop_attacks(tables, square, before_bishops)
            if kind >= ROOK:
                attacks |= rook_attacks(tables, square, before_rooks)
            if us.pinned & mask(square) != NO_SQUARES:
                attacks &= tables.line[us.king, square]
            twice |= attacked & attacks
            attacked |= attacks
            reached |= attacks
            count = popcount(attacks & us.mobility_area)
            squares += weights.piece_squares[kind, square ^ us.relative]
            mobility += weights.mobility[kind, count]
            if attacks & them.king_zone != NO_SQUARES:
                attackers += 1
                units += weights.attacker_units[kind]
                near += popcount(attacks & beside_king)
            if kind <= BISHOP:
                posts += minor_post(position, weights, us, outposts, kind, square, attacks)
            elif kind == ROOK:
                posts += rook_post(weights, us, them, square, count)
        us.attacks[kind] = reached
    us.attacked = attacked
    us.attacked_twice = twice
    them.attackers = attackers
    them.attacker_units = units
    them.near_attacks = near
    us.terms[SQUARES] = squares
    us.terms[MOBILITY] = mobility
    us.terms[PIECES] = posts


@kernel
def minor_post(position, weights, us, outposts, kind, square, attacks):
    """Score a knight or bishop: outpost, place behind a pawn, distance to its king, pawns on a bishop's colour."""
    place = mask(square)
    score = np.int64(weights.distances[us.king, square]) * weights.minor_king_distance
    if outposts & place != NO_SQUARES:
        score += weights.outpost[kind]
    elif kind == KNIGHT and outposts & attacks & ~us.own != NO_SQUARES:
        score += weights.knight_near_outpost
    if position.kinds[PAWN] & moved_by(place, us.forward) != NO_SQUARES:
        score += weights.minor_behind_pawn
    if kind == BISHOP:
        same = DARK_SQUARES if place & DARK_SQUARES != NO_SQUARES else ~DARK_SQUARES
        score += popcount(us.pawns & same) * weights.bishop_pawn
    return score


@kernel
def rook_post(weights, us, them, square, count):
    """Score a rook: open file, seventh rank, or trapped by its own king. count: its mobility."""
    file = FILE_A << np.uint64(square & 7)
    score = np.int64(0)
    if file & us.pawns == NO_SQUARES:
        score = weights.rook_half_open_file if file & them.pawns != NO_SQUARES else weights.rook_open_file
    elif count <= _FEW_SQUARES and (us.king & 7 < 4) == (square & 7 < us.king & 7):
        score = weights.trapped_rook
    if (square ^ us.relative) >> 3 == _SEVENTH:
        seventh = RANK_7 if us.colour == WHITE else RANK_2
        if seventh & them.pawns != NO_SQUARES or (them.king ^ us.relative) >> 3 > _SEVENTH:
            score += weights.rook_on_seventh
    return score


# --- Threats ----------------------------------------------------------------------------------------------------------


@kernel
def evaluate_threats(position, weights, us, them):
    """Score attacks on undefended or more valuable pieces, and pawn pushes that would attack pieces."""
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
