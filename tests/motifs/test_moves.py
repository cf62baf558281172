"""Moves of special kinds, phases and endings."""

from typing import Final

import chess
import pytest

from ox88.motifs.find import find_motifs
from tests.motifs.lines import Cases, check, read_line

PAWN = "6k1/2P5/8/8/8/8/1p6/6K1 w - - 0 1"
DEVELOPED = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 0 8"
QUIET = "6k1/5ppp/8/8/8/p7/5PPP/R5K1 w - - 0 1"
CASES: Final[Cases] = {
    "promotion": [
        (PAWN, "c8=Q+", (0, "c8")),
        (PAWN, "c8=N", (0, "c8")),
        (PAWN, "Kg2 b1=Q c8=Q+", (2, "c8")),
        (PAWN, "Kg2 b1=Q Kg3", None),  # Only the opponent's.
    ],
    "underPromotion": [
        (PAWN, "c8=R+", (0, "c8")),
        ("6k1/2P2ppp/8/8/8/8/8/6K1 w - - 0 1", "c8=R#", None),  # A queen would mate too.
        ("8/2P1kr2/3p1n2/3P4/5BQ1/8/8/6K1 w - - 0 1", "c8=N+", (0, "c8")),
        (PAWN, "c8=N", (0, "c8")),
        (PAWN, "c8=Q+", None),
        (PAWN, "Kg2", None),
    ],
    "advancedPawn": [
        (PAWN, "c8=Q+", (0, "c8")),
        ("6k1/8/2P5/8/8/8/8/6K1 w - - 0 1", "c7", (0, "c7")),
        ("6k1/8/8/2P5/8/8/8/6K1 w - - 0 1", "c6", None),
        ("6k1/8/8/2P5/8/2p5/8/6K1 b - - 0 1", "c2", (0, "c2")),
        ("6k1/8/8/2P5/2p5/8/8/6K1 b - - 0 1", "c3", None),
        ("6k1/8/8/2P5/8/8/8/2R3K1 w - - 0 1", "Rc2 Kg7 Rc1", None),
    ],
    "enPassant": [
        ("6k1/3p4/8/2P5/8/8/8/6K1 b - - 0 1", "(d5) cxd6", (0, "d6")),
        ("6k1/3p4/3n4/2P5/8/8/8/6K1 w - - 0 1", "cxd6", None),
    ],
    "castling": [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", (0, "g1")),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kf1", None),
    ],
    "quietMove": [
        (QUIET, "Rb1 h6 Rb8+", (0, "b1")),
        (QUIET, "Rxa3 h6 Ra8+", None),  # A capture.
        (QUIET, "Ra2 h6 Rxa3", None),  # A threat.
        (QUIET, "Kf1 h6 Rxa3", None),  # A step of the king.
        (QUIET, "g4 h6 Rxa3", (0, "g4")),
        (QUIET, "h3 h6 Kh2", (0, "h3")),
        ("6k1/5ppp/8/8/6P1/p7/5P1P/R5K1 w - - 0 1", "g5 h6 Rxa3", (0, "g5")),  # As far as a pawn goes quietly.
        (QUIET, "Rb1", None),  # Nothing comes of it.
        ("6k1/8/7P/8/8/p7/8/R5K1 w - - 0 1", "h7+ Kg7 Rxa3", None),
        ("6k1/8/1P6/8/8/p7/8/R5K1 w - - 0 1", "b7 a2 b8=Q+", None),  # A pawn runs.
        ("6k1/1P6/8/8/8/p7/8/R5K1 w - - 0 1", "b8=N a2 Rxa2", None),
        ("k7/8/8/8/1p6/p7/8/6KR b - - 0 1", "b3 Rh2 b2", None),
        ("4k3/8/8/8/8/8/r7/R3K3 w - - 0 1", "Rb1 Kf7 Rb7+", (0, "b1")),
        ("4k3/8/8/8/8/8/4r3/R2QK3 w - - 0 1", "Qxe2+ Kf7 Qe7+", None),
        ("4k3/8/8/8/4r3/6N1/8/R3K3 w - - 0 1", "Ne2 Kf7 Ra7+", None),  # Out of check.
    ],
    "defensiveMove": [
        (QUIET, "Rxa3 h6 Rd3", (2, "d3")),
        (QUIET, "Rxa3 h6 Ra8+", None),
        (QUIET, "Rb1 h6 Rb8+", None),  # Calm, but not at the end.
        ("4k3/8/8/8/4r3/6N1/8/R3K3 w - - 0 1", "Ne2 Kf7 Ra7+", (0, "e2")),  # A check is parried.
        ("4k3/8/8/8/4r3/6N1/8/R3K3 w - - 0 1", "Nxe4 Kf7 Ra7+", None),
        ("k3r3/8/8/8/8/8/3R1PPP/r5K1 w - - 0 1", "Rd1", None),  # The only move, and it attacks.
        ("k7/8/8/8/4r3/8/5PPP/5RK1 w - - 0 1", "f3", None),  # It attacks the rook.
        ("k7/8/8/8/8/8/5PPP/q4K1N w - - 0 1", "Ke2", None),  # The only move.
        ("k7/8/8/8/8/8/8/r6K w - - 0 1", "Kg2", None),  # One of two moves, ...
        ("k7/8/8/8/8/8/8/7K w - - 0 1", "Kg2", (0, "g2")),  # ... and one of three.
    ],
}


@pytest.mark.parametrize("theme", CASES)
def test_moves(theme: str) -> None:
    check(theme, CASES[theme])


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (chess.STARTING_FEN, "e4", {"opening"}),
        (DEVELOPED, "h3", {"opening"}),
        ("2rq1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP1QPPP/4RRK1 w - - 0 8", "h3", {"middlegame"}),  # White's rank.
        ("r2qr1k1/ppp2ppp/3p4/4p3/2B1P3/3P4/PPP2PPP/R2Q1RK1 w - - 0 8", "h3", {"middlegame"}),  # Few pieces.
        ("r2qr1k1/ppp2ppp/2np4/2b1p3/2B1P3/2NP4/PPP2PPP/R2QR1K1 w - - 0 8", "h3", {"middlegame"}),  # Ten pieces, ...
        ("r2qr1k1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP4/PPP2PPP/R2QR1K1 w - - 0 8", "h3", {"opening"}),  # ... and eleven.
        ("r4rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R4RK1 w - - 0 1", "h3", {"endgame"}),
        ("6k1/5p2/8/8/8/8/5P2/6K1 w - - 0 1", "f4", {"endgame", "pawnEndgame"}),
        ("6k1/5p2/8/8/8/8/5P2/1N4K1 w - - 0 1", "Nc3", {"endgame", "knightEndgame"}),
        ("6k1/5p2/8/2b5/8/8/5P2/1B4K1 w - - 0 1", "Bc2", {"endgame", "bishopEndgame"}),
        ("6k1/5p2/8/2b5/8/8/5P2/1N4K1 w - - 0 1", "Nc3", {"endgame"}),  # A bishop and a knight.
        ("6k1/5p2/8/2r5/8/8/5P2/1R4K1 w - - 0 1", "Rb2", {"endgame", "rookEndgame"}),
        ("6k1/5p2/8/2q5/8/8/5P2/1Q4K1 w - - 0 1", "Qb2", {"endgame", "queenEndgame"}),
        ("6k1/5p2/8/2q5/8/8/5P2/1R4K1 w - - 0 1", "Rb2", {"endgame", "queenRookEndgame"}),
        ("6k1/5p2/8/2q5/8/8/5P2/1RQ3K1 w - - 0 1", "Rb2", {"endgame"}),  # Two queens and a rook.
        ("6k1/5p2/8/2n5/8/8/5P2/2R3K1 w - - 0 1", "Rxc5", {"endgame"}),  # The knight was there before.
        ("6k1/P4p2/8/8/8/8/8/6K1 w - - 0 1", "a8=Q+", {"endgame"}),
    ],
)
def test_phases_and_endings(fen: str, moves: str, expected: set[str]) -> None:
    themes = {motif.theme for motif in find_motifs(read_line(fen, moves))}
    assert {
        theme for theme in themes if theme in ("opening", "middlegame") or theme.lower().endswith("game")
    } == expected
