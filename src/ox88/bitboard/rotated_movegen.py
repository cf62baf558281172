"""Legal moves on rotated bitboards.

The functions that look up attacks of sliders stand here and in movegen.py, since a kernel takes no function as an
argument.
"""

import numpy as np

from ox88.bitboard.attacks import (
    bishops_queens,
    checkers_and_pinned,
    leapers_attack,
    occupied_squares,
    rooks_queens,
)
from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.bitboard.movegen import (
    add_castling,
    add_en_passant,
    add_knight_moves,
    add_moves,
    add_pawn_moves,
    check_answers,
    free_castling_rooks,
    safe_castling_rooks,
    sides,
)
from ox88.bitboard.rotated import bishop_attacks, rook_attacks
from ox88.jit import kernel, lowest_bit


@kernel
def attacked_by(position, tables, rotated, rotated_tables, colour):
    squares = leapers_attack(position, tables, colour)
    own, occupied = position.colours[colour], occupied_squares(position)
    diagonal = own & bishops_queens(position)
    while diagonal != NO_SQUARES:
        squares |= bishop_attacks(rotated, rotated_tables, lowest_bit(diagonal))
        diagonal = without_lowest(diagonal)
    straight = own & rooks_queens(position)
    while straight != NO_SQUARES:
        squares |= rook_attacks(rotated, rotated_tables, lowest_bit(straight), occupied)
        straight = without_lowest(straight)
    return squares


@kernel
def behind_king(position, tables, king, checkers):
    """The lines of checking sliders through the king, without the checkers, which it may capture."""
    squares = NO_SQUARES
    sliders = checkers & (bishops_queens(position) | rooks_queens(position))
    while sliders != NO_SQUARES:
        slider = lowest_bit(sliders)
        squares |= tables.line[king, slider] ^ mask(slider)
        sliders = without_lowest(sliders)
    return squares


@kernel
def generate_legal(position, tables, rotated, rotated_tables, moves):
    """Write all legal moves to a MOVE_LIST; returns how many there are."""
    own, theirs, king = sides(position)
    captures, quiets = theirs, ~(own | theirs)
    turn = np.int64(position.turn)
    checkers, pinned = checkers_and_pinned(position, tables, turn)
    count = np.int64(0)
    steps = tables.king_attacks[king] & ~own
    rooks = free_castling_rooks(position, tables, checkers, pinned, quiets)
    if steps | rooks != NO_SQUARES:
        danger = attacked_by(position, tables, rotated, rotated_tables, turn ^ 1)
        danger |= behind_king(position, tables, king, checkers)
        count = add_moves(moves, count, king, steps & ~danger)
        count = add_castling(moves, count, king, safe_castling_rooks(tables, king, rooks, danger))
    answers = check_answers(tables, king, checkers)
    if answers != NO_SQUARES:
        count = add_pawn_moves(position, tables, moves, count, king, pinned, captures, quiets, answers)
        count = add_en_passant(position, tables, moves, count, captures)
        count = add_knight_moves(position, tables, moves, count, own & ~pinned, ~own & answers)
        count = add_bishop_moves(position, tables, rotated, rotated_tables, moves, count, pinned, answers)
        count = add_rook_moves(position, tables, rotated, rotated_tables, moves, count, pinned, answers)
    moves.length = count
    return count


@kernel
def add_bishop_moves(position, tables, rotated, rotated_tables, moves, count, pinned, answers):
    own, _, king = sides(position)
    bishops = own & bishops_queens(position)
    while bishops != NO_SQUARES:
        bishop = lowest_bit(bishops)
        targets = bishop_attacks(rotated, rotated_tables, bishop) & ~own & answers
        if pinned & mask(bishop) != NO_SQUARES:
            targets &= tables.line[king, bishop]
        count = add_moves(moves, count, bishop, targets)
        bishops = without_lowest(bishops)
    return count


@kernel
def add_rook_moves(position, tables, rotated, rotated_tables, moves, count, pinned, answers):
    own, theirs, king = sides(position)
    rooks = own & rooks_queens(position)
    while rooks != NO_SQUARES:
        rook = lowest_bit(rooks)
        targets = rook_attacks(rotated, rotated_tables, rook, own | theirs) & ~own & answers
        if pinned & mask(rook) != NO_SQUARES:
            targets &= tables.line[king, rook]
        count = add_moves(moves, count, rook, targets)
        rooks = without_lowest(rooks)
    return count
