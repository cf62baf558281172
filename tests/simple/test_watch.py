"""ox88.MicroMax.watch: recorded searches from a script."""

from typing import Any

import chess
import chess.variant
import numpy as np
import pytest
from chess.engine import EngineError, EngineTerminatedError, Limit

import ox88
from ox88.engines.micromax.watching import Watch


@pytest.fixture(scope="module")
def engine() -> Any:
    with ox88.MicroMax() as engine:
        yield engine


def test_it_records_what_a_watch_does(engine: ox88.MicroMax) -> None:
    board = chess.Board()
    board.push_san("e4")
    board.push_san("Nf6")
    recording = engine.watch(board, node=50, count=300, nodes=100, depth=4, without=["hash"])
    expected = Watch(ox88.Setup(board.fen()), nodes=100, depth=4, without=["hash"]).from_node(50, 300)
    assert np.array_equal(recording.events, expected.events)
    assert (recording.line, recording.board, recording.nodes) == (expected.line, expected.board, 49)
    assert [event["kind"] for event in recording.named()[:3]] == ["ENTER", "KEYS", "ENTRY"]
    assert not recording.is_end


def test_it_keeps_its_memory_for_the_next_call() -> None:
    with ox88.MicroMax() as engine:
        first = engine.watch(chess.Board(), node=50, nodes=100)
        memory = engine._recorder
        with pytest.raises(EngineError):
            engine.watch(chess.Board(), node=999, nodes=100)
        again = engine.watch(chess.Board(), node=50, nodes=100)
        assert np.array_equal(again.events, first.events)
        assert engine._recorder is memory is not None
    assert engine._recorder is None
    with pytest.raises(EngineTerminatedError):
        engine.watch(chess.Board())


def test_it_leaves_other_calls_alone(engine: ox88.MicroMax) -> None:
    before = engine.play(chess.Board(), Limit(nodes=2000), info=chess.engine.INFO_ALL)
    engine.watch(chess.Board(), node=1000)
    after = engine.play(chess.Board(), Limit(nodes=2000), info=chess.engine.INFO_ALL)
    assert (after.move, after.info["nodes"]) == (before.move, before.info["nodes"])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"node": 0}, EngineError, "the node is 0: expected 1 to 10,000,000"),
        ({"node": 999, "nodes": 100}, EngineError, "there is no node 999: the search has 186 nodes"),
        ({"nodes": 10_000_001}, EngineError, "the node limit is 10,000,001"),
        ({"count": 5001}, EngineError, "the count is 5,001: expected 1 to 5,000"),
        ({"without": ["luck"]}, EngineError, "no 'luck' to leave out"),
        ({"without": "hash"}, TypeError, "without is 'hash': expected a list, such as .'hash'."),
        ({"node": "first"}, TypeError, "the node is 'first': expected a whole number"),
        ({"board": "startpos"}, TypeError, "the board is 'startpos': expected a chess.Board"),
        ({"board": chess.Board("8/8/8/8/8/8/8/4K3 w - - 0 1")}, EngineError, "Black has no king"),
        ({"board": chess.variant.AtomicBoard()}, EngineError, "does not support UCI_Variant atomic"),
    ],
)
def test_wrong_calls(engine: ox88.MicroMax, arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    call = {"board": chess.Board(), **arguments}
    with pytest.raises(error, match=message):
        engine.watch(**call)
