"""Positions about which all boards, python-chess and Stockfish agree, and more games for tests with slow twins."""

from collections import Counter
from collections.abc import Iterable
from random import Random

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.bitboard import attacks, position
from ox88.bitboard.tables import board_tables
from ox88.mailbox import attacks as mailbox_attacks
from ox88.mailbox import position as mailbox
from ox88.mailbox.records import tables as mailbox_tables
from ox88.perft import BOARDS, Perft
from ox88.types import format_uci
from tests import test_boards
from tests.batch.env.test_env import ENDINGS
from tests.bitboard import naive
from tests.bitboard.test_see import check_exchanges
from tests.campaigns.stockfish import Stockfish

pytestmark = pytest.mark.slow

PERFT_DEPTH = 5
GAMES = 100


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


@settings(max_examples=20)
@given(seed=st.integers(0, 1 << 60))
def test_moves_along_games(seed: int) -> None:
    for name in test_boards.MOVING:
        test_boards.test_moves_along_a_game(name, seed)


@settings(max_examples=100)
@given(board=positions)
def test_exchanges(board: chess.Board) -> None:
    check_exchanges(board)


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


@pytest.mark.parametrize("start", ["standard", "chess960", "endings"])
def test_random_games_end_where_python_chess_ends_them(start: str, chance: Random) -> None:
    check_ends(start, chance.randrange(1 << 60), GAMES)


def check_ends(start: str, seed: int, count: int) -> int:
    """Play so many random games to their end. Returns their plies."""
    starts = ox88.Positions.from_fens(ENDINGS) if start == "endings" else start
    env = ox88.Env(64, observation="nnue", start=starts, most_plies=1000, seed=seed)  # type: ignore[arg-type]
    begun, played, plies = env.positions.boards(), [list[str]() for _ in range(len(env))], 0
    while count > 0:
        actions = env.sample()
        for texts, text in zip(played, env.positions.format_uci(env.positions.policy_move(actions)), strict=True):
            texts.append(text)
        outcomes = env.step(actions).outcomes
        for row in np.flatnonzero(outcomes):
            assert end_of(begun[row], played[row]) == (len(played[row]), outcomes[row]), (begun[row].fen(), played[row])
            plies += len(played[row])
            begun[row], played[row] = env.positions[[row]].boards()[0], []
            count -= 1
    return plies


def end_of(board: chess.Board, moves: Iterable[str]) -> tuple[int, int]:
    """After how many moves a game is over, and its outcome, by python-chess."""
    board, outcome, seen = board.copy(), ox88.Outcome, Counter[object]()
    board.chess960 = True
    seen[board._transposition_key()] += 1
    for number, text in enumerate(moves, 1):
        board.push(board.parse_uci(text))
        seen[board._transposition_key()] += 1
        if not any(board.generate_legal_moves()):
            return number, outcome.CHECKMATE if board.is_check() else outcome.STALEMATE
        if board.is_insufficient_material():
            return number, outcome.INSUFFICIENT_MATERIAL
        if seen[board._transposition_key()] == 3:
            return number, outcome.REPETITION
        if board.halfmove_clock >= 100:
            return number, outcome.FIFTY_MOVES
    return 0, outcome.NONE
