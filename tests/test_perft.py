"""Perft counts, facts of the field: on every board, in every way of counting."""

import json
import threading
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.convert import from_chess_board
from ox88.errors import IllegalPositionError, Ox88Error
from ox88.fen import STARTPOS
from ox88.perft import BOARDS, Perft
from ox88.perft import PerftStoppedError as StoppedError
from ox88.setup import parse_epd, parse_fen, parse_uci
from ox88.types import format_uci
from tests.conftest import DATA, RunPython
from tests.positions import random_board

FILES: Final = {"classics": 1, "chess960": 6, "random": 10}  # Of so many lines a quick test takes one.
KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
WAYS: Final = [
    ("bitboard", "bulk"),
    ("bitboard", "hashed"),
    ("bitboard", "listed"),
    ("bitboard", "made"),
    ("rotated", "listed"),
    ("mailbox", "listed"),
    ("mailbox", "made"),
]
LARGEST: Final = {"made": 50_000, "hashed": 200_000, "bulk": 1_000_000, "listed": 200_000}

all_ways = pytest.mark.parametrize(("board", "mode"), WAYS)


def facts(file: str) -> list[tuple[str, dict[int, int]]]:
    """FEN and counts by depth of each line of a file."""
    lines = []
    for line in (DATA / "perft" / f"{file}.epd").read_text().splitlines():
        fen, *fields = line.split(";")
        lines.append((fen, {int(depth[1:]): int(count) for depth, count in (field.split() for field in fields)}))
    return lines


def test_the_ways_are_all_there_are() -> None:
    modes = [(board, mode) for board in BOARDS for mode in Perft(parse_fen(STARTPOS), board, hash_megabytes=1).modes]
    assert sorted(modes) == sorted(WAYS)


@all_ways
@pytest.mark.parametrize("file", FILES)
def test_counts(file: str, board: str, mode: str) -> None:
    for fen, counts in facts(file)[:: FILES[file]]:
        perft = Perft(parse_epd(fen)[0], board, hash_megabytes=1)
        expected = {depth: count for depth, count in counts.items() if count <= LARGEST[mode]}
        assert expected
        assert {depth: perft.count(depth, mode) for depth in expected} == expected, fen


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("file", FILES)
def test_large_counts(file: str, board: str) -> None:
    for fen, counts in facts(file):
        perft = Perft(parse_epd(fen)[0], board)
        assert {depth: perft.count(depth) for depth in counts} == counts, fen


@all_ways
def test_threads_share_the_root_moves_and_tell_of_each(board: str, mode: str) -> None:
    setup = parse_fen(KIWIPETE)
    one, three = (Perft(setup, board, threads, hash_megabytes=1).divide(3, mode) for threads in (1, 3))
    assert one == three
    assert (len(one), sum(one.values()), one[parse_uci("e1g1", setup)]) == (48, 97862, 2059)
    assert {format_uci(move) for move in one} >= {"e1g1", "e1c1", "a2a3"}
    start = Perft(parse_fen(STARTPOS), board, hash_megabytes=1)
    assert [start.count(depth, mode) for depth in range(4)] == [1, 20, 400, 8902]
    assert set(start.divide(1, mode).values()) == {1}
    for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - -", "7k/6Q1/6K1/8/8/8/8/8 b - -"):  # The game is over.
        assert [Perft(parse_fen(fen), board, hash_megabytes=1).count(depth, mode) for depth in range(3)] == [1, 0, 0]


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(0, 100), st.one_of(st.none(), st.integers(0, 959)))
def test_all_ways_agree_anywhere(seed: int, plies: int, chess960: int | None) -> None:
    setup = from_chess_board(random_board(seed, plies, chess960))
    divided = [Perft(setup, board, hash_megabytes=1).divide(3, mode) for board, mode in WAYS]
    assert all(other == divided[0] for other in divided)


def test_what_cannot_be_counted_is_refused() -> None:
    setup = parse_fen(STARTPOS)
    with pytest.raises(Ox88Error, match="perft of -1 plies: expected 1 to 100"):
        Perft(setup).count(-1)
    with pytest.raises(Ox88Error, match="perft of 101 plies"):
        Perft(setup).count(101)
    with pytest.raises(Ox88Error, match="mode 'guessed' on the bitboard board: expected one of bulk, listed, made"):
        Perft(setup).count(2, "guessed")
    with pytest.raises(Ox88Error, match="board 'wooden': expected one of bitboard, rotated, mailbox"):
        Perft(setup, "wooden")
    with pytest.raises(Ox88Error, match="0 threads"):
        Perft(setup, threads=0)
    with pytest.raises(Ox88Error, match="does not fit into memory"):
        Perft(setup, hash_megabytes=1 << 40)
    with pytest.raises(IllegalPositionError):
        Perft(parse_fen("8/8/8/8/8/8/8/K7 w - -"))


@all_ways
def test_a_count_can_be_stopped_and_another_begun(board: str, mode: str) -> None:
    perft = Perft(parse_fen(STARTPOS), board, threads=2, hash_megabytes=1)
    perft.count(3, mode)
    is_over = threading.Event()

    def stop() -> None:
        while not is_over.wait(0.1):
            perft.stop()  # Before the count has begun it has no effect.

    stopping = threading.Thread(target=stop)
    stopping.start()
    with pytest.raises(StoppedError):
        perft.count(30, mode)
    is_over.set()
    stopping.join()
    assert perft.count(4, mode) == 197281


# --- As plain Python, and with bounds checked -------------------------------------------------------------------------

COMPILED_FENS: Final = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "1rk3r1/1p6/8/2pP4/8/8/1P4p1/1RK4R w HBgb c6 0 1",
    "8/8/8/1Ppp3r/1KR2p1k/8/4P1P1/8 w - c6 0 1",
]
COUNT = """
from ox88.perft import Perft
from ox88.setup import parse_fen

def count(fen):
    return [Perft(parse_fen(fen), board, hash_megabytes=1).count({depth}, mode) for board, mode in {ways}]

print([count(fen) for fen in {fens}])
"""


@pytest.mark.slow
@pytest.mark.parametrize(("flag", "depth"), [("NUMBA_DISABLE_JIT", 2), ("NUMBA_BOUNDSCHECK", 3)])
def test_other_ways_to_run_the_same_source(flag: str, depth: int, run_python: RunPython) -> None:
    process = run_python("-W", "error", "-c", COUNT.format(depth=depth, ways=WAYS, fens=COMPILED_FENS), env={flag: "1"})
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout) == [[Perft(parse_fen(fen)).count(depth)] * len(WAYS) for fen in COMPILED_FENS]
