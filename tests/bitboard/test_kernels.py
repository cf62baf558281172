"""The kernels as kernels: one signature each, and the same results as plain Python and with bounds checked."""

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

USE_ALL = """
import numpy as np
from ox88 import jit
from ox88.bitboard import attacks, legality, movegen, moves, position, records, see, tables
from ox88.bitboard.perft import MODES, Perft
from ox88.fen import STARTPOS, parse_fen
for mode in MODES:
    Perft(parse_fen(STARTPOS)).count(4, mode)
t = tables.board_tables()
p = position.make_position(parse_fen(STARTPOS))
undo, moves_list = records.make_record(records.UNDO), records.make_record(records.MOVE_LIST)
checkers, pinned = map(np.uint64, attacks.checkers_and_pinned(p, t, np.int64(0)))
movegen.generate_captures(p, t, moves_list, checkers, pinned)
movegen.generate_quiets(p, t, moves_list, checkers, pinned)
move = np.int64(moves_list.moves[0])
attacks.checkers(p, t), attacks.pinned(p, t, np.int64(0)), attacks.is_attacked(p, t, np.int64(3), np.int64(1))
legality.is_legal(p, t, move), legality.gives_check(p, t, move)
see.see(p, t, move), see.see_ge(p, t, move, np.int64(0))
moves.do_null_move(p, t, undo), moves.undo_null_move(p, undo)
for kernel in jit.KERNELS:
    kinds = [str(kind) for signature in kernel.signatures for kind in signature]
    if len(kernel.signatures) > 1 or any("Literal" in kind for kind in kinds):
        print(kernel.__module__, kernel.__name__, [kind[:20] for kind in kinds])
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


def test_every_kernel_has_one_signature_without_literals(run_python: RunPython) -> None:
    """In a process that starts with an empty cache, so that every kernel called by another is compiled there."""
    run = run_python("-c", USE_ALL)
    assert run.returncode == 0, run.stderr
    assert run.stdout == ""
