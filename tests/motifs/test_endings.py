import chess
import pytest

from ox88.motifs.find import find_motifs
from tests.motifs.lines import read_line

DEVELOPED = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 0 8"


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (chess.STARTING_FEN, "e4", {"opening"}),
        (DEVELOPED, "h3", {"opening"}),
        ("2rq1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP1QPPP/4RRK1 w - - 0 8", "h3", {"middlegame"}),  # White's rank.
        ("r2qr1k1/ppp2ppp/3p4/4p3/2B1P3/3P4/PPP2PPP/R2Q1RK1 w - - 0 8", "h3", {"middlegame"}),  # Few pieces.
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
