"""Puzzles made of games. python-chess judges every line."""

from collections.abc import Sequence

import chess
import chess.pgn
import pytest

from ox88.apps.analyse.accuracy import Evaluation
from ox88.apps.analyse.search import Line, PositionAnalysis
from ox88.apps.options import make_ready_engine
from ox88.apps.puzzles import making
from ox88.apps.puzzles.making import is_only, puzzles_of_game
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.engines.placed import PlacedEngine
from ox88.engines.registry import MODERN
from tests.conftest import DATA

MISSED_MATE = "f2f3 e7e5 g2g4 d7d6 e2e4 a7a6"


@pytest.fixture(scope="module")
def engine() -> PlacedEngine:
    return PlacedEngine(make_ready_engine(MODERN, {}))


def game_of(moves: Sequence[str], fen: str = chess.STARTING_FEN) -> chess.Board:
    board = chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    return board


def test_a_missed_mate(engine: PlacedEngine) -> None:
    (puzzle,) = puzzles_of_game(engine, game_of(MISSED_MATE.split()), player=chess.BLACK, nodes=500, source="game 7")
    assert puzzle.moves == ("g2g4", "d8h4")
    assert (puzzle.played, puzzle.source) == ("d7d6", "game 7")
    assert {"mate", "mateIn1", "oneMove"} <= set(puzzle.themes)
    assert puzzle.reason == "Misses mate: 2... Qh4#."
    assert 400 <= puzzle.rating < 1500
    assert not list(puzzles_of_game(engine, game_of(MISSED_MATE.split()), player=chess.WHITE, nodes=500))


def test_a_mistake_that_was_punished(engine: PlacedEngine) -> None:
    mate = game_of("f2f3 e7e5 g2g4 d8h4".split())  # noqa: SIM905 - As UCI writes it.
    (puzzle,) = puzzles_of_game(engine, mate, nodes=500)
    assert (puzzle.moves, puzzle.played, puzzle.reason) == (("g2g4", "d8h4"), "", "")
    assert not list(puzzles_of_game(engine, mate, player=chess.BLACK, nodes=500))  # Black found it.
    recapture = game_of(["e2e4", "d7d5", "e4d5", "d8d5", "d1f3", "d5f3", "g1f3"])
    assert not list(puzzles_of_game(engine, recapture, nodes=500))


def test_a_first_look_that_errs(engine: PlacedEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a mate for a blunder; a longer look tells that it was found."""
    game = game_of(["f2f3", "e7e5", "g2g4", "d8h4"])
    looks = [PositionAnalysis((Line(Evaluation(value)),), 1) for value in (900, -900, -100, 0, 0)]
    monkeypatch.setattr(making, "search_backwards", lambda *_: looks)
    assert not list(puzzles_of_game(engine, game, player=chess.BLACK, nodes=500))
    assert [puzzle.played for puzzle in puzzles_of_game(engine, game, nodes=500)] == [""]


def test_any_mate_in_one_is_right(engine: PlacedEngine) -> None:
    """Two pawns promote with mate, and all other moves let Black mate."""
    fen = "5k2/PP3ppp/8/8/5n2/8/5qPP/7K b - - 0 1"
    for played, missed in (("a7a8q", ""), ("b7b8r", ""), ("h2h3", "h2h3")):
        (puzzle,) = puzzles_of_game(engine, game_of(["f8g8", played], fen), nodes=500)
        assert puzzle.moves[1][:4] in ("a7a8", "b7b8")
        assert puzzle.played == missed


def test_no_mistakes_no_puzzles(engine: PlacedEngine) -> None:
    game = game_of(["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"])
    assert not list(puzzles_of_game(engine, game, nodes=500))
    assert not list(puzzles_of_game(engine, chess.Board(), nodes=500))


def test_every_line_is_legal_and_stable(engine: PlacedEngine) -> None:
    with (DATA / "games" / "blunders.pgn").open() as stream:
        game = chess.pgn.read_game(stream)
    assert game is not None
    board = game.end().board()
    puzzles = list(puzzles_of_game(engine, board, nodes=300))
    assert puzzles
    assert puzzles == list(puzzles_of_game(engine, board, nodes=300))
    positions = {position.board().epd() for position in [*game.mainline(), game]}
    for puzzle in puzzles:
        judge(puzzle)
        assert puzzle.board().epd() in positions


def judge(puzzle: Puzzle) -> None:
    """The line is legal, ends with the solver's move, and there was something to choose at first."""
    board = puzzle.board()
    assert board.legal_moves.count() > 1
    assert len(puzzle.moves) % 2 == 0
    for move in puzzle.solution:
        assert move in board.legal_moves
        board.push(move)
    assert ("mate" in puzzle.themes) == board.is_checkmate()
    if puzzle.played:
        assert puzzle.played != puzzle.moves[1]
        assert chess.Move.from_uci(puzzle.played) in puzzle.board().legal_moves


@pytest.mark.parametrize(
    ("best", "other", "expected"),
    [
        (Evaluation(500), Evaluation(0), True),
        (Evaluation(500), Evaluation(300), False),  # Both win.
        (Evaluation(1000), Evaluation(250), False),
        (Evaluation(0), Evaluation(-400), True),  # One saves.
        (Evaluation(-300), Evaluation(-900), False),  # Both lose.
        (Evaluation(100), Evaluation(0), False),
        (Evaluation(1000, 3), Evaluation(250), True),  # One mates.
        (Evaluation(1000, 3), Evaluation(1000, 5), False),
        (Evaluation(0), Evaluation(-1000, -2), True),
    ],
)
def test_only_one_wins_or_saves(best: Evaluation, other: Evaluation, expected: bool) -> None:
    assert is_only(best, other) is expected
