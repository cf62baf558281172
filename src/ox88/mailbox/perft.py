"""Perft: how many games of a number of plies a position has; the proof of a move generator, and its measure.

`perft` takes the length of the last ply's lists, `perft_made` makes every last move too.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Final, Literal

import numpy as np

from ox88.jit import kernel
from ox88.mailbox import records
from ox88.mailbox.movegen import legal_moves
from ox88.mailbox.position import do_move, new_searcher, undo_move
from ox88.types import Ox88Error, Setup

POLL_DEPTH: Final = 3  # The stop flag is read after each subtree of two plies: some thousand moves, microseconds.
WAIT: Final = 0.1  # Seconds after which a waiting thread looks for Ctrl-C, where that does not wake it.

Mode = Literal["listed", "made"]


class StoppedError(Ox88Error):
    """`Perft.stop` has ended a count, so there is no number."""


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


class Perft:
    """Counts from one position, in a thread of their own, so that `stop` and Ctrl-C end them."""

    def __init__(self, setup: Setup) -> None:
        """Raises IllegalPositionError."""
        self._searchers = new_searcher(setup)
        self._record = self._searchers[0]
        self._tables = records.tables()

    def count(self, depth: int, mode: Mode = "listed") -> int:
        """Number of games of `depth` plies; `made` makes every last move. Raises StoppedError if it was stopped."""
        _check_depth(depth, 0)
        return self._run(depth, mode)

    def divide(self, depth: int, mode: Mode = "listed") -> dict[int, int]:
        """Likewise for each move of the position, which is the first of `depth` plies, at least 1."""
        _check_depth(depth, 1)
        return {move: self._count_after(move, depth - 1, mode) for move in self.moves()}

    def moves(self) -> list[int]:
        """The legal moves of the position."""
        row = self._record.moves[0]
        count = legal_moves(self._record.position, self._tables, row)
        return [int(move) for move in row[:count]]

    def stop(self) -> None:
        """End the running count soon; from any thread."""
        self._record.stop = 1

    def _count_after(self, move: int, depth: int, mode: Mode) -> int:
        record = self._record
        undo = record.stack[0]
        do_move(record.position, self._tables, undo, np.int64(move))
        record.ply = 1
        try:
            return self._run(depth, mode)
        finally:
            record.ply = 0
            undo_move(record.position, undo)

    def _run(self, depth: int, mode: Mode) -> int:
        if depth == 0:
            return 1
        record = self._record
        record.stop = 0
        counter: Any = {"listed": perft, "made": perft_made}[mode]
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(counter, record, self._tables, np.int64(depth))
            try:
                while not wait([future], WAIT).done:
                    pass
            except BaseException:
                self.stop()
                raise
        if record.stop:
            raise StoppedError(f"perft {depth} was stopped before its end")
        return int(future.result())


def _check_depth(depth: int, least: int) -> None:
    if not least <= depth < records.MAX_PLY:
        raise Ox88Error(f"perft of {depth} plies: {least} to {records.MAX_PLY - 1} are possible")
