"""Traces of the C original, reproduced to the node: compiled, as plain Python, and with bounds checks."""

import json
from typing import Any

import pytest

from ox88.engines.micromax.machine import Machine, trace
from tests.conftest import DATA, RunPython, read_jsonl

FENS = [line["fen"] for line in read_jsonl(DATA / "micromax" / "special.jsonl")[::12]]
QUICK = [line for name in ("positions", "special", "game") for line in read_jsonl(DATA / "micromax" / f"{name}.jsonl")]
HARD = read_jsonl(DATA / "micromax" / "hard.jsonl")


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
    flag: str, nodes: int, plies: int, fens: list[str], run_ox88: RunPython, machine: Machine
) -> None:
    options = ("--nodes", str(nodes), "--plies", str(plies))
    traced = run_ox88("trace", *options, input="\n".join(fens), env={flag: "1"})
    assert traced.returncode == 0, traced.stderr
    found = [json.loads(line) for line in traced.stdout.splitlines()]
    assert found == [trace(fen, nodes, plies, 0, machine) for fen in fens]


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


def assert_reproduced(golden: dict[str, Any], machine: Machine) -> None:
    assert trace(golden["fen"], golden["node_limit"], len(golden["plies"]), golden["eval"], machine) == golden


def test_all_files_are_whole() -> None:
    assert (len(QUICK), len(HARD)) == (421, 20)


def cases(count: int, step: int, quick: range) -> list[Any]:
    """Numbers of traces, from 0 to the count; those that are not among the quick ones are slow."""
    return [pytest.param(at, marks=[pytest.mark.slow] * (at not in quick)) for at in range(0, count, step)]


# The last is a game of 200 plies, whose quick version is in test_driver.py. The 120 before it search longest.
@pytest.mark.parametrize("start", cases(len(QUICK), 20, range(0, 300, 80)))
def test_positions_and_games(start: int, machine: Machine) -> None:
    for golden in QUICK[start : start + 20]:
        assert_reproduced(golden, machine)


# The first is searched with the original's node limit, ten million a move.
@pytest.mark.parametrize("number", cases(len(HARD), 1, range(1, len(HARD), 6)))
def test_hard_positions(number: int, machine: Machine) -> None:
    assert_reproduced(HARD[number], machine)
