"""Calls every kernel of the PGN reader once, on a small file, so that all of them are compiled and in the cache."""

import io
from typing import Final

from ox88.batch.pgn.reading import read_pgn

_FILE: Final = b"""[White "x"]
[Result "1-0"]

1. e4 {[%clk 0:01:02] [%eval 0.3]} e5 $1 2. Nf3 (2. d4 {no}) Nc6 3. Bb5 a6 4. O-O ; castles
4... Nf6 1-0

[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

1. a8=Q+ {[%eval #3]} Kd7 2. Qd5+ -- *

[White "y"]

1. e2-e4 e7e5 2. N@e4 *
"""


def warm_up() -> None:
    games = read_pgn(io.BytesIO(_FILE))
    games.positions()
    games.positions(ply=-1)
    games.headers.numbers("White")
    games[1:].to_pgn()
    games.to_pgn()
