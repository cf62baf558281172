from typing import Any

import chess
import numpy as np
import pytest

from ox88.convert import from_chess_board, from_chess_move
from ox88.errors import IllegalPositionError
from ox88.fen import STARTPOS
from ox88.mailbox import records
from ox88.mailbox.position import do_move, make_position, to_setup, undo_move
from ox88.setup import parse_fen
from ox88.types import to_0x88
from ox88.zobrist import key_of
from tests.mailbox.naive import (
    chess960_board,
    contents,
    few_or_many_games,
    kind_of_move,
    random_game,
    starts,
)
from tests.test_perft import facts

TABLES = records.tables()
FENS = [fen for name in ("classics", "random", "chess960") for fen, _ in facts(name)]


def test_position_is_small() -> None:
    assert records.POSITION.itemsize < 200


@pytest.mark.parametrize("fen", FENS)
def test_setup_comes_back(fen: str) -> None:
    setup = parse_fen(fen)
    position = make_position(setup)
    assert to_setup(position) == setup
    assert position.key == key_of(setup)


def test_illegal_setup_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="White has no king"):
        make_position(parse_fen("4k3/8/8/8/8/8/8/8 w - - 0 1"))


@few_or_many_games
def test_do_and_undo_along_random_games(games: int) -> None:
    """Setup, key and piece list agree with python-chess after every move; undo_move restores every byte."""
    kinds = set()
    for seed, board in enumerate(starts(games)):
        position, befores = make_position(from_chess_board(board)), []
        undos = np.zeros(150, records.UNDO).view(np.recarray)
        for ply, move in enumerate(random_game(board, seed, 150)):
            kinds.add(kind_of_move(board, move))
            befores.append(contents(position))
            do_move(position, TABLES, undos[ply], from_chess_move(move, board))
            board.push(move)
            assert to_setup(position) == from_chess_board(board), board.fen()
            assert position.key == key_of(from_chess_board(board)), board.fen()
            assert_list_is_sound(position, board)
            board.pop()
        for ply in reversed(range(len(befores))):
            undo_move(position, undos[ply])
            assert contents(position) == befores[ply]
    assert kinds == {"castling", "en passant", "promotion", "other"}


def new_undo() -> Any:
    return np.zeros(1, records.UNDO).view(np.recarray)[0]


def assert_list_is_sound(position: np.record, board: chess.Board) -> None:
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


def test_every_legal_move_is_undone() -> None:
    for fen in FENS[::4]:
        board = chess960_board(fen)
        position, undo = make_position(parse_fen(fen)), new_undo()
        before = contents(position)
        for move in board.legal_moves:
            do_move(position, TABLES, undo, from_chess_move(move, board))
            undo_move(position, undo)
            assert contents(position) == before, (fen, move)


def test_en_passant_stands_in_the_position_always_and_in_the_key_where_it_counts() -> None:
    position, undo = make_position(parse_fen(STARTPOS)), new_undo()
    do_move(position, TABLES, undo, from_chess_move(chess.Move.from_uci("e2e4"), chess960_board(STARTPOS)))
    assert to_setup(position).en_passant == chess.E3
    without = parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert position.key == key_of(without)
