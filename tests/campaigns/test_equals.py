"""Positions about which all boards, python-chess and Stockfish agree, with slow twins as further judges."""

from random import Random

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88 import zobrist
from ox88.bitboard import attacks, position
from ox88.bitboard.moves import do_move, undo_move
from ox88.bitboard.records import UNDO, make_record
from ox88.bitboard.see import see, see_ge
from ox88.bitboard.tables import board_tables
from ox88.mailbox import attacks as mailbox_attacks
from ox88.mailbox import position as mailbox
from ox88.mailbox.records import tables as mailbox_tables
from ox88.perft import BOARDS, Perft
from ox88.types import format_uci
from tests.bitboard import naive
from tests.campaigns.stockfish import Stockfish

pytestmark = pytest.mark.slow

PERFT_DEPTH = 5


def position_of(seed: int) -> chess.Board:
    """A position of a random game with many captures, castlings and promotions; half of the games are Chess960."""
    return Random(seed).choice([board for board, _ in naive.random_game(seed)])


positions = st.integers(0, 1 << 60).map(position_of)


@settings(max_examples=100)
@given(board=positions)
def test_legal_moves(board: chess.Board, stockfish: Stockfish) -> None:
    expected, setup = naive.legal_moves(board), naive.to_setup(board)
    for name in BOARDS:
        assert sorted(Perft(setup, name).divide(1)) == expected, (name, board.shredder_fen())
    texts = sorted(format_uci(move, chess960=True) for move in expected)
    assert sorted(stockfish.divide(board.shredder_fen(), 1)) == texts, board.shredder_fen()


@settings(max_examples=100)
@given(board=positions)
def test_checks(board: chess.Board, stockfish: Stockfish) -> None:
    setup, fen = naive.to_setup(board), board.shredder_fen()
    assert int(attacks.checkers(position.make_position(setup), board_tables())) == int(board.checkers()), fen
    assert bool(mailbox_attacks.is_check(mailbox.make_position(setup), mailbox_tables())) == board.is_check(), fen
    assert sorted(stockfish.checkers(board)) == sorted(map(chess.square_name, board.checkers())), fen


@settings(max_examples=100)
@given(board=positions)
def test_keys(board: chess.Board) -> None:
    """A key is the same on both boards; a move changes it to that of the position after it, and is taken back whole."""
    setup = naive.to_setup(board)
    made, undo = position.make_position(setup), make_record(UNDO)
    assert int(made.key) == int(mailbox.make_position(setup).key) == zobrist.key_of(setup), board.shredder_fen()
    before = made.tobytes()
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        do_move(made, board_tables(), undo, np.int64(naive.to_int(board, move)))
        assert int(made.key) == zobrist.key_of(naive.to_setup(after)), (board.shredder_fen(), move)
        undo_move(made, undo)
        assert made.tobytes() == before, (board.shredder_fen(), move)


@settings(max_examples=100)
@given(board=positions)
def test_exchanges(board: chess.Board) -> None:
    made = position.make_position(naive.to_setup(board))
    for move in board.legal_moves:
        number, expected = np.int64(naive.to_int(board, move)), naive.see(board, move)
        assert int(see(made, board_tables(), number)) == expected, (board.shredder_fen(), move)
        for threshold in (0, expected, expected + 1):
            reached = bool(see_ge(made, board_tables(), number, np.int64(threshold)))
            assert reached == (expected >= threshold), (board.shredder_fen(), move, threshold)


@settings(max_examples=2)
@given(board=positions)
def test_counts(board: chess.Board, stockfish: Stockfish) -> None:
    """Perft of each move of a position."""
    expected = stockfish.divide(board.shredder_fen(), PERFT_DEPTH)
    for name in BOARDS:
        counts = Perft(naive.to_setup(board), name).divide(PERFT_DEPTH)
        assert {format_uci(move, chess960=True): count for move, count in counts.items()} == expected, (
            board.shredder_fen()
        )
