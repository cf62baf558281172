import pytest

from ox88.motifs.find import find_motifs
from tests.motifs.lines import found, read_line


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


@pytest.mark.parametrize(
    ("fen", "move", "theme", "squares"),
    [
        ("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "Rd8#", "backRankMate", "g8 d8"),
        ("6k1/5p1p/5B2/8/8/8/8/3R2K1 w - - 0 1", "Rd8#", None, ""),  # The bishop, not a pawn, keeps the king from g7.
        ("6k1/5ppp/7B/8/8/8/8/3R2K1 w - - 0 1", "Rd8#", None, ""),  # It would without the pawn too.
        ("3B4/8/6br/R6k/6pp/8/8/6K1 w - - 0 1", "Rg5#", None, ""),  # Not on the first rank.
        ("6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1", "Nf7#", "smotheredMate", "h8 f7"),
        ("7k/7p/7B/4N3/8/8/8/6RK w - - 0 1", "Nf7#", None, ""),  # The rook guards squares that are empty.
        ("7Q/4k3/8/8/5p2/5Pn1/5KP1/r7 b - - 0 47", "Rf1#", "hookMate", "f2 f1"),
        ("7Q/4k3/8/8/5b2/5Pn1/5KP1/r7 b - - 0 47", "Rf1#", None, ""),  # A bishop guards the knight.
        ("7k/R7/5N2/8/8/8/8/6K1 w - - 0 1", "Rh7#", "arabianMate", "h8 h7"),
        ("8/4k2r/7R/P7/8/4n1PK/1P6/8 b - - 1 50", "Rxh6#", "anastasiaMate", "h3 h6"),
        ("8/4k2r/7R/P7/8/5bPK/1P6/8 b - - 1 50", "Rxh6#", None, ""),  # A bishop does the knight's work.
        ("5Q2/8/4r3/3qk3/8/6PK/5P1P/8 w - - 9 57", "Qf4#", "dovetailMate", "e5 f4"),
        ("5Q2/8/4r3/3qk3/8/6PK/5P1P/3R4 w - - 9 57", "Qf4#", None, ""),  # A rook helps.
        ("2kr4/3p4/8/8/5B2/8/4B3/4K3 w - - 0 1", "Ba6#", "bodenMate", "c8 a6"),
        ("7k/7p/8/8/2B5/8/8/2B3K1 w - - 0 1", "Bb2#", "doubleBishopMate", "h8 b2"),
        ("7k/4N2p/8/8/8/8/8/2B3K1 w - - 0 1", "Bb2#", None, ""),
        ("7k/4N2p/8/8/2B5/8/8/2B3K1 w - - 0 1", "Bb2#", None, ""),  # The knight helps.
        ("8/2R5/5k2/5n1K/5R2/6r1/8/8 b - - 20 55", "Rg5#", "vukovicMate", "h5 g5"),
        ("7k/8/8/1Q6/2P4P/5q1r/5P2/5RK1 b - - 5 44", "Rh1#", "killBoxMate", "g1 h1"),
        ("7k/8/8/1Q6/2P1q2P/7r/5P2/5RK1 b - - 5 44", "Rh1#", None, ""),  # The queen is too far for a box.
    ],
)
def test_the_pattern_of_a_mate(fen: str, move: str, theme: str | None, squares: str) -> None:
    line = read_line(fen, move)
    assert line.mates
    assert [motif.theme for motif in find_motifs(line) if motif.theme.endswith("Mate")] == ([theme] if theme else [])
    if theme:
        assert found(line, "matePattern") == (0, squares)
