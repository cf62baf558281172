"""Perft: the number of move sequences of a length, which shows whether a move generator is right, and how fast.

Four kernels count the same: `perft` lists the legal moves of the last ply but does not make them, `perft_counted` does
not even list them, `perft_made` makes every one, and `perft_hashed` keeps what it has counted in a hash table.
"""

import numpy as np

from ox88.bitboard.counting import count_legal
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move, undo_move
from ox88.jit import kernel

POLL_DEPTH = 3  # The stop flag is read after every subtree of two plies: some thousand moves, some microseconds.
DEPTH_BITS = np.uint64(0xFF)
COUNT_SHIFT = np.uint64(8)


@kernel
def perft(searcher, tables, depth):
    """Number of sequences of `depth` legal moves, at least 1. Means nothing once searcher.stop is set."""
    ply = searcher.ply
    position = searcher.position
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, moves)
    if depth <= 1:
        return count
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft(searcher, tables, depth - 1)
        undo_move(position, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply = ply
    return total


@kernel
def perft_counted(searcher, tables, depth):
    ply = searcher.ply
    position = searcher.position
    if depth <= 1:
        return count_legal(position, tables)
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, moves)
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft_counted(searcher, tables, depth - 1)
        undo_move(position, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply = ply
    return total


@kernel
def perft_made(searcher, tables, depth):
    ply = searcher.ply
    position = searcher.position
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, moves)
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft_made(searcher, tables, depth - 1) if depth > 1 else 1
        undo_move(position, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply = ply
    return total


@kernel
def perft_hashed(searcher, tables, table, depth):
    """As perft_counted, with a hash table of a power of two of (key ^ data, data), uint64[n, 2]: zeros to begin with.

    Several searchers may share it: an entry that two write at once fails the test of its key. (Robert Hyatt and Tim
    Mann, "A lock-less transposition table implementation for parallel search chess engines", 2002.)
    """
    ply = searcher.ply
    position = searcher.position
    if depth <= 1:
        return count_legal(position, tables)
    key = position.key
    entry = table[(key ^ np.uint64(depth)) & np.uint64(len(table) - 1)]
    data = entry[1]
    if entry[0] ^ data == key and data & DEPTH_BITS == np.uint64(depth):
        return np.int64(data >> COUNT_SHIFT)
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, moves)
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft_hashed(searcher, tables, table, depth - 1)
        undo_move(position, undo)
        if searcher.stop != 0:
            break
    searcher.ply = ply
    if searcher.stop == 0:
        data = np.uint64(total) << COUNT_SHIFT | np.uint64(depth)
        entry[0] = key ^ data
        entry[1] = data
    return total
