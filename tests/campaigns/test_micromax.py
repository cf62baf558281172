"""micro-Max beside its own listing in C, compiled from a reader's copy: the same moves, scores and nodes.

The text of the listing is not ours to keep, so OX88_LISTING names a file with it: version 3.2, as its author has it.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.engines.micromax.machine import Machine
from ox88.types import to_listing
from tests.bitboard.naive import to_setup
from tests.positions import random_board

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("OX88_LISTING" not in os.environ, reason="OX88_LISTING names no copy of micro-Max's listing"),
]

NODES = 20_000
MOST_PLIES = 160
HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int node_limit;
#define main listing_main
"""
HARNESS = Path(__file__).with_name("listing.c")


class Listing:
    """The compiled listing, in a process."""

    def __init__(self, program: Path) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True)

    def think(self, machine: Machine) -> list[int]:
        """Score, nodes and squares of the move, whether it is made, evaluation and en passant after it."""
        record = machine.record
        numbers = [NODES, machine.side, record.evaluation, record.en_passant, *record.board]
        assert self.process.stdin
        assert self.process.stdout
        print(*map(int, numbers), file=self.process.stdin, flush=True)
        return [int(word) for word in self.process.stdout.readline().split()]


@pytest.fixture(scope="module")
def listing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listing]:
    folder = tmp_path_factory.mktemp("listing")
    text = Path(os.environ["OX88_LISTING"]).read_text(encoding="latin-1")
    text, limits = re.subn(r"\b1e7\b", "node_limit", text)
    text, tables = re.subn(r"\bA\[U\]", "A[U+1]", text)  # The ninth probe may look beyond the last of the U.
    assert (limits, tables) == (1, 1), "OX88_LISTING names another text than the listing of micro-Max 3.2"
    (folder / "listing.c").write_text(HEAD + text + HARNESS.read_text(encoding="utf-8"), encoding="latin-1")
    words = ["gcc", "-std=gnu89", "-O2", "-w", "-o", "listing", "listing.c"]
    subprocess.run(words, cwd=folder, check=True)
    listing = Listing(folder / "listing")
    yield listing
    listing.process.kill()
    listing.process.communicate()


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


@settings(max_examples=50)
@given(seed=st.integers(0, 1 << 32))
def test_both_think_alike(seed: int, listing: Listing, machine: Machine) -> None:
    board = random_board(seed, Random(seed).randrange(MOST_PLIES))
    machine.set_position(to_setup(board))
    expected, record = listing.think(machine), machine.record
    score = machine.think(NODES)
    squares = machine.root_move()
    thought = [score, int(record.nodes), *map(to_listing, squares)]
    machine.clear_table()
    made = [int(machine.make_move(*squares)), int(record.evaluation), int(record.en_passant)]
    assert thought + made == expected, board.fen()
