"""Engines at the positions of games: what is played and taken back to get there."""

import chess
import pytest

from ox88.convert import from_chess_board
from ox88.engines.base import EngineError
from ox88.engines.micromax.driver import MicroMax
from ox88.engines.placed import PlacedEngine
from ox88.errors import IllegalPositionError
from tests.positions import random_board
from tests.protocols.fake import FakeEngine


def calls_to(placed: PlacedEngine, board: chess.Board) -> list[str]:
    """What the engine is told to get to a board, where it stands then."""
    engine = placed.engine
    assert isinstance(engine, FakeEngine)
    engine.calls.clear()
    placed.place(board)
    assert engine.setup == from_chess_board(board)
    return engine.calls.copy()


def board_after(*moves: str, fen: str = chess.STARTING_FEN, chess960: bool = False) -> chess.Board:
    board = chess.Board(fen, chess960=chess960)
    for move in moves:
        board.push_uci(move)
    return board


def test_only_what_differs_is_played_and_taken_back() -> None:
    placed = PlacedEngine(FakeEngine())
    assert calls_to(placed, board_after("e2e4")) == ["set_position", "push e2e4"]
    assert calls_to(placed, board_after("e2e4")) == []
    assert calls_to(placed, board_after("e2e4", "e7e5", "g1f3")) == ["push e7e5", "push g1f3"]
    assert calls_to(placed, board_after("e2e4", "c7c5")) == ["pop", "pop", "push c7c5"]
    assert calls_to(placed, board_after()) == ["pop", "pop"]
    assert calls_to(placed, board_after(fen="4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")) == ["set_position"]
    assert calls_to(placed, board_after("e1c1", fen="4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")) == ["push e1c1"]


@pytest.mark.parametrize("field", ["e3", "-"])
def test_roots_that_differ_in_the_passed_square_alone(field: str) -> None:
    """They are equal for python-chess, since no pawn can capture there."""
    placed = PlacedEngine(FakeEngine())
    boards = [chess.Board(f"4k3/8/8/8/4P3/8/8/4K3 b - {square} 0 1") for square in (field, "-", "e3")]
    assert boards[0] == boards[1] == boards[2]
    for board in boards:
        calls_to(placed, board)


def test_a_null_move_hides_the_past() -> None:
    board = board_after("e2e4")
    board.push(chess.Move.null())
    placed = PlacedEngine(FakeEngine())
    assert calls_to(placed, board) == ["set_position"]
    board.push_uci("d2d4")
    assert calls_to(placed, board) == ["set_position"]


def test_the_same_position_in_chess960_notation() -> None:
    placed = PlacedEngine(FakeEngine())
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    calls_to(placed, board_after("e1g1", fen=fen))
    assert calls_to(placed, board_after("e1h1", fen=fen, chess960=True))[0] == "set_position"
    assert calls_to(placed, board_after("e1h1", "e8e7", fen=fen, chess960=True)) == ["push e8e7"]


def with_an_illegal_move() -> chess.Board:
    board = board_after("e2e4")
    board.push(chess.Move.from_uci("e7e4"))
    return board


@pytest.mark.parametrize(
    ("board", "error", "reason"),
    [
        (board_after(fen="8/8/8/8/8/8/8/K7 w - - 0 1"), IllegalPositionError, "king"),
        (board_after(fen="k7/8/8/8/8/8/8/1R1K4 w B - 0 1", chess960=True), EngineError, "castle"),
        (with_an_illegal_move(), EngineError, "e7e4 is not legal"),
    ],
)
def test_after_a_refused_position_the_next_is_set_up_afresh(
    board: chess.Board, error: type[Exception], reason: str
) -> None:
    placed = PlacedEngine(MicroMax())
    placed.place(board_after("e2e4"))
    with pytest.raises(error, match=reason):
        placed.place(board)
    placed.place(board_after("e2e4", "e7e5"))
    assert placed.engine.setup == from_chess_board(board_after("e2e4", "e7e5"))


@pytest.mark.parametrize("seed", range(3))
def test_any_game_after_any_other(seed: int) -> None:
    placed = PlacedEngine(FakeEngine())
    for plies in (5, 40, 20, 0, 60):
        calls_to(placed, random_board(seed, plies=plies))
