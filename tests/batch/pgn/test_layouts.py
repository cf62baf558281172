"""Layouts of PGN other than its export format: games are cut and read as the standard's import format says."""

import pytest

import ox88
from ox88.batch.pgn import reading
from ox88.batch.pgn.game_text import split_games
from ox88.batch.pgn.splitting import split_into_chunks
from ox88.batch.pgn.words import unescaped
from tests.batch.pgn import layout, naive
from tests.batch.pgn.test_files import same

E4, E5, D4, D5, NF3 = 1804, 2356, 1739, 2291, 1350

# A layout, and the tags Event and Result and the moves of its games.
LAYOUTS: dict[str, tuple[bytes, list[tuple[str, str, list[int]]]]] = {
    "several tags on a line": (b'[Event "a"] [Result "1-0"][Round "1"]\n\n1. e4 1-0\n', [("a", "1-0", [E4])]),
    "moves behind a tag": (b'[Event "a"]\n[Result "1-0"] 1. e4 e5 1-0\n', [("a", "1-0", [E4, E5])]),
    "everything on one line": (
        b'[Event "a"] 1. e4 1/2-1/2[Event "b"] 1. d4 *[Event "c"][Result "0-1"] 0-1',
        [("a", "1/2-1/2", [E4]), ("b", "*", [D4]), ("c", "0-1", [])],
    ),
    "a tag behind a result": (
        b'[Event "a"]\n\n1. e4 1/2-1/2[Event "b"]\n\n1. d4 *\n',
        [("a", "1/2-1/2", [E4]), ("b", "*", [D4])],
    ),
    "indented": (
        b'  [Event "a"]\n\t[Result "1-0"]\n\n    1. e4\n      e5 1-0\n\n  [Event "b"]\n\n  1. d4 *',
        [("a", "1-0", [E4, E5]), ("b", "*", [D4])],
    ),
    "values that end with a backslash": (
        b'[Event "C:\\"] [Round "1\\"]\n\n1. e4 1-0\n',
        [("C:\\", "1-0", [E4])],
    ),
    "quotes with a backslash within values": (
        b'[Event "\\"a\\"] b"] [Result "1-0"]\n\n1. e4 1-0\n',
        [('"a"] b', "1-0", [E4])],
    ),
    "blanks inside tags": (b'[ Event  "a" ]\n[Result\t"1-0"   ]\n[Round""]\n\n1. e4 1-0\n', [("a", "1-0", [E4])]),
    "a bracket too many behind a tag": (
        b'[Event "a"]]\n[Result "1-0"]]]\n\n1. e4 1-0\n\n[Event "b"]] [Result "*"]\n*\n',
        [("a", "1-0", [E4]), ("b", "*", [])],
    ),
    "tags over several lines": (b'[\nEvent\r\n"a"\n]\n[Result\n\n"1-0"]\n1. e4 1-0\n', [("a", "1-0", [E4])]),
    "a tag over blank lines": (b'1. e4 [Event\n\n\n"b"\n\n\n]\n\n1. d4 *\n', [("", "", [E4]), ("b", "*", [D4])]),
    "blank lines after tags": (
        b'[Event "a"]\n\n\n1. e4 *\n\n\n\n[Event "b"]\n\n\n\n\n\n1. d4 *\n',
        [("a", "*", [E4]), ("b", "*", [D4])],
    ),
    "blank lines among tags": (b'[Event "a"]\n\n[Round "2"]\n\n[Result "1-0"]\n\n1. e4 1-0\n', [("a", "1-0", [E4])]),
    "a comment between tags and moves": (
        b'[Event "a"]\n\n{A fine\n\ngame}\n\n; by two\n\n{masters}\n\n1. e4 *\n',
        [("a", "*", [E4])],
    ),
    "comments before and among tags": (
        b'{A collection}\n\n[Event "a"] {of games}\n[Result "1-0"]\n\n1. e4 1-0\n',
        [("a", "1-0", [E4])],
    ),
    "a line between each two": (
        b'[Event "a"]\n[Result "1-0"]\n\n1. e4\ne5 2.\nNf3 1-0\n\n[Event "b"]\n\n*\n'.replace(b"\n", b"\r\r\n"),
        [("a", "1-0", [E4, E5, NF3]), ("b", "*", [])],
    ),
    "a blank line within the moves": (
        b"1. e4\n\n1... e5\n\n2. Nf3\n\n1-0\n\n1. d4 *\n",
        [("", "1-0", [E4, E5, NF3]), ("", "*", [D4])],
    ),
    "a blank line, and the moves of another game": (
        b"1. e4 e5\n\n1. d4 d5\n\n{x} 1. e4\n\n\n1... d5\n",
        [("", "", [E4, E5]), ("", "", [D4, D5]), ("", "", [E4]), ("", "", [])],
    ),
    "comments set apart by blank lines": (
        b'[Event "a"]\n\n1. e4\n\n{The best}\n\n1... e5\n\n{by test}\n\n2. Nf3 *\n\n{b} 1. d4 *\n',
        [("a", "*", [E4, E5, NF3]), ("", "*", [D4])],
    ),
    "a blank line within a comment": (b"1. e4 {a\n\nb} e5\n{c} 2. Nf3 *\n", [("", "*", [E4, E5, NF3])]),
    "a game a line": (b"1. e4 e5 1-0\n1.d4 *\n1 e4 0-1", [("", "1-0", [E4, E5]), ("", "*", [D4]), ("", "0-1", [E4])]),
    "games without moves": (
        b'[Event "a"]\n[Result "1-0"]\n\n[Event "b"]\n[Result "0-1"]\n\n\n[Site "c"]\n\n1. e4 *\n',
        [("a", "1-0", []), ("b", "0-1", []), ("", "*", [E4])],
    ),
    "tags in a comment that is not closed": (
        b'[Event "a"]\n{ no\n[Event "x"]\n\n[Event "b"]\n\n1. e4 { no\n\n  [Event "c"]\n\n1. d4 *\n',
        [("a", "", []), ("b", "", [E4]), ("c", "*", [D4])],
    ),
    "byte order marks": (
        b'\xef\xbb\xbf[Event "a"]\n\n1. e4\n\n\xef\xbb\xbf [Event "b"]\n\n1. d4 *\n',
        [("a", "", [E4]), ("b", "*", [D4])],
    ),
}


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("text", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_layout(
    text: bytes, expected: list[tuple[str, str, list[int]]], step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a block ends."""

    def facts(text: bytes) -> list[tuple[str, str, list[int]]]:
        games = ox88.read_pgn(text, headers=["Event", "Result"], threads=1)
        return list(zip(games.headers["Event"], games.headers["Result"], naive.moves_of(games), strict=True))

    with_returns = text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    for with_ends in (text, with_returns):
        assert facts(with_ends) == facts(layout.as_python_chess_reads_it(with_ends)) == expected
        events = [unescaped(game.tags.get("Event", "")) for game in split_games(with_ends)]
        assert events == [event for event, _, _ in expected]
    with_returns += b"\r\n\r\n\r\n[A]\r\n"  # An error has a line.
    whole = ox88.read_pgn(with_returns, threads=1)
    for size in range(1, len(with_returns), step):
        monkeypatch.setattr(reading, "BLOCK", size)
        assert same(ox88.read_pgn(with_returns, threads=1), whole)


SHAPES = {"a": b'[Event "a"]\n[Result "1-0"]\n\n1-0\n\n', "b": b"1. e4 e5 1-0\n\n", "c": b'[Event "c"]\n\n1. d4 *\n\n'}
PARTED = "the game has moves and no tags, and the game before it tags and no moves: are they one game?"


@pytest.mark.parametrize("games", ["ab", "cb", "abb", "aab", "cabc", "ba", "bb", "ac"])
@pytest.mark.parametrize("size", [1, 30, 64, 1 << 20])
def test_a_game_in_two_parts_is_reported(games: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BLOCK", size)
    found = ox88.read_pgn(b"".join(SHAPES[name] for name in games), threads=1)
    expected = [number for number in range(1, len(games)) if games[number - 1 : number + 1] == "ab"]
    assert [(error.number, error.reason) for error in found.errors] == [(number, PARTED) for number in expected]
    assert found.lengths.tolist() == [{"a": 0, "b": 2, "c": 1}[name] for name in games]


@pytest.mark.parametrize("outside", [b" ", b"\n", b" \r\n\t", b"\r", b"%", b";", b"% x"])
def test_text_outside_games_is_not_kept(outside: bytes) -> None:
    room = 1 << 14
    blocks = [b"1. e4 *\n\n", *[outside * (room // len(outside))] * 40, b"\n1. d4 *\n"]
    kept, moves = 0, []
    for chunk in split_into_chunks(iter([iter(blocks)]), longest=2 * room):
        kept = max(kept, len(chunk.text))
        games = reading.read_chunk(chunk, reading.TagNames([]))
        moves += naive.moves_of(games)
        assert games.errors == []
    assert moves == [[E4], [D4]]
    assert kept < 2 * room
    before = b"".join(blocks).partition(b"1. d4")[0].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert [game.line for game in split_games(b"".join(blocks))] == [1, before.count(b"\n") + 1]
