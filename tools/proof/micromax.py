"""micro-Max beside its own listing in C, compiled from a reader's copy: the same moves, scores and nodes.

The text of the listing is not ours to keep, so OX88_LISTING names a file with it: version 3.2, as its author has it.
"""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from random import Random
from typing import ClassVar, Final

from ox88.engines.micromax.machine import Machine
from ox88.types import Ox88Error, to_listing
from tests.bitboard.naive import to_setup
from tests.positions import random_board
from tools.proof.campaign import Campaign, FailureError, Tally

LISTING: Final = "OX88_LISTING"
NODES: Final = 20_000
MOST_PLIES: Final = 160
_HARNESS: Final = Path(__file__).with_name("listing.c")
_HEAD: Final = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int node_limit;
#define main listing_main
"""


class MicroMax(Campaign):
    """A case is a position of a random game: what micro-Max and the listing think of it, and the move that is made."""

    goal: ClassVar = 5_000
    block: ClassVar = 50
    watched: ClassVar = True

    def __init__(self) -> None:
        """Raises Ox88Error without a copy of the listing, or without a compiler."""
        self._machine = Machine()
        self._folder = tempfile.TemporaryDirectory(prefix="ox88-listing-")
        program = build(Path(os.environ.get(LISTING, "")), Path(self._folder.name))
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True)  # noqa: S603 - Just compiled.

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError):  # It was never started.
            self._process.kill()
            self._process.wait()

    def run(self, case: int, seed: int, tally: Tally) -> None:
        random = Random(f"{seed} {case}")  # noqa: S311 - No secrets.
        board = random_board(random.getrandbits(32), random.randrange(MOST_PLIES))
        self._machine.set_position(to_setup(board))
        expected = self._listing()
        found = self._think()
        names = ("score", "nodes", "from", "to", "move made", "evaluation", "en passant")
        wrong = [name for name, own, other in zip(names, found, expected, strict=True) if own != other]
        if wrong:
            raise FailureError(f"{board.fen()}: {', '.join(wrong)}: {found}, and the listing has {expected}")
        tally.counts["nodes that both have searched"] += found[1]

    def _think(self) -> list[int]:
        machine, record = self._machine, self._machine.record
        score = machine.think(NODES)
        squares = machine.root_move()
        thought = [score, int(record.nodes), *map(to_listing, squares)]
        machine.clear_table()
        return [*thought, int(machine.make_move(*squares)), int(record.evaluation), int(record.en_passant)]

    def _listing(self) -> list[int]:
        """What the listing thinks of the position of the machine."""
        record = self._machine.record
        numbers = [NODES, self._machine.side, record.evaluation, record.en_passant, *record.board]
        pipes = self._process
        if pipes.stdin is None or pipes.stdout is None:
            raise AssertionError
        print(*map(int, numbers), file=pipes.stdin, flush=True)
        answer = [int(word) for word in pipes.stdout.readline().split()]
        if not answer:
            raise FailureError(f"the listing ends with the exit code {pipes.wait()}")
        return answer


def build(listing: Path, folder: Path) -> Path:
    """Compile a copy of the listing. Returns the program. Raises Ox88Error."""
    compiler = shutil.which("gcc")
    if compiler is None:
        raise Ox88Error("gcc is not installed: it compiles the listing")
    if not listing.is_file():
        raise Ox88Error(f"{LISTING} must name a file with micro-Max's listing, not {str(listing)!r}")
    text = listing.read_text(encoding="latin-1")
    text, limits = re.subn(r"\b1e7\b", "node_limit", text)
    text, tables = re.subn(r"\bA\[U\]", "A[U+1]", text)  # The ninth probe may look beyond the last of the U.
    if (limits, tables) != (1, 1):
        raise Ox88Error(f"{listing} is not the listing of micro-Max 3.2: it has no node limit of 1e7 or no table A[U]")
    source, program = folder / "listing.c", folder / "listing"
    source.write_text(_HEAD + text + _HARNESS.read_text(encoding="utf-8"), encoding="latin-1")
    words = [compiler, "-std=gnu89", "-O2", "-w", "-o", str(program), str(source)]
    process = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603 - The reader's compiler.
    if process.returncode:
        raise Ox88Error(f"{listing} cannot be compiled:\n{process.stderr}")
    return program
