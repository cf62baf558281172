import ctypes
import ctypes.util
import itertools
import platform

import numpy as np
import pytest

from ox88.engines.base import EngineError
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.machine import (
    Machine,
    glibc_random,
    material_balance,
)
from ox88.errors import IllegalPositionError
from ox88.fen import STARTPOS
from ox88.setup import parse_fen
from ox88.types import parse_square


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the judge is glibc itself")
@pytest.mark.parametrize("seed", [1, 2, 88, 2**31 - 1])
def test_random_numbers_are_glibcs(seed: int) -> None:
    libc = ctypes.CDLL(ctypes.util.find_library("c"))
    libc.random.restype = ctypes.c_long
    libc.srandom(ctypes.c_uint(seed))
    judged = [libc.random() for _ in range(2000)]
    assert list(itertools.islice(glibc_random(seed), 2000)) == judged


def test_board_is_printed_as_the_listing_prints_it(machine: Machine) -> None:
    machine.set_position(parse_fen(STARTPOS))
    assert machine.board_text().splitlines() == [
        " r n b q k b n r ",
        " + + + + + + + + ",
        *[" . . . . . . . . "] * 4,
        " * * * * * * * * ",
        " R N B Q K B N R ",
    ]


@pytest.mark.parametrize(
    ("fen", "balance"),
    [
        (STARTPOS, 0),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 99),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", -99),
        ("4k2r/8/8/8/8/8/8/Q3K1N1 w - - 0 1", (9 + 3 - 5) * 99),
    ],
)
def test_evaluation_starts_at_the_material_balance(fen: str, balance: int, machine: Machine) -> None:
    assert material_balance(parse_fen(fen)) == balance
    machine.set_position(parse_fen(fen))
    assert machine.record.evaluation == balance


@pytest.mark.parametrize(
    ("fen", "error", "reason"),
    [
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", EngineError, "rook on b1"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", EngineError, "e-file"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", IllegalPositionError, "Black has no king"),
    ],
)
def test_what_is_refused(fen: str, error: type[Exception], reason: str, machine: Machine) -> None:
    with pytest.raises(error, match=reason):
        machine.set_position(parse_fen(fen))


def test_restore_takes_everything_back(machine: Machine) -> None:
    machine.set_position(parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"))
    before = machine.snapshot()
    assert machine.make_move(parse_square("e1"), parse_square("g1"))
    assert machine.snapshot() != before
    machine.restore(before)
    assert machine.snapshot() == before


def test_illegal_move_is_not_made(machine: Machine) -> None:
    machine.set_position(parse_fen("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1"))
    before = machine.snapshot().board
    assert not machine.make_move(parse_square("a1"), parse_square("a2"))
    assert machine.snapshot().board == before


def test_clearing_empties_the_table_also_when_generations_return(machine: Machine) -> None:
    machine.set_position(parse_fen(STARTPOS))
    machine.think(1000)
    fresh = machine.iterations()
    generations = machine.record.table["generation"]
    used = np.flatnonzero(generations == machine.record.generation)
    assert len(used) > 500
    machine.clear_table()
    for _ in range(listing.GENERATIONS):
        listing.clear_table(machine.record)
        assert not (generations[used] == machine.record.generation).any()
    machine.set_position(parse_fen(STARTPOS))
    machine.think(1000)
    assert machine.iterations() == fresh
