"""A cuckoo hash table that finds a reversible move by the change that it makes in a position's key.

A move is reversible if it neither captures nor moves a pawn; castling does not count. It takes a piece's key of one
square out of the position's key, puts in its key of the other square, and changes the side to move. There are 3,668
such changes. The bits of a change name two slots of the table, and it lies in one of them. So two looks are enough.

The table is Marcel van Kervinck's, https://marcelk.net/2013-04-06/paper/upcoming-rep-v2.pdf; it is filled as by
Rasmus Pagh and Flemming Friche Rodler, "Cuckoo Hashing", Journal of Algorithms 51, 2004.
"""

from typing import Any, Final

import numpy as np

from ox88.jit import kernel
from ox88.types import BISHOP, BLACK_BIT, KING, KNIGHT, NO_MOVE, QUEEN, ROOK, make_move

SLOTS: Final = 1 << 13
SECOND: Final = 16  # The first of the bits of a change that name its second slot; its lowest bits name the first slot.
NOTHING = np.int64(NO_MOVE)
MASK = np.uint64(SLOTS - 1)
SECOND_SHIFT = np.uint64(SECOND)


@kernel
def reversible_move(tables, change):
    """The move whose change of the key this is, or NO_MOVE. The move back makes the same change."""
    slot = change & MASK
    if tables.reversible_keys[slot] != change:
        slot = change >> SECOND_SHIFT & MASK
        if tables.reversible_keys[slot] != change:
            return NOTHING
    return np.int64(tables.reversible_moves[slot])


def fill_cuckoo(tables: Any) -> None:
    """Fill the cuckoo table of a TABLES record, which has its attacks, rays and keys already."""
    attacks_of = {
        KNIGHT: tables.knight_attacks,
        BISHOP: tables.bishop_rays,
        ROOK: tables.rook_rays,
        QUEEN: tables.bishop_rays | tables.rook_rays,
        KING: tables.king_attacks,
    }
    keys, moves = [0] * SLOTS, [NO_MOVE] * SLOTS
    black_key = int(tables.black_key)
    for kind, attacks in attacks_of.items():
        for piece in (kind, kind + BLACK_BIT):
            piece_keys = [int(key) for key in tables.piece_keys[piece]]
            for square, attacked in enumerate(map(int, attacks)):
                for target in range(square + 1, 64):
                    if attacked >> target & 1:
                        change = piece_keys[square] ^ piece_keys[target] ^ black_key
                        _insert(keys, moves, change, make_move(square, target))
    tables.reversible_keys[:] = keys
    tables.reversible_moves[:] = moves


def _insert(keys: list[int], moves: list[int], change: int, move: int) -> None:
    """Put a change into its first slot. The change in it moves to its other slot, and so on, until a slot is free."""
    slot = change & SLOTS - 1
    while move != NO_MOVE:
        keys[slot], change = change, keys[slot]
        moves[slot], move = move, moves[slot]
        first, second = change & SLOTS - 1, change >> SECOND & SLOTS - 1
        slot = second if slot == first else first
