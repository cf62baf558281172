"""Whether the game has ended in each position, and how."""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import share
from ox88.bitboard.attacks import checkers
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.counting import count_legal
from ox88.bitboard.material import is_insufficient
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_FIFTY_MOVES = 100  # Plies.
_SEVENTYFIVE_MOVES = 150


class Outcome(IntEnum):
    """How a game has ended. Repetitions are not seen, since a position has no past."""

    NONE = 0
    CHECKMATE = 1  # The side to move has lost; all others are draws.
    STALEMATE = 2
    INSUFFICIENT_MATERIAL = 3
    SEVENTYFIVE_MOVES = 4
    FIFTY_MOVES = 5  # A draw if a player claims it. A claim that goes with the fiftieth move is not seen.


def outcome(records: NDArray[Any], claim_draw: bool, threads: int | None) -> NDArray[np.int8]:
    """claim_draw: whether fifty moves end a game."""
    found = np.empty(len(records), np.int8)
    claims = np.int64(claim_draw)
    share(lambda rows: find_outcomes(records[rows], board_tables(), claims, found[rows]), len(records), threads)
    return found


@kernel
def find_outcomes(positions, tables, claims, found):
    for row in range(len(positions)):
        found[row] = find_outcome(positions[row], tables, claims)


@kernel
def find_outcome(position, tables, claims):
    if count_legal(position, tables) == 0:
        return 1 if checkers(position, tables) != NO_SQUARES else 2
    if is_insufficient(position):
        return 3
    clock = np.int64(position.halfmove_clock)
    if clock >= _SEVENTYFIVE_MOVES:
        return 4
    return 5 if clock >= _FIFTY_MOVES and claims != 0 else 0
