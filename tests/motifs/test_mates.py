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
        ("5bnr/2N2pkp/5ppp/8/8/8/8/6K1 w - - 0 1", "Ne8#", "smotheredMate", "g7 e8"),
        ("7k/7p/7B/4N3/8/8/8/6RK w - - 0 1", "Nf7#", None, ""),  # The rook guards squares that are empty.
    ],
)
def test_the_pattern_of_a_mate(fen: str, move: str, theme: str | None, squares: str) -> None:
    line = read_line(fen, move)
    assert line.boards[-1].is_checkmate()
    assert [motif.theme for motif in find_motifs(line) if motif.theme.endswith("Mate")] == ([theme] if theme else [])
    if theme:
        assert found(line, theme) == (0, squares)
