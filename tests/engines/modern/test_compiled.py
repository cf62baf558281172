"""The engine's kernels as plain Python, and with bounds checks: the same values and nodes as compiled.

A second process compiles some of them.
"""

import json
from pathlib import Path

import pytest

from tests.conftest import RunPython

SEARCH = """
import json
import chess
import numpy as np
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.position import make_position
from ox88.bitboard.records import MOVE_LIST, make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.network.file import Network
from ox88.engines.modern.table import make_table
from ox88.engines.modern.thread import SearchThread
from ox88.setup import parse_fen

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/1P5p/8/2pP4/8/8/6p1/R3K2R w KQ c6 0 1",
    "1rk3r1/1p6/8/8/8/8/1P6/1RK3R1 w GBgb - 0 1",
    "7k/5Q2/5K2/8/8/R7/8/8 w - - 97 90",
)
table = make_table(1)
choice = np.random.default_rng(1)

def weights(*shape):
    return choice.integers(-50, 50, shape, np.int16)

NETWORKS = (None, Network(weights(768, 256), weights(256), weights(2, 256), 1000, 400))

def search(fen, network):
    table.fill(0)
    thread, position, moves = SearchThread(network), make_position(parse_fen(fen)), make_record(MOVE_LIST)
    thread.prepare(position, [], 1, None)
    count = int(generate_legal(position, board_tables(), moves))
    legal = [int(move) for move in moves.moves[:count]]
    (line,) = thread.deepen(table, range(1, DEPTH + 1), legal, 1, lambda _: None)
    return [line.value, list(line.moves), thread.nodes, int(thread.record.selective_depth)]

with np.errstate(over="ignore"):  # Products of bitboards overflow, and shall.
    print(json.dumps([search(fen, network) for fen in FENS for network in NETWORKS]))
"""


def results(run_python: RunPython, depth: int, **env: str) -> list[list[object]]:
    process = run_python("-W", "error", "-c", SEARCH.replace("DEPTH", str(depth)), env=env)
    assert process.returncode == 0, process.stderr
    found: list[list[object]] = json.loads(process.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("depth", [3, 6])
def test_as_plain_python(depth: int, run_python: RunPython) -> None:
    assert results(run_python, depth, NUMBA_DISABLE_JIT="1") == results(run_python, depth)


@pytest.mark.slow
def test_with_bounds_checked(run_python: RunPython, tmp_path: Path) -> None:
    checked = results(run_python, 9, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert checked == results(run_python, 9)


GET_READY = """
from ox88.engines.base import get_ready
from ox88.engines.modern.driver import Modern

get_ready(Modern())
"""


@pytest.mark.slow
def test_the_second_process_compiles_what_the_engine_needs(run_python: RunPython, tmp_path: Path) -> None:
    """Its arguments have the types of the engine's own. Else the engine would compile these kernels once more."""

    def compiled(*arguments: str) -> set[str]:
        process = run_python("-W", "error", *arguments, env={"NUMBA_CACHE_DIR": str(tmp_path)})
        assert process.returncode == 0, process.stderr
        return {f"{file.parent.name}/{file.name}" for file in tmp_path.rglob("*.code")}

    early = compiled("-m", "ox88.engines.modern.second_process")
    everything = compiled("-c", GET_READY)
    assert 50 < len(early) < len(everything)
    assert early < everything
    assert len({name.rpartition("-")[0] for name in everything}) == len(everything)
