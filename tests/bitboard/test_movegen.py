"""Captures and quiet moves against python-chess, and how many moves there can be. test_boards.py has all moves."""

import random

import chess
import numpy as np

from ox88.bitboard import movegen
from ox88.bitboard.attacks import checkers_and_pinned
from ox88.bitboard.position import make_position
from ox88.bitboard.records import MAX_MOVES, MOVE_LIST, make_record
from ox88.bitboard.tables import board_tables
from ox88.setup import Setup, format_fen, parse_fen
from ox88.types import KING, QUEEN
from tests.bitboard import naive


def test_captures_and_quiets_append_to_a_list() -> None:
    moves, tables = make_record(MOVE_LIST), board_tables()
    for board in naive.boards_to_try(3):
        position = make_position(naive.to_setup(board))
        checkers, pinned = map(np.uint64, checkers_and_pinned(position, tables, np.int64(position.turn)))
        noisy = [naive.to_int(board, move) for move in board.legal_moves if not naive.is_quiet(board, move)]
        moves.length = 0
        assert movegen.generate_captures(position, tables, moves, checkers, pinned) == len(noisy)
        assert naive.sorted_moves(moves) == sorted(noisy), board.fen()
        movegen.generate_quiets(position, tables, moves, checkers, pinned)
        assert naive.sorted_moves(moves) == naive.legal_moves(board), board.fen()


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
    assert naive.sorted_moves(moves) == naive.legal_moves(chess.Board(format_fen(_queens(best))))
    assert 218 < most <= MAX_MOVES - 3


def _queens(squares: list[int]) -> Setup:
    board = list(parse_fen("6rk/6pp/8/8/8/8/8/8 w - - 0 1").board)
    for square in squares:
        board[square] = QUEEN
    board[squares[0]] = KING
    return Setup(board=tuple(board))
