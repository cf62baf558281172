"""Games as python-chess reads them: random games, broken games, and files of real games."""

import io
import os
from pathlib import Path

import chess.pgn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from tests.batch.pgn import layout, naive, samples
from tests.conftest import DATA


def read(text: bytes) -> ox88.Games:
    return ox88.read_pgn(io.BytesIO(text), headers=["White", "Result", "FEN", "Event", "A"], threads=1)


@settings(max_examples=100)
@given(samples.broken_texts())
def test_broken_text(text: bytes) -> None:
    naive.check_same(read(text), naive.read_pgn(layout.as_python_chess_reads_it(text)))


CONTROLS = bytes(byte for byte in range(256) if not chr(byte).isspace() and (byte < 32 or byte == 127))  # No text.


@settings(max_examples=100)
@given(
    st.binary(max_size=200).map(lambda data: data.translate(None, CONTROLS))
    | st.text(st.sampled_from('eNdx 12345-O0{}()[];%\n\r"*\\'), max_size=200).map(str.encode)
)
def test_noise(text: bytes) -> None:
    text = b"\n" + text  # A newline, so that it cannot begin like a compressed file.
    naive.check_same(read(text), naive.read_pgn(layout.as_python_chess_reads_it(text)))


def test_random_games() -> None:
    text = samples.random_games(range(40))
    games, twins = read(text), naive.read_pgn(text)
    naive.check_same(games, twins)
    assert games.errors == []
    assert len(games.moves) > 1000
    assert 0.3 < np.isnan(games.clocks).mean() < 0.7
    assert (np.abs(games.evals) > 9_000).any()
    boards = [board for twin in twins for board in twin.positions]
    assert games.positions().fens(shredder=True) == [board.fen(shredder=True, en_passant="fen") for board in boards]


# Correct and wrong notations of moves, in a position and its mirror image.
WAYS = [
    ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a8=Q a8Q a8q a8=n a7a8q a7-a8=R a8 a8=K a7a8 a8=P axa8=Q a7xa8=Q Pa8=Q"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Ne2 Nge2 Nce2 Ngxe2 N1e2 N3-e2 Ng1e2 Ng1xe2 c3e2 Ne2+ Ne2# Nce2!? Nbe2 ne2"),
    ("4k3/8/8/1b6/8/3N4/8/4KN2 w - - 0 1", "Nd2 Nfd2 Nf1d2 Ne3 f1e3 Nde1 Ndf2 d3f2"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 ed6 e5d6 e5xd6 exd6e.p. exd6+ xd6 d6 exf6 e6 e5-e6 ee6 4e6 5e6"),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "O-O O-O-O 0-0 0-0-0 O-O+ 0-0# e1g1 e1h1 e1c1 e1a1 Kg1 Ke1g1 O-0 Kxh1",
    ),
    ("4k3/8/8/8/8/8/8/1R1K1R2 w BF - 0 1", "O-O O-O-O d1f1 d1b1 d1g1 d1c1 Kc1 Kxf1"),
    ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "O-O e1g1 -- Z0 Kd1 Ke2 Ra2"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-- Z0 0000 @@@@ N@e4 @e4 P@e4 Kd1 Kd1,Kd2 e1d1 e1-d1 Ke1d1 Kxd1 K1d1 Ked1"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4 e3 e2e4 e2-e4 e2xe4 xe4 -e4 Pe4 ee4 2e4 1e4 e5 e4e4 e4N e4K e4=Q E4"),
]


@pytest.mark.parametrize(("fen", "moves"), WAYS)
def test_ways_to_write_moves(fen: str, moves: str) -> None:
    board = chess.Board(fen)
    mirrored = board.mirror()
    for move in moves.split():
        upside_down = "".join(str(9 - int(letter)) if letter in "12345678" else letter for letter in move)
        for setup, word in ((board, move), (mirrored, upside_down)):
            text = f'[FEN "{setup.fen(shredder=True)}"]\n\n{word} 1-0\n'.encode()
            naive.check_same(read(text), naive.read_pgn(text))


ODD_FILES = sorted((DATA / "pgn" / "odd").glob("*[!t]"))  # tests/data/pgn/README.md says where they come from.


@pytest.mark.parametrize("path", ODD_FILES, ids=lambda path: path.name)
def test_odd_files(path: Path) -> None:
    games, twins = ox88.read_pgn(path), naive.read_pgn(path.read_bytes())
    naive.check_same(games, twins)
    errors = [error.number for error in games.errors if "within a move" not in error.reason]
    assert errors == [row for row, twin in enumerate(twins) if twin.errors]


def test_an_illegal_move_is_reported_with_its_line() -> None:
    assert len(ODD_FILES) == 26
    games = ox88.read_pgn(DATA / "pgn" / "odd" / "black2move.pgn")
    assert [str(error) for error in games.errors] == ["game 1, line 4: '0-0-0' is not a legal move"]
    assert np.array_equal(games.offsets, [0, 0])


@pytest.mark.slow
def test_many_random_games() -> None:
    text = samples.random_games(range(1000, 4000))
    naive.check_same(read(text), naive.read_pgn(text))


@pytest.mark.slow
@pytest.mark.parametrize("path", os.environ.get("OX88_PGN", str(DATA / "games" / "famous.pgn")).split(os.pathsep))
def test_whole_files(path: str) -> None:
    """Uncompressed files, or those that the environment variable OX88_PGN names."""
    naive.check_same(ox88.read_pgn(path), naive.read_pgn(Path(path).read_bytes()))
