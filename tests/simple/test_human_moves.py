"""What people play in one position."""

from typing import Any

import chess
import chess.variant
import pytest

import ox88


def test_moves_come_with_the_chances_of_arrays() -> None:
    board = chess.Board()
    for move in ("e4", "d5", "exd5"):
        board.push_san(move)
    before = [[28 | 35 << 6, 51 | 35 << 6]]
    some = ox88.Positions.from_boards([board])
    chances = dict(zip(some.legal_moves().moves, some.human_policy(900, before=before).probabilities, strict=True))
    found = ox88.human_moves(board, 900)
    assert [share for _, share in found] == sorted(chances.values(), reverse=True)
    assert {move.from_square | move.to_square << 6: share for move, share in found} == chances
    assert dict(found) != dict(ox88.human_moves(chess.Board(board.fen()), 900))
    assert len(board.move_stack) == 3


@pytest.mark.parametrize(("chess960", "castling"), [(False, "e1c1"), (True, "e1a1")])
def test_castling_is_written_as_the_board_writes_it(chess960: bool, castling: str) -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", chess960=chess960)
    board.push_uci("e8h8" if chess960 else "e8g8")
    moves = [move for move, _ in ox88.human_moves(board)]
    assert {*moves} == {*board.legal_moves} >= {chess.Move.from_uci(castling)}


def test_null_moves_are_unknown_and_an_ended_game_has_no_moves() -> None:
    board = chess.Board()
    board.push(chess.Move.null())
    assert ox88.human_moves(board) == ox88.human_moves(chess.Board(board.fen()))
    for move in ("f6", "e4", "g5", "Qh5"):
        board.push_san(move)
    assert board.is_checkmate()
    assert ox88.human_moves(board) == []


@pytest.mark.parametrize(
    ("board", "rating", "error", "said"),
    [
        (chess.STARTING_FEN, 1500, TypeError, "the board is 'rnbqkbnr.*: a chess.Board is expected"),
        (chess.variant.AtomicBoard(), 1500, ox88.Ox88Error, "a board of atomic: one of chess"),
        (chess.Board("8/8/8/8/8/8/8/K7 w - - 0 1"), 1500, ox88.IllegalPositionError, "illegal position"),
        (chess.Board(), 300, ox88.Ox88Error, "rating is 300: 400 to 2800"),
    ],
)
def test_errors(board: Any, rating: int, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        ox88.human_moves(board, rating)
