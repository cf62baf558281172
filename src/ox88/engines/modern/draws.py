"""Draws that a search must see: repetition, fifty moves, too little material to mate."""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.material import is_insufficient
from ox88.bitboard.movegen import generate_legal
from ox88.engines.modern.records import BEFORE_ROOT
from ox88.jit import kernel

FIFTY_MOVES = np.int64(100)  # Plies.


@kernel
def is_draw(s, tables):
    """Whether the position is drawn by repetition, fifty moves or material; not the root's business."""
    position = s.position
    if position.halfmove_clock >= FIFTY_MOVES and not is_mated(s, tables):
        return True
    return is_repetition(s) or is_insufficient(position)


@kernel
def is_mated(s, tables):
    """Mate comes before the fifty moves."""
    frame = s.frames[s.ply + BEFORE_ROOT]
    return frame.checkers != NO_SQUARES and generate_legal(s.position, tables, frame.list) == 0


@kernel
def is_repetition(s):
    """Whether the position has been there once since the root, or twice in all.

    What a side could force once it can force again; before the root the rule itself holds.
    """
    here = s.game_length + s.ply
    key = s.position.key
    found = np.int64(0)
    for back in range(4, s.frames[s.ply + BEFORE_ROOT].reversible + 1, 2):
        if s.keys[here - back] == key:
            found += 1
            if back < s.ply or found == 2:
                return True
    return False
