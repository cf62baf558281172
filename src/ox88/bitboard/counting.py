"""Bulk counting: the number of legal moves, from the sizes of sets of squares, without a list of moves.

The code follows `movegen.generate` step by step.
"""

import numpy as np

from ox88.bitboard.attacks import bishops_queens, checkers_and_pinned, en_passant_pawns, piece_attacks, rooks_queens
from ox88.bitboard.bits import BACK_RANKS, FILE_A, FILE_H, NO_SQUARES, mask, moved_by, without_lowest
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.bitboard.movegen import (
    check_answers,
    forward_step,
    king_moves,
    pawn_pushes,
    sides,
)
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import KNIGHT, PAWN


@kernel
def count_legal(position, tables):
    """Number of legal moves of a position."""
    own, theirs, king = sides(position)
    occupied = own | theirs
    turn = np.int64(position.turn)
    checkers, pinned = checkers_and_pinned(position, tables, turn)
    steps, rooks = king_moves(position, tables, checkers, pinned, ~own, ~occupied)
    count = popcount(steps) + popcount(rooks)
    answers = check_answers(tables, king, checkers)
    if answers == NO_SQUARES:
        return count
    targets = ~own & answers
    count += count_pawn_moves(position, tables, king, pinned, answers)
    if position.en_passant != 0:
        count += popcount(en_passant_pawns(position, tables))
    count += count_knight_moves(tables, own & position.kinds[KNIGHT] & ~pinned, targets)
    diagonal = own & bishops_queens(position)
    straight = own & rooks_queens(position)
    count += count_bishop_moves(tables, diagonal & ~pinned, occupied, targets)
    count += count_rook_moves(tables, straight & ~pinned, occupied, targets)
    bound = (diagonal | straight) & pinned
    if bound != NO_SQUARES:
        count += count_pinned_sliders(position, tables, king, bound, occupied, targets)
    return count


@kernel
def count_pawn_moves(position, tables, king, pinned, answers):
    """Number of pawn moves without en passant. Each promotion counts four times."""
    turn = np.int64(position.turn)
    own, theirs, _ = sides(position)
    step = forward_step(turn)
    captures = theirs & answers
    all_pawns = own & position.kinds[PAWN]
    pawns = all_pawns & ~pinned
    single, double = pawn_pushes(pawns, ~(own | theirs), turn)
    single &= answers
    left = moved_by(pawns & ~FILE_A, step - 1) & captures
    right = moved_by(pawns & ~FILE_H, step + 1) & captures
    count = popcount(double & answers) + popcount(single) + popcount(left) + popcount(right)
    if (single | left | right) & BACK_RANKS != NO_SQUARES:
        for promotions in (single & BACK_RANKS, left & BACK_RANKS, right & BACK_RANKS):
            count += 3 * popcount(promotions)
    bound = all_pawns & pinned
    while bound != NO_SQUARES:
        pawn = lowest_bit(bound)
        bound = without_lowest(bound)
        single, double = pawn_pushes(mask(pawn), ~(own | theirs), turn)
        reached = (single | double) & answers | tables.pawn_attacks[turn, pawn] & captures
        reached &= tables.line[king, pawn]
        count += popcount(reached) + 3 * popcount(reached & BACK_RANKS)
    return count


@kernel
def count_knight_moves(tables, knights, targets):
    count = np.int64(0)
    while knights != NO_SQUARES:
        count += popcount(tables.knight_attacks[lowest_bit(knights)] & targets)
        knights = without_lowest(knights)
    return count


@kernel
def count_bishop_moves(tables, bishops, occupied, targets):
    count = np.int64(0)
    while bishops != NO_SQUARES:
        count += popcount(bishop_attacks(tables, lowest_bit(bishops), occupied) & targets)
        bishops = without_lowest(bishops)
    return count


@kernel
def count_rook_moves(tables, rooks, occupied, targets):
    count = np.int64(0)
    while rooks != NO_SQUARES:
        count += popcount(rook_attacks(tables, lowest_bit(rooks), occupied) & targets)
        rooks = without_lowest(rooks)
    return count


@kernel
def count_pinned_sliders(position, tables, king, sliders, occupied, targets):
    count = np.int64(0)
    while sliders != NO_SQUARES:
        slider = lowest_bit(sliders)
        attacks = piece_attacks(tables, np.int64(position.board[slider]) & 7, slider, occupied)
        count += popcount(attacks & tables.line[king, slider] & targets)
        sliders = without_lowest(sliders)
    return count
