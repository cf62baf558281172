import pytest

from tests.motifs.lines import found, read_line

Found = tuple[int, str] | None


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("r4r1k/4NQpp/p1n5/3pN3/1p6/7P/P1P3PK/4q3 w - - 2 31", "Qg8+ Rxg8 Nf7#", (0, "g8")),
        ("6k1/pppb1ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", "Rxd7 a6 Rd8#", None),
        ("6k1/p4ppp/2b5/3b4/8/8/5PPP/3RR1K1 w - - 0 1", "Rxd5 Bxd5 Re8#", (0, "d5")),  # Rook for bishop: two pawns.
        ("6k1/p4ppp/2q5/3b4/8/4N3/5PPP/3R2K1 w - - 0 1", "Rxd5 a6 Rd8+", None),
        ("3r2k1/5ppp/8/8/3q4/8/5PPP/3QR1K1 w - - 0 1", "Re8+ Rxe8 Qxd4", None),  # The next move makes it good.
        ("6k1/5ppp/8/8/8/8/p4PPP/3R1NK1 w - - 0 1", "Ne3 a1=Q Rxa1", None),
        ("6k1/5ppp/8/8/8/8/p4PPP/5NK1 w - - 0 1", "Ne3 a1=Q+ Nf1", None),  # The opponent gains, nothing is given.
        ("4r1k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", "Rxe8#", None),
    ],
)
def test_material_is_sacrificed_if_the_next_move_does_not_win_it_back(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "sacrifice") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
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
)
def test_a_piece_is_attracted_if_it_is_hit_where_it_took(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "attraction") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
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
)
def test_a_way_is_cleared_if_a_line_piece_uses_it_quietly(fen: str, moves: str, expected: Found) -> None:
    assert found(read_line(fen, moves), "clearance") == expected
