import threading
import time

import pytest

from ox88.fen import STARTPOS, parse_fen
from ox88.mailbox.perft import Mode, Perft, StoppedError
from ox88.types import Ox88Error, from_uci
from tests.mailbox.naive import perft_lines

FAST_LIMIT = 300_000
CASES = [
    (name, fen, depth, count)
    for name in ("classics", "chess960", "random")
    for fen, counts in perft_lines(name)
    for depth, count in counts.items()
]
LARGE = [case for case in CASES if case[3] > FAST_LIMIT]


@pytest.mark.parametrize("mode", ["listed", "made"])
@pytest.mark.parametrize("name", ["classics", "chess960", "random"])
def test_counts(name: str, mode: Mode) -> None:
    for fen, counts in perft_lines(name):
        perft = Perft(parse_fen(fen))
        expected = {depth: count for depth, count in counts.items() if count <= FAST_LIMIT}
        assert {depth: perft.count(depth, mode) for depth in expected} == expected, fen


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fen", "depth", "count"), LARGE)
def test_large_counts(name: str, fen: str, depth: int, count: int) -> None:
    assert Perft(parse_fen(fen)).count(depth) == count, name


def test_divide() -> None:
    setup = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    perft = Perft(setup)
    divided = perft.divide(3)
    assert sum(divided.values()) == 97862
    assert len(divided) == 48
    assert divided[from_uci("e1g1", setup)] == 2059
    assert divided == perft.divide(3, "made")
    assert perft.count(3) == 97862


def test_depth_0_and_1() -> None:
    perft = Perft(parse_fen(STARTPOS))
    assert perft.count(0) == perft.count(0, "made") == 1
    assert perft.count(1) == perft.count(1, "made") == 20
    assert set(perft.divide(1).values()) == {1}


def test_impossible_depth() -> None:
    perft = Perft(parse_fen(STARTPOS))
    with pytest.raises(Ox88Error, match="perft of 128 plies: 0 to 127"):
        perft.count(128)
    with pytest.raises(Ox88Error, match="perft of 0 plies: 1 to 127"):
        perft.divide(0)


@pytest.mark.parametrize("mode", ["listed", "made"])
def test_stop_ends_a_count_and_leaves_the_position(mode: Mode) -> None:
    perft = Perft(parse_fen(STARTPOS))
    perft.count(1, mode)  # Compiled.
    stopper = threading.Timer(0.2, perft.stop)
    stopper.start()
    start = time.monotonic()
    with pytest.raises(StoppedError):
        perft.count(30, mode)
    assert time.monotonic() - start < 5
    assert perft.count(3, mode) == 8902
