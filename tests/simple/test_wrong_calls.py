"""Calls that cannot be carried out: they raise what python-chess raises, and the next call is as if they were not."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import chess
import pytest
from chess.engine import EngineError, Limit

import ox88
from tests.processes import PATIENCE
from tests.simple.conftest import OurEngine

NODES: Final = Limit(nodes=2000)
MATE_IN_ONE: Final = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
MATE: Final = chess.Move.from_uci("a1a8")

Call = Callable[[Any], object]

BOARD: Final = chess.Board()
WRONG: Final[tuple[tuple[Call, str], ...]] = (
    (lambda engine: engine.play("startpos", NODES), "the board is 'startpos': expected a chess.Board"),
    (lambda engine: engine.analyse("startpos", NODES), "the board is 'startpos'"),
    (lambda engine: engine.analysis("startpos"), "the board is 'startpos'"),
    (lambda engine: engine.play(BOARD, 5), "the limit is 5: expected a chess.engine.Limit"),
    (lambda engine: engine.play(BOARD, limit(nodes="many")), "nodes of the limit is 'many'"),
    (lambda engine: engine.play(BOARD, limit(nodes=float("inf"))), "nodes of the limit is inf"),
    (lambda engine: engine.play(BOARD, limit(time="long")), "time of the limit is 'long'"),
    (lambda engine: engine.play(BOARD, limit(time=float("nan"))), "time=nan"),
    (lambda engine: engine.play(BOARD, limit(white_clock="late")), "white_clock of the limit is 'late'"),
    (lambda engine: engine.play(BOARD, NODES, options=["Hash"]), "the options are .'Hash'.: expected a mapping"),
    (lambda engine: engine.configure(5), "the options are 5: expected a mapping"),
    (lambda engine: engine.configure({"Move Overhead": None}), "'Move Overhead' is None: expected a spin value"),
    (lambda engine: engine.configure({"Move Overhead": [1]}), "'Move Overhead' is .1.: expected a spin value"),
    (lambda engine: engine.play(BOARD, NODES, root_moves=["e2e4"]), "'e2e4' is among the root moves"),
    (lambda engine: engine.play(BOARD, Limit(time=60), info="all"), "info is 'all': expected flags"),
    (lambda engine: engine.analysis(BOARD, info="all"), "info is 'all'"),
    (lambda engine: engine.play(BOARD, NODES, roots=[]), "unknown keywords .'roots'.; known are game"),
)


def limit(**values: Any) -> Limit:
    return Limit(**values)


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_a_wrong_call_raises_and_the_next_is_answered(ours: OurEngine, call: Call, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call(ours)
    assert ours.play(MATE_IN_ONE, NODES).move == MATE


def test_an_analysis_ends_where_a_wrong_call_ends_it(ours: OurEngine) -> None:
    analysis = ours.analysis(chess.Board())
    heard: list[chess.engine.InfoDict] = []
    listener = threading.Thread(target=lambda: heard.extend(analysis))
    listener.start()
    with pytest.raises(TypeError):
        ours.play("startpos", NODES)  # type: ignore[arg-type]
    listener.join(PATIENCE)
    assert not listener.is_alive()
    assert analysis.wait().move is not None


@pytest.mark.parametrize("fen", ["8/8/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/8/8/8/8/4K2P w - - 0 1"])
def test_a_position_that_breaks_the_rules(ours: OurEngine, fen: str) -> None:
    board = chess.Board(fen)
    for call in (ours.play, ours.analyse, ours.analysis):
        with pytest.raises(EngineError, match="illegal position"):
            call(board, NODES)
    assert ours.play(MATE_IN_ONE, NODES).move == MATE


def test_a_past_that_breaks_the_rules(ours: OurEngine) -> None:
    board = chess.Board()
    board.push(chess.Move.from_uci("e2e5"))
    with pytest.raises(EngineError, match="e2e5"):
        ours.play(board, NODES)
    assert ours.play(chess.Board(), NODES).move is not None


@pytest.mark.parametrize("name", ["SyzygyPath", "Book File"])
def test_an_option_that_the_engine_refuses(name: str, tmp_path: Path) -> None:
    """The error comes with the call that sets it, each time, and everything stays as it was."""
    missing = {name: str(tmp_path / "missing")}
    with ox88.Engine() as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match="missing"):
                engine.configure(missing)
            with pytest.raises(EngineError, match="missing"):
                engine.play(MATE_IN_ONE, NODES, options=missing, game="same")
            with pytest.raises(EngineError, match="missing"):
                engine.analyse(MATE_IN_ONE, NODES, options=missing, game=object())
        assert engine.play(MATE_IN_ONE, NODES, game="same").move == MATE
    with pytest.raises(EngineError, match="missing"):
        ox88.Engine(missing)


def test_too_much_memory_is_refused_and_the_rest_stays() -> None:
    with ox88.Engine({"Hash": 1}) as engine:
        most = engine.options["Hash"].max
        with pytest.raises(EngineError, match="it stays at 1 MB"):
            engine.configure({"Hash": most, "Move Overhead": 77})
        with pytest.raises(EngineError, match="it stays at 1 MB"):
            engine.configure({"Hash": most})
        engine.configure({"Hash": 2})
        assert engine.play(MATE_IN_ONE, NODES).move == MATE


@pytest.mark.parametrize("make", [ox88.Engine, ox88.MicroMax])
def test_options_at_the_start(make: type[ox88.Engine]) -> None:
    before = set(threading.enumerate())
    for options in ({"No Such": 1}, {"Move Overhead": "long"}, {"Ponder": True}):
        with pytest.raises(EngineError):
            make(options)
    with pytest.raises(TypeError):
        make(5)  # type: ignore[arg-type]
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_value_without_end() -> None:
    with ox88.Engine({"Hash": 1}) as engine, pytest.raises(EngineError, match="option 'Hash' is inf: 1 to"):
        engine.configure({"Hash": float("inf")})  # type: ignore[dict-item]
