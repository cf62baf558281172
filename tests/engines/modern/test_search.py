"""The search: with every heuristic off a minimax, with them on it finds what there is to be found."""

import random
from collections.abc import Iterator

import chess
import pytest

from ox88.bitboard.position import make_position
from ox88.convert import from_chess_board
from ox88.engines.modern.options import SWITCHES
from ox88.engines.modern.table import make_table
from ox88.engines.modern.thread import SearchThread
from tests.engines.modern import naive
from tests.positions import random_board

HARMLESS = ("aspiration", "mate_distance", "killers", "counter_move", "history")  # They change the order, no value.


@pytest.fixture(scope="module")
def plain() -> SearchThread:
    """Alpha-beta and nothing else."""
    thread = SearchThread()
    for switch in SWITCHES:
        thread.set_parameter(switch.name, 0)
    return thread


def value(thread: SearchThread, board: chess.Board, depth: int) -> int:
    position = make_position(from_chess_board(board))
    thread.prepare(position, [], 1, None)
    moves = naive.legal_moves(position)
    return thread.deepen(make_table(1), range(depth, depth + 1), moves, 1, lambda _line: None)[0].value


def positions(count: int, seed: int, most_pieces: int = 32) -> Iterator[chess.Board]:
    choice = random.Random(seed)
    found = 0
    while found < count:
        board = random_board(choice.randrange(1 << 30), choice.randrange(200), choice.choice([None, 3, 518, 700]))
        if any(board.legal_moves) and chess.popcount(board.occupied) <= most_pieces:
            found += 1
            yield board


@pytest.mark.parametrize(("count", "depth", "pieces"), [(150, 1, 32), (150, 2, 32), (60, 3, 12), (25, 4, 5)])
def test_without_heuristics_it_is_minimax(plain: SearchThread, count: int, depth: int, pieces: int) -> None:
    for board in positions(count, depth, pieces):
        position = make_position(from_chess_board(board))
        assert value(plain, board, depth) == naive.minimax(position, depth, []), board.fen()


@pytest.mark.parametrize("switch", HARMLESS)
def test_what_changes_the_order_changes_no_value(switch: str) -> None:
    thread = SearchThread()
    for other in SWITCHES:
        thread.set_parameter(other.name, int(other.name == f"use_{switch}"))
    for board in positions(40, 88, 14):
        position = make_position(from_chess_board(board))
        assert value(thread, board, 2) == naive.minimax(position, 2, []), board.fen()


def test_quiescence_is_minimax_over_captures(plain: SearchThread) -> None:
    plain.set_parameter("use_quiescence", 1)
    try:
        for board in positions(60, 5, 6):
            position = make_position(from_chess_board(board))
            assert value(plain, board, 2) == naive.minimax(position, 2, [], quiescence=True), board.fen()
    finally:
        plain.set_parameter("use_quiescence", 0)
