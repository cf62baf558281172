"""The benchmark's positions and its signature."""

from pathlib import Path

import chess
import pytest

from ox88.engines import benchmark
from ox88.engines.base import Info, Limit, Score
from ox88.engines.modern.network.file import write_network
from ox88.engines.modern.options import SHIPPED_NETWORK
from ox88.setup import parse_fen
from ox88.types import NO_MOVE
from tests.conftest import RunPython
from tests.engines.modern.network.naive import random_network
from tests.protocols.fake import FakeEngine

# Nodes of the benchmark by evaluation. Every machine searches the same number.
SIGNATURES = {"handcrafted": 3547296, "network": 2995405}


def test_the_positions_are_legal_and_the_last_two_alone_have_ended() -> None:
    assert len(benchmark.FENS) == len(set(benchmark.FENS)) == 50
    boards = [chess.Board(fen) for fen in benchmark.FENS]
    assert all(board.is_valid() and not parse_fen(board.fen()).check().is_chess960() for board in boards)
    assert not any(board.is_game_over() for board in boards[:-2])
    assert (boards[-2].is_checkmate(), boards[-1].is_stalemate()) == (True, True)


def test_it_starts_anew_and_gives_the_last_info_of_each() -> None:
    engine = FakeEngine(lambda *_: iter([Info(1, Score(), 100, 0.1), Info(2, Score(), 201, 0.2)]))
    engine.new_game()
    found = list(benchmark.run(engine, 7))
    assert engine.calls == ["new_game", *["set_position"] * 50]
    assert engine.limits == [Limit(depth=7)] * 50
    assert [fen for fen, _ in found] == list(benchmark.FENS)
    assert {(info.nodes, info.best_move) for _, info in found[:-2]} == {(201, NO_MOVE)}


def test_the_command_adds_up(call_ox88: RunPython) -> None:
    first, second = (call_ox88("bench", "--engine", "micro-Max", "--depth", 2) for _ in range(2))
    assert (first.returncode, first.stderr) == (0, "")
    *positions, blank, seconds, nodes, speed = first.stdout.splitlines()
    assert (len(positions), blank, seconds[:18], speed[:18]) == (50, "", "Total time (ms) : ", "Nodes/second    : ")
    assert nodes == f"Nodes searched  : {sum(int(line.split(' nodes')[0].split()[-1]) for line in positions)}"
    assert nodes in second.stdout.splitlines()


@pytest.mark.parametrize("evaluation", ["network", pytest.param("handcrafted", marks=pytest.mark.slow)])
def test_the_signature_is_this_versions(evaluation: str, call_ox88: RunPython) -> None:
    """A different number means different play: the commit message must say so, and end with the new number."""
    if evaluation == "network" and not SHIPPED_NETWORK.exists():
        pytest.skip("no network is shipped")
    lines = call_ox88("bench", "--evaluation", evaluation).stdout.splitlines()
    assert f"Nodes searched  : {SIGNATURES[evaluation]}" in lines


def test_a_network_s_file_can_be_named(call_ox88: RunPython, tmp_path: Path) -> None:
    nodes = []
    for seed in (1, 2, 1):
        write_network(tmp_path / "a.npz", random_network(seed))
        process = call_ox88("bench", "--depth", 3, "--evaluation", tmp_path / "a.npz")
        nodes.append(process.stdout.splitlines()[-2])
    assert nodes[0] == nodes[2] != nodes[1]


@pytest.mark.slow
def test_the_protocols_bench_is_the_commands(run_ox88: RunPython) -> None:
    command, protocol = run_ox88("bench"), run_ox88("uci", input="bench\nquit\n")
    (nodes,) = [line for line in command.stdout.splitlines() if line.startswith("Nodes searched")]
    assert nodes in protocol.stdout.splitlines()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["perft", "--depth", "3"], "bench perft is fixed"),
        (["--engine", "micro-Max", "--hash", "16"], "'Hash'"),
        (["--depth", "0"], "--depth"),
        (["perft", "--evaluation", "handcrafted"], "bench perft is fixed"),
        (["--engine", "micro-Max", "--evaluation", "handcrafted"], "'Use NNUE'"),
        (["--evaluation", "missing.npz"], "EvalFile: missing.npz: No such file or directory"),
        (["--engine", "nonsense"], "--engine"),
    ],
)
def test_what_is_refused(arguments: list[str], reason: str, call_ox88: RunPython) -> None:
    process = call_ox88("bench", *arguments)
    assert (process.returncode, process.stdout) == (2, "")
    assert reason in process.stderr
