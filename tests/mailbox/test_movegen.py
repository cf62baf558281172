import chess
import numpy as np
import pytest

from ox88.convert import from_chess_board
from ox88.mailbox import records
from ox88.mailbox.movegen import legal_moves
from ox88.mailbox.position import make_position
from tests.mailbox.naive import (
    chess960_board,
    few_or_many_games,
    few_or_many_positions,
    kind_of_move,
    legal_moves_of,
    random_game,
    random_position,
    starts,
)
from tests.test_perft import facts

TABLES = records.tables()

BY_HAND = {
    "en passant would uncover the rank": "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "en passant would uncover the rank, two takers": "8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1",
    "en passant uncovers the taken pawn's diagonal": "8/8/8/2k5/3Pp3/8/5B2/3K4 b - d3 0 1",
    "en passant takes the checker": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "en passant by a pawn pinned on its way": "8/8/8/4k3/3Pp3/8/8/B3K3 b - d3 0 1",
    "en passant along the pin": "7k/8/8/8/1pP5/8/8/3KB3 b - c3 0 1",
    "castling rook wards off a rank attack": "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",
    "castling rook wards off, king stays near": "4k3/8/8/8/8/8/8/qRK5 w B - 0 1",
    "king and rook change places": "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
    "castling through an attack": "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "castling past an attacked rook's square": "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "two pawns check": "4k3/8/8/8/8/8/3p1p2/4K3 w - - 0 1",
    "the king shelters no square behind it": "4k3/8/8/8/r3K3/8/8/8 w - - 0 1",
    "double check": "4k3/8/8/8/1b6/8/3p4/4K2r w - - 0 1",
    "promotion takes the checker": "3rk3/4P3/8/8/8/8/8/3K4 w - - 0 1",
    "promotion steps between": "r6K/1P6/8/8/8/8/8/4k3 w - - 0 1",
    "a double step steps between": "8/8/8/8/r6K/8/1P6/4k3 w - - 0 1",
    "218 moves": "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "stalemate": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "mate": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
}


def moves_of(board: chess.Board) -> list[int]:
    moves = np.zeros(records.MAX_MOVES, np.uint16)
    count = legal_moves(make_position(from_chess_board(board)), TABLES, moves)
    return [int(move) for move in moves[:count]]


def assert_moves_agree(board: chess.Board) -> None:
    moves = moves_of(board)
    assert len(set(moves)) == len(moves), board.fen()
    assert set(moves) == legal_moves_of(board).keys(), board.fen()


@pytest.mark.parametrize("fen", BY_HAND.values(), ids=BY_HAND.keys())
def test_by_hand(fen: str) -> None:
    assert_moves_agree(chess960_board(fen))
    assert_moves_agree(chess960_board(fen).mirror())


@few_or_many_games
def test_random_games(games: int) -> None:
    kinds = set()
    for seed, board in enumerate(starts(games)):
        for move in random_game(board, seed, 150):
            assert_moves_agree(board)
            kinds.add(kind_of_move(board, move))
        assert_moves_agree(board)
    assert kinds == {"castling", "en passant", "promotion", "other"}


@few_or_many_games
def test_random_games_from_the_perft_positions(games: int) -> None:
    for seed, (fen, _) in enumerate((facts("chess960") + facts("classics"))[:: 60 // games]):
        board = chess960_board(fen)
        for _ in random_game(board, seed, 30):
            assert_moves_agree(board)


@few_or_many_positions
def test_random_positions(positions: int) -> None:
    """Some cannot occur in a game: many queens, triple checks."""
    legal = [board for board in map(random_position, range(positions)) if not from_chess_board(board).broken_rules()]
    assert len(legal) > positions // 10
    for board in legal:
        assert_moves_agree(board)
