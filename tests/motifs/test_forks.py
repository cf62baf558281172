import pytest

from tests.motifs.lines import found, read_line


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8", (0, "c7 a8 e8")),
        ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+", None),  # The last move wins nothing any more.
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
)
def test_a_fork_attacks_two_pieces_that_it_could_win(fen: str, moves: str, expected: tuple[int, str] | None) -> None:
    assert found(read_line(fen, moves), "fork") == expected
