"""The search of a game's positions, and the lines that it gives."""

import chess
import pytest

from ox88.apps.analyse.accuracy import Evaluation
from ox88.apps.analyse.search import Line, PositionAnalysis, search_backwards
from ox88.apps.options import engine_of_thread, make_ready_engine
from ox88.engines.base import Engine, EngineError, Info, Limit, Score
from ox88.engines.placed import PlacedEngine
from ox88.engines.registry import MICROMAX, MODERN
from ox88.setup import parse_fen, parse_uci
from tests.protocols.fake import FakeEngine

LIMIT = Limit(nodes=300)
START = parse_fen("startpos")


def search_game(engine: Engine, game: chess.Board) -> list[PositionAnalysis]:
    return list(search_backwards(PlacedEngine(engine), game, LIMIT))[::-1]


def game_of(*sans: str, fen: str = chess.STARTING_FEN) -> chess.Board:
    board = chess.Board(fen)
    for san in sans:
        board.push_san(san)
    return board


@pytest.fixture(scope="module", params=[MODERN, MICROMAX], ids=["Ox88", "micro-Max"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return make_ready_engine(request.param, {})


def test_every_position_is_searched(engine: Engine) -> None:
    game = game_of("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#")
    searched = search_game(engine, game)
    assert len(searched) == 8
    board = chess.Board()
    for position, move in zip(searched, game.move_stack, strict=False):
        assert position.best is not None
        assert position.best in board.legal_moves
        board.push(move)
    assert searched[6].best == game.peek()
    assert (searched[6].evaluation.mate, searched[6].evaluation.centipawns) == (1, 1000)
    assert searched[7].lines[0] == Line(Evaluation(1000, 0))
    assert searched == search_game(engine, game)


def test_stalemate_is_a_draw(engine: Engine) -> None:
    searched = search_game(engine, game_of("Qf7", fen="7k/8/5KQ1/8/8/8/8/8 w - - 0 1"))
    assert searched[1] == PositionAnalysis((Line(Evaluation(0)),), 0)


def test_a_position_that_is_refused() -> None:
    with pytest.raises(EngineError, match="castle"):
        search_game(make_ready_engine(MICROMAX, {}), chess.Board.from_chess960_pos(0))


def playing(infos: list[Info]) -> Engine:
    return FakeEngine(lambda *_: iter(infos))


def info(number: int, centipawns: int, *moves: str, bound: str = "exact", depth: int = 1) -> Info:
    numbers = tuple(parse_uci(move, START) for move in moves)
    return Info(depth, Score(centipawns=centipawns), 10, 0.1, numbers, bound, multipv=number)  # type: ignore[arg-type]


def test_the_last_report_on_each_line() -> None:
    infos = [
        info(1, 10, "e2e4"),
        info(2, 5, "d2d4"),
        info(3, 3, "a2a3", depth=2),
        info(3, 1, "a2a3"),
        info(1, 400, "e2e4", bound="lower"),
        Info(2, Score(), 10, 0.1, current_move=parse_uci("h2h3", START)),
        info(1, 20, "d2d4", "e2e4", "g1f3"),
    ]
    (found,) = search_game(playing(infos), chess.Board())
    assert [(line.evaluation.centipawns, [move.uci() for move in line.moves]) for line in found.lines] == [
        (20, ["d2d4"]),  # The line ends before its first illegal move.
        (3, ["a2a3"]),  # The deepest of the others.
        (10, ["e2e4"]),  # The best line before.
    ]
    assert [line.san for line in found.lines] == [["d4"], ["a3"], ["e4"]]


def test_a_mate_that_is_a_bound_is_left_out() -> None:
    mate = Info(2, Score(mate=15), 70, 0.2, (parse_uci("d2d4", START),), "lower")
    (found,) = search_game(playing([info(1, 10, "e2e4"), info(2, 5, "d2d4"), mate]), chess.Board())
    assert [line.san for line in found.lines] == [["e4"], ["d4"]]
    assert found.nodes == 70
    (found,) = search_game(playing([mate]), chess.Board())
    assert [(line.evaluation.mate, line.san) for line in found.lines] == [(15, ["d4"])]


def test_a_thread_keeps_its_engine_until_other_settings_are_wanted() -> None:
    small, large = [("Hash", 1)], [("Hash", 2)]
    kept = engine_of_thread(MODERN, small)
    assert engine_of_thread(MODERN, small) is kept
    assert engine_of_thread(MODERN, large) is not kept
