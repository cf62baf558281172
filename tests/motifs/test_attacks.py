"""Attacks on pieces: each line shows a theme at a step with some squares, or not."""

from typing import Final

import pytest

from tests.motifs.lines import Cases, check

CASES: Final[Cases] = {
    "hangingPiece": [
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5", (0, "d5")),
        ("4k3/p7/8/3n4/8/8/8/3RK3 b - - 0 1", "(a6) Rxd5", (0, "d5")),
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 Kf7 Kd2", (0, "d5")),
        ("4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 cxd5 Kd2", None),  # A pawn protects it.
        ("2k5/8/2p5/3n4/8/8/8/2RRK3 w - - 0 1", "Rxd5", (0, "d5")),  # The pawn is pinned.
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", None),  # Only a pawn.
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rd2 Kd7 Rxd5+", None),  # Not at once.
        ("r3k3/8/8/3n4/8/8/8/R2RK3 w Q - 0 1", "Rxd5 Rxa1+ Kd2", None),  # Black takes as much.
        ("4k3/8/5n2/3N4/8/8/8/3RK3 b - - 0 1", "(Nxd5) Rxd5", None),  # A knight for a knight.
        ("4k3/8/5n2/3P4/8/8/8/3RK3 b - - 0 1", "(Nxd5) Rxd5", (0, "d5")),  # A knight for a pawn.
    ],
    "trappedPiece": [
        ("6k1/5p2/8/p7/8/1P6/b1P5/2K5 w - - 0 1", "Kb2 Bb1 Kxb1", (0, "a2")),
        ("6k1/5p2/8/p7/8/1P6/b1P5/2K5 w - - 0 1", "Kb2 a4 Kxa2", (0, "a2")),
        ("6k1/5p2/8/p7/8/8/b1P5/2K5 w - - 0 1", "Kb2 a4 Kxa2", None),  # It had squares.
        ("6k1/8/8/p7/8/1P6/p1P5/2K5 w - - 0 1", "Kb2 a4 Kxa2", None),  # A pawn.
        ("6k1/5p2/8/p7/8/1P6/b1P5/2K5 w - - 0 1", "Kb2 a4 bxa4", None),  # It is not taken.
    ],
    "fork": [
        ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8", (0, "c7 a8 e8")),
        ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+", None),  # The line ends with the fork, and wins nothing.
        ("4k3/8/8/3N4/b1b5/8/8/4K3 w - - 0 1", "Nb6 Kd8 Nxa4", (0, "b6 a4 c4")),
        ("r1b1k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nb6 Rb8 Nxc8", None),  # The rook protects the bishop.
        ("4k3/8/p7/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa6", None),  # A pawn is no piece.
        ("3r3k/8/8/1r6/8/2N5/8/3RK3 w - - 0 1", "Rd5 Rbxd5 Nxd5", None),  # What is attacked attacks in turn.
        ("2b1k3/p7/8/3N4/8/8/8/4K3 w - - 0 1", "Nb6 axb6 Kd2", None),  # A pawn takes the knight.
        ("r1b1k3/3n4/8/3N4/8/8/8/4K3 w - - 0 1", "Nb6 Nxb6 Kd2", None),  # A knight takes it for nothing.
        ("r1b1k3/4p3/8/3N4/8/8/8/4K3 w - - 0 1", "Nf4 Kd8 Nd5", None),
        ("2b1k3/p7/8/1N6/8/8/8/4K3 w - - 0 1", "Nd6+ Kd7 Nxc8", (0, "d6 c8 e8")),
        ("2b1k3/4p3/8/1N6/8/8/8/4K3 w - - 0 1", "Nd6+ exd6 Kd2", None),
        ("2b1k3/4p3/8/1N6/8/8/8/4R1K1 w - - 0 1", "Nd6+ Kd7 Nxc8", (0, "d6 c8 e8")),  # The pawn is pinned.
        ("2b1k3/p2n4/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Kd8 Nd5", None),  # One piece, and empty squares.
        ("4k3/8/8/1n3b2/8/8/2P5/1Q2K3 w - - 0 1", "c4 Nd6 c5", None),  # The pawn attacks one.
        ("4k3/8/8/1n1r4/8/8/2P5/4K3 w - - 0 1", "c4 Nd6 cxd5", (0, "c4 b5 d5")),
        ("8/8/2n1n3/8/4K3/8/8/6k1 w - - 0 1", "Kd5 Kg2 Kxc6", None),  # Nor is the king's fork.
        ("4k3/8/8/1n3b2/1p4p1/p6p/8/3QK3 w - - 0 1", "Qd5 Nc3 Qxf5", (0, "d5 b5 f5")),
        ("4k3/8/p3p3/1n3b2/8/8/8/3QK3 w - - 0 1", "Qd3 Nc7 Qd2", None),  # Both are protected.
    ],
    "pin": [
        ("4k3/4n3/p7/8/8/8/8/R5K1 w - - 0 1", "Re1 a5 Rxe7+", None),  # The king protects the knight.
        ("4k3/8/4n3/p7/8/8/8/R5K1 w - - 0 1", "Re1 a4 Rxe6+", (0, "e1 e6")),
        ("4k3/8/4q3/p7/8/8/8/R5K1 w - - 0 1", "Re1 Qxe1+ Kg2", (0, "e1 e6")),  # A rook for a queen.
        ("4k3/8/4r3/p7/8/8/8/R5K1 w - - 0 1", "Re1 Rxe1+ Kg2", None),  # A rook takes the rook.
        ("4k3/8/4p3/p7/8/8/8/R5K1 w - - 0 1", "Re1 a4 Rxe6+", None),  # A pawn would not go away.
        ("8/4k3/8/4n3/p7/8/8/4R1K1 w - - 0 1", "Kg2 a3 Kg1", None),  # The pin is old, and of no use.
        ("4k3/8/4n3/8/p7/5N2/8/4R1K1 w - - 0 1", "Nd4 Kd7 Nxe6", (0, "e1 e6")),  # The knight dares to go there.
        ("4k3/8/4n3/8/p7/5N2/8/4R1K1 w - - 0 1", "Nd4 Kd7 Nb5", (0, "e1 e6")),
        ("4k3/8/4n3/8/p7/2P2N2/8/4R1K1 w - - 0 1", "Nd4 Kd7 Nb5", None),  # It is protected there anyway.
        ("4k3/5p2/4n3/8/3B4/8/8/R5K1 w - - 0 1", "Re1 f6 Bxf6", (0, "e1 e6")),  # The pin saves the bishop.
        ("4k3/5p2/4n3/8/3P4/8/8/4R1K1 w - - 0 1", "d5 Kd7 dxe6+", (0, "e1 e6")),  # It cannot flee from the pawn.
        ("4k3/5p2/4n3/8/3P4/8/8/4R1K1 w - - 0 1", "d5 Kd7 d6", None),
        ("4k3/5p2/4n3/8/3B4/8/8/4R1K1 w - - 0 1", "Kg2 f6 Bxf6", None),  # The pin was there before.
        ("4k3/8/8/p3n3/4p3/8/8/R5K1 w - - 0 1", "Re1 a4 Kg2", None),  # Two pieces are in the way.
        ("4k3/8/4n3/8/p7/5N2/8/3R2K1 w - - 0 1", "Nd4 Nxd4 Rxd4", None),
        ("4k3/8/4b3/8/2R5/8/8/6K1 w - - 0 1", "Re4 Kd7 Rxe6", (0, "e4 e6")),
    ],
    "skewer": [
        ("r7/8/8/8/k7/8/8/1R4K1 w - - 0 1", "Ra1+ Kb4 Rxa8", (0, "a1 a4 a8")),
        ("r7/8/8/8/q7/8/8/1R4K1 w - - 0 1", "Ra1 Qd4+ Kg2", None),  # The rook behind is not taken.
        ("b5k1/8/8/8/n7/8/8/1R4K1 w - - 0 1", "Ra1 Nc5 Rxa8+", None),  # The knight was worth no more.
        ("b7/2n3k1/8/8/q7/8/8/1R4K1 w - - 0 1", "Ra1 Qc4 Rxa8", None),
    ],
    "discoveredAttack": [
        ("3q2k1/7p/8/8/3N4/8/8/3R2K1 w - - 0 1", "Nf5 h5 Rxd8+", (0, "d1 d8")),
        ("3q2k1/7p/8/8/3N4/8/8/3R2K1 w - - 0 1", "Nf5 Qd6 Rxd6", None),  # The queen went there.
        ("3q2k1/7p/8/8/3N4/8/8/3R2K1 w - - 0 1", "Nf5 h6 Rd7", None),  # Nothing is taken.
        ("3q2k1/7p/8/8/3R4/8/8/6K1 w - - 0 1", "Rd1 h6 Rxd8+", None),  # The rook that moved takes.
        ("7k/7p/8/8/8/8/8/1n2K2R w K - 0 1", "O-O h6 Rxb1", None),  # Castling.
        ("4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nc5+ Kf7 Nd3", (0, "e1")),
    ],
    "discoveredCheck": [
        ("4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nc5+", (0, "e1")),
        ("4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nd6+", None),  # A double check.
        ("4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Re2", None),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", None),  # The rook has moved itself.
    ],
    "doubleCheck": [
        ("4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nd6+", (0, "e1 d6")),
        ("4k3/7p/8/8/4N3/8/8/4R1K1 w - - 0 1", "Nc5+", None),
    ],
    "xRayAttack": [
        ("3r2k1/3q4/8/8/8/8/8/3QR1K1 w - - 0 1", "Re8+ Rxe8 Kg2", None),
        ("3r2k1/8/3b4/8/8/8/3R4/3R2K1 w - - 0 1", "Rxd6 Rxd6 Rxd6", None),  # From the same side.
        ("R1r1N3/6k1/8/8/8/8/8/6K1 w - - 0 1", "Kg2 Rxe8 Rxe8", None),  # Nothing was taken there first.
        ("r3r1k1/8/8/8/Q7/8/8/4R1K1 w - - 0 1", "Rxe8+ Rxe8 Qxe8+", None),  # Around the rook.
        ("2r1r1k1/8/8/8/8/8/8/R3R1K1 w - - 0 1", "Rxe8+ Rxe8 Ra8", None),
        ("R1r1r1k1/8/8/8/8/8/8/4R1K1 w - - 0 1", "Rxe8+ Rxe8 Rxe8+", (0, "a8 e8")),
    ],
}


@pytest.mark.parametrize("theme", CASES)
def test_attacks(theme: str) -> None:
    check(theme, CASES[theme])
