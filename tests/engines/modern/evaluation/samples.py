"""Positions for tests of the evaluation: from random games, and some that random games rarely reach."""

import functools

import chess

from tests.positions import FENS, random_board

_RARE = (
    "6k1/5ppp/8/3N4/4P3/8/5PPP/6K1 w - - 0 1",  # An outpost.
    "8/P6k/8/2pP4/8/1p5K/6p1/8 w - - 0 1",  # Passed pawns.
    "4r1k1/4P3/8/8/1p1P4/1P2B3/6PP/4R1K1 b - - 3 40",
    "r1bq1rk1/pp3ppp/2n1pn2/2bp4/4P3/2NB1N2/PPP2PPP/R1BQ1RK1 w - - 0 8",
    "3q1rk1/5p1p/5QpB/8/8/7R/5PPP/6K1 w - - 0 1",  # Checks.
    "3r2k1/8/8/3q4/8/8/5PPP/6K1 b - - 0 1",  # Rook and queen could check on the same square.
    "r4rk1/1R3ppp/8/8/8/8/5PPP/R4K1R w - - 0 1",  # A trapped rook, and one on the seventh.
    "2r3k1/pp1q1ppp/4b3/3nP3/8/P1NQ1N2/1P3PPP/3R2K1 b - - 0 20",
    "6k1/pp3p2/2p3p1/3b3p/3P3P/2P3P1/PP3PB1/6K1 w - - 12 30",
)


@functools.cache
def sample_boards() -> tuple[chess.Board, ...]:
    fixed = [chess.Board(fen, chess960=True) for fen in (*FENS, *_RARE)]
    played = [random_board(seed, seed * 3 % 110, seed if seed % 3 == 0 else None) for seed in range(90)]
    return (*fixed, *(board for board in played))
