"""Attacks of rooks and bishops by magic multiplication.

The pieces that can stand in a slider's way, at most 12 bits spread over the board, are multiplied by a number that
gathers them, or a harmless mixture of them, at the top of the product; the top bits index a table of attacks.
(Lasse Hansen, Gerd Isenberg, Pradu Kannan and others, Winboard forum and "Magic Move-Bitboard Generation", 2006-2007.)
"""

from typing import Any

import numpy as np

from ox88.bitboard.bits import NO_SQUARES, mask
from ox88.bitboard.lines import BISHOP_STEPS, ROOK_STEPS, walk
from ox88.bitboard.magic_numbers import BISHOP_MAGICS, ROOK_MAGICS
from ox88.jit import kernel

MAGIC = np.dtype(
    [
        ("mask", np.uint64),  # Squares where a piece stands in the way: the rays without their last squares.
        ("factor", np.uint64),
        ("shift", np.uint64),
        ("offset", np.uint64),  # Where the square's attacks begin in the table.
    ],
    align=True,
)

ATTACK_COUNT = 64 * 1600 + 64 * 82  # Rooks need 102,400 attacks, bishops 5,248.


@kernel
def rook_attacks(tables, square, occupied):
    magic = tables.rook_magics[square]
    index = (occupied & magic.mask) * magic.factor >> magic.shift
    return tables.slider_attacks[magic.offset + index]


@kernel
def bishop_attacks(tables, square, occupied):
    magic = tables.bishop_magics[square]
    index = (occupied & magic.mask) * magic.factor >> magic.shift
    return tables.slider_attacks[magic.offset + index]


@kernel
def walked_attacks(square, occupied, straight):
    """Attacks of a rook, or else of a bishop, by walking its rays: what the table is filled with."""
    attacks = NO_SQUARES
    for direction in range(4):
        sign = 1 - (direction & 2)
        along = direction & 1
        file_step = sign * along if straight else sign
        rank_step = sign * (1 - along) if straight else sign * (1 - 2 * along)
        file = (square & 7) + file_step
        rank = (square >> 3) + rank_step
        while 0 <= file < 8 and 0 <= rank < 8:
            target = mask(rank * 8 + file)
            attacks |= target
            if occupied & target != NO_SQUARES:
                break
            file += file_step
            rank += rank_step
    return attacks


@kernel
def fill_slider_attacks(tables):
    """Fill the table of attacks for every square and every set of pieces in the way."""
    for square in range(64):
        for straight in range(2):
            magic = tables.rook_magics[square] if straight != 0 else tables.bishop_magics[square]
            occupied = NO_SQUARES
            while True:
                index = occupied * magic.factor >> magic.shift
                tables.slider_attacks[magic.offset + index] = walked_attacks(square, occupied, straight != 0)
                # The next subset of the mask, by a carry that ripples through it.
                occupied = (occupied - magic.mask) & magic.mask
                if occupied == NO_SQUARES:
                    break


def fill_magic(tables: Any) -> None:
    offset = 0
    for magics, factors, steps in (
        (tables.rook_magics, ROOK_MAGICS, ROOK_STEPS),
        (tables.bishop_magics, BISHOP_MAGICS, BISHOP_STEPS),
    ):
        for square, factor in enumerate(factors):
            magic = magics[square]
            magic.mask = blocker_mask(square, steps)
            magic.factor = factor
            magic.shift = 64 - int(magic.mask).bit_count()
            magic.offset = offset
            offset += 1 << int(magic.mask).bit_count()
    fill_slider_attacks(tables)


def blocker_mask(square: int, steps: tuple[tuple[int, int], ...]) -> int:
    """Squares where a piece cuts a ray short: not the last of a ray, behind which there is nothing."""
    return sum(1 << target for step in steps for target in walk(square, *step)[:-1])
