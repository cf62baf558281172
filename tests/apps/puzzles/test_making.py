"""Puzzles made of the mistakes in a game. python-chess judges every line."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import chess
import chess.pgn
import pytest

from ox88.apps.analyse.accuracy import Evaluation
from ox88.apps.analyse.search import Line, PositionAnalysis, search_backwards
from ox88.apps.options import make_ready_engine
from ox88.apps.puzzles import making
from ox88.apps.puzzles.games import OwnGame
from ox88.apps.puzzles.making import is_only, mistakes_of, puzzles_of_game
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.reasons.searching import own_search, search_by_placed
from ox88.apps.train.sessions import Drill
from ox88.engines.base import Limit
from ox88.engines.placed import PlacedEngine
from ox88.engines.registry import MODERN
from tests.conftest import DATA

FOOL = "f3 e5 g4 d6 e4 a6"  # Black misses mate.
SCHOLAR = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qe2 d6"  # White misses mate, ...
BLIND = f"{SCHOLAR} Nf3 Bg4 O-O Nd4 Nxd4 Bxe2 Nxe2"  # ... and loses the queen for two pieces.
MATE_IN_2 = "3rk3/1bq1b3/pp2pp1p/2p3N1/3P2rP/8/PPN1BPP1/R2Q1RK1 b - - 3 19"
LEGAL = "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"  # Black takes the queen, and is mated.


@pytest.fixture(autouse=True)
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "NODES", 500)


@pytest.fixture(scope="module")
def engine() -> PlacedEngine:
    return PlacedEngine(make_ready_engine(MODERN, {}))


def game_of(moves: str, fen: str = chess.STARTING_FEN) -> chess.Board:
    board = chess.Board(fen)
    for move in moves.split():
        board.push_san(move)
    return board


def test_a_missed_mate(engine: PlacedEngine) -> None:
    (puzzle,) = puzzles_of_game(engine, game_of(FOOL), player=chess.BLACK, nodes=500, source="game 7")
    assert puzzle.moves == ("g2g4", "d8h4")
    assert (puzzle.played, puzzle.source) == ("d7d6", "game 7")
    assert {"mate", "mateIn1", "oneMove"} <= set(puzzle.themes)
    assert puzzle.reason == "Misses mate: 2... Qh4#."
    assert 400 <= puzzle.rating < 1500
    assert not list(puzzles_of_game(engine, game_of(FOOL), player=chess.WHITE, nodes=500))
    assert mistakes_of(engine, OwnGame(game_of(FOOL), chess.BLACK, "game 7")) == [(puzzle, [])]


def test_a_mistake_that_was_punished(engine: PlacedEngine) -> None:
    mate = game_of("f3 e5 g4 Qh4#")
    (puzzle,) = puzzles_of_game(engine, mate, nodes=500)
    assert (puzzle.moves, puzzle.played, puzzle.reason) == (("g2g4", "d8h4"), "", "")
    assert not list(puzzles_of_game(engine, mate, player=chess.BLACK, nodes=500))  # Black found it.
    recapture = game_of("e4 d5 exd5 Qxd5 Qf3 Qxf3 Nxf3")
    assert not list(puzzles_of_game(engine, recapture, nodes=500))


def test_a_first_look_that_errs(engine: PlacedEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a mate for a blunder; a longer look tells that it was found."""
    looks = [PositionAnalysis((Line(Evaluation(value)),), 1) for value in (900, -900, -100, 0, 0)]
    monkeypatch.setattr(making, "search_backwards", lambda *_: looks)
    game = game_of("f3 e5 g4 Qh4#")
    assert not list(puzzles_of_game(engine, game, player=chess.BLACK, nodes=500))
    assert [puzzle.played for puzzle in puzzles_of_game(engine, game, nodes=500)] == [""]
    assert mistakes_of(engine, OwnGame(game, chess.BLACK, "")) == []


class Told:
    """A look that is told the best move of each position, and whether it is the only one."""

    def __init__(self, best: dict[str, str], only: dict[str, str]) -> None:
        self.best, self.only = best, only

    def search(self, board: chess.Board, _: object) -> SimpleNamespace:
        return SimpleNamespace(best=chess.Move.from_uci(self.best[board.fen()]))

    def only_move(self, board: chess.Board) -> SimpleNamespace | None:
        found = self.only.get(board.fen())
        return SimpleNamespace(best=chess.Move.from_uci(found)) if found else None


def test_what_was_searched_before_tells_a_look_nothing(engine: PlacedEngine) -> None:
    """A long search would leave in the table what a short one cannot see by itself."""
    boards = chess.Board(MATE_IN_2), game_of(SCHOLAR[:-3]), game_of(SCHOLAR)
    asked: list[Callable[[], object]] = [
        lambda: making.Look(engine, 200).only_move(boards[0]),
        lambda: making.make_short_puzzle(engine, boards[1], boards[2].peek(), 10, ""),
        lambda: list(search_backwards(engine, boards[2], Limit(nodes=200))),
        lambda: own_search(200)(boards[2], ()),
    ]
    for number, ask in enumerate(asked):
        engine.engine.new_game()
        fresh = ask()
        for board in boards:
            search_by_placed(engine, Limit(nodes=50_000))(board, ())
            own_search(50_000)(board, ())
        assert ask() == fresh, number


def test_all_looks_must_agree() -> None:
    board = chess.Board()
    told: list[Any] = [Told({}, {board.fen(): move} if move else {}) for move in ("e2e4", "d2d4", "")]
    first, second, blind = told
    for looks in ([first, second], [first, blind], [blind, first]):
        assert making.only_move(looks, board) is None
    found: Any = making.only_move([first, first], board)
    assert found.best.uci() == "e2e4"


def test_a_line_ends_with_the_last_move_that_was_a_choice() -> None:
    """After Ra1+ only Rb1 is legal, which is no choice, and nothing comes after it."""
    board = chess.Board("r5k1/5ppp/8/8/8/1R6/6PP/7K w - - 0 1")
    moves, best = ["b3b7", "a8a1", "b7b1", "a1b1"], dict[str, str]()
    ahead = board.copy()
    for move in moves:
        best[ahead.fen()] = move
        ahead.push_uci(move)
    looks: list[Any] = [Told(best, {})]
    line = making._line(looks, board, chess.Move.from_uci(moves[0]))
    assert [move.uci() for move in line] == moves[:1]


def test_a_line_ends_with_a_mate_in_one_also_where_there_are_slower_mates(engine: PlacedEngine) -> None:
    """After Rxg2+ Kh1, Rh2+ mates too, a move later than Qh2#."""
    fen = "3rk3/1bq1b3/pp2pp1p/2p5/3P2rP/5N2/PPN1BPP1/R2Q1RK1 w - - 2 19"
    for played, missed in (("Rxg2+", ""), ("Bxg2", "b7g2")):
        (puzzle,) = puzzles_of_game(engine, game_of(f"Ng5 {played}", fen), nodes=2000)
        assert puzzle.moves == ("f3g5", "g4g2", "g1h1", "c7h2")
        assert puzzle.played == missed
        assert {"mate", "mateIn2", "short"} <= set(puzzle.themes)
        judge(puzzle)


def test_a_line_ends_where_positions_repeat(engine: PlacedEngine) -> None:
    """A perpetual check saves the game (https://lichess.org/TIH1K2BQ#51). It is shown once, and not eight times."""
    game = game_of("Na3", "5b1r/kpQ2ppp/4p3/4P3/1P4q1/8/P3N3/1nK2B2 b - - 0 26")
    puzzle = making.make_puzzle(engine, game, chess.Move.from_uci("c1b2"), 5_000, "")
    assert puzzle is not None
    assert puzzle.moves == ("b1a3", "c7a5", "a7b8", "a5d8")
    assert "equality" in puzzle.themes


def test_any_mate_in_one_is_right(engine: PlacedEngine) -> None:
    """Two pawns promote with mate, and all other moves let Black mate."""
    fen = "5k2/PP3ppp/8/8/5n2/8/5qPP/7K b - - 0 1"
    for played, missed in (("a8=Q#", ""), ("b8=R#", ""), ("h3", "h2h3")):
        (puzzle,) = puzzles_of_game(engine, game_of(f"Kg8 {played}", fen), nodes=500)
        assert puzzle.moves[1][:4] in ("a7a8", "b7b8")
        assert puzzle.played == missed


def test_no_mistakes_no_puzzles(engine: PlacedEngine) -> None:
    assert not list(puzzles_of_game(engine, game_of("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"), nodes=500))
    assert not list(puzzles_of_game(engine, chess.Board(), nodes=500))
    assert mistakes_of(engine, OwnGame(game_of(LEGAL), chess.WHITE, "")) == []


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
        # The bounds: chances of 0.45 between them, -0.3 with the best, and 0.3 with another, or 0.5 beside a mate.
        (Evaluation(270), Evaluation(0), True),
        (Evaluation(255), Evaluation(0), False),
        (Evaluation(-160), Evaluation(-600), True),
        (Evaluation(-180), Evaluation(-700), False),
        (Evaluation(900), Evaluation(165), True),
        (Evaluation(900), Evaluation(175), False),
        (Evaluation(1000, 3), Evaluation(290), True),
        (Evaluation(1000, 3), Evaluation(310), False),
    ],
)
def test_only_one_wins_or_saves(best: Evaluation, other: Evaluation, expected: bool) -> None:
    assert is_only(best, other) is expected


# --- A person's mistakes ----------------------------------------------------------------------------------------------


def test_where_several_moves_are_good_each_is_right(engine: PlacedEngine) -> None:
    ((puzzle, also),) = mistakes_of(engine, OwnGame(game_of(SCHOLAR), chess.BLACK, "here"))
    good = {puzzle.moves[1], *also}
    assert (puzzle.played, puzzle.reason, puzzle.source) == ("g8f6", "Allows mate: 4. Qxf7#.", "here")
    assert {"g7g6", "d8e7"} <= good < {"g7g6", "d8e7", "d8f6", "g8h6", "d7d5"}
    for move in [*good, "Nf6"]:
        assert Drill(puzzle, "mistake", False, also).play(move) == ("solved" if move in good else "wrong")


def test_no_move_is_wrong_because_of_the_past(engine: PlacedEngine) -> None:
    """Kh2 would be the third repetition, which who solves the puzzle cannot see (as lila #8188 tells)."""
    game = game_of("Ra2 Kg1 Ra1+ Kh2 Ra2 Kg1 Ra1+ Qc1 Rxc1+", "8/8/7Q/8/1k6/5P1P/6PK/r7 b - - 0 1")
    ((puzzle, also),) = mistakes_of(engine, OwnGame(game, chess.WHITE, ""))
    assert {puzzle.moves[1], *also} == {"g1f2", "g1h2"}


def test_the_worst_are_kept_if_few_are_wished_for(engine: PlacedEngine) -> None:
    """They are in the order of the game."""
    game = OwnGame(game_of(BLIND), chess.WHITE, "")
    assert [puzzle.played for puzzle, _ in mistakes_of(engine, game)] == ["h5e2", "f3d4"]
    ((worst, _),) = mistakes_of(engine, game, 1)
    assert worst.played == "h5e2"


def test_it_tells_its_progress_and_can_be_stopped(engine: PlacedEngine) -> None:
    seen: list[float] = []

    def go_on(share: float) -> bool:
        seen.append(share)
        return len(seen) != stop

    game, positions = OwnGame(game_of(SCHOLAR), chess.WHITE, ""), 9
    for stop in (3, positions + 1, 0):
        seen.clear()
        assert bool(mistakes_of(engine, game, None, go_on)) == (not stop)
        assert len(seen) == (stop or positions + 1)
        assert seen == sorted(seen)
    assert seen[-2:] == [0.5, 1]
