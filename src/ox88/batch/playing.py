"""A move played in every position."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import share
from ox88.batch.rows import RowError
from ox88.bitboard import legality
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import to_setup
from ox88.bitboard.records import UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.fen import format_fen
from ox88.jit import kernel
from ox88.types import to_uci


class IllegalMoveError(RowError):
    """A move that is not legal in its position; `move` is its number."""

    def __init__(self, row: int, move: int, record: Any) -> None:
        setup = to_setup(record)
        text = to_uci(move, setup.is_chess960())
        super().__init__(row, f"{text} (move {move}) is not legal in {format_fen(setup)}")
        self.move = move


def push(records: NDArray[Any], moves: NDArray[np.uint16], threads: int | None) -> NDArray[Any]:
    """New records. Raises IllegalMoveError."""
    check_legal(records, moves, threads)
    pushed = np.empty_like(records)

    def work(rows: slice) -> None:
        some = pushed[rows]
        some[:] = records[rows]
        play(some, board_tables(), make_record(UNDO), moves[rows])

    share(work, len(records), threads)
    return pushed


def is_legal(records: NDArray[Any], moves: NDArray[np.uint16], threads: int | None) -> NDArray[np.bool_]:
    legal = np.empty(len(records), np.bool_)
    share(lambda rows: find_legal(records[rows], board_tables(), moves[rows], legal[rows]), len(records), threads)
    return legal


def check_legal(records: NDArray[Any], moves: NDArray[np.uint16], threads: int | None) -> None:
    """Raises IllegalMoveError for the first row whose move is not legal."""
    legal = is_legal(records, moves, threads)
    if not legal.all():
        row = int(np.argmin(legal))
        raise IllegalMoveError(row, int(moves[row]), records[row])


@kernel
def find_legal(positions, tables, moves, legal):
    for row in range(len(positions)):
        legal[row] = legality.is_legal(positions[row], tables, np.int64(moves[row]))


@kernel
def play(positions, tables, undo, moves):
    for row in range(len(positions)):
        do_move(positions[row], tables, undo, np.int64(moves[row]))
