"""Positions of any men on any squares, and what the tests of the 0x88 board share."""

import random
from collections.abc import Iterator
from typing import Any

import chess
import pytest

from tests.bitboard.naive import to_setup

few_or_many = pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.slow)])


def random_positions(count: int) -> Iterator[chess.Board]:
    """Legal ones of some positions; many cannot occur in a game: many queens, triple checks."""
    for board in map(random_position, range(count)):
        if not to_setup(board).broken_rules():
            yield board


def random_position(seed: int) -> chess.Board:
    """Kings and up to 15 other pieces a side on any squares; not always legal."""
    generator = random.Random(seed)
    board = chess.Board(None, chess960=True)
    squares = generator.sample(range(64), 32)
    for colour in chess.COLORS:
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
        for _ in range(generator.randrange(15)):
            square = squares.pop()
            kinds = range(1 + (chess.square_rank(square) in (0, 7)), 6)
            board.set_piece_at(square, chess.Piece(generator.choice(kinds), colour))
    board.turn = generator.choice(chess.COLORS)
    return board


def contents(record: Any) -> bytes:
    """All bytes of a record's fields, without the padding between them."""
    return b"".join(record[name].tobytes() for name in record.dtype.names)
