"""Perft: the number of legal move sequences of a given length from a position.

At the last ply it takes the length of the lists, or makes every move too.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.fen import STARTPOS
from ox88.jit import kernel
from ox88.mailbox.attacks import is_check
from ox88.mailbox.movegen import legal_moves
from ox88.mailbox.position import do_move, set_position, undo_move
from ox88.mailbox.records import MAX_MOVES, POSITION, UNDO, tables
from ox88.setup import Setup, parse_fen
from ox88.types import make_move

MAX_PLY: Final = 128
POLL_DEPTH: Final = 3  # The stop flag is read after every subtree of two plies, which takes microseconds.

PERFT_STATE: Final = np.dtype(
    [
        ("position", POSITION),
        ("ply", np.int64),
        ("stop", np.int64),  # Set from another thread.
        ("makes_all", np.int64),  # 1 to make the moves of the last ply too.
        ("stack", UNDO, MAX_PLY),
        ("moves", np.uint16, (MAX_PLY, MAX_MOVES)),
    ],
    align=True,
)


@kernel
def perft(state, tables, depth):
    """Number of sequences of `depth` >= 1 moves. state: PERFT_STATE. tables: TABLES.

    Meaningless once state.stop is set, but the position is as before.
    """
    position = state.position
    moves = state.moves[state.ply]
    count = legal_moves(position, tables, moves)
    if depth == 1 and state.makes_all == 0:
        return count
    total = np.int64(0)
    undo = state.stack[state.ply]
    state.ply += 1
    for index in range(count):
        do_move(position, tables, undo, np.int64(moves[index]))
        total += perft(state, tables, depth - 1) if depth > 1 else 1
        undo_move(position, undo)
        if depth >= POLL_DEPTH and state.stop != 0:
            break
    state.ply -= 1
    return total


class Counter:
    """Counts on the 0x88 board, in one thread of `ox88.perft`."""

    modes: Final = ("listed", "made")

    def __init__(self, setup: Setup) -> None:
        self._state = np.zeros(1, PERFT_STATE).view(np.recarray)[0]
        self._tables = tables()
        set_position(self._state.position, setup)

    def legal_moves(self) -> list[int]:
        row = self._state.moves[0]
        count = legal_moves(self._state.position, self._tables, row)
        return [int(move) for move in row[:count]]

    def count_after(self, move: int, depth: int, mode: str, _table: NDArray[np.uint64] | None = None) -> int:
        if depth == 1:
            return 1
        state = self._state
        undo = state.stack[0]
        state.makes_all = mode == "made"
        do_move(state.position, self._tables, undo, np.int64(move))
        state.ply = 1
        count = int(perft(state, self._tables, np.int64(depth - 1)))
        state.ply = 0
        undo_move(state.position, undo)
        return count

    def set_stop(self, stop: bool) -> None:
        self._state.stop = stop


def warm_up() -> None:
    """Call every kernel of the 0x88 board once, so that all are compiled and in the cache."""
    counter = Counter(parse_fen(STARTPOS))
    counter.legal_moves()
    for mode in counter.modes:
        counter.count_after(make_move(12, 28), 3, mode)
    is_check(counter._state.position, tables())
