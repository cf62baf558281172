"""Pawn structure, and the king's shelter behind it: all that follows from the pawns and the kings alone.

It is kept in a hash table in the EVALUATION record, since it changes with few moves. An entry holds the boards that it
was made from, so that no two positions are ever taken for each other. The rooks that may castle are among them: the
shelter after castling counts as well.
"""

import numpy as np

from ox88.bitboard.bits import ALL_SQUARES, FILE_A, NO_SQUARES, mask, without_lowest
from ox88.engines.modern.evaluation.records import HALF, PAWN_ENTRIES
from ox88.engines.modern.evaluation.spans import beside, down_from, seen_by, up_from
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import PAWN

# Odd numbers without a pattern, which spread the boards over the upper bits of a product.
_WHITE_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_BLACK_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
_KINGS_FACTOR = np.uint64(0x165667B19E3779F9)
_INDEX_SHIFT = np.uint64(65 - PAWN_ENTRIES.bit_length())

_BYTE = np.uint64(8)
_KING_SIDE = 6  # The files that a castling king goes to.
_QUEEN_SIDE = 2


@kernel
def pawn_index(position, evaluation):
    """Where the pawn table has the position's entry, which is made if it is not there."""
    white = evaluation.sides[0]
    black = evaluation.sides[1]
    white_boards = white.pawns | position.castling & white.own
    black_boards = black.pawns | position.castling & black.own
    kings = white.king | black.king << 6
    mixed = white_boards * _WHITE_FACTOR ^ black_boards * _BLACK_FACTOR
    mixed = (mixed ^ mixed >> _INDEX_SHIFT ^ np.uint64(kings)) * _KINGS_FACTOR
    index = np.int64(mixed >> _INDEX_SHIFT)
    entry = evaluation.pawn_table[index]
    if entry.kings != kings or entry.sides[0].boards != white_boards or entry.sides[1].boards != black_boards:
        entry.kings = kings
        entry.sides[0].boards = white_boards
        entry.sides[1].boards = black_boards
        for colour in range(2):
            us = evaluation.sides[colour]
            them = evaluation.sides[colour ^ 1]
            found = entry.sides[colour]
            fill_structure(evaluation.weights, us, them, found)
            fill_shelter(evaluation.weights, us, them, found, position.castling)
    return index


@kernel
def fill_structure(weights, us, them, found):
    """What a colour's pawns are worth, seen from its own side of the board."""
    own = seen_by(us.pawns, us.colour)
    theirs = seen_by(them.pawns, us.colour)
    guarded = beside(own) << _BYTE
    stopped = (beside(theirs) >> _BYTE | theirs) >> _BYTE
    isolated = own & ~beside(up_from(down_from(own)))
    # A neighbour beside it or behind it could still come to guard it.
    backward = own & stopped & ~up_from(beside(own)) & ~isolated
    unopposed = (isolated | backward) & ~down_from(theirs)
    doubled = own & down_from(own >> _BYTE)
    passed = own & ~doubled & ~down_from((theirs | beside(theirs)) >> _BYTE)
    found.span = seen_by(up_from(guarded), us.colour)
    found.passed = seen_by(passed, us.colour)

    score = popcount(isolated) * weights.isolated_pawn + popcount(backward) * weights.backward_pawn
    score += popcount(unopposed) * weights.unopposed_weak_pawn + popcount(doubled) * weights.doubled_pawn
    squares = np.int64(0)
    passed_score = np.int64(0)
    king = us.king ^ us.turned
    their_king = them.king ^ us.turned
    nearest = np.int64(7)
    phalanx = own & beside(own)
    pawns = own
    while pawns != NO_SQUARES:
        square = lowest_bit(pawns)
        pawn = mask(square)
        rank = square >> 3
        squares += weights.piece_squares[PAWN, square]
        nearest = min(nearest, np.int64(weights.distances[king, square]))
        if phalanx & pawn != NO_SQUARES:
            score += weights.phalanx[rank]
        if guarded & pawn != NO_SQUARES:
            score += weights.supported_pawn[rank]
        if passed & pawn != NO_SQUARES:
            far = weights.far_king
            passed_score += weights.passed_pawn[rank]
            passed_score += (
                min(np.int64(weights.distances[their_king, square + 8]), far) * weights.passed_their_king[rank]
            )
            passed_score += min(np.int64(weights.distances[king, square + 8]), far) * weights.passed_own_king[rank]
        pawns = without_lowest(pawns)
    if own != NO_SQUARES:
        score += nearest * weights.king_pawn_distance
    found.squares = squares
    found.structure = score
    found.passed_score = passed_score


@kernel
def fill_shelter(weights, us, them, found, castling):
    """The shelter of a colour's king where it stands or, if that is better, where it may castle to."""
    own = seen_by(us.pawns, us.colour)
    theirs = seen_by(them.pawns, us.colour)
    king = us.king ^ us.turned
    best = shelter_at(weights, own, theirs, king)
    rooks = castling & us.own
    while rooks != NO_SQUARES:
        castled = np.int64(_KING_SIDE if lowest_bit(rooks) > us.king else _QUEEN_SIDE)
        other = shelter_at(weights, own, theirs, castled)
        # The middlegame halves decide.
        if other - ((other + HALF) >> 32 << 32) > best - ((best + HALF) >> 32 << 32):
            best = other
        rooks = without_lowest(rooks)
    found.shelter = best


@kernel
def shelter_at(weights, own, theirs, king):
    """Shelter and storm on the three files about a king, by the pawns that are not behind it."""
    ahead = ALL_SQUARES << np.uint64(king & 56)
    centre = min(max(king & 7, 1), 6)
    score = np.int64(0)
    for file in range(centre - 1, centre + 2):
        column = (FILE_A << np.uint64(file)) & ahead
        # No pawn: square 64, rank 8, which is taken for rank 0.
        guard = lowest_bit(own & column) >> 3 & 7
        stormer = lowest_bit(theirs & column) >> 3 & 7
        edge = min(file, 7 - file)
        score += weights.shelter[edge, guard]
        if guard != 0 and stormer == guard + 1:
            score += weights.blocked_storm[stormer]
        else:
            score += weights.storm[edge, stormer]
    return score
