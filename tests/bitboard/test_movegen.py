"""Legal moves against python-chess along random games, Chess960 and double Chess960 among them."""

import random
from typing import Any

import chess
import numpy as np

from ox88.bitboard import movegen, rotated
from ox88.bitboard.attacks import checkers_and_pinned
from ox88.bitboard.counting import count_legal
from ox88.bitboard.position import make_position
from ox88.bitboard.records import MAX_MOVES, MOVE_LIST, make_record
from ox88.bitboard.rotated import ROTATED, fill_rotated, rotated_tables
from ox88.bitboard.tables import board_tables
from ox88.setup import Setup, format_fen, parse_fen
from ox88.types import KING, QUEEN
from tests.bitboard import naive

# What random games meet too rarely.
TRICKY = (
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",  # Both pawns leave the king's rank at once.
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/8/8/2KpP3/8/8/8/8 w - d6 0 1",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 1",  # The pawn that has passed gives check.
    "2b1k3/8/8/3pP3/6K1/8/8/8 w - d6 0 1",  # Another piece gives check, over the passed square.
    "4k3/8/4r3/3pP3/8/8/8/4K3 w - d6 0 1",  # The capturing pawn is pinned along the file.
    "4k3/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1",
    "1r2k3/8/8/8/8/8/8/rRK5 w B - 0 1",  # A castling rook that is pinned on the back rank.
    "4k3/8/8/8/8/8/8/rR2K2R w HB - 0 1",
    "4k3/8/8/8/8/8/8/R1K4r w A - 0 1",
    "4k3/8/8/8/8/8/8/1RK4R w HB - 0 1",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
    "q3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/qR1K4 w B - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # 218 moves.
)


def boards_to_try() -> list[chess.Board]:
    return [*naive.positions(), *(chess.Board(fen, chess960=True) for fen in TRICKY)]


def sorted_moves(moves: Any) -> list[int]:
    return sorted(int(move) for move in moves.moves[: int(moves.length)])


def test_legal_moves_listed_and_counted() -> None:
    moves, tables = make_record(MOVE_LIST), board_tables()
    for board in boards_to_try():
        position = make_position(naive.to_setup(board))
        expected = naive.legal_moves(board)
        assert movegen.generate_legal(position, tables, moves) == len(expected)
        assert sorted_moves(moves) == expected, board.fen()
        assert count_legal(position, tables) == len(expected), board.fen()


def test_legal_moves_on_rotated_bitboards() -> None:
    moves, boards = make_record(MOVE_LIST), make_record(ROTATED)
    for board in boards_to_try():
        position = make_position(naive.to_setup(board))
        fill_rotated(boards, rotated_tables(), position)
        rotated.generate_legal(position, board_tables(), boards, rotated_tables(), moves)
        assert sorted_moves(moves) == naive.legal_moves(board), board.fen()


def test_captures_and_quiets_append_to_a_list() -> None:
    moves, tables = make_record(MOVE_LIST), board_tables()
    for board in boards_to_try():
        position = make_position(naive.to_setup(board))
        checkers, pinned = map(np.uint64, checkers_and_pinned(position, tables, np.int64(position.turn)))
        noisy = [naive.to_int(board, move) for move in board.legal_moves if not naive.is_quiet(board, move)]
        moves.length = 0
        assert movegen.generate_captures(position, tables, moves, checkers, pinned) == len(noisy)
        assert sorted_moves(moves) == sorted(noisy), board.fen()
        movegen.generate_quiets(position, tables, moves, checkers, pinned)
        assert sorted_moves(moves) == naive.legal_moves(board), board.fen()


def test_lists_are_long_enough_for_fifteen_queens() -> None:
    """Setup.check lets more moves pass than any game can bring about: climb towards a board with many."""
    moves, choice, most = make_record(MOVE_LIST), random.Random(88), 0
    free = [square for square in chess.SQUARES if square not in (chess.G7, chess.H7, chess.G8, chess.H8)]
    best = choice.sample(free, 16)
    for _ in range(1500):
        squares = list(best)
        squares[choice.randrange(16)] = choice.choice([square for square in free if square not in best])
        count = movegen.generate_legal(make_position(_queens(squares)), board_tables(), moves)
        if count >= most:
            most, best = count, squares
    movegen.generate_legal(make_position(_queens(best)), board_tables(), moves)
    assert sorted_moves(moves) == naive.legal_moves(chess.Board(format_fen(_queens(best))))
    assert 218 < most <= MAX_MOVES - 3


def _queens(squares: list[int]) -> Setup:
    board = list(parse_fen("6rk/6pp/8/8/8/8/8/8 w - - 0 1").board)
    for square in squares:
        board[square] = QUEEN
    board[squares[0]] = KING
    return Setup(board=tuple(board))
