"""Traces of the C original, reproduced to the node."""

from typing import Any

import pytest

from ox88.engines.micromax.machine import NODE_LIMIT, Machine, trace
from tests.conftest import DATA, read_jsonl

QUICK = [line for name in ("positions", "special", "game") for line in read_jsonl(DATA / "micromax" / f"{name}.jsonl")]
HARD = read_jsonl(DATA / "micromax" / "hard.jsonl")


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


def assert_reproduced(golden: dict[str, Any], machine: Machine) -> None:
    assert trace(golden["fen"], golden["node_limit"], len(golden["plies"]), golden["eval"], machine) == golden


def test_all_files_are_whole() -> None:
    assert (len(QUICK), len(HARD)) == (421, 20)


# The last is a game of 200 plies, whose quick version is in test_driver.py. The 120 before it search longest.
@pytest.mark.parametrize(
    "start", [*range(0, 300, 20), *(pytest.param(start, marks=pytest.mark.slow) for start in range(300, 421, 20))]
)
def test_positions_and_games(start: int, machine: Machine) -> None:
    for golden in QUICK[start : start + 20]:
        assert_reproduced(golden, machine)


def is_full(golden: dict[str, Any]) -> bool:
    """True if a trace has the original's full node limit, ten million nodes a move."""
    return bool(golden["node_limit"] == NODE_LIMIT)


@pytest.mark.parametrize(
    "golden",
    [pytest.param(line, id=line["fen"], marks=[pytest.mark.slow] if is_full(line) else []) for line in HARD],
)
def test_hard_positions(golden: dict[str, Any], machine: Machine) -> None:
    assert_reproduced(golden, machine)
