"""Static exchange evaluation of a move in every position."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import share
from ox88.batch.playing import check_legal
from ox88.bitboard import see as board_see
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel


def see(records: NDArray[Any], moves: NDArray[np.uint16], threads: int | None) -> NDArray[np.int16]:
    """Raises IllegalMoveError."""
    check_legal(records, moves, threads)
    found = np.empty(len(records), np.int16)
    share(lambda rows: find_exchanges(records[rows], board_tables(), moves[rows], found[rows]), len(records), threads)
    return found


@kernel
def find_exchanges(positions, tables, moves, found):
    for row in range(len(positions)):
        found[row] = board_see.see(positions[row], tables, np.int64(moves[row]))
