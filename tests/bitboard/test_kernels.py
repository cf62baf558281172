"""The kernels as kernels: one signature each, and the same results as plain Python and with bounds checked."""

from pathlib import Path

import pytest

from ox88 import jit
from tests.conftest import RunPython

COUNT = """
import numpy as np
from ox88.bitboard.perft import MODES, Perft
from ox88.fen import parse_fen
fens = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1rk3r1/1p6/8/2pP4/8/8/1P4p1/1RK4R w HBgb c6 0 1",
)
with np.errstate(over="ignore"):
    print([Perft(parse_fen(fen), hash_megabytes=1).count(depth, mode) for fen in fens for mode in MODES])
"""

COUNT_SIGNATURES = """
from ox88 import jit
from ox88.bitboard.warmup import warm_up
warm_up()
for kernel in jit.KERNELS:
    types = [str(kind)[:20] for signature in kernel.signatures for kind in signature]
    if len(kernel.signatures) != 1 or any("Literal" in kind for kind in types):
        print(kernel.__module__, kernel.__name__, len(kernel.signatures), types)
"""


def _counts(run_python: RunPython, depth: int, **env: str) -> list[int]:
    run = run_python("-W", "error", "-c", COUNT.replace("depth", str(depth)), env=env)
    assert run.returncode == 0, run.stderr
    return [int(word) for word in run.stdout.strip("[]\n").split(",")]


def test_plain_python_counts_the_same(run_python: RunPython) -> None:
    if not jit.is_compiled():
        pytest.skip("everything is plain Python already")
    assert _counts(run_python, 2, NUMBA_DISABLE_JIT="1") == _counts(run_python, 2)


def test_nothing_is_read_out_of_bounds(run_python: RunPython) -> None:
    assert _counts(run_python, 4, NUMBA_BOUNDSCHECK="1") == _counts(run_python, 4)


def test_every_kernel_has_one_signature_without_literals(run_python: RunPython, tmp_path: Path) -> None:
    # An empty cache: a kernel loaded from it brings those that it calls along without their signatures.
    run = run_python("-c", COUNT_SIGNATURES, env={"NUMBA_CACHE_DIR": str(tmp_path)})
    assert run.returncode == 0, run.stderr
    assert run.stdout == ""
