"""Reversible moves by what they change in a position's key, in a cuckoo hash table.

A move of a piece that is no pawn, without a capture, changes three things in a key: the piece on both squares, and the
side to move. There are 3,668 such changes. Each lies in one of two slots that its bits tell, so it is found or missed
in two steps.

The table is Marcel van Kervinck's, https://marcelk.net/2013-04-06/paper/upcoming-rep-v2.pdf; the way to fill it is
that of Rasmus Pagh and Flemming Friche Rodler, "Cuckoo Hashing", Journal of Algorithms 51, 2004.
"""

from typing import Any, Final

import numpy as np

from ox88.jit import kernel
from ox88.types import BISHOP, BLACK_BIT, KING, KNIGHT, NO_MOVE, QUEEN, ROOK, make_move

SLOTS: Final = 1 << 13
NOTHING = np.int64(NO_MOVE)
MASK = np.uint64(SLOTS - 1)
SECOND_SHIFT = np.uint64(16)


@kernel
def reversible_move(tables, change):
    """The move that changes a key so, from the lower square to the higher one or back; NO_MOVE if there is none."""
    slot = change & MASK
    if tables.reversible_keys[slot] != change:
        slot = change >> SECOND_SHIFT & MASK
        if tables.reversible_keys[slot] != change:
            return NOTHING
    return np.int64(tables.reversible_moves[slot])


def fill_cuckoo(tables: Any) -> None:
    """Fill the slots, once attacks and keys are there."""
    attacks_of = {
        KNIGHT: tables.knight_attacks,
        BISHOP: tables.bishop_rays,
        ROOK: tables.rook_rays,
        QUEEN: tables.bishop_rays | tables.rook_rays,
        KING: tables.king_attacks,
    }
    keys, moves = [0] * SLOTS, [NO_MOVE] * SLOTS
    turn = int(tables.black_key)
    for kind, attacks in attacks_of.items():
        for piece in (kind, kind + BLACK_BIT):
            piece_keys = [int(key) for key in tables.piece_keys[piece]]
            for square, attacked in enumerate(map(int, attacks)):
                for target in range(square + 1, 64):
                    if attacked >> target & 1:
                        _insert(keys, moves, piece_keys[square] ^ piece_keys[target] ^ turn, make_move(square, target))
    tables.reversible_keys[:] = keys
    tables.reversible_moves[:] = moves


def _insert(keys: list[int], moves: list[int], change: int, move: int) -> None:
    """Put a change into its first slot. What was there goes to its own other slot, and so on, until a slot is free."""
    slot = change & SLOTS - 1
    while move != NO_MOVE:
        keys[slot], change = change, keys[slot]
        moves[slot], move = move, moves[slot]
        first, second = change & SLOTS - 1, change >> 16 & SLOTS - 1
        slot = second if slot == first else first
