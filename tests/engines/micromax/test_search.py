"""The search as plain Python, with bounds checks, and stopped from another thread: always the same nodes."""

import json

import pytest

from ox88.engines.micromax.driver import MachineSearch
from ox88.engines.micromax.machine import Machine, trace
from ox88.setup import parse_fen
from tests.conftest import DATA, RunPython, read_jsonl

FENS = [line["fen"] for line in read_jsonl(DATA / "micromax" / "special.jsonl")[::12]]
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flag", "nodes", "plies", "fens"),
    [
        ("NUMBA_DISABLE_JIT", 50, 1, FENS[:2]),
        ("NUMBA_DISABLE_JIT", 50, 2, FENS),
        ("NUMBA_BOUNDSCHECK", 20_000, 2, FENS),
    ],
    ids=["plain", "plain, all", "bounds"],
)
def test_other_ways_to_run_the_same_source(
    flag: str, nodes: int, plies: int, fens: list[str], run_ox88: RunPython
) -> None:
    options = ("--nodes", str(nodes), "--plies", str(plies))
    traced = run_ox88("trace", *options, input="\n".join(fens), env={flag: "1"})
    assert traced.returncode == 0, traced.stderr
    machine = Machine()
    found = [json.loads(line) for line in traced.stdout.splitlines()]
    assert found == [trace(fen, nodes, plies, 0, machine) for fen in fens]


def test_stopping_changes_no_count() -> None:
    machine = Machine()
    machine.set_position(parse_fen(KIWIPETE))
    machine.think(50_000)
    whole = machine.iterations()
    machine.set_position(parse_fen(KIWIPETE))
    before = machine.snapshot().board
    thinking = MachineSearch(machine, 1 << 62)
    seen = []
    for iteration in thinking.iterations():
        seen.append(iteration)
        if len(seen) == len(whole):
            thinking.stop()
    assert seen[: len(whole)] == whole
    assert machine.record.aborted == 1
    assert machine.snapshot().board == before


def test_a_stopped_search_leaves_a_table_that_can_be_used() -> None:
    machine = Machine()
    machine.set_position(parse_fen(KIWIPETE))
    for _ in MachineSearch(machine, 1 << 62, seconds=0.05).iterations():
        pass
    machine.set_position(parse_fen(KIWIPETE))
    machine.think(20_000)
    assert [[line.depth, line.nodes] for line in machine.iterations()][:4] == [[0, 1], [1, 78], [2, 753], [3, 46797]]
