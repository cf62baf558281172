"""Perft: the number of move sequences of a length, which shows whether a move generator is right, and how fast."""

import numpy as np

from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move, undo_move
from ox88.jit import kernel

@kernel
def perft(searcher, tables, depth):
    """Count to a depth of at least 1; at depth 1 the legal moves are listed, and not made."""
    ply = searcher.ply
    position = searcher.position
    moves = searcher.lists[ply]
    count = generate_legal(position, tables, moves)
    if depth <= 1:
        return count
    undo = searcher.stack[ply]
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft(searcher, tables, depth - 1)
        undo_move(position, undo)
        if searcher.stop != 0:
            break
    searcher.ply = ply
    return total
