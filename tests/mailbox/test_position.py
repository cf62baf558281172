"""Records: Setup there and back, do and undo to the byte, keys, the piece list."""

from typing import Any

import chess
import numpy as np
import pytest

from ox88.errors import IllegalPositionError
from ox88.mailbox import records
from ox88.mailbox.position import do_move, make_position, to_setup, undo_move
from ox88.setup import parse_fen
from ox88.types import to_0x88
from ox88.zobrist import key_of
from tests.bitboard import naive
from tests.mailbox.naive import contents

TABLES = records.tables()


def test_position_is_small() -> None:
    assert records.POSITION.itemsize < 200


def test_illegal_setup_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="White has no king"):
        make_position(parse_fen("4k3/8/8/8/8/8/8/8 w - - 0 1"))


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 40))])
def test_moves_along_a_game(seed: int) -> None:
    """Setup, key and piece list agree with python-chess after every move; undo_move restores every byte."""
    game = list(naive.random_game(seed))
    position = make_position(naive.to_setup(game[0][0]))
    undo, undos = np.zeros(len(game) + 1, records.UNDO).view(np.recarray)[-1], []
    for board, played in game:
        setup, before = naive.to_setup(board), contents(position)
        assert to_setup(position) == to_setup(make_position(setup)) == setup, board.fen()
        assert position.key == key_of(setup), board.fen()
        assert_list_is_sound(position, board)
        for move in board.legal_moves:
            do_move(position, TABLES, undo, naive.to_int(board, move))
            undo_move(position, undo)
            assert contents(position) == before, (board.fen(), move)
        undos.append((undo.copy(), before))
        do_move(position, TABLES, undos[-1][0], naive.to_int(board, played))
    for last, before in reversed(undos):
        undo_move(position, last)
        assert contents(position) == before


def assert_list_is_sound(position: Any, board: chess.Board) -> None:
    """Every piece has one slot, the king the first; the other slots are empty."""
    men = {to_0x88(square): piece for square, piece in board.piece_map().items()}
    listed = {int(square): slot for slot, square in enumerate(position.squares) if square != 0x88}
    assert listed.keys() == men.keys()
    for square, slot in listed.items():
        assert position.board[square | 8] == slot
        count = position.counts[2 * (slot >> 4) + (men[square].piece_type == chess.PAWN)]
        place = slot & 15 if men[square].piece_type != chess.PAWN else 15 - (slot & 15)
        assert place < count
        assert (slot & 15 == 0) == (men[square].piece_type == chess.KING)
    off_board = [square for square in range(128) if square & 8 and square ^ 8 not in men]
    assert not position.board[off_board].any()
