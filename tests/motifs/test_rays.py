import pytest

from tests.motifs.lines import found, read_line


@pytest.mark.parametrize(
    ("theme", "fen", "moves", "expected"),
    [
        ("pin", "4k3/4n3/p7/8/8/8/8/R5K1 w - - 0 1", "Re1 a5 Rxe7+", None),  # The king protects the knight.
        ("pin", "4k3/8/4n3/p7/8/8/8/R5K1 w - - 0 1", "Re1 a4 Rxe6+", (0, "e1 e6")),
        ("pin", "4k3/8/4q3/p7/8/8/8/R5K1 w - - 0 1", "Re1 Qxe1+ Kg2", (0, "e1 e6")),  # A rook for a queen.
        ("pin", "4k3/8/4r3/p7/8/8/8/R5K1 w - - 0 1", "Re1 Rxe1+ Kg2", None),  # A rook takes the rook.
        ("pin", "4k3/8/4p3/p7/8/8/8/R5K1 w - - 0 1", "Re1 a4 Rxe6+", None),  # A pawn would not go away.
        ("pin", "8/4k3/8/4n3/p7/8/8/4R1K1 w - - 0 1", "Kg2 a3 Kg1", None),  # The pin is old, and of no use.
        ("pin", "4k3/8/4n3/8/p7/5N2/8/4R1K1 w - - 0 1", "Nd4 Kd7 Nxe6", (0, "e1 e6")),  # The knight dares to go there.
        ("pin", "4k3/8/4n3/8/p7/5N2/8/4R1K1 w - - 0 1", "Nd4 Kd7 Nb5", (0, "e1 e6")),
        ("pin", "4k3/8/4n3/8/p7/2P2N2/8/4R1K1 w - - 0 1", "Nd4 Kd7 Nb5", None),  # It is protected there anyway.
        ("pin", "4k3/5p2/4n3/8/3B4/8/8/R5K1 w - - 0 1", "Re1 f6 Bxf6", (0, "e1 e6")),  # The pin saves the bishop.
        ("pin", "4k3/5p2/4n3/8/3P4/8/8/4R1K1 w - - 0 1", "d5 Kd7 dxe6+", (0, "e1 e6")),  # It cannot flee from the pawn.
        ("pin", "4k3/5p2/4n3/8/3P4/8/8/4R1K1 w - - 0 1", "d5 Kd7 d6", None),
        ("pin", "4k3/5p2/4n3/8/3B4/8/8/4R1K1 w - - 0 1", "Kg2 f6 Bxf6", None),  # The pin was there before.
        ("pin", "4k3/8/8/p3n3/4p3/8/8/R5K1 w - - 0 1", "Re1 a4 Kg2", None),  # Two pieces are in the way.
        ("pin", "4k3/8/4n3/8/p7/5N2/8/3R2K1 w - - 0 1", "Nd4 Nxd4 Rxd4", None),
        ("pin", "4k3/8/4b3/8/2R5/8/8/6K1 w - - 0 1", "Re4 Kd7 Rxe6", (0, "e4 e6")),
        ("skewer", "r7/8/8/8/k7/8/8/1R4K1 w - - 0 1", "Ra1+ Kb4 Rxa8", (0, "a1 a4 a8")),
        ("skewer", "r7/8/8/8/q7/8/8/1R4K1 w - - 0 1", "Ra1 Qd4+ Kg2", None),  # The rook behind is not taken.
        ("skewer", "b5k1/8/8/8/n7/8/8/1R4K1 w - - 0 1", "Ra1 Nc5 Rxa8+", None),  # The knight was worth no more.
        ("skewer", "b7/2n3k1/8/8/q7/8/8/1R4K1 w - - 0 1", "Ra1 Qc4 Rxa8", None),
        ("discoveredAttack", "3q2k1/7p/8/8/3N4/8/8/3R2K1 w - - 0 1", "Nf5 h5 Rxd8+", (0, "d1 d8")),
        ("discoveredAttack", "3q2k1/7p/8/8/3N4/8/8/3R2K1 w - - 0 1", "Nf5 Qd6 Rxd6", None),  # The queen went there.
        ("discoveredAttack", "3q2k1/7p/8/8/3N4/8/8/3R2K1 w - - 0 1", "Nf5 h6 Rd7", None),  # Nothing is taken.
        ("discoveredAttack", "3q2k1/7p/8/8/3R4/8/8/6K1 w - - 0 1", "Rd1 h6 Rxd8+", None),  # The rook that moved takes.
        ("discoveredAttack", "7k/7p/8/8/8/8/8/1n2K2R w K - 0 1", "O-O h6 Rxb1", None),  # Castling.
        ("discoveredAttack", "4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nc5+ Kf7 Nd3", (0, "e1")),
        ("discoveredCheck", "4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nc5+", (0, "e1")),
        ("discoveredCheck", "4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nd6+", None),  # A double check.
        ("discoveredCheck", "4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Re2", None),
        ("discoveredCheck", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", None),  # The rook has moved itself.
        ("doubleCheck", "4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nd6+", (0, "e1 d6")),
        ("doubleCheck", "4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nc5+", None),
        ("xRayAttack", "3r2k1/3q4/8/8/8/8/8/3QR1K1 w - - 0 1", "Re8+ Rxe8 Kg2", None),
        ("xRayAttack", "3r2k1/8/3b4/8/8/8/3R4/3R2K1 w - - 0 1", "Rxd6 Rxd6 Rxd6", None),  # From the same side.
        ("xRayAttack", "R1r1N3/6k1/8/8/8/8/8/6K1 w - - 0 1", "Kg2 Rxe8 Rxe8", None),  # Nothing was taken there first.
        ("xRayAttack", "r3r1k1/8/8/8/Q7/8/8/4R1K1 w - - 0 1", "Rxe8+ Rxe8 Qxe8+", None),  # Around the rook.
        ("xRayAttack", "2r1r1k1/8/8/8/8/8/8/R3R1K1 w - - 0 1", "Rxe8+ Rxe8 Ra8", None),
        ("xRayAttack", "R1r1r1k1/8/8/8/8/8/8/4R1K1 w - - 0 1", "Rxe8+ Rxe8 Rxe8+", (0, "a8 e8")),
    ],
)
def test_line_pieces(theme: str, fen: str, moves: str, expected: tuple[int, str] | None) -> None:
    assert found(read_line(fen, moves), theme) == expected
