"""Perft on rotated bitboards, which follow every move."""

import numpy as np

from ox88.bitboard.moves import do_move, undo_move
from ox88.bitboard.perft import POLL_DEPTH
from ox88.bitboard.rotated import update_rotated
from ox88.bitboard.rotated_movegen import generate_legal
from ox88.jit import kernel


@kernel
def perft_rotated(searcher, tables, rotated, rotated_tables, depth):
    """As `perft.perft`: at depth 1 the legal moves are listed, and not made."""
    ply = searcher.ply
    position = searcher.position
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, rotated, rotated_tables, moves)
    if depth <= 1:
        return count
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        update_rotated(rotated, rotated_tables, undo)
        total += perft_rotated(searcher, tables, rotated, rotated_tables, depth - 1)
        undo_move(position, undo)
        update_rotated(rotated, rotated_tables, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply = ply
    return total
