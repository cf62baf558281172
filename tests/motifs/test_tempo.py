import pytest

from tests.motifs.lines import found, read_line

Found = tuple[int, str] | None
RECAPTURE = "6k1/p4ppp/8/8/1b6/2N5/1P3PPP/3R2K1 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
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
)
def test_a_move_in_between_comes_before_a_capture_back(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "intermezzo") == expected


QUIET = "6k1/5ppp/8/8/8/p7/5PPP/R5K1 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (QUIET, "Rb1 h6 Rb8+", (0, "b1")),
        (QUIET, "Rxa3 h6 Ra8+", None),  # A capture.
        (QUIET, "Ra2 h6 Rxa3", None),  # A threat.
        (QUIET, "Kf1 h6 Rxa3", None),  # A step of the king.
        (QUIET, "g4 h6 Rxa3", (0, "g4")),
        (QUIET, "h3 h6 Kh2", (0, "h3")),
        (QUIET, "Rb1", None),  # Nothing comes of it.
        ("6k1/8/7P/8/8/p7/8/R5K1 w - - 0 1", "h7+ Kg7 Rxa3", None),
        ("6k1/8/1P6/8/8/p7/8/R5K1 w - - 0 1", "b7 a2 b8=Q+", None),  # A pawn runs.
        ("6k1/1P6/8/8/8/p7/8/R5K1 w - - 0 1", "b8=N a2 Rxa2", None),
        ("k7/8/8/8/1p6/p7/8/6KR b - - 0 1", "b3 Rh2 b2", None),
        ("4k3/8/8/8/8/8/r7/R3K3 w - - 0 1", "Rb1 Kf7 Rb7+", (0, "b1")),
        ("4k3/8/8/8/8/8/4r3/R2QK3 w - - 0 1", "Qxe2+ Kf7 Qe7+", None),
        ("4k3/8/8/8/4r3/6N1/8/R3K3 w - - 0 1", "Ne2 Kf7 Ra7+", None),  # Out of check.
    ],
)
def test_a_quiet_move_threatens_nothing_at_once(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "quietMove") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (QUIET, "Rxa3 h6 Rd3", (2, "d3")),
        (QUIET, "Rxa3 h6 Ra8+", None),
        (QUIET, "Rb1 h6 Rb8+", None),  # Calm, but not at the end.
        ("4k3/8/8/8/4r3/6N1/8/R3K3 w - - 0 1", "Ne2 Kf7 Ra7+", (0, "e2")),  # A check is parried.
        ("4k3/8/8/8/4r3/6N1/8/R3K3 w - - 0 1", "Nxe4 Kf7 Ra7+", None),
        ("k3r3/8/8/8/8/8/3R1PPP/r5K1 w - - 0 1", "Rd1", None),  # The only move, and it attacks.
        ("k7/8/8/8/4r3/8/5PPP/5RK1 w - - 0 1", "f3", None),  # It attacks the rook.
        ("k7/8/8/8/8/8/5PPP/q4K1N w - - 0 1", "Ke2", None),  # The only move.
    ],
)
def test_a_defensive_move_ends_a_line_or_a_check_calmly(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "defensiveMove") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
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
)
def test_a_king_in_zugzwang_leaves_its_guard(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "zugzwang") == expected
