"""Plays moves, tests their legality, and computes static exchange evaluation and perft, in bulk."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.arguments import IllegalMoveError, check_number
from ox88.batch.chunks import in_chunks
from ox88.bitboard import legality
from ox88.bitboard import see as board_see
from ox88.bitboard.moves import do_move
from ox88.bitboard.perft import PERFT_STATE, perft_bulk
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from ox88.perft import MAX_DEPTH

_SHALLOW = 2  # Plies; perft to this depth takes microseconds a position.
_SHALLOW_CHUNK = 256  # Positions.


def push(records: NDArray[Any], moves: NDArray[np.uint16], threads: int | None) -> NDArray[Any]:
    check_legal(records, moves, threads)
    pushed = np.empty_like(records)

    def work(rows: slice) -> None:
        some = pushed[rows]
        some[:] = records[rows]
        play(some, board_tables(), make_record(UNDO), moves[rows])

    in_chunks(work, len(records), threads)
    return pushed


def is_legal(records: NDArray[Any], moves: NDArray[np.uint16], threads: int | None) -> NDArray[np.bool_]:
    legal = np.empty(len(records), np.bool_)
    in_chunks(lambda rows: find_legal(records[rows], board_tables(), moves[rows], legal[rows]), len(records), threads)
    return legal


def check_legal(records: NDArray[Any], moves: NDArray[np.uint16], threads: int | None) -> None:
    """Raises IllegalMoveError for the first row whose move is not legal."""
    legal = is_legal(records, moves, threads)
    if not legal.all():
        row = int(np.argmin(legal))
        raise IllegalMoveError(row, int(moves[row]), records[row])


def see(records: NDArray[Any], moves: NDArray[np.uint16], threads: int | None) -> NDArray[np.int16]:
    check_legal(records, moves, threads)
    found, tables = np.empty(len(records), np.int16), board_tables()
    in_chunks(lambda rows: find_exchanges(records[rows], tables, moves[rows], found[rows]), len(records), threads)
    return found


def perft(records: NDArray[Any], depth: int, threads: int | None) -> NDArray[np.int64]:
    check_number("depth", depth, 0, MAX_DEPTH)
    counts = np.ones(len(records), np.int64)
    states: list[Any] = []
    local = threading.local()

    def work(rows: slice) -> None:
        if not hasattr(local, "state"):
            local.state = make_record(PERFT_STATE)
            states.append(local.state)
        count_all(records[rows], board_tables(), local.state, np.int64(depth), counts[rows])

    def stop() -> None:
        for state in states:
            state.stop = 1

    if depth > 0:
        in_chunks(work, len(records), threads, _SHALLOW_CHUNK if depth <= _SHALLOW else 1, stop)
    return counts


@kernel
def find_legal(positions, tables, moves, legal):
    for row in range(len(positions)):
        legal[row] = legality.is_legal(positions[row], tables, np.int64(moves[row]))


@kernel
def play(positions, tables, undo, moves):
    for row in range(len(positions)):
        do_move(positions[row], tables, undo, np.int64(moves[row]))


@kernel
def find_exchanges(positions, tables, moves, found):
    for row in range(len(positions)):
        found[row] = board_see.see(positions[row], tables, np.int64(moves[row]))


@kernel
def count_all(positions, tables, state, depth, counts):
    """Write the perft of each position; the counts are wrong once state.stop is set."""
    for row in range(len(positions)):
        copy_position(positions[row], state.position)
        counts[row] = perft_bulk(state, tables, depth)
