import chess
import pytest

from ox88.motifs import exchanges


@pytest.mark.parametrize(
    ("fen", "square", "protected", "in_danger"),
    [
        ("4k3/8/8/3n4/8/8/3R4/4K3 w - - 0 1", chess.D5, False, True),
        ("4k3/8/2p5/3n4/8/8/3R4/4K3 w - - 0 1", chess.D5, True, False),  # A pawn protects it.
        ("3rk3/3R4/8/3n4/8/8/8/4K3 w - - 0 1", chess.D5, True, False),  # The rook retakes through the taker.
        ("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", chess.D5, True, True),  # A pawn attacks it.
        ("4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1", chess.D5, False, False),  # Nothing attacks it.
        ("4k3/8/8/8/3q4/1p6/3R4/R3K3 w - - 0 1", chess.D4, False, True),
        ("8/8/2k5/3n4/8/8/8/3RK3 w - - 0 1", chess.D5, True, False),
        ("8/8/2k5/3n4/8/1B6/8/3RK3 w - - 0 1", chess.D5, False, True),  # A king does not retake from two.
        (
            "8/1kb2Q2/8/8/8/8/7q/6K1 w - - 0 1",
            chess.H2,
            True,
            False,
        ),  # The bishop is pinned, and yet keeps the king off.
        ("4k3/8/4p3/3n4/8/8/8/K2RR3 w - - 0 1", chess.D5, False, True),  # The pawn is pinned.
        ("3K4/8/3R4/8/4p3/3b4/8/4k3 w - - 0 1", chess.D3, True, False),
        ("3rk3/8/8/3r4/8/8/3R4/4K3 w - - 0 1", chess.D5, True, False),  # A rook for a rook.
        ("3r2k1/8/8/8/3q4/8/3Q4/4K3 w - - 0 1", chess.D4, True, False),  # A queen for a queen.
    ],
)
def test_a_piece_is_in_danger_if_a_capture_wins_material(
    fen: str, square: chess.Square, protected: bool, in_danger: bool
) -> None:
    board = chess.Board(fen)
    assert (exchanges.is_protected(board, square), exchanges.is_in_danger(board, square)) == (protected, in_danger)


@pytest.mark.parametrize(
    ("fen", "trapped"),
    [
        ("4k3/8/8/p7/8/1P6/bKP5/8 b - - 0 1", True),
        ("4k3/8/8/8/p7/1P6/bKP5/8 b - - 0 1", True),  # It can take a pawn only, and would be lost.
        ("4k3/8/8/8/p7/1R6/bKP5/8 b - - 0 1", False),  # It takes a rook.
        ("4k3/8/8/8/p7/1B6/bKP5/8 b - - 0 1", False),  # Or a bishop.
        ("R7/8/8/8/8/1K6/n7/k7 b - - 0 1", False),  # It is pinned.
        ("4k3/8/8/p7/8/8/bKP5/8 b - - 0 1", False),  # It goes to d5.
        ("4k3/8/8/p7/8/1P6/b1P5/2K5 b - - 0 1", False),  # Nothing attacks it.
        ("4k3/8/8/p7/B7/1P6/bKP5/8 b - - 0 1", False),  # Black is in check: something else comes first.
    ],
)
def test_a_piece_is_trapped_if_every_move_loses_it(fen: str, trapped: bool) -> None:
    assert exchanges.is_trapped(chess.Board(fen), chess.A2) == trapped
