"""Ox88 as an XBoard engine in a process of its own: as python-chess drives it, and as pipes begin and end."""

import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest

from tests.conftest import RunPython
from tests.processes import PATIENCE

COMMAND = [sys.executable, "-m", "ox88", "xboard"]
ENGINES = ["Ox88", "micro-Max"]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
LOST = "4k3/8/8/8/8/8/8/q3K3 w - - 0 1"


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest, run_ox88: RunPython) -> Iterator[chess.engine.SimpleEngine]:
    assert run_ox88("--version").returncode == 0  # And everything is compiled.
    command = [*COMMAND, "--engine", request.param]
    with chess.engine.SimpleEngine.popen_xboard(command, timeout=PATIENCE) as engine:
        yield engine


def test_a_whole_game(engine: chess.engine.SimpleEngine) -> None:
    """Against a queen more, which it must use before a rule draws the game."""
    board, game = chess.Board("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), object()
    while not board.is_game_over(claim_draw=True) and board.fullmove_number < 60:
        move = engine.play(board, chess.engine.Limit(nodes=20_000), game=game).move
        assert move is not None
        board.push(move)
    assert board.is_valid()
    assert len(board.move_stack) > 10


def test_analyse_a_game_that_goes_on(engine: chess.engine.SimpleEngine) -> None:
    board, game = chess.Board(), object()
    for text in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(text)
        info = engine.analyse(board, chess.engine.Limit(depth=3), game=game)
        assert board.is_legal(info["pv"][0])
        assert info["score"].turn == board.turn
    board.pop()
    assert board.is_legal(engine.analyse(board, chess.engine.Limit(depth=2), game=game)["pv"][0])


def test_after_a_move_that_is_refused_nothing_is_answered_for_another_position(
    engine: chess.engine.SimpleEngine,
) -> None:
    """python-chess sends null moves, and takes what is illegal for an error of the engine."""
    passed = chess.Board()
    passed.push(chess.Move.null())
    for _ in range(3):
        with pytest.raises(chess.engine.EngineError, match="Illegal move"):
            engine.play(passed, chess.engine.Limit(depth=2))
        assert engine.play(chess.Board(), chess.engine.Limit(depth=2)).move in list(chess.Board().legal_moves)


def test_chess960(engine: chess.engine.SimpleEngine) -> None:
    """The listing of micro-Max cannot castle there."""
    board, game = chess.Board("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1", chess960=True), object()
    if engine.id["name"].endswith("micro-Max"):
        board.set_castling_fen("-")
    else:
        board.push_xboard("O-O")
    for _ in range(6):
        move = engine.play(board, chess.engine.Limit(nodes=500), game=game).move
        assert move is not None
        board.push(move)
    assert board.is_valid()


def test_a_draw_is_accepted_in_a_lost_game(engine: chess.engine.SimpleEngine) -> None:
    board, game = chess.Board(LOST), object()
    limit = chess.engine.Limit(nodes=500)
    for _ in range(3):
        result = engine.play(board, limit, game=game, draw_offered=True)
        assert not result.draw_offered
        assert result.move is not None
        board.push(result.move)
        board.push(next(move for move in board.legal_moves if board.piece_type_at(move.from_square) == chess.KING))
    assert engine.play(board, limit, game=game, draw_offered=True).draw_offered


def test_options(engine: chess.engine.SimpleEngine) -> None:
    option = engine.options["Move_Overhead"]
    assert (option.type, option.min, option.max, option.default) == ("spin", 0, 10_000, 20)
    assert engine.options["Engine"].var == ENGINES
    assert engine.options["OwnBook"].type == "check"
    assert engine.options["Clear_Hash"].type == "button"
    engine.configure({"Move_Overhead": 30, "UCI_LimitStrength": True, "UCI_Elo": 1200, "Clear_Hash": None})
    engine.configure({"memory": 3, "cores": 2, "OwnBook": False, "UCI_LimitStrength": False})
    engine.ping()
    assert engine.play(chess.Board(), chess.engine.Limit(nodes=2000), game=object()).move is not None
    engine.configure({"cores": 1, "memory": 16})


def test_a_bad_position_is_refused_and_the_engine_lives(engine: chess.engine.SimpleEngine) -> None:
    with pytest.raises(chess.engine.EngineError, match="Black has no king"):
        engine.play(chess.Board("8/8/8/8/8/8/8/4K3 w - - 0 1"), chess.engine.Limit(depth=2), game=object())
    assert engine.play(chess.Board(), chess.engine.Limit(depth=2), game=object()).move


def test_the_result_of_a_game_is_heard(engine: chess.engine.SimpleEngine) -> None:
    engine.send_game_result(chess.Board(), chess.BLACK, "White resigns")
    engine.send_opponent_information(opponent=chess.engine.Opponent("Anna", None, 1500, False), engine_rating=2500)
    assert engine.play(chess.Board(), chess.engine.Limit(depth=2), game=object()).move
    engine.ping()


def test_the_engine_is_chosen_by_an_option(run_ox88: RunPython) -> None:
    lines = "protover 2\noption Engine=micro-Max\npost\nsd 2\ngo\nping 1\n"
    out = run_ox88("xboard", input=lines).stdout.splitlines()
    assert 'feature option="Engine -combo *Ox88 /// micro-Max"' in out
    assert out[-2].startswith("move ")
    assert out[-1] == "pong 1"


# --- Beginning and ending ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_compiling_is_spoken_of_before_the_features_are_done(run_python: RunPython, tmp_path: Path) -> None:
    process = run_python(
        *COMMAND[1:], "--engine", "micro-Max", input="xboard\nprotover 2\n", env={"NUMBA_CACHE_DIR": str(tmp_path)}
    )
    lines = process.stdout.splitlines()
    assert lines[0] == "feature done=0"
    assert "# compiling, once after an installation or a change; this takes some seconds" in lines
    assert lines[-2].endswith(" kernels are compiled")
    assert lines[-1] == "feature done=1"


def test_features_are_told_before_anything_is_loaded(run_python: RunPython) -> None:
    code = """
import io, sys, ox88.cli

class Output(io.StringIO):
    def write(self, text):
        loaded = [name for name in ("numba", "llvmlite", "numpy", "chess") if name in sys.modules]
        sys.__stdout__.write(f"{loaded} {text}")

sys.argv, sys.stdin, sys.stdout = ["ox88", *sys.argv[1:]], io.StringIO("xboard\\nprotover 2\\n"), Output()
ox88.cli.main()
"""
    for arguments in (["xboard"], []):
        features = [line for line in run_python("-c", code, *arguments).stdout.splitlines() if "feature" in line]
        assert len(features) > 10
        assert all(line.startswith("[] feature ") for line in features[:-1])
        assert features[-1].endswith("] feature done=1")


def test_without_arguments_a_pipe_that_asks_for_it_gets_xboard(run_ox88: RunPython) -> None:
    process = run_ox88(input="xboard\nprotover 2\nping 1\nquit\n")
    assert process.returncode == 0
    assert process.stdout.splitlines()[-2:] == ["feature done=1", "pong 1"]


@pytest.mark.parametrize("end", ["", "quit\n", "ping 1\nquit\nping 2\n"])
@pytest.mark.parametrize("work", ["st 100\ngo\n", "analyze\n", "hard\nst 0.01\ngo\n"])
def test_the_end_while_it_works(work: str, end: str, run_ox88: RunPython) -> None:
    process = run_ox88("xboard", input=f"force\nusermove e2e4\n{work}{end}")
    assert (process.returncode, process.stderr) == (0, "")
    if work.startswith("st") and not end:
        assert process.stdout.splitlines()[-1].startswith("move ")
