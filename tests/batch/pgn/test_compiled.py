"""The kernels of the PGN reader: one signature each, and the same results as plain Python and with bounds checked."""

import json

import pytest

from ox88.jit import KERNELS, is_compiled
from tests.conftest import DATA, RunPython

RESULTS = """
import hashlib, io, json, pathlib
import numpy as np
import ox88

GAMES = b'''[Event "a"]
[Result "1-0"]

1. e4 e5 2. Nf3 {[%clk 0:01:02] [%eval 0.3]} Nc6 (2... d6 {so} 3. d4) 3. Bb5 a6 $5 4. O-O ; so
4... Nf6 1-0

[White "x"]

1.e4 d5 2.exd5 c6 3.dxc6 Nf6 4.cxb7 Bd7 5.bxa8=Q {[%eval #3]} e6 6. -- Qb6 7. Ke2 Ke7 8. N@e4 *

[White "y"]
[Result "*"]
%
1. d2-d4 g8f6 2. c4 Z0 0-1
[Variant "Chess960"]
[FEN "1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w FBfb - 2 9"]

9. O-O O-O-O 10. h4 Kb8 11. Kh2 { not closed
'''

def operations(games):
    yield from (games.moves, games.offsets, games.clocks, games.evals, games.results, games.numbers)
    yield np.array([str(error) for error in games.errors], "S200")
    yield np.array([*games.headers.values()], "S20")
    yield games.positions(threads=1).records
    yield games.positions(ply=-1, threads=1).records
    yield np.frombuffer(games.to_pgn().encode(), np.uint8)

def digests(games):
    return [hashlib.sha256(np.ascontiguousarray(found).tobytes()).hexdigest()[:16] for found in operations(games)]

if __name__ == "__main__":
    games = ox88.read_pgn(io.BytesIO(GAMES), threads=1)
    print(json.dumps([digests(games), digests(games[1:]), [str(error) for error in games.errors]]))
"""


@pytest.mark.skipif(not is_compiled(), reason="signatures are the compiler's")
def test_one_signature() -> None:
    names: dict[str, object] = {"__name__": "tests"}
    exec(RESULTS, names)  # noqa: S102
    import ox88

    for path in sorted((DATA / "pgn" / "odd").glob("[a-c]*"))[:4]:
        games = ox88.read_pgn(path)
        assert names["digests"](games)  # type: ignore[operator]
        assert names["digests"](games[:0])  # type: ignore[operator]
    found = [kernel for kernel in KERNELS if kernel.__module__.startswith("ox88.batch.pgn")]
    assert len(found) > 50
    assert {kernel.__qualname__: len(kernel.signatures) for kernel in found if len(kernel.signatures) > 1} == {}


@pytest.mark.parametrize("flag", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.slow)])
def test_other_ways_to_run_the_same_source(flag: str, run_python: RunPython) -> None:
    as_usual, otherwise = (run_python("-W", "error", "-c", RESULTS, env=env) for env in ({}, {flag: "1"}))
    assert otherwise.returncode == 0, otherwise.stderr
    assert json.loads(otherwise.stdout) == json.loads(as_usual.stdout)
    assert len(json.loads(as_usual.stdout)[2]) == 2
