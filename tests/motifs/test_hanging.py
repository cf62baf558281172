import pytest

from tests.motifs.lines import found, read_line


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5", (0, "d5")),
        ("4k3/p7/8/3n4/8/8/8/3RK3 b - - 0 1", "(a6) Rxd5", (0, "d5")),
        ("4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 cxd5 Kd2", None),  # A pawn protects it.
        ("2k5/8/2p5/3n4/8/8/8/2RRK3 w - - 0 1", "Rxd5", (0, "d5")),  # The pawn is pinned.
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", None),  # Only a pawn.
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rd2 Kd7 Rxd5+", None),  # Not at once.
        ("r3k3/8/8/3n4/8/8/8/R2RK3 w Q - 0 1", "Rxd5 Rxa1+ Kd2", None),  # Black takes as much.
        ("4k3/8/5n2/3N4/8/8/8/3RK3 b - - 0 1", "(Nxd5) Rxd5", None),  # A knight for a knight.
        ("4k3/8/5n2/3P4/8/8/8/3RK3 b - - 0 1", "(Nxd5) Rxd5", (0, "d5")),  # A knight for a pawn.
    ],
)
def test_a_hanging_piece_is_taken_for_nothing(fen: str, moves: str, expected: tuple[int, str] | None) -> None:
    assert found(read_line(fen, moves), "hangingPiece") == expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("6k1/5p2/8/p7/8/1P6/b1P5/2K5 w - - 0 1", "Kb2 Bb1 Kxb1", (0, "a2")),
        ("6k1/5p2/8/p7/8/1P6/b1P5/2K5 w - - 0 1", "Kb2 a4 Kxa2", (0, "a2")),
        ("6k1/5p2/8/p7/8/8/b1P5/2K5 w - - 0 1", "Kb2 a4 Kxa2", None),  # It had squares.
        ("6k1/8/8/p7/8/1P6/p1P5/2K5 w - - 0 1", "Kb2 a4 Kxa2", None),  # A pawn.
        ("6k1/5p2/8/p7/8/1P6/b1P5/2K5 w - - 0 1", "Kb2 a4 bxa4", None),  # It is not taken.
    ],
)
def test_a_trapped_piece_is_lost_wherever_it_goes(fen: str, moves: str, expected: tuple[int, str] | None) -> None:
    assert found(read_line(fen, moves), "trappedPiece") == expected
