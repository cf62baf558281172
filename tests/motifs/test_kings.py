import pytest

from tests.motifs.lines import found, read_line

Found = tuple[int, str] | None
BARE = "6k1/8/8/8/8/8/Q7/6K1 w - - 0 1"
CASTLED = "r4rk1/pppq1pp1/2np1n1p/4p3/8/3B4/PPPQ1PPP/R4RK1 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (BARE, "Qa8+ Kg7 Qb7+ Kg6 Qc6+", (2, "g8")),
        ("6k1/6p1/8/8/8/8/Q7/6K1 w - - 0 1", "Qa8+ Kh7 Qe4+ Kg8 Qe8+", None),  # A pawn is beside the king.
        ("8/8/8/6k1/8/8/Q7/6K1 w - - 0 1", "Qa5+ Kg4 Qa4+ Kg3 Qb3+", None),  # The king walks about.
        (BARE, "Qa8+ Kg7 Qb7+", None),  # Only the ends of the line are checks.
        ("6k1/8/8/8/8/8/7q/K7 b - - 0 1", "Qh1+ Ka2 Qg2+ Ka3 Qf3+", (2, "a1")),
        ("6K1/8/8/8/8/8/q7/6k1 b - - 0 1", "Qa8+ Kg7 Qb7+ Kg6 Qc6+", None),
    ],
)
def test_a_king_is_exposed_at_home_without_pawns(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "exposedKing") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("r1bqkb1r/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "Qxf7#", (0, "f7 e8")),
        ("r1bq1rk1/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQ - 0 1", "Qxf7+", None),  # Castled.
        ("r1bqkb1r/pppp2pp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "Qf7#", None),  # The pawn is gone.
        ("4k3/8/8/8/7q/8/5P2/4K3 b - - 0 1", "Qxf2+", (0, "f2 e1")),
    ],
)
def test_f7_is_attacked_while_the_king_is_at_home(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "attackingF2F7") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "theme", "expected"),
    [
        (CASTLED, "Qxh6 Qe7 Qh7#", "kingsideAttack", (2, "g8")),
        (CASTLED, "Qxh6 Qe7 Qg5+", "queensideAttack", None),  # The other wing.
        (CASTLED, "Qxh6 Qe7 Qg5", "kingsideAttack", None),  # No check.
        (CASTLED, "Bh7+ Kh8 Qc3", "kingsideAttack", None),  # One check, no capture.
        (CASTLED, "Qxh6 Qe7 Bh7+ Kh8 Bg6+ Kg8", "kingsideAttack", (2, "g8")),
        (CASTLED, "Qxh6 Qe7 a3 Qe6 Qh7#", "kingsideAttack", None),  # A move far away.
        ("r4r2/pppq1pk1/2np1n1p/4p3/8/3B4/PPPQ1PPP/R4RK1 w - - 0 1", "Qxh6+ Kg8 Qh8+", "kingsideAttack", None),
        ("r2k1r2/pppq1pp1/2np1n1p/4p3/8/3B4/PPPQ1PPP/R4RK1 w - - 0 1", "Qxh6 Qe7 Qh8", "kingsideAttack", None),
        ("5rk1/3q1pp1/5n1p/8/8/3B4/3Q1PPP/5RK1 w - - 0 1", "Qxh6 Qe7 Qh7#", "kingsideAttack", None),  # Few pieces.
        ("2kr1b1r/pppq1ppp/8/8/8/4n2n/PPP2PPP/1K1R1B1R b - - 0 1", "Qxd1#", "queensideAttack", (0, "b1")),
    ],
)
def test_a_wing_is_attacked_by_checks_and_captures(fen: str, moves: str, theme: str, expected: Found) -> None:
    assert found(read_line(fen, moves), theme) == expected
