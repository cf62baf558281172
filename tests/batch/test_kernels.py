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
    "1rk3r1/1p6/8/8/8/8/1P6/1RK3R1 b GBgb - 0 1",
)

def learning(positions):
    legal = positions.legal_moves()
    for dtype in ("bool", "uint8", "int16", "float16", "float32", "float64"):
        for view in ("white", "mover"):
            yield positions.planes(dtype, view)
            yield positions.planes(dtype, view, np.ones((len(positions), 18, 8, 8), dtype))
    for kind in ("768", "halfkp", "halfka"):
        yield from positions.features(kind)
    for layout in ("az", "compact"):
        yield positions.policy_indices(legal, layout)
        first = positions.policy_indices(legal.moves[legal.offsets[:-1]], layout)
        yield positions.policy_moves(first, layout)
        yield positions.policy_moves(first.astype(np.int16), layout)
        yield positions.policy_mask(layout)
    yield positions.polyglot_keys()

def digests(positions):
    return [hashlib.sha256(found.tobytes()).hexdigest()[:16] for found in learning(positions)]

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
    assert len(batch) > 10
    assert {kernel.__qualname__: len(kernel.signatures) for kernel in batch if len(kernel.signatures) > 1} == {}


@pytest.mark.parametrize("flag", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_other_ways_to_run_the_same_source(flag: str, run_python: RunPython) -> None:
    compiled, other = (run_python("-W", "error", "-c", RESULTS, env=env) for env in ({}, {flag: "1"}))
    assert other.returncode == 0, other.stderr
    assert json.loads(other.stdout) == json.loads(compiled.stdout)
