"""Finds checks, attacked squares, pinned pieces and the ends of games, in bulk."""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import as_colours
from ox88.batch.rows.chunks import in_chunks
from ox88.bitboard import attacks as board_attacks
from ox88.bitboard.attacks import attacked_by, occupied_squares
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.counting import count_legal
from ox88.bitboard.material import is_insufficient
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_FIFTY_MOVES = 100  # Plies.
_SEVENTYFIVE_MOVES = 150


class Outcome(IntEnum):
    """How a game has ended. Repetitions are not found, since a position has no history."""

    NONE = 0
    CHECKMATE = 1  # The side to move has lost. All other outcomes are draws.
    STALEMATE = 2
    INSUFFICIENT_MATERIAL = 3
    SEVENTYFIVE_MOVES = 4
    FIFTY_MOVES = 5  # A draw if a player claims it.


def checkers(records: NDArray[Any], threads: int | None) -> NDArray[np.uint64]:
    found = np.empty(len(records), np.uint64)
    in_chunks(lambda rows: find_checkers(records[rows], board_tables(), found[rows]), len(records), threads)
    return found


def attacks(records: NDArray[Any], colour: Any, threads: int | None) -> NDArray[np.uint64]:
    """colour: that of the attacking side, one for all positions or one for each."""
    colours = as_colours(colour, len(records))
    found, tables = np.empty(len(records), np.uint64), board_tables()
    in_chunks(lambda rows: find_attacks(records[rows], tables, colours[rows], found[rows]), len(records), threads)
    return found


def pinned(records: NDArray[Any], colour: Any, threads: int | None) -> NDArray[np.uint64]:
    """colour: that of the pinned pieces, one for all positions or one for each."""
    colours = as_colours(colour, len(records))
    found, tables = np.empty(len(records), np.uint64), board_tables()
    in_chunks(lambda rows: find_pinned(records[rows], tables, colours[rows], found[rows]), len(records), threads)
    return found


def outcome(records: NDArray[Any], claim_draw: bool, threads: int | None) -> NDArray[np.int8]:
    found = np.empty(len(records), np.int8)
    claims = np.int64(claim_draw)
    in_chunks(lambda rows: find_outcomes(records[rows], board_tables(), claims, found[rows]), len(records), threads)
    return found


@kernel
def find_checkers(positions, tables, found):
    for row in range(len(positions)):
        found[row] = board_attacks.checkers(positions[row], tables)


@kernel
def find_attacks(positions, tables, colours, found):
    for row in range(len(positions)):
        position = positions[row]
        found[row] = attacked_by(position, tables, np.int64(colours[row]), occupied_squares(position))


@kernel
def find_pinned(positions, tables, colours, found):
    for row in range(len(positions)):
        found[row] = board_attacks.pinned(positions[row], tables, np.int64(colours[row]))


@kernel
def find_outcomes(positions, tables, claims, found):
    """Write the Outcome of each position. claims: 1 to count fifty moves as a draw."""
    for row in range(len(positions)):
        position = positions[row]
        clock = np.int64(position.halfmove_clock)
        if count_legal(position, tables) == 0:
            is_check = board_attacks.checkers(position, tables) != NO_SQUARES
            found[row] = Outcome.CHECKMATE if is_check else Outcome.STALEMATE
        elif is_insufficient(position):
            found[row] = Outcome.INSUFFICIENT_MATERIAL
        elif clock >= _SEVENTYFIVE_MOVES:
            found[row] = Outcome.SEVENTYFIVE_MOVES
        else:
            found[row] = Outcome.FIFTY_MOVES if clock >= _FIFTY_MOVES and claims != 0 else Outcome.NONE
