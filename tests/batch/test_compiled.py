"""The kernels of batches: one signature each, and the same results as plain Python and with bounds checked."""

import json

import pytest

from ox88.jit import KERNELS, is_compiled
from tests.batch.samples import positions
from tests.conftest import RunPython

RESULTS = """
import hashlib, json
import numpy as np
import ox88

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "r3k3/1P5p/8/2pP4/8/8/6p1/R3K2R w KQq c6 0 1",
    "1rk3r1/1p6/8/8/8/8/1P6/1RK3R1 b GBgb - 12 345",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 150 90",
)

def operations(positions):
    legal = positions.legal_moves()
    every = positions[legal.rows]
    yield from legal
    yield every.push(legal.moves).pack()
    yield every.see(legal.moves)
    yield every.is_legal(np.arange(len(every)).astype(np.uint16))
    yield np.array(every.san(legal.moves), "S8")
    yield positions.checkers()
    yield positions.attacks()
    yield positions.outcome()
    yield positions.perft(2)
    yield np.array(positions.fens(), "S96")
    yield from positions.fen_texts()
    yield ox88.Positions.from_packed(positions.pack()).records
    yield ox88.Positions.from_boards(positions.boards()).records
    yield ox88.Positions.from_fens("\\n".join(positions.fens())).records

def learning(positions):
    legal = positions.legal_moves()
    for dtype in ("uint8", "float32"):
        for view in ("white", "mover"):
            yield positions.planes(dtype, view=view)
            yield positions.planes(dtype, view=view, out=np.ones((len(positions), 18, 8, 8), dtype))
    for kind in ("768", "halfkp", "halfka"):
        yield from positions.features(kind)
    for layout in ("az", "compact"):
        indices = positions.policy_index(legal, layout)
        yield indices
        yield positions[legal.rows[:9]].policy_move(indices[:9], layout)
        yield positions.policy_mask(layout)
    yield positions.polyglot_key()

def results(positions):
    yield from operations(positions)
    yield from learning(positions)

def digests(positions):
    return [hashlib.sha256(np.ascontiguousarray(found).tobytes()).hexdigest()[:16] for found in results(positions)]

if __name__ == "__main__":
    print(json.dumps(digests(ox88.Positions.from_fens(FENS))))
"""


@pytest.mark.skipif(not is_compiled(), reason="signatures are the compiler's")
def test_one_signature() -> None:
    names: dict[str, object] = {"__name__": "tests"}
    exec(RESULTS, names)  # noqa: S102
    for some in (positions(), positions()[::2], positions()[:0]):
        assert names["digests"](some)  # type: ignore[operator]
        assert len(some.evaluate()) == len(some)
    batch = [kernel for kernel in KERNELS if kernel.__module__.startswith("ox88.batch")]
    assert len(batch) > 20
    assert {kernel.__qualname__: len(kernel.signatures) for kernel in batch if len(kernel.signatures) > 1} == {}


@pytest.mark.parametrize("flag", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.slow)])
def test_other_ways_to_run_the_same_source(flag: str, run_python: RunPython) -> None:
    as_usual, otherwise = (run_python("-W", "error", "-c", RESULTS, env=env) for env in ({}, {flag: "1"}))
    assert otherwise.returncode == 0, otherwise.stderr
    assert json.loads(otherwise.stdout) == json.loads(as_usual.stdout)
