"""Ox88 as a UCI engine in a process of its own: as python-chess drives it, and as pipes begin and end."""

import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest

from tests.conftest import RunPython
from tests.processes import PATIENCE

COMMAND = [sys.executable, "-m", "ox88", "uci"]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module")
def engine(run_ox88: RunPython) -> Iterator[chess.engine.SimpleEngine]:
    assert run_ox88("--version").returncode == 0  # And everything is compiled.
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=PATIENCE) as engine:
        yield engine


def test_analyse(engine: chess.engine.SimpleEngine) -> None:
    info = engine.analyse(chess.Board(MATE_IN_ONE), chess.engine.Limit(depth=4))
    assert info["score"] == chess.engine.PovScore(chess.engine.Mate(1), chess.WHITE)
    assert info["pv"][0] == chess.Move.from_uci("a1a8")
    assert engine.analyse(chess.Board(), chess.engine.Limit(mate=1, depth=3))["depth"] == 3


def test_several_lines(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=4)
    assert [info["multipv"] for info in lines] == [1, 2, 3, 4]
    assert len({info["pv"][0] for info in lines}) == 4
    scores = [info["score"].relative for info in lines]
    assert scores == sorted(scores, reverse=True)
    for info in lines:
        assert board.variation_san(info["pv"])  # Which raises if a move is illegal.
    assert "multipv" in engine.analyse(board, chess.engine.Limit(depth=3))


def test_win_draw_loss(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(chess.Board("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), chess.engine.Limit(depth=6))
    assert sum(info["wdl"].relative) == 1000
    assert info["wdl"].relative.winning_chance() > 0.9
    engine.configure({"UCI_ShowWDL": False})


def test_threads_and_a_table_of_another_size(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Threads": 2, "Hash": 3})
    board = chess.Board()
    for _ in range(3):
        board.push(engine.play(board, chess.engine.Limit(nodes=3000)).move or chess.Move.null())
    assert board.is_valid()
    engine.configure({"Threads": 1, "Hash": 16})


def test_strength(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1000})
    move = engine.play(chess.Board(), chess.engine.Limit(time=1000.0)).move  # The nodes end it.
    assert move is not None
    assert chess.Board().is_legal(move)
    engine.configure({"UCI_LimitStrength": False})


def test_chess960_notation(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(CASTLING, chess960=True)
    move = chess.Move.from_uci("e1h1")
    assert engine.play(board, chess.engine.Limit(nodes=100), root_moves=[move]).move == move


def test_options(engine: chess.engine.SimpleEngine) -> None:
    option = engine.options["Move Overhead"]
    assert (option.type, option.min, option.max) == ("spin", 0, 10_000)
    engine.configure({"Move Overhead": 30, "UCI_ShowWDL": True, "Engine": "micro-Max"})
    engine.ping()


def test_compiling_is_spoken_of_before_the_engine_is_ready(run_python: RunPython, tmp_path: Path) -> None:
    process = run_python(
        *COMMAND[1:], "--engine", "micro-Max", input="isready\n", env={"NUMBA_CACHE_DIR": str(tmp_path)}
    )
    lines = process.stdout.splitlines()
    assert lines[0] == "info string compiling, once after an installation or a change; this takes some seconds"
    assert lines[-2].endswith(" kernels are compiled")
    assert lines[-1] == "readyok"


# --- Beginning and ending ---------------------------------------------------------------------------------------------


def test_uci_is_answered_before_anything_is_loaded(run_python: RunPython) -> None:
    code = """
import io, sys, ox88.cli

class Input(io.StringIO):
    def readline(self):
        line = super().readline()
        if not line:
            print([name for name in ("numba", "llvmlite", "numpy", "chess") if name in sys.modules])
        return line

sys.argv, sys.stdin = ["ox88", *sys.argv[1:]], Input("uci\\n")
ox88.cli.main()
"""
    for arguments in (["uci"], []):
        lines = run_python("-c", code, *arguments).stdout.splitlines()
        assert lines[-2:] == ["uciok", "[]"]


def test_without_arguments_a_pipe_that_asks_for_it_gets_uci(run_ox88: RunPython) -> None:
    process = run_ox88(input="uci\nisready\nquit\n")
    assert process.returncode == 0
    assert process.stdout.splitlines()[-2:] == ["uciok", "readyok"]


@pytest.mark.parametrize("text", ["", "isready\n", "xboards\nuci\n"])
def test_without_arguments_any_other_pipe_gets_the_help(text: str, run_ox88: RunPython) -> None:
    process = run_ox88(input=text)
    assert "Usage: ox88" in process.stdout + process.stderr
    assert "uciok" not in process.stdout


@pytest.mark.parametrize("end", ["", "quit\n", "isready\nquit\nisready\n"])
@pytest.mark.parametrize("go", ["go infinite", "go depth 60", "go ponder wtime 1000 btime 1000", "go perft 12"])
def test_the_end_in_a_search(go: str, end: str, run_ox88: RunPython) -> None:
    process = run_ox88("uci", input=f"position startpos moves e2e4\n{go}\n{end}")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.splitlines()[-1].startswith("info string perft" if "perft" in go else "bestmove ")
