"""Quiescence search: standing pat, captures, checks at the horizon."""

import random

import chess
import numpy as np
import pytest

from ox88.bitboard.position import make_position
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.picker import captured_value
from ox88.engines.modern.quiescence import quiesce
from ox88.engines.modern.records import INFINITY, MATE, MATE_BOUND
from ox88.engines.modern.search import search
from ox88.engines.modern.table import make_table
from ox88.engines.modern.thread import SearchThread
from ox88.types import make_move
from tests.bitboard.naive import positions, to_setup
from tests.engines.modern import naive
from tests.engines.modern.roots import TABLES, play_on, set_root


@pytest.fixture(scope="module")
def thread() -> SearchThread:
    """A thread without correction history, so that standing pat is worth the plain evaluation."""
    made = SearchThread()
    made.set_parameter("use_correction", 0)
    return made


def value(thread: SearchThread, board: chess.Board, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
    record = set_root(thread, board)
    return int(quiesce(record, TABLES, make_table(1)[:4096], np.int64(alpha), np.int64(beta)))


def static(board: chess.Board) -> int:
    return int(evaluate(make_position(to_setup(board)), TABLES, naive.EVALUATION))


@pytest.mark.parametrize(
    ("fen", "gain"),
    [
        ("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", 0),
        ("4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1", 0),  # Guarded.
        ("4k3/8/2p5/3q4/8/8/3R4/4K3 w - - 0 1", 300),
        ("4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1", 800),
    ],
)
def test_what_hangs_is_taken_and_what_is_guarded_is_not(thread: SearchThread, fen: str, gain: int) -> None:
    found, standing_pat = value(thread, chess.Board(fen)), static(chess.Board(fen))
    assert found > standing_pat + gain if gain else found == standing_pat


def test_a_side_that_can_repeat_has_a_draw(thread: SearchThread) -> None:
    """White is a rook down, but can repeat a position with Kh1-g1. So the value is 0, in every window and depth."""
    record = set_root(thread, chess.Board("6k1/5ppp/3r4/8/8/8/5PPP/5K2 w - - 0 1"))
    for move in ((chess.F1, chess.G1), (chess.D6, chess.D5), (chess.G1, chess.H1), (chess.D5, chess.D6)):
        play_on(record, make_move(*move))
    for alpha, beta in ((-1000, 1000), (-1000, -999), (-1, 0), (-INFINITY, INFINITY)):
        for depth in (0, 1, 4):
            found = search(record, TABLES, make_table(1)[:4096], *map(np.int64, (alpha, beta, depth)), np.int64(0))
            assert found == 0
    thread.set_parameter("use_quiescence", 0)
    assert search(record, TABLES, make_table(1)[:4096], *map(np.int64, (-1000, 1000, 0)), np.int64(0)) == 0
    thread.set_parameter("use_quiescence", 1)
    thread.set_parameter("use_upcoming_repetition", 0)
    assert search(record, TABLES, make_table(1)[:4096], *map(np.int64, (-1000, 1000, 0)), np.int64(0)) < -300
    thread.set_parameter("use_upcoming_repetition", 1)


def test_mate_at_the_horizon(thread: SearchThread) -> None:
    assert value(thread, chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")) == -MATE


def test_a_side_in_check_cannot_stand_pat(thread: SearchThread) -> None:
    """Black loses the queen, wherever the king goes."""
    board = chess.Board("7k/8/8/8/8/8/q6R/7K b - - 0 1")
    assert value(thread, board) > -MATE_BOUND
    assert thread.record.nodes > 1


@pytest.mark.parametrize("switch", [0, 1])
def test_it_is_never_worth_less_than_standing_pat(thread: SearchThread, switch: int) -> None:
    thread.set_parameter("use_quiescence_pruning", switch)
    for board in random.Random(88).sample(positions(), 150):
        if not board.is_check() and not board.is_insufficient_material():
            assert value(thread, board) >= static(board)
    thread.set_parameter("use_quiescence_pruning", 1)


def test_what_is_pruned_counts_for_the_bound(thread: SearchThread) -> None:
    """No capture can reach alpha, so none is searched. The value is still as large as the best of them can be."""
    board = chess.Board("4k3/1p6/8/8/3q4/2P5/8/1R2K3 w - - 0 1")
    margin = int(thread.record.parameters.delta_margin)
    takes_queen = np.int64(make_move(chess.C3, chess.D4))
    captured = int(captured_value(set_root(thread, board).position, TABLES, takes_queen))
    gain = static(board) + margin + captured
    for alpha in (gain, gain + 1, gain + 500):
        assert value(thread, board, alpha, alpha + 1) == gain
        assert thread.record.nodes == 1
    assert value(thread, board, gain - 1, gain) < gain
    assert thread.record.nodes > 1


def test_a_window_bounds_what_an_open_one_finds(thread: SearchThread) -> None:
    thread.set_parameter("use_quiescence_pruning", 0)
    for board in random.Random(5).sample(positions(), 120):
        exact = value(thread, board)
        for beta in (exact - 40, exact, exact + 1, exact + 40):
            bound = value(thread, board, beta - 1, beta)
            assert (bound >= beta) == (exact >= beta), board.fen()
            assert bound <= exact if bound >= beta else bound >= exact
    thread.set_parameter("use_quiescence_pruning", 1)
