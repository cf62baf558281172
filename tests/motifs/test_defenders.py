import pytest

from tests.motifs.lines import found, read_line

GUARDED_BISHOP = "6k1/p7/2n5/1B2b3/8/8/8/4R1K1 w - - 0 1"
GUARDED_QUEEN = "3r2k1/5ppp/8/8/3q4/8/5PPP/3QR1K1 w - - 0 1"
GUARDED_KNIGHT = "3r2k1/p7/8/8/3n1B2/8/7P/3R2K1 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
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
)
def test_a_defender_is_captured_if_its_ward_then_falls(fen: str, moves: str, expected: tuple[int, str] | None) -> None:
    assert found(read_line(fen, moves), "capturingDefender") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
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
)
def test_a_guard_is_deflected_if_it_is_made_to_leave(fen: str, moves: str, expected: tuple[int, str] | None) -> None:
    assert found(read_line(fen, moves), "deflection") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (GUARDED_KNIGHT, "Bd6 a6 Rxd4", (0, "d8 d4")),
        ("3r2k1/pn6/8/8/3n4/8/7P/3R2K1 w - - 0 1", "h3 Nd6 Rxd4", (1, "d8 d4")),  # Black blocks the way itself.
        ("3r2k1/p7/8/2p5/3n1B2/8/7P/3R2K1 w - - 0 1", "Bd6 a6 Rxd4", None),  # The pawn guards it too.
        (GUARDED_KNIGHT, "Bg5 a6 Rxd4", None),  # Beside the way.
        ("3r2k1/p7/8/8/5B2/2n5/7P/3R2K1 w - - 0 1", "Bd6 Nd5 Rxd5", None),  # It goes there later.
        (GUARDED_KNIGHT, "Bd6 a6 Rd2", None),  # Nothing is captured.
    ],
)
def test_a_line_is_cut_between_a_piece_and_its_only_guard(
    fen: str, moves: str, expected: tuple[int, str] | None
) -> None:
    assert found(read_line(fen, moves), "interference") == expected
