"""Indirect tactics."""

from typing import Final

import pytest

from tests.motifs.lines import Cases, check

GUARDED_BISHOP = "6k1/p7/2n5/1B2b3/8/8/8/4R1K1 w - - 0 1"
GUARDED_QUEEN = "3r2k1/5ppp/8/8/3q4/8/5PPP/3QR1K1 w - - 0 1"
GUARDED_KNIGHT = "3r2k1/p7/8/8/3n1B2/8/7P/3R2K1 w - - 0 1"
RECAPTURE = "6k1/p4ppp/8/8/1b6/2N5/1P3PPP/3R2K1 b - - 0 1"
CASES: Final[Cases] = {
    "capturingDefender": [
        (GUARDED_BISHOP, "Bxc6 a6 Rxe5", (0, "c6 e5")),
        ("6k1/p7/2np4/1B2b3/8/8/8/4R1K1 w - - 0 1", "Bxc6 a6 Rxe5", None),  # The pawn guards it too.
        ("6k1/p7/1n6/B3b3/8/8/8/4R1K1 w - - 0 1", "Bxb6 axb6 Rxe5", None),  # The knight was no guard.
        ("6k1/p7/2n5/1B2q3/3P4/8/8/4R1K1 w - - 0 1", "Bxc6 a6 dxe5", None),  # A pawn takes a queen, guarded or not.
        ("4k3/p7/2n5/1B2b3/8/8/8/3R2K1 w - - 0 1", "Bxc6+ Kf7 Rd7+", None),  # Nothing is captured.
        ("4k3/p7/2n5/1B2b3/8/8/8/4R1K1 w - - 0 1", "Bxc6+ Kf7 Rxe5", None),  # A check drives the king.
        ("6k1/p7/2nb4/1B6/8/8/8/4R1K1 w - - 0 1", "Bxc6 Be5 Rxe5", None),  # The bishop goes there later.
        ("6k1/p2r4/8/8/3n2Q1/8/8/6K1 w - - 0 1", "Qxd7 a6 Qxd4", None),  # The queen takes one after the other.
        ("6k1/p3n3/8/8/1b6/3N4/4R3/4K3 w - - 0 1", "Nxb4 a6 Rxe7", None),  # It had to parry a check.
        ("6k1/2b2ppp/p7/8/5B2/8/8/3R2K1 w - - 0 1", "Bxc7 a5 Rd8#", (0, "c7 d8")),  # The bishop guarded the mate.
    ],
    "deflection": [
        (GUARDED_QUEEN, "Re8+ Rxe8 Qxd4", (0, "d8 d4")),
        ("3r2k1/3R1ppp/8/8/3q4/1N6/5PPP/4R1K1 w - - 0 1", "Re8+ Rxe8 Nxd4", None),  # It wins the queen anyway.
        ("3rr1k1/5ppp/8/8/3q4/8/5PPP/3QR1K1 w - - 0 1", "Rxe8+ Rxe8 Qxd4", None),  # Nothing is offered.
        ("3r2k1/5ppp/8/8/3q4/8/3R1PPP/3Q2K1 w - - 0 1", "Rxd4 Rxd4 Qxd4", None),
        ("3r2k1/5ppp/8/8/3q4/8/R4PPP/3Q2K1 w - - 0 1", "Ra8 Rxa8 Qxd4", (0, "d8 d4")),
        ("3q2k1/5ppp/8/3r4/8/8/R4PPP/3Q2K1 w - - 0 1", "Ra8 Qxa8 Qxd5", None),  # It guards from there too.
        ("3r2k1/R4ppp/8/8/6Q1/8/5PPP/6K1 w - - 0 1", "Rd7 Rxd7 Qxd7", None),  # An exchange on one square.
        ("3r2k1/R4ppp/8/8/3q4/8/5PPP/3Q2K1 w - - 0 1", "Ra5 Re8 Qxd4", None),  # It leaves by itself.
        ("8/PR6/8/r4kpp/8/5PK1/8/8 w - - 0 1", "Rb5+ Rxb5 a8=Q", (0, "a5 a8")),  # Through the pawn.
        ("8/PR6/8/2r2kpp/8/5PK1/8/8 w - - 0 1", "Rb5 Rxb5 a8=Q", None),
        ("r4r1k/4NQpp/p1n5/3pN3/1p6/7P/P1P3PK/4q3 w - - 2 31", "Qg8+ Rxg8 Nf7#", (0, "f8 f7")),
        ("r7/5ppp/4k3/3R4/1P3P2/p1r5/6PP/3R2K1 w - - 1 29", "Re5+ Kf6 Rd6#", None),  # The king is only chased.
    ],
    "interference": [
        (GUARDED_KNIGHT, "Bd6 a6 Rxd4", (0, "d8 d4")),
        ("3r2k1/pn6/8/8/3n4/8/7P/3R2K1 w - - 0 1", "h3 Nd6 Rxd4", (1, "d8 d4")),  # Black blocks the way itself.
        ("3r2k1/p7/8/2p5/3n1B2/8/7P/3R2K1 w - - 0 1", "Bd6 a6 Rxd4", None),  # The pawn guards it too.
        (GUARDED_KNIGHT, "Bg5 a6 Rxd4", None),  # Beside the way.
        ("3r2k1/p7/8/8/5B2/2n5/7P/3R2K1 w - - 0 1", "Bd6 Nd5 Rxd5", None),  # It goes there later.
        (GUARDED_KNIGHT, "Bd6 a6 Rd2", None),  # Nothing is captured.
    ],
    "sacrifice": [
        ("r4r1k/4NQpp/p1n5/3pN3/1p6/7P/P1P3PK/4q3 w - - 2 31", "Qg8+ Rxg8 Nf7#", (0, "g8")),
        ("6k1/pppb1ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", "Rxd7 a6 Rd8#", None),
        ("6k1/p4ppp/8/3p4/8/2P5/5PPP/3R2K1 w - - 0 1", "c4 dxc4 Rd8#", None),  # A pawn is too little.
        ("6k1/p4ppp/2b5/3b4/8/8/5PPP/3RR1K1 w - - 0 1", "Rxd5 Bxd5 Re8#", (0, "d5")),  # Rook for bishop: two pawns.
        ("6k1/p4ppp/2q5/3b4/8/4N3/5PPP/3R2K1 w - - 0 1", "Rxd5 a6 Rd8+", None),
        ("3r2k1/5ppp/8/8/3q4/8/5PPP/3QR1K1 w - - 0 1", "Re8+ Rxe8 Qxd4", None),  # The next move makes it good.
        ("6k1/5ppp/8/8/8/8/p4PPP/3R1NK1 w - - 0 1", "Ne3 a1=Q Rxa1", None),
        ("6k1/5ppp/8/8/8/8/p4PPP/5NK1 w - - 0 1", "Ne3 a1=Q+ Nf1", None),  # The opponent gains, nothing is given.
        ("4r1k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", "Rxe8#", None),
    ],
    "attraction": [
        ("6k1/5pp1/8/8/8/8/4Q3/6KR w - - 0 1", "Rh8+ Kxh8 Qh5+", (0, "h8")),
        ("6k1/5pp1/8/8/8/8/4Q3/6KR w - - 0 1", "Rh8+ Kxh8 Qd2", None),  # The king is left alone.
        ("6k1/5pp1/8/7n/8/8/4Q3/6KR w - - 0 1", "Rxh5 g6 Rh8+ Kxh8 Qe5+", (2, "h8")),
        ("6k1/5pp1/6n1/8/8/8/4Q3/6KR w - - 0 1", "Rh8+ Nxh8 Qe8+", None),  # A knight is no such prey.
        ("2q3k1/5ppp/8/6N1/8/8/8/3R2K1 w - - 0 1", "Rd8+ Qxd8 Ne6 h6 Nxd8", (0, "d8")),
        ("2q3k1/5ppp/8/6N1/8/8/8/3R2K1 w - - 0 1", "Rd8+ Qxd8 Ne6 h6 Nxg7", None),  # The queen is not won.
        ("2q3k1/5ppp/8/6N1/8/8/8/3R2K1 w - - 0 1", "Rd8+ Qxd8 Ne6 h6", None),
        ("2q3k1/5ppp/8/6N1/8/8/8/3R2K1 w - - 0 1", "Rd8+ Qxd8 Ne6 h6 Nc7 h5 Ne6 h4 Nxd8", None),  # Won much later.
        ("2r3k1/5ppp/8/6N1/8/8/8/3R2K1 w - - 0 1", "Rd8+ Rxd8 Ne6 h6 Nxd8", (0, "d8")),
    ],
    "clearance": [
        ("6k1/p4p1p/8/8/8/5N2/8/3Q2K1 w - - 0 1", "Ne5 a6 Qh5", (0, "f3 h5")),
        ("6k1/p4p1p/8/8/8/5N2/8/3Q2K1 w - - 0 1", "Ne5 a6 Qf3", (0, "f3 f3")),
        ("6k1/p4p1p/8/8/8/5N2/8/3Q2K1 w - - 0 1", "Ne5 a6 Qg4+", (0, "f3 g4")),
        ("6k1/p4p1p/8/8/8/5N2/6B1/6K1 w - - 0 1", "Ne5 a6 Bd5", (0, "f3 d5")),
        ("6k1/p4p1p/8/8/8/5N2/8/3Q2K1 w - - 0 1", "Ne5 a6 Qd2", None),  # Another way.
        ("6k1/p4p1p/8/8/8/8/8/3Q2K1 w - - 0 1", "Qf3 a6 Qd1", None),  # The queen comes back.
        ("6k1/p4p1p/8/7n/8/5N2/8/3Q2K1 w - - 0 1", "Ne5 a6 Qxh5", None),  # A discovered attack.
        ("6k1/p4p1p/8/4p3/8/5N2/8/3Q2K1 w - - 0 1", "Nxe5 a6 Qh5", None),  # It leaves to win a pawn.
        ("6k1/p4p1p/3p4/4p3/8/5N2/8/3Q2K1 w - - 0 1", "Nxe5 a6 Qh5", (0, "f3 h5")),  # It gives itself for a pawn.
        ("6k1/p4p1p/8/8/4r3/5N2/8/3Q2K1 w - - 0 1", "Ne5 Re1+ Qxe1", None),
        ("6k1/p4p1p/8/r7/3Q4/3N4/6PP/6K1 w - - 0 1", "Ne5 Ra1+ Qd1", None),
        ("6k1/7p/8/8/8/3B4/8/3R2K1 w - - 0 1", "Bc4+ Kf8 Rd8+", None),  # The king was chased, not surprised.
    ],
    "intermezzo": [
        (RECAPTURE, "(Bxc3) Rc1 Bb4 Rc8+", None),  # The bishop gets away.
        (RECAPTURE, "(Bxc3) Rd7 a6 bxc3", (0, "c3")),
        (RECAPTURE, "(Bxc3) bxc3 a6 Rd8#", None),
        ("6k1/p4ppp/8/8/1b6/2N5/1P3PPP/3R2K1 w - - 0 1", "Ne2 Bc3 bxc3", None),  # Nothing was captured there.
        ("6k1/p4ppp/8/8/1b6/2N5/1P3PPP/3R2K1 w - - 0 1", "h3 Bxc3 Rd7 a6 bxc3", (2, "c3")),
        ("6k1/p4ppp/8/8/1b6/2N5/4QPPP/4R1K1 b - - 0 1", "(Bxc3) Qe8#", None),
        ("6k1/p4ppp/8/8/1b6/2N5/R4PPP/6K1 b - - 0 1", "(Bxc3) Rc2 Bf6 Rc8+", None),
        ("6k1/p4ppp/8/8/1b6/2N5/R4PPP/6K1 b - - 0 1", "(Bxc3) Ra3 a6 Rxc3", None),  # The rook had no way to take.
        ("6k1/p4ppp/8/8/1b6/8/1P3PPP/3R2K1 b - - 0 1", "(Bc3) Rd7 a6 bxc3", None),
        ("8/5k2/r7/6p1/1p1nK1P1/1PbPB3/4R3/8 w - - 0 50", "(Bxd4) Re6+ Kf3 Bxd4", None),  # The king guarded the bishop.
    ],
    "zugzwang": [
        ("3k4/3P4/8/4K3/8/8/8/8 w - - 0 1", "Kd6", None),
        ("4k3/4P3/4K3/p7/P7/8/8/8 w - - 0 1", "Kd6 Kf7 Kd7", (0, "e8 d7")),
        ("4k3/4P3/4K3/p7/P7/8/6n1/8 w - - 0 1", "Kd6 Kf7 Kd7", None),  # The knight could move.
        ("4k3/4P3/4K3/p7/P7/8/8/8 w - - 0 1", "Kd6 Kf7 Kc5", None),  # This square was not guarded.
        ("4k3/8/3K4/1p6/P7/8/8/8 w - - 0 1", "axb5 Kf8 Kd7", None),
        ("4k3/4PN2/4K3/p7/P7/8/8/8 w - - 0 1", "Kd6 Kxf7 Kd7", None),  # It takes something.
        ("7k/8/3p4/8/5K2/8/8/8 w - - 0 1", "Kf5 d5 Ke5", None),  # A pawn moves.
        ("8/8/8/8/3k4/8/3K4/7R w - - 0 1", "Rh4+ Kc5 Kd3", None),  # A check makes it move.
        ("3k4/8/3K4/2P5/8/8/8/8 w - - 0 1", "c6 Kc8 c7", None),  # It still guards the square.
        ("3k4/8/2PK4/8/8/8/8/8 w - - 0 1", "c7+ Kc8 Kc6", None),
    ],
}


@pytest.mark.parametrize("theme", CASES)
def test_lures(theme: str) -> None:
    check(theme, CASES[theme])
