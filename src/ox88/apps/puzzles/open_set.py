"""The open set: 10,000 of Lichess's puzzles, which travel in the package. `python -m tools.open_set` makes the file."""

import lzma
from pathlib import Path
from typing import Final

from ox88.apps.puzzles.formats import parse_csv
from ox88.apps.puzzles.puzzles import Puzzles

FILE: Final = Path(__file__).with_name("open_set.csv.xz")  # In Lichess's columns.


def load() -> Puzzles:
    """The puzzles, of all ratings and themes. They are checked where the file is made."""
    return Puzzles.of(parse_csv(lzma.decompress(FILE.read_bytes()).decode().splitlines(), FILE.name, check=False))
