"""What the engine is asked about a game, and what becomes of its answers."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import chess
import pytest

from ox88.apps.analyse.evaluation import Evaluation
from ox88.apps.analyse.judgement import Judgement
from ox88.apps.analyse.search import Line, Searched, search_game
from ox88.apps.analyse.verdict import sum_up
from ox88.apps.engines import make_ready_engine
from ox88.convert import to_chess_board
from ox88.engines.base import Engine, EngineError, Info, Limit, Score
from ox88.engines.registry import MICROMAX, MODERN
from ox88.types import from_uci
from tests.apps.epd.fakes import FakeEngine

LIMIT = Limit(nodes=300)


def moves_of(*sans: str, start: chess.Board | None = None) -> list[chess.Move]:
    board = (start or chess.Board()).copy()
    return [board.push_san(san) for san in sans]


@pytest.fixture(scope="module", params=[MODERN, MICROMAX], ids=["Ox88", "micro-Max"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return make_ready_engine(request.param, {})


def test_every_position_is_searched(engine: Engine) -> None:
    moves = moves_of("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#")
    searched = search_game(engine, chess.Board(), moves, LIMIT)
    assert len(searched) == 8
    board = chess.Board()
    for position, move in zip(searched, moves, strict=False):
        assert position.best is not None
        assert position.best in board.legal_moves
        board.push(move)
    assert searched[6].best == moves[6]
    assert (searched[6].evaluation.mate, searched[6].evaluation.centipawns) == (1, 1000)
    assert searched[7].lines[0] == Line(Evaluation(1000, 0), (), 0)
    assert searched == search_game(engine, chess.Board(), moves, LIMIT)


def test_stalemate_is_a_draw(engine: Engine) -> None:
    start = chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    searched = search_game(engine, start, moves_of("Qf7", start=start), LIMIT)
    assert (searched[1].evaluation, searched[1].best) == (Evaluation(0), None)


def test_a_position_that_is_refused() -> None:
    start = chess.Board.from_chess960_pos(0)
    with pytest.raises(EngineError, match="castle"):
        search_game(make_ready_engine(MICROMAX, {}), start, [], LIMIT)


@dataclass
class ScriptedEngine(FakeEngine):
    """Takes every position, and tells what the script has."""

    infos: list[Info] = field(default_factory=list)

    def set_position(self, setup: object) -> None:
        pass

    def search(self, limit: Limit) -> Iterator[Info]:  # noqa: ARG002
        return iter(self.infos)


def info(number: int, centipawns: int, *moves: str, bound: str = "exact") -> Info:
    board = chess.Board()
    numbers = tuple(from_uci(move, FakeEngine().setup) for move in moves)
    assert to_chess_board(FakeEngine().setup) == board
    return Info(1, Score(centipawns=centipawns), 10, 0.1, numbers, bound, multipv=number)  # type: ignore[arg-type]


def test_the_last_word_on_each_line() -> None:
    infos = [
        info(1, 10, "e2e4"),
        info(2, 5, "d2d4"),
        info(3, 1, "a2a3"),
        info(1, 400, "e2e4", bound="lower"),
        Info(2, Score(), 10, 0.1, current_move=from_uci("h2h3", FakeEngine().setup)),
        info(1, 20, "d2d4", "e2e4", "g1f3"),
    ]
    (found,) = search_game(ScriptedEngine(infos=infos), chess.Board(), [], LIMIT)
    assert [(line.evaluation.centipawns, [move.uci() for move in line.moves]) for line in found.lines] == [
        (20, ["d2d4"]),  # The engine's word goes no further than it is legal.
        (1, ["a2a3"]),
    ]


def searched(centipawns: int, best: str) -> Searched:
    return Searched((Line(Evaluation(centipawns), (chess.Move.from_uci(best),), 1),), 1)


def test_what_the_engine_plays_itself_is_not_called_bad() -> None:
    moves = moves_of("f3", "e5")
    positions = [searched(0, "e2e4"), searched(-500, "e7e5"), searched(500, "e2e4")]
    verdict = sum_up(positions, moves, white_begins=True)
    assert verdict.judgements == (Judgement.BLUNDER, None)
    assert verdict.accuracies[1] < 10
    assert verdict.white.counts == {Judgement.BLUNDER: 1}
    assert not verdict.black.counts


def test_black_may_begin() -> None:
    start = chess.Board("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")
    moves = moves_of("Kd7", "e4", "Ke6", start=start)
    positions = [searched(0, "e8f7"), searched(300, "e1d1"), searched(0, "d7d6"), searched(0, "e1e2")]
    verdict = sum_up(positions, moves, white_begins=False)
    assert verdict.judgements == (Judgement.BLUNDER, Judgement.BLUNDER, None)
    assert (verdict.white.counts, verdict.black.counts) == ({Judgement.BLUNDER: 1}, {Judgement.BLUNDER: 1})
    assert (verdict.white.centipawn_loss, verdict.black.centipawn_loss) == (300, 150)
