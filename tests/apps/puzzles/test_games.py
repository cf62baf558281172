"""One's own games in a PGN."""

import chess
import pytest

from ox88.apps.puzzles.games import no_game_of, own_games
from ox88.errors import Ox88Error
from tests.conftest import DATA


def test_one_s_own_games_are_found_by_a_name() -> None:
    famous = DATA / "games" / "famous.pgn"
    (game,), wrong = own_games(famous, "KASPAROV, garry")
    assert not wrong
    assert game.player == chess.WHITE
    assert game.source == "Kasparov, Garry - Topalov, Veselin, 1999.01.20"
    assert len(game.board.move_stack) == 87
    with pytest.raises(Ox88Error, match=r"no game of 'Tal' that can be read: the players are Morphy, Paul; Duke Karl"):
        own_games(famous, "Tal")
    named = str(no_game_of("Tal", ['Zoë "Zo"', "back\\slash", "new\nline\x1b"]))
    assert named.endswith('the players are Zoë "Zo"; back\\slash; new line?')  # As they are to be written.
    for count, end in ((8, "6; 7"), (9, "6; 7; ...")):
        assert str(no_game_of("Tal", map(str, range(count)))).endswith(f"; {end}")


@pytest.mark.parametrize(
    ("pgn", "end"),
    [
        ("", "nobody"),
        ("x", "?; game 1: the game has no tag, move or result"),
        ('[White "A"]\n\n1. e9', "A; ?; game 1: move 1: 'e9' is not a move"),
        ('[White "A"]\n[Variant "Atomic"]\n\n1. e4 e5 *', "A; ?; game 1: the variant 'Atomic' is not chess"),
        ('[White "A"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "A; ?; game 1: "),
        ('[White "A"]\n[Variant "Chess960"]\n\n1. e4 e5 *', "A; ?; game 1 is of Chess960, which is not trained"),
    ],
)
def test_a_pgn_without_a_game_to_learn_from(pgn: str, end: str) -> None:
    with pytest.raises(Ox88Error) as error:
        own_games(pgn, "A")
    assert str(error.value).startswith(f"there is no game of 'A' that can be read: the players are {end}")


def test_the_address_of_a_game_is_its_source() -> None:
    (game,), _ = own_games('[Site "https://lichess.org/abcdefgh"]\n[White "A"]\n[Black "B"]\n\n1. e4 e5 *', "b")
    assert (game.source, game.player) == ("https://lichess.org/abcdefgh", chess.BLACK)


def test_what_is_wrong_with_one_game_of_several_is_said() -> None:
    good, cut, other = (
        '[White "A"]\n\n1. e4 e5 *',
        '[White "A"]\n\n1. e4 e5 2. Ke4 *',
        '[Variant "Atomic"]\n\n1. e4 *',
    )
    games, wrong = own_games(f"{good}\n\n{cut}\n\n{other}", "A")
    assert (len(games), wrong) == (2, "game 2: move 2: 'Ke4' is not a legal move")
