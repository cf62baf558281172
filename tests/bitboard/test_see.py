"""Static exchange evaluation against its naive twin."""

import chess
import numpy as np
import pytest

from ox88.bitboard.position import make_position
from ox88.bitboard.see import see, see_ge
from ox88.bitboard.tables import board_tables
from ox88.setup import parse_fen, parse_uci
from tests.bitboard import naive


@pytest.mark.parametrize(
    ("fen", "move", "gain"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 400),  # The king takes the new queen: 500 + 800 - 900.
        ("3rk3/4P3/8/8/7B/8/8/4K3 w - - 0 1", "e7d8q", 1300),  # It cannot, with the bishop behind.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ("3r2k1/3r4/8/3p4/8/3R4/3R4/3R2K1 w - - 0 1", "d3d5", 100),  # Rooks behind rooks.
    ],
)
def test_known_exchanges(fen: str, move: str, gain: int) -> None:
    setup = parse_fen(fen)
    assert see(make_position(setup), board_tables(), np.int64(parse_uci(move, setup))) == gain


def check_exchanges(board: chess.Board) -> int:
    """Compare all legal moves with the naive twin. Returns how many of them win or lose something."""
    position, tables, nonzero = make_position(naive.to_setup(board)), board_tables(), 0
    for move in board.legal_moves:
        number, expected = np.int64(naive.to_int(board, move)), naive.see(board, move)
        assert see(position, tables, number) == expected, (board.fen(), board.uci(move))
        for threshold in (expected - 1, expected, expected + 1, 0):
            answer = see_ge(position, tables, number, np.int64(threshold))
            assert answer == (expected >= threshold), (board.fen(), board.uci(move), threshold)
        nonzero += expected != 0
    return nonzero


def test_see_is_that_of_the_naive_twin() -> None:
    assert sum(map(check_exchanges, naive.positions()[::6])) > 250
