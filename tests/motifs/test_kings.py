"""Mates and attacks on kings."""

from typing import Final

import pytest

from ox88.motifs.find import find_motifs
from tests.motifs.lines import Cases, check, read_line

BARE = "6k1/8/8/8/8/8/Q7/6K1 w - - 0 1"
CASTLED = "r4rk1/pppq1pp1/2np1n1p/4p3/8/3B4/PPPQ1PPP/R4RK1 w - - 0 1"
CASES: Final[Cases] = {
    "exposedKing": [
        (BARE, "Qa8+ Kg7 Qb7+ Kg6 Qc6+", (2, "g8")),
        ("6k1/6p1/8/8/8/8/Q7/6K1 w - - 0 1", "Qa8+ Kh7 Qe4+ Kg8 Qe8+", None),  # A pawn is beside the king.
        ("8/8/8/6k1/8/8/Q7/6K1 w - - 0 1", "Qa5+ Kg4 Qa4+ Kg3 Qb3+", None),  # The king walks about.
        ("8/8/6k1/8/8/8/Q7/6K1 w - - 0 1", "Qa6+ Kg5 Qb5+ Kg4 Qc4+", (2, "g6")),  # On its third rank.
        (BARE, "Qa8+ Kg7 Qb7+", None),  # Only the ends of the line are checks.
        ("6k1/8/8/8/8/8/7q/K7 b - - 0 1", "Qh1+ Ka2 Qg2+ Ka3 Qf3+", (2, "a1")),
        ("6K1/8/8/8/8/8/q7/6k1 b - - 0 1", "Qa8+ Kg7 Qb7+ Kg6 Qc6+", None),
    ],
    "attackingF2F7": [
        ("r1bqkb1r/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "Qxf7#", (0, "f7 e8")),
        ("r1bq1rk1/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQ - 0 1", "Qxf7+", None),  # Castled.
        ("r1bqkb1r/pppp2pp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "Qf7#", None),  # The pawn is gone.
        ("4k3/8/8/8/7q/8/5P2/4K3 b - - 0 1", "Qxf2+", (0, "f2 e1")),
    ],
    "kingsideAttack": [
        (CASTLED, "Qxh6 Qe7 Qh7#", (2, "g8")),
        (CASTLED, "Qxh6 Qe7 Qg5", None),  # No check.
        (CASTLED, "Bh7+ Kh8 Qc3", None),  # One check, no capture.
        (CASTLED, "Qxh6 Qe7 Bh7+ Kh8 Bg6+ Kg8", (2, "g8")),
        (CASTLED, "Qxh6 Qe7 a3 Qe6 Qh7#", None),  # A move far away.
        (CASTLED, "Qxh6 Qe7 g3 Qe6 Qh7#", None),  # Five squares.
        (CASTLED, "Qxh6 Qe7 g4 Qe6 Qh7#", (4, "g8")),  # Four.
        ("r4rk1/pppq1pp1/2np1n2/4p3/3Q3p/3B4/PPP2PPP/R4RK1 w - - 0 1", "Qxh4 Qe7 Qh7+", None),  # It takes too far away.
        ("r4rk1/2pq1pp1/2np1n1p/4p3/8/3B4/3Q1PPP/R4RK1 w - - 0 1", "Qxh6 Qe7 Qh7#", (2, "g8")),  # 20 pieces, ...
        ("r4rk1/3q1pp1/2np1n1p/4p3/8/3B4/3Q1PPP/R4RK1 w - - 0 1", "Qxh6 Qe7 Qh7#", None),  # ... and 19.
        ("r4r2/pppq1pk1/2np1n1p/4p3/8/3B4/PPPQ1PPP/R4RK1 w - - 0 1", "Qxh6+ Kg8 Qh8+", None),
        ("r2k1r2/pppq1pp1/2np1n1p/4p3/8/3B4/PPPQ1PPP/R4RK1 w - - 0 1", "Qxh6 Qe7 Qh8", None),
        ("5rk1/3q1pp1/5n1p/8/8/3B4/3Q1PPP/5RK1 w - - 0 1", "Qxh6 Qe7 Qh7#", None),  # Few pieces.
    ],
    "queensideAttack": [
        (CASTLED, "Qxh6 Qe7 Qg5+", None),  # The other wing.
        ("2kr1b1r/pppq1ppp/8/8/8/4n2n/PPP2PPP/1K1R1B1R b - - 0 1", "Qxd1#", (0, "b1")),
        ("2kr1b1r/1ppq4/8/8/8/4n3/PPP2PPP/1K1R1B1R b - - 0 1", "Qxd1#", (0, "b1")),  # 18 pieces, ...
        ("2kr1b1r/2pq4/8/8/8/4n3/PPP2PPP/1K1R1B1R b - - 0 1", "Qxd1#", None),  # ... and 17.
    ],
    "backRankMate": [
        ("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "Rd8#", (0, "g8 d8")),
        ("6k1/5p1p/5B2/8/8/8/8/3R2K1 w - - 0 1", "Rd8#", None),  # The bishop, not a pawn, keeps the king from g7.
        ("6k1/5ppp/7B/8/8/8/8/3R2K1 w - - 0 1", "Rd8#", None),  # It would without the pawn too.
        ("3B4/8/6br/R6k/6pp/8/8/6K1 w - - 0 1", "Rg5#", None),  # Not on the first rank.
    ],
    "smotheredMate": [
        ("6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1", "Nf7#", (0, "h8 f7")),
        ("5bnr/2N2pkp/5ppp/8/8/8/8/6K1 w - - 0 1", "Ne8#", (0, "g7 e8")),
        ("7k/7p/7B/4N3/8/8/8/6RK w - - 0 1", "Nf7#", None),  # The rook guards squares that are empty.
    ],
}


@pytest.mark.parametrize("theme", CASES)
def test_kings(theme: str) -> None:
    check(theme, CASES[theme])


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "Rd8#", {"mate", "mateIn1"}),
        ("6k1/5pp1/7p/8/8/8/8/R2R2K1 w - - 0 1", "Kf1 g6 Ra8+ Kh7", set()),
        ("3r2k1/5ppp/8/8/8/8/3R4/3R2K1 w - - 0 1", "Rxd8#", {"mate", "mateIn1"}),
        ("2r3k1/5ppp/8/8/8/8/3R4/3R2K1 w - - 0 1", "Rd8+ Rxd8 Rxd8#", {"mate", "mateIn2"}),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rg1 Kb8 Rh1 Ka8 Rg1 Kb8 Rh1 Ka8 Rg1 Kb8 Rg8#", {"mate", "mateIn5"}),  # Six.
        ("7k/5Q2/8/8/8/8/8/6K1 w - - 0 1", "Qf8+", set()),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", set()),  # Stalemate.
    ],
)
def test_a_mate_is_named_for_its_moves(fen: str, moves: str, expected: set[str]) -> None:
    themes = {motif.theme for motif in find_motifs(read_line(fen, moves))}
    assert {theme for theme in themes if theme == "mate" or theme.startswith("mateIn")} == expected
