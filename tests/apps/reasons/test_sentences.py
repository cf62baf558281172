"""What a line wins, in words."""

import math

import chess
import pytest

from ox88.apps.reasons.sentences import find_gain
from ox88.motifs.line import Line


@pytest.mark.parametrize(
    ("fen", "line", "points", "words"),
    [
        ("6k1/8/3n1p2/4p3/5B2/8/8/6K1 w - - 0 1", "Bxe5 fxe5 Kh1 Kh8", 0, ""),
        ("6k1/8/3n1p2/4p3/5B2/8/8/6K1 w - - 0 1", "Bxe5 Kg7 Bxd6 Kg8 Kh1", 4, "a knight and a pawn"),
        ("6k1/8/1p1n4/2p1p3/5B2/8/8/6K1 w - - 0 1", "Bxe5 Kf7 Bxd6 Ke6 Bxc5 bxc5 Kh1 Kd6", 2, "two pawns"),
        ("6k1/3p4/2p1n3/3B4/8/8/8/4R1K1 w - - 0 1", "Bxe6+ dxe6 Rxe6 Kf7 Rxc6 Kg7 Kh1 Kh7", 2, "two pawns"),
        ("5rk1/8/7B/8/8/8/8/6K1 w - - 0 1", "Bxf8 Kxf8 Kh1 Kg8", 2, "the exchange"),
        ("6k1/P7/8/8/8/8/8/6K1 w - - 0 1", "a8=Q+ Kg7 Kh1 Kh7", 8, "a new queen"),
        ("1r4k1/P7/8/8/8/8/8/6K1 w - - 0 1", "axb8=N Kg7 Kh1 Kh8", 7, "a new knight and a rook"),
        # What falls later is told if it is worth more than what was won before.
        ("5rk1/8/7B/8/8/8/n7/R5K1 w - - 0 1", "Bxf8 Kxf8 Kh1 Kg8 Rxa2 Kg7 Kg1 Kf7", 5, "a rook"),
        ("5rk1/8/7B/8/8/p7/p7/R5K1 w - - 0 1", "Bxf8 Kxf8 Kh1 Kg8 Rxa2 Kg7 Rxa3 Kf7 Kg1 Kg8", 2, "the exchange"),
        ("6k1/8/8/8/8/8/q7/R5K1 w - - 0 1", "Rxa2 Kh8 Kh1 Kg8", 9, "a queen"),
    ],
)
def test_what_is_won(fen: str, line: str, points: int, words: str) -> None:
    board = chess.Board(fen)
    ahead = board.copy()
    moves = [ahead.push_san(san) for san in line.split()]
    gain = find_gain(Line(board, moves), board, math.inf)
    assert (gain.points, gain.words) == (points, words) if gain else (points, words) == (0, "")


def test_only_what_is_believed() -> None:
    board = chess.Board("6k1/8/8/8/8/8/q7/R5K1 w - - 0 1")
    moves = [chess.Move.from_uci(uci) for uci in ("a1a2", "g8h8", "g1h1", "h8g8")]
    assert find_gain(Line(board, moves), board, 8) is None
