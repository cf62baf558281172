"""Puzzles of the mistakes in a game."""

import chess
import pytest

from ox88.apps.options import make_ready_engine
from ox88.apps.puzzles import making
from ox88.apps.puzzles.games import OwnGame
from ox88.apps.train.drill import Drill
from ox88.apps.train.mistakes import mistakes_of
from ox88.engines.placed import PlacedEngine
from ox88.engines.registry import MODERN
from tests.apps.train.conftest import NOON

SCHOLAR = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qe2 d6"  # White misses mate, ...
BLIND = f"{SCHOLAR} Nf3 Bg4 O-O Nd4 Nxd4 Bxe2 Nxe2"  # ... and loses the queen for two pieces.
LEGAL = "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"  # Black takes the queen, and is mated.


def game_of(moves: str, player: chess.Color) -> OwnGame:
    board = chess.Board()
    for move in moves.split():
        board.push_san(move)
    return OwnGame(board, player, "here")


@pytest.fixture(autouse=True)
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "NODES", 500)


@pytest.fixture(scope="module")
def engine() -> PlacedEngine:
    return PlacedEngine(make_ready_engine(MODERN, {}))


def test_a_missed_mate_is_a_puzzle(engine: PlacedEngine) -> None:
    (card,) = mistakes_of(engine, game_of(SCHOLAR, chess.WHITE), NOON)
    assert (card.moves, card.played, card.source, card.added) == (("g8f6", "h5f7"), "h5e2", "here", NOON)
    assert "mateIn1" in card.themes
    assert card.reason == "Misses mate: 4. Qxf7#."


def test_where_several_moves_are_good_each_is_right(engine: PlacedEngine) -> None:
    (card,) = mistakes_of(engine, game_of(SCHOLAR, chess.BLACK), NOON)
    good = {card.moves[1], *card.also}
    assert (card.played, card.reason) == ("g8f6", "Allows mate: 4. Qxf7#.")
    assert {"g7g6", "d8e7"} <= good < {"g7g6", "d8e7", "d8f6", "g8h6", "d7d5"}
    for move in good:
        assert Drill(card.puzzle, card.kind, False, card.also).play(move) == "solved"
    assert Drill(card.puzzle, card.kind, False, card.also).play("Nf6") == "wrong"


def test_who_has_made_none_has_none(engine: PlacedEngine) -> None:
    assert mistakes_of(engine, game_of(LEGAL, chess.WHITE), NOON) == []


def test_the_worst_are_kept_if_few_are_wished_for(engine: PlacedEngine) -> None:
    """They are in the order of the game."""
    game = game_of(BLIND, chess.WHITE)
    assert [card.played for card in mistakes_of(engine, game, NOON)] == ["h5e2", "f3d4"]
    (worst,) = mistakes_of(engine, game, NOON, 1)
    assert worst.played == "h5e2"


def test_it_tells_its_progress_and_can_be_stopped(engine: PlacedEngine) -> None:
    seen: list[float] = []

    def go_on(share: float) -> bool:
        seen.append(share)
        return len(seen) != stop

    game, positions = game_of(SCHOLAR, chess.WHITE), 9
    for stop in (3, positions + 1, 0):
        seen.clear()
        assert bool(mistakes_of(engine, game, NOON, None, go_on)) == (not stop)
        assert len(seen) == (stop or positions + 1)
        assert seen == sorted(seen)
    assert seen[-2:] == [0.5, 1]
