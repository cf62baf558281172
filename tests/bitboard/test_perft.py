"""Perft counts: facts of the field, on magic and on rotated bitboards."""

import threading
import time
from pathlib import Path

import pytest

from ox88.bitboard.perft import MODES, Perft, PerftStoppedError
from ox88.fen import STARTPOS, parse_epd, parse_fen
from ox88.types import Ox88Error, from_uci, to_uci

DATA = Path(__file__).parent.parent / "data" / "perft"
FILES = ("classics.epd", "chess960.epd", "random.epd")
NODE_LIMITS = {"listed": 2_000_000, "rotated": 2_000_000, "counted": 1_000_000, "made": 300_000, "hashed": 1_000_000}
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def _counts(file: str) -> list[tuple[str, dict[int, int]]]:
    """FEN and counts by depth of each line."""
    lines = []
    for line in (DATA / file).read_text().splitlines():
        fen, *fields = line.split(";")
        lines.append((fen, {int(depth[1:]): int(count) for depth, count in (field.split() for field in fields)}))
    return lines


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("file", FILES)
def test_counts(file: str, mode: str) -> None:
    for fen, counts in _counts(file):
        perft = Perft(parse_epd(fen)[0], hash_megabytes=1)
        depth = max(depth for depth, count in counts.items() if count <= NODE_LIMITS[mode])
        assert perft.count(depth, mode) == counts[depth], (fen, depth)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["listed", "rotated", "counted"])
@pytest.mark.parametrize("file", FILES)
def test_all_counts(file: str, mode: str) -> None:
    for fen, counts in _counts(file):
        perft = Perft(parse_epd(fen)[0])
        for depth, count in counts.items():
            assert perft.count(depth, mode) == count, (fen, depth)


@pytest.mark.parametrize("mode", MODES)
def test_threads_share_the_root_moves(mode: str) -> None:
    setup = parse_fen(KIWIPETE)
    assert Perft(setup, threads=3).divide(3, mode) == Perft(setup).divide(3, mode)


def test_divide_tells_each_root_move() -> None:
    setup = parse_fen(KIWIPETE)
    counts = Perft(setup).divide(3)
    assert len(counts) == 48
    assert sum(counts.values()) == 97862
    assert counts[from_uci("e1g1", setup)] == 2059
    assert {to_uci(move) for move in counts} >= {"e1g1", "e1c1", "a2a3"}


def test_depth_nought_is_one_and_other_depths_are_refused() -> None:
    perft = Perft(parse_fen(STARTPOS))
    assert perft.count(0) == 1
    with pytest.raises(Ox88Error, match="-1"):
        perft.count(-1)
    with pytest.raises(Ox88Error, match="guessed"):
        perft.count(2, "guessed")


@pytest.mark.parametrize("mode", MODES)
def test_a_count_can_be_stopped_and_started_anew(mode: str) -> None:
    perft = Perft(parse_fen(STARTPOS))
    perft.count(3, mode)
    timer = threading.Timer(0.1, perft.stop)
    timer.start()
    started = time.monotonic()
    with pytest.raises(PerftStoppedError):
        perft.count(12, mode)
    assert time.monotonic() - started < 2
    assert perft.count(4, mode) == 197281
