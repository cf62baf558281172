"""The boards' kernels as plain Python and with bounds checked: the same counts as compiled."""

import json

import pytest

from ox88.perft import Perft
from ox88.setup import parse_fen
from tests.conftest import RunPython
from tests.test_perft import WAYS

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "1rk3r1/1p6/8/2pP4/8/8/1P4p1/1RK4R w HBgb c6 0 1",
    "8/8/8/1Ppp3r/1KR2p1k/8/4P1P1/8 w - c6 0 1",
]
COUNT = f"""
import json
from ox88.setup import parse_fen
from ox88.perft import Perft
FENS = {FENS!r}
WAYS = {WAYS!r}
def count(fen):
    return [Perft(parse_fen(fen), board, hash_megabytes=1).count(DEPTH, mode) for board, mode in WAYS]
print(json.dumps([count(fen) for fen in FENS]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("flag", "depth"), [("NUMBA_DISABLE_JIT", 2), ("NUMBA_BOUNDSCHECK", 3)])
def test_other_ways_to_run_the_same_source(flag: str, depth: int, run_python: RunPython) -> None:
    process = run_python("-W", "error", "-c", COUNT.replace("DEPTH", str(depth)), env={flag: "1"})
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout) == [[Perft(parse_fen(fen)).count(depth)] * len(WAYS) for fen in FENS]
