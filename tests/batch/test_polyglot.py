"""Polyglot's keys against python-chess."""

import chess
import chess.polyglot
import numpy as np

import ox88
from tests.batch.samples import boards, positions


def test_keys() -> None:
    expected = np.array([chess.polyglot.zobrist_hash(board) for board in boards()], np.uint64)
    for threads in (1, 2):
        assert np.array_equal(positions().polyglot_key(threads=threads), expected)


def test_keys_of_the_format_s_own_page() -> None:
    fens = ("startpos", "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3")
    expected = np.array([0x463B96181691FC9C, 0x3C8123EA7B067637], np.uint64)
    assert np.array_equal(ox88.Positions.from_fens(fens).polyglot_key(), expected)
