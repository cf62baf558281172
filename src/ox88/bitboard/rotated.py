"""Rotated bitboards: attacks of rooks and bishops, and legal moves, by shifts and masks.

A rank is eight neighbouring bits of the board, so one shift and one mask give the index of a table of attacks. On a
board rotated by 90 degrees (and mirrored, which makes no difference) a file is eight neighbouring bits. On boards
rotated by 45 and 315 degrees the bits of a diagonal are neighbours. The price is that every move updates four boards.
(Robert Hyatt, "Rotated bitmaps, a new twist on an old idea", ICCA Journal 22/4, 1999.)

Whether the edge square is occupied changes nothing, since the ray ends there. Six bits matter: 64 entries for each
square and direction. A kernel takes no function as an argument, so what looks up attacks of sliders stands here and in
movegen.py.
"""

import functools
from typing import Any

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
from ox88.bitboard.moves import list_changes
from ox88.bitboard.records import CHANGES, NOWHERE, make_record
from ox88.jit import kernel, lowest_bit

ROTATED = np.dtype(
    [
        ("rotated90", np.uint64),
        ("rotated45", np.uint64),
        ("rotated315", np.uint64),
        ("changes", CHANGES),  # Of the last move.
    ],
    align=True,
)

# How to get the inner squares of a line: a shift and a mask, on the board on which they are neighbours.
CUT = np.dtype([("shift", np.uint64), ("mask", np.uint64)], align=True)

ROTATED_TABLES = np.dtype(
    [
        ("masks90", np.uint64, 65),  # The bit of a square on each board; none for NOWHERE.
        ("masks45", np.uint64, 65),
        ("masks315", np.uint64, 65),
        ("rank_cuts", CUT, 64),
        ("file_cuts", CUT, 64),
        ("diagonal_cuts", CUT, 64),
        ("antidiagonal_cuts", CUT, 64),
        ("rank_attacks", np.uint64, (64, 64)),  # By square and the pieces on the inner squares of the line.
        ("file_attacks", np.uint64, (64, 64)),
        ("diagonal_attacks", np.uint64, (64, 64)),
        ("antidiagonal_attacks", np.uint64, (64, 64)),
    ],
    align=True,
)


@kernel
def rook_attacks(rotated, tables, square, occupied):
    rank, file = tables.rank_cuts[square], tables.file_cuts[square]
    on_rank = occupied >> rank.shift & rank.mask
    on_file = rotated.rotated90 >> file.shift & file.mask
    return tables.rank_attacks[square, on_rank] | tables.file_attacks[square, on_file]


@kernel
def bishop_attacks(rotated, tables, square):
    diagonal, antidiagonal = tables.diagonal_cuts[square], tables.antidiagonal_cuts[square]
    on_diagonal = rotated.rotated45 >> diagonal.shift & diagonal.mask
    on_antidiagonal = rotated.rotated315 >> antidiagonal.shift & antidiagonal.mask
    return tables.diagonal_attacks[square, on_diagonal] | tables.antidiagonal_attacks[square, on_antidiagonal]


@kernel
def _toggle(rotated, tables, square):
    rotated.rotated90 ^= tables.masks90[square]
    rotated.rotated45 ^= tables.masks45[square]
    rotated.rotated315 ^= tables.masks315[square]


@kernel
def fill_rotated(rotated, tables, position):
    rotated.rotated90 = rotated.rotated45 = rotated.rotated315 = NO_SQUARES
    occupied = occupied_squares(position)
    while occupied != NO_SQUARES:
        _toggle(rotated, tables, lowest_bit(occupied))
        occupied = without_lowest(occupied)


@kernel
def update_rotated(rotated, tables, undo):
    """Update the boards after do_move, and once more after undo_move."""
    changes = rotated.changes
    list_changes(undo, changes)
    for number in range(changes.count):
        change = changes.list[number]
        _toggle(rotated, tables, np.int64(change.from_square))
        _toggle(rotated, tables, np.int64(change.to_square))


# --- Moves ------------------------------------------------------------------------------------------------------------


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


# --- Tables -----------------------------------------------------------------------------------------------------------

RANKS = tuple(tuple(range(8 * rank, 8 * rank + 8)) for rank in range(8))
FILES = tuple(tuple(range(file, 64, 8)) for file in range(8))
DIAGONALS = tuple(tuple(s for s in range(64) if (s & 7) - (s >> 3) == n) for n in range(-7, 8))
ANTIDIAGONALS = tuple(tuple(s for s in range(64) if (s & 7) + (s >> 3) == n) for n in range(15))


@functools.cache
def rotated_tables() -> Any:
    """The ROTATED_TABLES record, which no kernel writes to."""
    tables = make_record(ROTATED_TABLES)
    _fill_lines(tables.rank_cuts, tables.rank_attacks, RANKS)
    tables.masks90[:] = _fill_lines(tables.file_cuts, tables.file_attacks, FILES)
    tables.masks45[:] = _fill_lines(tables.diagonal_cuts, tables.diagonal_attacks, DIAGONALS)
    tables.masks315[:] = _fill_lines(tables.antidiagonal_cuts, tables.antidiagonal_attacks, ANTIDIAGONALS)
    return tables


def _fill_lines(cuts: Any, attacks: Any, lines: tuple[tuple[int, ...], ...]) -> list[int]:
    """Fill the tables of lines that lie one after another on a board; returns the bit of each square, 0 for NOWHERE."""
    masks = [0] * (int(NOWHERE) + 1)
    start = 0
    for line in lines:
        for place, square in enumerate(line):
            masks[square] = 1 << start + place
            cuts[square].shift = min(start + 1, 63)  # A line of one square, at the end of the board, has no inner ones.
            cuts[square].mask = (1 << max(len(line) - 2, 0)) - 1
            for inner in range(1 << max(len(line) - 2, 0)):
                attacks[square, inner] = sum(1 << line[target] for target in reached(place, len(line), inner << 1))
        start += len(line)
    return masks


@functools.cache
def reached(place: int, length: int, occupied: int) -> tuple[int, ...]:
    """The places on a line that a slider attacks from one of them."""
    places = []
    for ray in (range(place + 1, length), range(place - 1, -1, -1)):
        for target in ray:
            places.append(target)
            if occupied >> target & 1:
                break
    return tuple(places)
