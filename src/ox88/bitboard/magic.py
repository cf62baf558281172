"""Attacks of rooks and bishops by magic multiplication.

The pieces that can block a slider are at most 12 bits spread over the board. A multiplication by the right number, the
magic number, moves them to the top of the product, where they index a table of attacks. Two sets of blockers may share
an index if the attacks are the same.
(Lasse Hansen, Gerd Isenberg, Pradu Kannan and others, Winboard forum and "Magic Move-Bitboard Generation", 2006-2007.)
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.magic_numbers import BISHOP_MAGICS, ROOK_MAGICS
from ox88.bitboard.steps import BISHOP_STEPS, ROOK_STEPS, walk
from ox88.jit import kernel

MAGIC = np.dtype(
    [
        ("mask", np.uint64),  # Squares where a piece can block: the rays without their last squares.
        ("factor", np.uint64),
        ("shift", np.uint64),
        ("offset", np.uint64),  # Where the square's attacks begin in the table.
    ],
    align=True,
)

Steps = tuple[tuple[int, int], ...]

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


def fill_magic(tables: Any) -> None:
    """Fill the table of attacks for every square and every set of blockers."""
    offset = 0
    for magics, factors, steps in (
        (tables.rook_magics, ROOK_MAGICS, ROOK_STEPS),
        (tables.bishop_magics, BISHOP_MAGICS, BISHOP_STEPS),
    ):
        for square, factor in enumerate(factors):
            blockers = blocker_mask(square, steps)
            occupied = subsets(blockers)
            magic = magics[square]
            magic.mask, magic.factor, magic.offset = blockers, factor, offset
            magic.shift = 64 - blockers.bit_count()
            index = occupied * magic.factor >> magic.shift
            tables.slider_attacks[magic.offset + index] = walked_attacks(square, steps, occupied)
            offset += len(occupied)


def blocker_mask(square: int, steps: Steps) -> int:
    """Squares where a piece shortens a ray: all but the last of each ray."""
    return sum(1 << target for step in steps for target in walk(square, *step)[:-1])


def subsets(squares: int) -> NDArray[np.uint64]:
    """All subsets of a set of squares."""
    sets = np.zeros(1, np.uint64)
    for square in range(64):
        if squares >> square & 1:
            sets = np.concatenate((sets, sets | np.uint64(1 << square)))
    return sets


def walked_attacks(square: int, steps: Steps, occupied: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Attacks of a slider for each of many sets of occupied squares, by walking along its rays."""
    attacks = np.zeros_like(occupied)
    for step in steps:
        is_open = np.ones(len(occupied), np.bool_)
        for target in walk(square, *step):
            attacks |= is_open * np.uint64(1 << target)
            is_open &= occupied & np.uint64(1 << target) == NO_SQUARES
    return attacks
