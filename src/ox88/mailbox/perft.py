"""Perft: how many games of a number of plies a position has; the proof of a move generator, and its measure.

`perft` takes the length of the last ply's lists, `perft_made` makes every last move too. `Counter` is what one thread
of `ox88.perft` counts with.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.jit import kernel
from ox88.mailbox import records
from ox88.mailbox.movegen import legal_moves
from ox88.mailbox.position import do_move, new_searcher, undo_move
from ox88.types import Setup

POLL_DEPTH: Final = 3  # The stop flag is read after each subtree of two plies: some thousand moves, microseconds.


@kernel
def perft(searcher, tables, depth):
    """Number of games of `depth` plies, at least 1; the lists of the last ply are counted.

    searcher: SEARCHER. tables: TABLES. Means nothing once searcher.stop is set; the position is as before all the same.
    """
    position = searcher.position
    moves = searcher.moves[searcher.ply]
    count = legal_moves(position, tables, moves)
    if depth == 1:
        return count
    total = np.int64(0)
    undo = searcher.stack[searcher.ply]
    searcher.ply += 1
    for index in range(count):
        do_move(position, tables, undo, np.int64(moves[index]))
        total += perft(searcher, tables, depth - 1)
        undo_move(position, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply -= 1
    return total


@kernel
def perft_made(searcher, tables, depth):
    """The same number; every move of the last ply is made too."""
    if depth == 0:
        return np.int64(1)
    position = searcher.position
    moves = searcher.moves[searcher.ply]
    count = legal_moves(position, tables, moves)
    total = np.int64(0)
    undo = searcher.stack[searcher.ply]
    searcher.ply += 1
    for index in range(count):
        do_move(position, tables, undo, np.int64(moves[index]))
        if depth == 1:
            total += 1
        else:
            total += perft_made(searcher, tables, depth - 1)
        undo_move(position, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply -= 1
    return total


class Counter:
    """Counts on the 0x88 board."""

    modes: Final = ("listed", "made")

    def __init__(self, setup: Setup) -> None:
        self._searchers = new_searcher(setup)
        self._record = self._searchers[0]
        self._tables = records.tables()

    def legal_moves(self) -> list[int]:
        row = self._record.moves[0]
        count = legal_moves(self._record.position, self._tables, row)
        return [int(move) for move in row[:count]]

    def count_after(self, move: int, depth: int, mode: str, _table: NDArray[np.uint64] | None = None) -> int:
        """Number of games of `depth` plies, at least 1, that begin with a move."""
        if depth == 1:
            return 1
        record = self._record
        undo = record.stack[0]
        kernel = {"listed": perft, "made": perft_made}[mode]
        do_move(record.position, self._tables, undo, np.int64(move))
        record.ply = 1
        count = int(kernel(record, self._tables, np.int64(depth - 1)))
        record.ply = 0
        undo_move(record.position, undo)
        return count

    def set_stop(self, stop: bool) -> None:
        self._record.stop = stop
