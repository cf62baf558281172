import pytest

from tests.motifs.lines import found, read_line

PAWN = "6k1/2P5/8/8/8/8/1p6/6K1 w - - 0 1"


@pytest.mark.parametrize(
    ("theme", "fen", "moves", "expected"),
    [
        ("promotion", PAWN, "c8=Q+", (0, "c8")),
        ("promotion", PAWN, "c8=N", (0, "c8")),
        ("promotion", PAWN, "Kg2 b1=Q c8=Q+", (2, "c8")),
        ("promotion", PAWN, "Kg2 b1=Q Kg3", None),  # Only the opponent's.
        ("underPromotion", PAWN, "c8=N", (0, "c8")),
        ("underPromotion", PAWN, "c8=Q+", None),
        ("underPromotion", PAWN, "Kg2", None),
        ("advancedPawn", PAWN, "c8=Q+", (0, "c8")),
        ("advancedPawn", "6k1/8/2P5/8/8/8/8/6K1 w - - 0 1", "c7", (0, "c7")),
        ("advancedPawn", "6k1/8/8/2P5/8/8/8/6K1 w - - 0 1", "c6", None),
        ("advancedPawn", "6k1/8/8/2P5/8/2p5/8/6K1 b - - 0 1", "c2", (0, "c2")),
        ("advancedPawn", "6k1/8/8/2P5/2p5/8/8/6K1 b - - 0 1", "c3", None),
        ("advancedPawn", "6k1/8/8/2P5/8/8/8/2R3K1 w - - 0 1", "Rc2 Kg7 Rc1", None),
        ("enPassant", "6k1/3p4/8/2P5/8/8/8/6K1 b - - 0 1", "(d5) cxd6", (0, "d6")),
        ("enPassant", "6k1/3p4/3n4/2P5/8/8/8/6K1 w - - 0 1", "cxd6", None),
        ("castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", (0, "g1")),
        ("castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kf1", None),
    ],
)
def test_moves_of_a_special_kind(theme: str, fen: str, moves: str, expected: tuple[int, str] | None) -> None:
    assert found(read_line(fen, moves), theme) == expected
