"""Perft: how many games of a number of plies a position has; the proof of a move generator, and its measure.

`perft` takes the length of the last ply's lists, `perft_made` makes every last move too.
"""

import concurrent.futures
from typing import Any, Final, Literal

import numpy as np

from ox88.jit import kernel
from ox88.mailbox.movegen import legal_moves
from ox88.mailbox.position import do_move, new_searcher, undo_move
from ox88.mailbox.records import MAX_PLY, tables
from ox88.types import Ox88Error, Setup

POLL_MASK: Final = 1023  # The stop flag is read every 1,024 move lists, about 0.2 ms.
WAIT: Final = 0.1  # Seconds after which a waiting thread looks for Ctrl-C, where it is not interrupted at once.

Mode = Literal["listed", "made"]


class PerftStopped(Ox88Error):  # noqa: N818  # It says what happened; nothing is wrong.
    """A count that `Perft.stop` has ended."""


@kernel
def is_aborted(searcher):
    """Count a list, and read the stop flag now and then. Once it was seen, everything unwinds."""
    searcher.nodes += 1
    if searcher.nodes & POLL_MASK == 0 and searcher.stop != 0:
        searcher.aborted = 1
    return searcher.aborted != 0


@kernel
def perft(searcher, tables, depth):
    """Number of games of `depth` plies, at least 1; the lists of the last ply are counted."""
    position = searcher.position
    moves = searcher.moves[searcher.ply]
    count = legal_moves(position, tables, moves)
    if depth == 1:
        return count
    total = np.int64(0)
    undo = searcher.stack[searcher.ply]
    searcher.ply += 1
    for index in range(count):
        if is_aborted(searcher):
            break
        do_move(position, tables, undo, np.int64(moves[index]))
        total += perft(searcher, tables, depth - 1)
        undo_move(position, undo)
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
        if depth != 1 and is_aborted(searcher):
            break
    searcher.ply -= 1
    return total
