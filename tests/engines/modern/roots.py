"""Helpers of the search's tests: set up a root, make moves, pick moves, make positions of few pieces."""

import random
from collections.abc import Iterator
from typing import Any

import chess
import numpy as np

from ox88.bitboard.position import make_position
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.nodes import make_move
from ox88.engines.modern.picker import next_move, start_picking
from ox88.engines.modern.records import BEFORE_ROOT
from ox88.engines.modern.table import EXACT, make_table, probe, store
from ox88.engines.modern.thread import SearchThread
from tests.bitboard.naive import to_setup

TABLES = board_tables()
TABLE = make_table(1)
ZERO = np.int64(0)
Number = int | np.int64


def set_root(thread: SearchThread, board: chess.Board, keys: list[int] | None = None) -> Any:
    """Set up a board as the root of a thread, and return its record."""
    thread.prepare(make_position(to_setup(board)), keys or [], 1, None)
    return thread.record


def frame_of(record: Any) -> Any:
    """The frame of a record's current ply."""
    return record.frames[int(record.ply) + BEFORE_ROOT]


def play_on(record: Any, move: int) -> None:
    make_move(record, TABLES, frame_of(record), np.int64(move))


def picked(record: Any, tt_move: int, wanted: Number, skip_after: int = 1 << 10) -> Iterator[int]:
    """The moves that the picker returns. skip_after: after this many, quiet moves are skipped."""
    frame = frame_of(record)
    start_picking(frame, np.int64(tt_move), np.int64(wanted))
    number = 0
    while True:
        frame.skip_quiets = int(number >= skip_after)
        move = int(next_move(record, TABLES, frame))
        if not move:
            return
        yield move
        number += 1


def entry_of(bound: np.int64 = EXACT, value: int = 0, depth: int = 6, move: int = 0, static_eval: int = 0) -> np.uint64:
    """A table's entry."""
    bucket, key = make_table(1)[:8], np.uint64(88)
    store(bucket, key, *(np.int64(number) for number in (1, 0, move, value, static_eval, depth, bound, 0)))
    return np.uint64(probe(bucket, key))


def few_pieces(count: int, seed: int, most: int = 6) -> Iterator[chess.Board]:
    """Legal positions of two kings and some other pieces, mostly minor ones. most: pieces, kings included."""
    choice = random.Random(seed)
    while count:
        board = chess.Board(None)
        squares = choice.sample(chess.SQUARES, most)
        others = choice.choices("NnBbBbBbPpRrQq", weights=[4] * 8 + [1] * 6, k=choice.randrange(most - 1))
        for square, symbol in zip(squares, ["K", "k", *others], strict=False):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = choice.random() < 0.5
        if board.is_valid():
            count -= 1
            yield board
