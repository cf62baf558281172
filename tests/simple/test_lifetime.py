"""How an engine ends: asked to, forgotten, by its own failure, with the program. No thread outlives it."""

import gc
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller
from typing import Any, Final

import chess
import pytest
from chess.engine import EngineError, EngineTerminatedError, Limit

import ox88
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.thread import SearchThread
from tests.conftest import RunPython
from tests.processes import busy_threads
from tests.simple.conftest import MAKERS, OURS, AnyEngine

NODES: Final = Limit(nodes=1000)
PATIENCE: Final = 30.0


@pytest.fixture(params=MAKERS)
def mortal(request: pytest.FixtureRequest) -> AnyEngine:
    made: AnyEngine = MAKERS[request.param]()
    return made


def assert_over(engine: AnyEngine) -> None:
    for call in (
        engine.ping,
        engine.quit,
        lambda: engine.play(chess.Board(), NODES),
        lambda: engine.analysis(chess.Board()),
        lambda: engine.configure({}),
        lambda: engine.id,
        lambda: engine.options,
    ):
        with pytest.raises(EngineTerminatedError):
            call()
    engine.close()
    assert repr(engine)


def fail_in_a_with_block(engine: AnyEngine) -> None:
    with pytest.raises((AttributeError, TypeError)), engine:
        engine.configure(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("end", [methodcaller("quit"), methodcaller("close"), fail_in_a_with_block])
def test_how_an_engine_is_ended(mortal: AnyEngine, end: Callable[[AnyEngine], None]) -> None:
    end(mortal)
    mortal.close()
    assert_over(mortal)


@pytest.mark.parametrize("mortal", OURS, indirect=True)
def test_what_runs_hears_of_the_end(mortal: AnyEngine) -> None:
    with mortal as engine:
        analysis = engine.analysis(chess.Board())
        analysis.get()
    assert_over(mortal)
    with pytest.raises(EngineTerminatedError):
        analysis.wait()


@pytest.mark.parametrize("mortal", OURS, indirect=True)
def test_a_call_hears_of_the_end(mortal: AnyEngine) -> None:
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(mortal.play, chess.Board(), Limit(time=600))
        time.sleep(0.1)
        mortal.close()
        with pytest.raises(EngineTerminatedError):
            call.result(PATIENCE)


@pytest.mark.parametrize("make", OURS.values(), ids=OURS)
@pytest.mark.parametrize("end", ["quit", "close", "forget", "forget while it thinks"])
def test_no_thread_and_no_table_is_left(make: Any, end: str) -> None:
    before = busy_threads()
    engine = make()
    driver = weakref.ref(engine._engine)
    engine.play(chess.Board(), NODES)
    analysis = engine.analysis(chess.Board()) if end.endswith("thinks") else None
    threads = busy_threads() - before
    if not end.startswith("forget"):
        getattr(engine, end)()
    del engine, analysis
    until = time.monotonic() + PATIENCE
    while threads & busy_threads() and time.monotonic() < until:
        time.sleep(0.01)
    assert not threads & busy_threads()
    gc.collect()
    assert driver() is None


# --- Engines that fail ------------------------------------------------------------------------------------------------


def explode(*_: object) -> None:
    raise ZeroDivisionError("boom")


@pytest.mark.parametrize(("failing", "name"), [(Modern, "search"), (SearchThread, "prepare"), (SearchThread, "deepen")])
def test_an_engine_that_fails_in_a_search(failing: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the thread of the call, or in that of the search."""
    with ox88.Engine() as engine:
        with monkeypatch.context() as patched:
            patched.setattr(failing, name, explode)
            for call in (engine.play, engine.analyse):
                with pytest.raises(EngineError, match="the engine has failed: ZeroDivisionError: boom") as failure:
                    call(chess.Board(), NODES)
                assert isinstance(failure.value.__cause__, ZeroDivisionError)
        assert engine.play(chess.Board(), NODES).move is not None


@pytest.mark.parametrize("name", ["set_position", "push", "new_game"])
def test_an_engine_that_fails_before_a_search(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    board.push_san("O-O")
    with ox88.Engine() as engine:
        with monkeypatch.context() as patched:
            patched.setattr(Modern, name, explode)
            with pytest.raises(EngineError, match="boom"):
                engine.play(board, NODES, game="new")
        assert board.is_legal(engine.play(board, NODES).move or chess.Move.null())


def test_an_engine_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    before = busy_threads()
    monkeypatch.setattr(Modern, "__init__", explode)
    with pytest.raises(ZeroDivisionError, match="boom"):
        ox88.Engine()
    assert busy_threads() <= before


# --- The end of the program -------------------------------------------------------------------------------------------

BEGINNING: Final = """
import threading, chess, ox88
from chess.engine import Limit
engine = ox88.{name}()
"""
ENDINGS: Final = {
    "an analysis runs": "analysis = engine.analysis(chess.Board()); analysis.get()",
    "a thread waits": """
import time
threading.Thread(target=engine.play, args=(chess.Board(), Limit(time=600)), daemon=True).start()
time.sleep(0.2)
""",
    "several think": """
others = [ox88.Engine({'Hash': 1}) for _ in range(2)]
others[0].analysis(chess.Board())
others[1].play(chess.Board(), Limit(white_clock=9, black_clock=9, nodes=1000), ponder=True)
""",
}


@pytest.mark.parametrize(
    "ending", [pytest.param(name, marks=[pytest.mark.slow] * (name != "several think")) for name in ENDINGS]
)
def test_a_program_that_ends_without_quit(run_python: RunPython, ending: str) -> None:
    name = "MicroMax" if ending == "an analysis runs" else "Engine"
    done = run_python("-c", BEGINNING.format(name=name) + ENDINGS[ending])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


INTERRUPTED: Final = """
import _thread, threading
try:
    threading.Timer(0.3, _thread.interrupt_main).start()
    engine.play(chess.Board(), Limit(time=600))
except KeyboardInterrupt:
    print("interrupted")
print(engine.play(chess.Board(), Limit(nodes=1000)).move is not None)
engine.quit()
"""


def test_ctrl_c_ends_a_call_and_not_the_engine(run_python: RunPython) -> None:
    done = run_python("-c", BEGINNING.format(name="Engine") + INTERRUPTED)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\nTrue\n", "")
