"""The cuckoo table holds exactly the reversible moves that python-chess finds on an empty board."""

import functools

import chess
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ox88 import zobrist
from ox88.bitboard.cuckoo import reversible_move
from ox88.bitboard.tables import board_tables
from ox88.types import BLACK_BIT, NO_MOVE, make_move

TABLES = board_tables()


@functools.cache
def changes() -> dict[int, int]:
    """All reversible moves, each from its lower square to its higher one, by the change that it makes in a key."""
    found = {}
    for kind in chess.PIECE_TYPES[1:]:
        for square in chess.SQUARES:
            board = chess.BaseBoard(None)
            board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
            for target in board.attacks(square):
                for piece in (kind, kind + BLACK_BIT) if target > square else ():
                    keys = zobrist.PIECE_KEYS[piece]
                    found[int(keys[square]) ^ int(keys[target]) ^ int(zobrist.BLACK_KEY)] = make_move(square, target)
    return found


def test_every_reversible_move_is_found() -> None:
    expected = changes()
    assert len(expected) == 3668
    found = {change: int(reversible_move(TABLES, np.uint64(change))) for change in expected}
    assert found == expected


@given(st.integers(0, (1 << 64) - 1))
def test_other_changes_are_no_move(change: int) -> None:
    assert reversible_move(TABLES, np.uint64(change)) == changes().get(change, NO_MOVE)
