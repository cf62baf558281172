"""PGN split into the texts of games: the games and tags are those of read_pgn and python-chess."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings

import ox88
from ox88.batch.pgn.game_text import GameText, read_tags, split_games
from ox88.batch.pgn.words import unescaped
from tests.batch.pgn import naive, samples

TAGS = ("Event", "White", "Result", "FEN", "Variant", "A")
TEXT = b"".join(samples.GAMES)


@settings(max_examples=60)
@given(samples.broken_texts())
def test_games_and_tags_as_read_pgn_and_python_chess_find_them(text: bytes) -> None:
    games, texts = ox88.read_pgn(io.BytesIO(text), headers=TAGS, threads=1), list(split_games(text))
    assert len(texts) == len(games)
    for number, game in enumerate(texts):
        found = {name: column[0] for name, column in games[number].headers.items()}
        if game.tags.get("Result", "*") == "*":
            found["Result"] = game.tags.get("Result", "")  # read_pgn may have it from the movetext.
        assert {name: unescaped(game.tags.get(name, "")) for name in TAGS} == found
    twins = [twin for game in texts for twin in naive.read_pgn(game.text.encode()) or [naive.Game()]]
    naive.check_same(games, twins)


def test_quotes_with_a_backslash_stay_in_the_values_of_tags() -> None:
    text = r'[Event "\"a\"] b"] [Site "C:\\"][Round "1\"]' + "\n\n1. e4 *"
    (game,) = split_games(text)
    assert game.tags == {"Event": r"\"a\"] b", "Site": r"C:\\", "Round": "1\\"}
    assert game.text.splitlines()[:3] == [f'[{name} "{value}"]' for name, value in game.tags.items()]


def test_an_odd_layout_keeps_the_lines() -> None:
    """Errors name lines, so the moves stay where they are; only tags that share a line move them."""
    text = '  [Event "a"]\n\n\n{so\n\n}\n\n\n 1. ♘f3\n\nO\u2013O {O\u2013O ♘}\n; ♘\n%♘\nf6\n\no-o-o'
    (game,) = split_games(text)
    usual = '[Event "a"]\n%\n%\n%\n\n{so\n\n}\n 1. Nf3\n%\nO-O {O\u2013O ♘}\n; ♘\n%♘\nf6\n%\nO-O-O'
    assert game.text == usual
    usual = '[Event "a"]\n\n{ b\n\nc } {d}\n%\n1. e4 *'
    assert [one.text for one in split_games(usual)] == [usual]
    assert [one.text for one in split_games('[A "b"]\n\n{c}\n[d\n1. e4')] == ['[A "b"]\n[d\n\n{c}\n1. e4']
    for unfinished in ("[", "[E", '[Event "a', '[Event "a"]', "[x]\n[y", '[Event "a"]\n\n\n'):
        assert [one.text for one in split_games(unfinished)] == [unfinished.rstrip()]
    (other,) = split_games('[Variant "Fischer Random Chess"] [A "b"]1. e4')
    assert other.text == '[Variant "Chess960"]\n[A "b"]\n\n1. e4'


def test_a_malformed_tag_is_left_out_and_the_last_of_two_counts() -> None:
    text = (
        '[A "1"]\n; [B "2"]\n\n[C 3]\n[ D"4"\n]\n[A "\\"5]" ]\n[A "6"]\t[E-x ""] {[F "7"]} [G "8"]\n1. e4 {\n[H "9"]\n}'
    )
    assert read_tags(text) == {"A": "6", "D": "4", "E-x": "", "G": "8"}


def test_every_kind_of_source(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(gzip.compress(TEXT))
    expected = list(split_games(TEXT))
    lines = TEXT.decode().split("\n")
    assert [lines[game.line - 1] for game in expected] == [game.text.split("\n")[0] for game in expected]
    for source in (TEXT.decode(), TEXT.replace(b"\n", b"\r\n"), TEXT.decode().encode("utf-16"), path):
        assert list(split_games(source)) == expected
    with path.open("rb") as file:
        assert list(split_games(file)) == expected
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.pgn", TEXT)
        packed.writestr("b.pgn", "\n1. d4 *")
    *games, last = split_games(archive.getvalue())
    assert (games, last) == (expected, GameText("1. d4 *", 2, file=2))
    assert [game.text for game in split_games('[White "Müller"]\n*'.encode("latin-1"))] == ['[White "Müller"]\n*']
    assert list(split_games("\n \n")) == []
    with pytest.raises(ox88.Ox88Error, match="cannot be opened"):
        list(split_games(tmp_path / "nowhere"))


def test_a_file_that_breaks_off() -> None:
    packed = gzip.compress(samples.random_games(range(12)))
    *games, last = split_games(packed[: len(packed) // 2])
    assert all(game.error == "" for game in games)
    assert last.error.startswith("the file breaks off in line ")
    packed = gzip.compress(b"1. e4 *\n\n1. d4\nd5 { " + b"x" * 9)[:-8]  # Without checksum and size.
    assert [game.error for game in split_games(packed)] == ["", "the file breaks off in line 4"]


def test_a_game_that_is_too_long() -> None:
    *games, last = split_games(b"1. e4 {" + b"x " * (9 << 20) + b"}\n\n" + b'[White "after"]\n*')
    assert [game.error for game in games] == ["the game is longer than 16 MB and is read no further"]
    assert (last.text, last.error) == ('[White "after"]\n*', "")
