"""The compiler's side of the kernels: one signature each, the same as plain Python, no read out of range."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ox88 import jit

COUNT_ALL = """
import sys
from ox88.fen import parse_fen
from ox88.mailbox.perft import Perft
from tests.mailbox.naive import perft_lines
limit = int(sys.argv[1])
for name in ("classics", "chess960", "random"):
    for fen, counts in perft_lines(name)[:: int(sys.argv[2])]:
        perft = Perft(parse_fen(fen))
        for depth, count in counts.items():
            if count <= limit:
                assert perft.count(depth) == perft.count(depth, "made") == count, (fen, depth)
"""
SIGNATURES = """
from ox88.jit import KERNELS
from ox88.mailbox.attacks import is_check
from ox88.mailbox.position import new_searcher
from ox88.mailbox.records import tables
assert not is_check(new_searcher(parse_fen("startpos"))[0].position, tables())
assert sum(sum(perft.divide(3, mode).values()) for mode in ("listed", "made"))
kernels = [kernel for kernel in KERNELS if "mailbox" in kernel.__module__ or "0x88" in kernel.__name__]
assert len(kernels) > 40
for kernel in kernels:
    compiled = list(kernel.overloads)
    assert len(compiled) <= 1, (kernel, compiled)
print(*sorted(kernel.__name__ for kernel in kernels if not kernel.overloads))
"""
ROOT = Path(__file__).parent.parent.parent


def run(code: str, *arguments: int, **environment: str) -> str:
    paths = os.pathsep.join((str(ROOT), str(ROOT / "src")))
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.skipif(not jit.is_compiled(), reason="nothing is compiled")
def test_one_signature_each_when_freshly_compiled(tmp_path: Path) -> None:
    """With an empty cache every kernel is compiled in this process; a loaded caller hides what it calls."""
    missing = run(COUNT_ALL + SIGNATURES, 100, 40, NUMBA_CACHE_DIR=str(tmp_path))
    assert missing.split() == []
    run(COUNT_ALL + SIGNATURES, 100, 40, NUMBA_CACHE_DIR=str(tmp_path))


def test_plain_python_counts_the_same() -> None:
    run(COUNT_ALL, 1_000, 7, NUMBA_DISABLE_JIT="1")


def test_nothing_is_read_out_of_range() -> None:
    run(COUNT_ALL, 30_000, 1, NUMBA_BOUNDSCHECK="1")
