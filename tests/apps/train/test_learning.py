"""Own games and the mistakes in them."""

from collections.abc import Iterator

import chess
import pytest

from ox88.apps.options import make_ready_engine
from ox88.apps.puzzles import making
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.train.learning import OwnGame, mistakes_of, own_games
from ox88.engines.placed import PlacedEngine
from ox88.engines.registry import MODERN
from ox88.errors import Ox88Error
from tests.conftest import DATA

FOOLS = "f3 e5 g4 Qh4#"
SCHOLAR = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qe2 d6"  # White misses mate.
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


def test_one_s_own_games_are_found_by_a_name() -> None:
    famous = DATA / "games" / "famous.pgn"
    (game,) = own_games(famous, "KASPAROV, garry")
    assert game.player == chess.WHITE
    assert game.source == "Kasparov, Garry - Topalov, Veselin, 1999.01.20"
    assert len(game.board.move_stack) == 87
    with pytest.raises(Ox88Error, match=r"no game of 'Tal' .*: its players are Morphy, Paul; Duke Karl"):
        own_games(famous, "Tal")


@pytest.mark.parametrize("pgn", ["", "x", '[White "A"]\n\n1. e9', '[White "A"]\n[Variant "Atomic"]\n\n1. e4 e5 *'])
def test_a_pgn_without_a_game_to_learn_from(pgn: str) -> None:
    with pytest.raises(Ox88Error, match=r"no game of 'A' can be read in this PGN: its players are"):
        own_games(pgn, "A")


def test_the_address_of_a_game_is_its_source() -> None:
    (game,) = own_games('[Site "https://lichess.org/abcdefgh"]\n[White "A"]\n[Black "B"]\n\n1. e4 e5 *', "b")
    assert (game.source, game.player) == ("https://lichess.org/abcdefgh", chess.BLACK)


def test_a_mistake_becomes_a_puzzle(engine: PlacedEngine) -> None:
    (puzzle,) = mistakes_of(engine, game_of(SCHOLAR, chess.WHITE))
    assert (puzzle.moves, puzzle.played, puzzle.source) == (("g8f6", "h5f7"), "h5e2", "here")
    assert "mateIn1" in puzzle.themes
    assert puzzle.reason == "Misses mate: 4. Qxf7#."


def test_who_has_made_none_has_none(engine: PlacedEngine) -> None:
    assert mistakes_of(engine, game_of(LEGAL, chess.WHITE)) == []


def test_the_largest_losses_are_kept_if_few_are_wished_for(
    engine: PlacedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def every_move(_: object, game: chess.Board, **_options: object) -> Iterator[Puzzle]:
        for ply in range(1, len(game.move_stack), 2):
            moves = [move.uci() for move in game.move_stack[ply - 1 : ply + 1]]
            before = game.root()
            for move in game.move_stack[: ply - 1]:
                before.push(move)
            yield Puzzle(moves[1], before.fen(), tuple(moves), 1500, ())

    monkeypatch.setattr(making, "puzzles_of_game", every_move)
    found = mistakes_of(engine, game_of(LEGAL, chess.BLACK))
    assert [puzzle.id for puzzle in found] == ["e7e5", "d7d6", "c8g4", "g7g6", "g4d1", "e8e7"]
    assert [puzzle.id for puzzle in mistakes_of(engine, game_of(LEGAL, chess.BLACK), 1)] == ["g4d1"]


def test_it_can_be_stopped(engine: PlacedEngine) -> None:
    seen: list[int] = []

    def go_on(count: int) -> bool:
        seen.append(count)
        return count < 3

    assert mistakes_of(engine, game_of(FOOLS, chess.WHITE), None, go_on) == []
    assert seen == [1, 2, 3]
