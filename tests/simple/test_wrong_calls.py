"""Calls that cannot be carried out: they raise what python-chess raises, and the next call is as if they were not."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import chess
import pytest
from chess.engine import EngineError, Limit, SimpleEngine

import ox88
from tests.simple.conftest import stockfish

NODES: Final = Limit(nodes=2000)
MATE_IN_ONE: Final = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
MATE: Final = chess.Move.from_uci("a1a8")

Call = Callable[[Any], object]

WRONG: Final[dict[str, Call]] = {
    "a board that is text": lambda engine: engine.play("startpos", NODES),
    "a board that is text, to analyse": lambda engine: engine.analyse("startpos", NODES),
    "a board that is text, to be analysed": lambda engine: engine.analysis("startpos"),
    "a limit that is a number": lambda engine: engine.play(chess.Board(), 5),
    "a number of nodes in words": lambda engine: engine.play(chess.Board(), Limit(nodes="many")),  # type: ignore[arg-type]
    "a time in words": lambda engine: engine.play(chess.Board(), Limit(time="long")),  # type: ignore[arg-type]
    "options in a list": lambda engine: engine.play(chess.Board(), NODES, options=["Hash"]),
    "options that are a number": lambda engine: engine.configure(5),
    "an option without a value": lambda engine: engine.configure({"Move Overhead": None}),
    "a list for a number": lambda engine: engine.configure({"Move Overhead": [1]}),
    "root moves in words": lambda engine: engine.play(chess.Board(), NODES, root_moves=["e2e4"]),
}
# Here python-chess's own engine never answers, or prints an error and nobody hears of it.
WRONG_ON_THE_WAY: Final[dict[str, Call]] = {
    "a clock in words": lambda engine: engine.play(chess.Board(), Limit(white_clock="late")),  # type: ignore[arg-type]
    "what to tell in words": lambda engine: engine.play(chess.Board(), Limit(time=60), info="all"),
    "what to tell in words, of an analysis": lambda engine: engine.analyse(chess.Board(), Limit(time=60), info="all"),
    "what to tell in words, of a stream": lambda engine: list(engine.analysis(chess.Board(), info="all")),
}


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")  # It is python-chess's.
@pytest.mark.parametrize("name", [*WRONG, *WRONG_ON_THE_WAY])
def test_a_wrong_call_raises_and_the_next_is_answered(ours: SimpleEngine, name: str) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        (WRONG | WRONG_ON_THE_WAY)[name](ours)
    assert ours.play(MATE_IN_ONE, NODES).move == MATE


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
def test_errors_are_python_chess_own() -> None:
    with ox88.Engine() as ours:
        for call in WRONG.values():
            assert_raises_the_same(call, ours)


def assert_raises_the_same(call: Call, ours: SimpleEngine) -> None:
    with stockfish() as engine:
        engine.play(chess.Board(), NODES)  # At its first call python-chess would wait for ever.
        with pytest.raises(Exception) as theirs:  # noqa: PT011 (Whatever it is.)
            call(engine)
    with pytest.raises(theirs.type):
        call(ours)


def test_an_analysis_ends_where_a_wrong_call_ends_it(ours: SimpleEngine) -> None:
    analysis = ours.analysis(chess.Board())
    heard: list[chess.engine.InfoDict] = []
    listener = threading.Thread(target=lambda: heard.extend(analysis))
    listener.start()
    with pytest.raises(AttributeError):
        ours.play("startpos", NODES)  # type: ignore[arg-type]
    listener.join(30)
    assert not listener.is_alive()
    assert analysis.wait().move is not None


@pytest.mark.parametrize("fen", ["8/8/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/8/8/8/8/4K2P w - - 0 1"])
def test_a_position_that_breaks_the_rules(ours: SimpleEngine, fen: str) -> None:
    board = chess.Board(fen)
    for call in (ours.play, ours.analyse):
        with pytest.raises(EngineError, match="illegal position"):
            call(board, NODES)
    analysis = ours.analysis(board)
    with pytest.raises(EngineError, match="illegal position"):
        analysis.wait()
    assert ours.play(MATE_IN_ONE, NODES).move == MATE


def test_a_past_that_breaks_the_rules(ours: SimpleEngine) -> None:
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
    with pytest.raises(AttributeError):
        make(5)  # type: ignore[arg-type]
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
        assert not thread.is_alive()


def test_no_process_is_started() -> None:
    with pytest.raises(TypeError, match=r"Engine starts no process: Engine\(options\) makes one"):
        ox88.Engine.popen_uci("stockfish")
