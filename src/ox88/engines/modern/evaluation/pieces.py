"""Pieces one by one: their squares, their mobility, their posts; and what all attack, for the later terms."""

import numpy as np

from ox88.bitboard.attacks import king_square, pawns_attack, pinned
from ox88.bitboard.bits import FILE_A, FILE_H, NO_SQUARES, RANK_3, RANK_6, mask, moved_by, without_lowest
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.engines.modern.evaluation.records import MATERIAL, MOBILITY, PIECES, SQUARES
from ox88.engines.modern.evaluation.spans import distance
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE

_DARK_SQUARES = np.uint64(0xAA55AA55AA55AA55)  # a1 among them.
_RANK_2 = np.uint64(0x000000000000FF00)
_RANK_7 = np.uint64(0x00FF000000000000)
# By colour: the three ranks of the other half that are next to its own.
_OUTPOST_RANKS = (np.uint64(0x0000FFFFFF000000), np.uint64(0x000000FFFFFF0000))
_SEVENTH = 6
_FEW_SQUARES = 3  # A rook that has no more of them may be trapped.


@kernel
def prepare(position, tables, evaluation, colour):
    """Before the pieces are looked at: counts, what pawns and king attack, the king's zone, the mobility area."""
    weights = evaluation.weights
    own = position.colours[colour]
    material = np.int64(0)
    for kind in range(PAWN, KING):
        count = popcount(own & position.kinds[kind])
        evaluation.counts[colour, kind] = count
        material += count * weights.piece_values[kind]
    if evaluation.counts[colour, BISHOP] > 1:
        material += weights.bishop_pair
    evaluation.terms[MATERIAL, colour] = material

    king = king_square(position, colour)
    pawns = own & position.kinds[PAWN]
    forward = 8 if colour == WHITE else -8
    left, right = moved_by(pawns & ~FILE_A, forward - 1), moved_by(pawns & ~FILE_H, forward + 1)
    steps = tables.king_attacks[king]
    evaluation.attacks[colour, PAWN] = left | right
    evaluation.attacks[colour, KING] = steps
    evaluation.attacks[colour, 0] = left | right | steps
    evaluation.attacked_twice[colour] = left & right | (left | right) & steps
    evaluation.pinned[colour] = pinned(position, tables, colour)
    # The zone of a king at the edge is as large as any.
    middle = min(max(king >> 3, 1), 6) * 8 + min(max(king & 7, 1), 6)
    evaluation.zone[colour] = (tables.king_attacks[middle] | mask(middle)) & ~(left & right)
    evaluation.attackers[colour] = 0
    evaluation.attacker_units[colour] = 0
    evaluation.near_attacks[colour] = 0

    occupied = own | position.colours[colour ^ 1]
    low_ranks = _RANK_2 | RANK_3 if colour == WHITE else _RANK_7 | RANK_6
    idle_pawns = pawns & (moved_by(occupied, -forward) | low_ranks)
    queens = own & position.kinds[QUEEN]
    their_pawns = position.colours[colour ^ 1] & position.kinds[PAWN]
    evaluation.area[colour] = ~(idle_pawns | queens | mask(king) | pawns_attack(their_pawns, colour ^ 1))


@kernel
def evaluate_pieces(position, tables, evaluation, entry, colour):
    """Squares and mobility of a colour's pieces, what they attack, and how they bear on the other king."""
    weights = evaluation.weights
    own = position.colours[colour]
    queens = position.kinds[QUEEN]
    occupied = own | position.colours[colour ^ 1]
    king, their_king = king_square(position, colour), king_square(position, colour ^ 1)
    zone = evaluation.zone[colour ^ 1]
    beside_king = evaluation.attacks[colour ^ 1, KING]
    area = evaluation.area[colour]
    pins = evaluation.pinned[colour]
    attacked, twice = evaluation.attacks[colour, 0], evaluation.attacked_twice[colour]
    squares = entry.squares[colour] + weights.piece_squares[KING, king ^ 56 * colour]
    mobility, posts = np.int64(0), np.int64(0)
    attackers, units, near = np.int64(0), np.int64(0), np.int64(0)
    for kind in range(KNIGHT, KING):
        pieces = own & position.kinds[kind]
        reached = NO_SQUARES
        while pieces != NO_SQUARES:
            square = lowest_bit(pieces)
            pieces = without_lowest(pieces)
            if kind == KNIGHT:
                attacks = tables.knight_attacks[square]
            else:
                # Sliders see through queens, and rooks through rooks: they attack together.
                attacks = NO_SQUARES
                if kind != ROOK:
                    attacks = bishop_attacks(tables, square, occupied ^ queens)
                if kind != BISHOP:
                    rooks = own & position.kinds[ROOK]
                    attacks |= rook_attacks(tables, square, occupied ^ (queens | rooks))
            if pins & mask(square) != NO_SQUARES:
                attacks &= tables.line[king, square]
            twice |= attacked & attacks
            attacked |= attacks
            reached |= attacks
            count = popcount(attacks & area)
            squares += weights.piece_squares[kind, square ^ 56 * colour]
            mobility += weights.mobility[kind, count]
            if attacks & zone != NO_SQUARES:
                attackers += 1
                units += weights.attacker_units[kind]
                near += popcount(attacks & beside_king)
            if kind <= BISHOP:
                posts += minor_post(position, evaluation, entry, colour, kind, square, attacks)
                posts += distance(king, square) * weights.minor_king_distance
            elif kind == ROOK:
                posts += rook_post(position, evaluation, colour, square, king, their_king, count)
        evaluation.attacks[colour, kind] = reached
    evaluation.attacks[colour, 0] = attacked
    evaluation.attacked_twice[colour] = twice
    evaluation.attackers[colour ^ 1] = attackers
    evaluation.attacker_units[colour ^ 1] = units
    evaluation.near_attacks[colour ^ 1] = near
    evaluation.terms[SQUARES, colour] = squares
    evaluation.terms[MOBILITY, colour] = mobility
    evaluation.terms[PIECES, colour] = posts


@kernel
def minor_post(position, evaluation, entry, colour, kind, square, attacks):
    """Outposts of knights and bishops, shelter behind a pawn, and the pawns in a bishop's way."""
    weights = evaluation.weights
    own = position.colours[colour]
    pawns = own & position.kinds[PAWN]
    score = np.int64(0)
    outposts = _OUTPOST_RANKS[0] if colour == WHITE else _OUTPOST_RANKS[1]
    outposts &= evaluation.attacks[colour, PAWN] & ~entry.spans[colour ^ 1]
    if outposts & mask(square) != NO_SQUARES:
        score += weights.outpost[kind]
    elif kind == KNIGHT and outposts & attacks & ~own != NO_SQUARES:
        score += weights.knight_near_outpost
    forward = 8 if colour == WHITE else -8
    if position.kinds[PAWN] & moved_by(mask(square), forward) != NO_SQUARES:
        score += weights.minor_behind_pawn
    if kind == BISHOP:
        same = _DARK_SQUARES if mask(square) & _DARK_SQUARES != NO_SQUARES else ~_DARK_SQUARES
        score += popcount(pawns & same) * weights.bishop_pawn
    return score


@kernel
def rook_post(position, evaluation, colour, square, king, their_king, count):
    """Open files, the seventh rank, and the corner that a king shuts up."""
    weights = evaluation.weights
    pawns = position.kinds[PAWN]
    own_pawns = pawns & position.colours[colour]
    turned = 56 * colour
    file = FILE_A << np.uint64(square & 7)
    score = np.int64(0)
    if file & pawns == NO_SQUARES:
        score += weights.rook_open_file
    elif file & own_pawns == NO_SQUARES:
        score += weights.rook_half_open_file
    elif count <= _FEW_SQUARES and (king & 7 < 4) == (square & 7 < king & 7):
        score += weights.trapped_rook
    if (square ^ turned) >> 3 == _SEVENTH:
        seventh = _RANK_7 if colour == WHITE else _RANK_2
        if seventh & pawns & ~own_pawns != NO_SQUARES or (their_king ^ turned) >> 3 > _SEVENTH:
            score += weights.rook_on_seventh
    return score
