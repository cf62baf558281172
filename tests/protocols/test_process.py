"""Ox88 in a process of its own, in either protocol: as python-chess drives it, and as pipes begin and end."""

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import chess
import pytest
from chess.engine import INFO_ALL, EngineError, Limit, Mate, Opponent, SimpleEngine, UciProtocol

from ox88.engines.modern.network.file import write_network
from tests.conftest import RunPython
from tests.engines.modern.network.naive import random_network
from tests.processes import PATIENCE, python

PROTOCOLS: Final = {"uci": SimpleEngine.popen_uci, "xboard": SimpleEngine.popen_xboard}
ENGINES: Final = ("Ox88", "micro-Max")
PING: Final = {"uci": ("isready\n", "readyok\n"), "xboard": ("ping 1\n", "pong 1\n")}
TOO_MANY_PAWNS: Final = "rnbqkbnr/pppppppp/pppp4/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE_IN_ONE: Final = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
LOST: Final = "4k3/8/8/8/8/8/8/q3K3 w - - 0 1"
SHORT: Final = Limit(depth=2)

of_uci = pytest.mark.parametrize("engine", [("uci", "Ox88")], indirect=True, ids="-".join)
of_xboard = pytest.mark.parametrize("engine", [("xboard", name) for name in ENGINES], indirect=True, ids="-".join)


@pytest.fixture(scope="module", params=itertools.product(PROTOCOLS, ENGINES), ids="-".join)
def engine(request: pytest.FixtureRequest) -> Iterator[SimpleEngine]:
    protocol, name = request.param
    command = [sys.executable, "-m", "ox88", protocol, "--engine", name]
    with PROTOCOLS[protocol](command, timeout=PATIENCE) as engine:
        yield engine


def play(engine: SimpleEngine, board: chess.Board, limit: Limit, moves: int) -> None:
    """Let the engine play against itself."""
    game = object()
    for _ in range(moves):
        result = engine.play(board, limit, game=game, info=INFO_ALL)
        assert result.move is not None
        assert result.info["pv"][0] == result.move
        board.push(result.move)
    assert board.is_valid()


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.05),
        Limit(depth=3),
        Limit(nodes=500),
        Limit(white_clock=0.3, black_clock=0.3, white_inc=0.01, black_inc=0.01, remaining_moves=20),
    ],
)
def test_play(engine: SimpleEngine, limit: Limit) -> None:
    play(engine, chess.Board(), limit, 4)
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
    assert info["score"].white() == Mate(1)
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
            played = engine.play(chess.Board(), Limit(nodes=300), game=object(), info=INFO_ALL)
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
    depth = engine.analyse(chess.Board(), SHORT, game=object())["depth"]
    assert depth == 2 if "UCI_ShowWDL" in engine.options else depth >= 2  # XBoard's analysis ends only when told to.


@pytest.mark.parametrize("chess960", [False, True])
def test_a_position_that_is_refused_is_not_answered_for_another(engine: SimpleEngine, chess960: bool) -> None:
    good, refused = chess.Board(chess960=chess960), chess.Board(TOO_MANY_PAWNS, chess960=chess960)
    good.push_uci("d2d4")
    assert engine.analyse(good, SHORT, game=1)["score"]
    if isinstance(engine.protocol, UciProtocol):
        info = engine.analyse(refused, SHORT, game=1)
        assert info.keys() == {"string"}
        assert "the last one was refused: illegal position: Black has 12 pawns" in info["string"]
        with engine.analysis(refused, game=1) as analysis:
            assert list(itertools.islice(analysis, 2))[1] == info
        assert analysis.wait().move is None
        assert engine.play(refused, SHORT, game=1).move is None
    else:
        with pytest.raises(EngineError, match="Illegal position: Black has 12 pawns"):
            engine.play(refused, SHORT, game=1)
    assert engine.play(good, SHORT, game=1).move in list(good.legal_moves)


# --- UCI --------------------------------------------------------------------------------------------------------------


@of_uci
def test_options_of_uci(engine: SimpleEngine) -> None:
    option = engine.options["Move Overhead"]
    assert (option.type, option.min, option.max) == ("spin", 0, 10_000)
    engine.configure({"UCI_ShowWDL": True})
    wdl = engine.analyse(chess.Board("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), Limit(depth=6))["wdl"].relative
    assert sum(wdl) == 1000
    assert wdl.winning_chance() > 0.9
    engine.configure({"Threads": 2, "Hash": 3, "Move Overhead": 30})
    play(engine, chess.Board(), Limit(nodes=3000), 3)
    engine.configure({"Threads": 1, "UCI_LimitStrength": True, "UCI_Elo": 1000})
    assert engine.play(chess.Board(), Limit(time=1000.0)).move  # The nodes end it.
    board, castling = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True), chess.Move.from_uci("e1h1")
    assert engine.play(board, Limit(nodes=100), root_moves=[castling]).move == castling
    engine.configure({"Engine": "micro-Max"})
    engine.ping()


# --- XBoard's protocol ------------------------------------------------------------------------------------------------


@of_xboard
def test_after_a_move_that_is_refused_nothing_is_answered_for_another_position(engine: SimpleEngine) -> None:
    """python-chess sends null moves, and takes what is illegal for an error of the engine."""
    passed = chess.Board()
    passed.push(chess.Move.null())
    for _ in range(3):
        with pytest.raises(EngineError, match="Illegal move"):
            engine.play(passed, SHORT)
        assert engine.play(chess.Board(), SHORT).move in list(chess.Board().legal_moves)


@of_xboard
def test_chess960(engine: SimpleEngine) -> None:
    """The listing of micro-Max cannot castle there."""
    board = chess.Board("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1", chess960=True)
    if engine.id["name"].endswith("micro-Max"):
        board.set_castling_fen("-")
    else:
        board.push_xboard("O-O")
    play(engine, board, Limit(nodes=500), 6)


@of_xboard
def test_a_draw_is_accepted_in_a_lost_game(engine: SimpleEngine) -> None:
    board, game, limit = chess.Board(LOST), object(), Limit(nodes=500)
    for _ in range(3):
        result = engine.play(board, limit, game=game, draw_offered=True)
        assert not result.draw_offered
        assert result.move is not None
        board.push(result.move)
        board.push(next(move for move in board.legal_moves if board.piece_type_at(move.from_square) == chess.KING))
    assert engine.play(board, limit, game=game, draw_offered=True).draw_offered


@of_xboard
def test_options_and_results_of_xboard(engine: SimpleEngine) -> None:
    option = engine.options["Move_Overhead"]
    assert (option.type, option.min, option.max, option.default) == ("spin", 0, 10_000, 20)
    assert engine.options["Engine"].var == list(ENGINES)
    assert engine.options["OwnBook"].type == "check"
    assert engine.options["Clear_Hash"].type == "button"
    engine.configure({"Move_Overhead": 30, "UCI_LimitStrength": True, "UCI_Elo": 1200, "Clear_Hash": None})
    engine.configure({"memory": 3, "cores": 2, "OwnBook": False, "UCI_LimitStrength": False})
    engine.send_game_result(chess.Board(), chess.BLACK, "White resigns")
    engine.send_opponent_information(opponent=Opponent("Anna", None, 1500, False), engine_rating=2500)
    assert engine.play(chess.Board(), Limit(nodes=2000), game=object()).move is not None
    engine.configure({"cores": 1, "memory": 16})


# --- Beginning and ending ---------------------------------------------------------------------------------------------


def test_the_engine_is_chosen_by_its_name_or_an_option(call_ox88: RunPython) -> None:
    greeting = call_ox88("uci", "--engine", "MICRO-max", input="uci\n").stdout
    assert "option name Engine type combo default micro-Max" in greeting
    lines = "protover 2\noption Engine=Ox88\npost\nsd 2\ngo\nping 1\n"
    out = call_ox88("xboard", "--engine", "MICRO-max", "--expert", input=lines).stdout.splitlines()
    assert 'feature option="Engine -combo Ox88 /// *micro-Max"' in out
    assert 'feature option="use_null_move -spin 1 0 1"' in out
    assert out[-2].startswith("move ")
    assert out[-1] == "pong 1"
    assert [call_ox88(protocol, "--engine", "Crafty").returncode for protocol in PROTOCOLS] == [2, 2]


# Each line of the output begins with what was loaded before it was written.
GREETING: Final = """
import io, sys, ox88.cli

class Output(io.StringIO):
    def write(self, text):
        loaded = [name for name in ("numba", "llvmlite", "numpy", "chess") if name in sys.modules]
        sys.__stdout__.write(f"{loaded} {text}")

sys.argv, sys.stdout = ["ox88"], Output()
ox88.cli.main()
"""


@pytest.mark.parametrize(
    ("greeting", "last"), [("uci\nisready\nquit\n", "] readyok"), ("xboard\nprotover 2\nquit\n", "] feature done=1")]
)
def test_a_pipe_that_asks_for_a_protocol_is_answered_before_anything_is_loaded(
    greeting: str, last: str, run_python: RunPython
) -> None:
    process = run_python("-c", GREETING, input=greeting)
    *lines, end = [line for line in process.stdout.splitlines() if "compiling" not in line]
    assert process.returncode == 0
    assert len(lines) > 10
    assert all(line.startswith("[] ") for line in lines)
    assert end.endswith(last)


@pytest.mark.parametrize("text", ["", "isready\n", "xboards\nuci\n"])
def test_any_other_pipe_gets_the_help(text: str, call_ox88: RunPython) -> None:
    process = call_ox88(input=text)
    assert "Usage: ox88" in process.stdout + process.stderr
    assert "uciok" not in process.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "greeting", "first", "last"),
    [
        ("uci", "isready\n", "info string compiling", "readyok"),
        ("xboard", "xboard\nprotover 2\n", "feature done=0", "feature done=1"),
    ],
)
def test_compiling_is_spoken_of_before_the_engine_is_ready(
    protocol: str, greeting: str, first: str, last: str, run_python: RunPython, tmp_path: Path
) -> None:
    words = ("-m", "ox88", protocol, "--engine", "micro-Max")
    lines = run_python(*words, input=greeting, env={"NUMBA_CACHE_DIR": str(tmp_path)}).stdout.splitlines()
    assert lines[0].startswith(first)
    assert any(
        line.endswith("compiling, once after an installation or a change; this takes some seconds") for line in lines
    )
    assert lines[-2].endswith(" kernels are compiled")
    assert lines[-1] == last


@pytest.mark.parametrize(
    ("words", "lines", "last"),
    [
        ("uci", "position startpos moves e2e4\ngo infinite\n", "bestmove "),
        ("uci", "go ponder wtime 1000 btime 1000\nisready\nquit\nisready\n", "bestmove "),
        pytest.param("uci --engine micro-Max", "go perft 12\n", "info string perft", marks=pytest.mark.slow),
        ("xboard", "force\nusermove e2e4\nst 100\ngo\n", "move "),
        pytest.param(
            "xboard --engine micro-Max",
            "force\nusermove e2e4\nhard\nst 0.01\ngo\nping 1\nquit\nping 2\n",
            "",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_bytes_that_are_no_text_and_the_end_while_it_works(
    words: str, lines: str, last: str, run_ox88: RunPython
) -> None:
    no_text, env = b"\xff\xfe\0\xc3\n".decode(errors="surrogateescape"), {"PYTHONIOENCODING": "ascii"}
    process = run_ox88(*words.split(), input=no_text + lines, env=env, encoding="utf-8", errors="surrogateescape")
    assert (process.returncode, process.stderr) == (0, "")
    answers = process.stdout.splitlines()
    assert answers[0].startswith("info string unknown command" if "uci" in words else "Error (unknown command")
    assert not last or answers[-1].startswith(last)


@pytest.mark.posix("errors of closed pipes")
@pytest.mark.parametrize(("protocol", "line"), [("uci", "go infinite\n"), ("xboard", "protover 2\n" * 500)])
def test_a_reader_that_leaves(protocol: str, line: str) -> None:
    """Threads write: that of the search, and the main one. Input stays open: the program must not wait for it."""
    ping, pong = PING[protocol]
    engine = {"uci": "Ox88", "xboard": "micro-Max"}[protocol]
    with python("-m", "ox88", protocol, "--engine", engine, stdin=subprocess.PIPE) as process:
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
