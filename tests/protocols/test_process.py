"""Ox88 in a process of its own, in either protocol: as python-chess drives it, and as pipes begin and end."""

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import chess
import pytest
from chess.engine import EngineError, Limit, SimpleEngine, UciProtocol

from ox88.engines.modern.network.file import write_network
from tests.conftest import RunPython
from tests.engines.modern.network.naive import random_network
from tests.processes import PATIENCE, python

PROTOCOLS: Final = {"uci": SimpleEngine.popen_uci, "xboard": SimpleEngine.popen_xboard}
PING: Final = {"uci": ("isready\n", "readyok\n"), "xboard": ("ping 1\n", "pong 1\n")}
TOO_MANY_PAWNS: Final = "rnbqkbnr/pppppppp/pppp4/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE_IN_ONE: Final = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"


@pytest.fixture(scope="module", params=itertools.product(("uci", "xboard"), ("Ox88", "micro-Max")), ids="-".join)
def engine(request: pytest.FixtureRequest, run_ox88: RunPython) -> Iterator[SimpleEngine]:
    assert run_ox88("--version").returncode == 0  # And everything is compiled.
    protocol, name = request.param
    command = [sys.executable, "-m", "ox88", protocol, "--engine", name]
    with PROTOCOLS[protocol](command, timeout=PATIENCE) as engine:
        yield engine


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.05),
        Limit(depth=3),
        Limit(nodes=500),
        Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01, remaining_moves=20),
    ],
)
def test_play(engine: SimpleEngine, limit: Limit) -> None:
    board, game = chess.Board(), object()
    for _ in range(8):
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        assert result.move is not None
        assert board.is_legal(result.move)
        assert result.info["pv"][0] == result.move
        board.push(result.move)
    engine.ping()


def test_play_with_pondering(engine: SimpleEngine) -> None:
    board, game = chess.Board(), object()
    for number in range(4):
        result = engine.play(board, Limit(white_clock=2.0, black_clock=2.0), game=game, ponder=True)
        assert result.move is not None
        board.push(result.move)
        expected = result.ponder if number % 2 == 0 else None
        board.push(expected or next(iter(board.legal_moves)))
    engine.ping()


def test_analyse(engine: SimpleEngine) -> None:
    info = engine.analyse(chess.Board(MATE_IN_ONE), Limit(depth=4), game=object())
    assert info["score"].white().mate() == 1
    assert info["pv"][0] == chess.Move.from_uci("a1a8")
    info = engine.analyse(chess.Board(), Limit(nodes=300), game=object())
    assert info["nodes"] >= 300
    assert info["depth"] >= 1


def test_a_network_is_named_and_without_one_that_is_none_nothing_is_searched(
    engine: SimpleEngine, tmp_path: Path
) -> None:
    names = {name.replace("_", " "): name for name in engine.options}  # XBoard's have no spaces.
    write_network(tmp_path / "network.npz", random_network())
    broken = tmp_path / "broken.npz"
    broken.write_bytes((tmp_path / "network.npz").read_bytes()[:1000])
    speaks_uci = isinstance(engine.protocol, UciProtocol)
    wrong = (tmp_path / "missing.npz", broken)
    for value in (tmp_path / "network.npz", *wrong, ""):
        engine.configure({names["EvalFile"]: str(value)})
        engine.ping()  # XBoard's answer to a wrong option may come late, and is not for the next command.
        for switch in (False, True):
            engine.configure({names["Use NNUE"]: switch})
            is_refused = value in wrong and not engine.id["name"].endswith("micro-Max")
            if is_refused and not speaks_uci:
                with pytest.raises(EngineError, match=f"EvalFile: {value}: "):
                    engine.play(chess.Board(), Limit(nodes=300), game=object())
                engine.ping()
                continue
            played = engine.play(chess.Board(), Limit(nodes=300), game=object(), info=chess.engine.INFO_ALL)
            if is_refused:
                assert f"EvalFile: {value}: " in played.info["string"]
                assert played.move is None
            else:
                assert played.move in list(chess.Board().legal_moves)
    engine.ping()


def test_analyse_without_end(engine: SimpleEngine) -> None:
    with engine.analysis(chess.Board(), game=object()) as analysis:
        for info in analysis:
            if info.get("depth", 0) > 3 and "pv" in info:
                break
    depth = engine.analyse(chess.Board(), Limit(depth=2), game=object())["depth"]
    assert depth == 2 if "UCI_ShowWDL" in engine.options else depth >= 2  # XBoard's analysis ends only when told to.


def test_a_game_that_is_over(engine: SimpleEngine) -> None:
    board = chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.play(board, Limit(depth=2), game=object()).move is None


@pytest.mark.parametrize("chess960", [False, True])
def test_a_position_that_is_refused_is_not_answered_for_another(engine: SimpleEngine, chess960: bool) -> None:
    good, refused = chess.Board(chess960=chess960), chess.Board(TOO_MANY_PAWNS, chess960=chess960)
    good.push_uci("d2d4")
    assert engine.analyse(good, Limit(depth=2), game=1)["score"]
    if isinstance(engine.protocol, UciProtocol):
        info = engine.analyse(refused, Limit(depth=2), game=1)
        assert info.keys() == {"string"}
        assert "the last one was refused: illegal position: Black has 12 pawns" in info["string"]
        with engine.analysis(refused, game=1) as analysis:
            assert list(itertools.islice(analysis, 2))[1] == info
        assert analysis.wait().move is None
        assert engine.play(refused, Limit(depth=2), game=1).move is None
    else:
        with pytest.raises(EngineError, match="Illegal position: Black has 12 pawns"):
            engine.play(refused, Limit(depth=2), game=1)
    assert engine.play(good, Limit(depth=2), game=1).move in list(good.legal_moves)


# --- Beginning and ending ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("protocol", "greeting", "lines"),
    [
        ("uci", "uci\n", ("option name Engine type combo default micro-Max",)),
        (
            "xboard",
            "protover 2\n",
            ('feature option="Engine -combo Ox88 /// *micro-Max"', 'feature option="use_null_move -spin 1 0 1"'),
        ),
    ],
)
def test_an_engine_by_name(protocol: str, greeting: str, lines: tuple[str, ...], run_ox88: RunPython) -> None:
    process = run_ox88(protocol, "--engine", "MICRO-max", "--expert", input=greeting)
    assert all(line in process.stdout for line in lines)
    assert run_ox88(protocol, "--engine", "Crafty", input="").returncode == 2


@pytest.mark.parametrize(("protocol", "complaint"), [("uci", "info string unknown"), ("xboard", "Error (unknown")])
def test_bytes_that_are_no_text(protocol: str, complaint: str) -> None:
    ping, pong = PING[protocol]
    process = subprocess.run(
        [sys.executable, "-m", "ox88", protocol],
        input=b"\xff\xfe\0\xc3\n" + ping.encode(),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (process.returncode, process.stderr) == (0, b"")
    error, answer = process.stdout.decode().splitlines()
    assert error.startswith(f"{complaint} command")
    assert answer == pong.strip()


@pytest.mark.posix("errors of closed pipes")
@pytest.mark.parametrize(
    ("protocol", "line"),
    [
        ("uci", "go infinite\n"),
        ("uci", "uci\n" * 2000),
        ("xboard", "analyze\n"),
        ("xboard", "protover 2\n" * 500),
    ],
)
def test_a_reader_that_leaves(protocol: str, line: str) -> None:
    """Input stays open: the program must not wait for it."""
    ping, pong = PING[protocol]
    with python("-m", "ox88", protocol, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(ping)
        process.stdin.flush()
        assert process.stdout.readline() == pong
        process.stdout.close()
        process.stdin.write(line)
        process.stdin.flush()
        assert process.wait(timeout=PATIENCE) == 141
        assert process.stderr.read() == ""
