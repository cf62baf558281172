"""PositionHistory, compared with python-chess."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.bitboard.position import make_position
from ox88.convert import from_chess_board, from_chess_move
from ox88.engines.base import EngineError
from ox88.engines.modern.driver import PositionHistory
from ox88.errors import IllegalPositionError
from ox88.setup import parse_fen
from ox88.types import make_move
from tests.positions import random_board


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.integers(0, 100), st.one_of(st.none(), st.integers(0, 959)), st.data())
def test_moves_pushed_and_popped(seed: int, plies: int, chess960: int | None, data: st.DataObject) -> None:
    board = random_board(seed, plies, chess960)
    replayed, game = board.root(), PositionHistory()
    game.set_position(from_chess_board(replayed))
    keys = []
    for move in board.move_stack:
        keys.append(int(make_position(from_chess_board(replayed)).key))
        game.push(from_chess_move(move, replayed))
        replayed.push(move)
    assert game.setup == from_chess_board(board)
    assert game.keys == keys
    assert sorted(game.legal_moves()) == sorted(from_chess_move(move, board) for move in board.legal_moves)
    for _ in range(data.draw(st.integers(0, len(keys)))):
        game.pop()
        board.pop()
    assert game.setup == from_chess_board(board)
    assert game.keys == keys[: len(board.move_stack)]


@given(st.integers(0, 2**16 - 1))
def test_what_is_not_legal_is_refused_and_changes_nothing(move: int) -> None:
    game = PositionHistory()
    legal = {from_chess_move(each, chess.Board()) for each in chess.Board().legal_moves}
    if move in legal:
        game.push(move)
        game.pop()
    else:
        with pytest.raises(EngineError, match="is not legal in rnbqkbnr/"):
            game.push(move)
    assert (game.setup, game.keys) == (parse_fen("startpos"), [])


def test_a_new_position_has_no_past() -> None:
    game = PositionHistory()
    game.push(make_move(12, 28))
    game.set_position(parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"))
    assert game.keys == []
    with pytest.raises(EngineError, match="no move to take back"):
        game.pop()


def test_an_illegal_position_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="king"):
        PositionHistory().set_position(parse_fen("8/8/8/8/8/8/8/K7 w - - 0 1"))
