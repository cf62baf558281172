"""Broken games: their number, line and reason are reported, and other games are not affected."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from tests.batch.pgn import layout, naive, samples

BEFORE, AFTER = b'[White\n"before"\n]\n\n1. e4 e5 *\n\n', b'[White "after"]\n\n1. d4 d5 *\n'
BEFORE_MOVES, AFTER_MOVES = [1804, 2356], [1739, 2291]

# A broken game, its moves, and the line and reason of its error.
BROKEN = [
    (b"1. e4 Nf3 e5 1-0", [1804], 1, "'Nf3' is not a legal move"),
    (b"1. e4\ne5 2. Nf3\nNc6 3. Ke4", [1804, 2356, 1350, 2745], 3, "'Ke4' is not a legal move"),
    (
        b"1. Nf3 a6 2. Nc3 a5\n3. Nd4 Ra6\n4. Nb5",
        [1350, 2608, 1153, 2088, 1749, 2616],
        3,
        "fits more than one legal move",
    ),
    (b"1. e4 d5 2. Bb5+ --", [1804, 2291, 2117], 1, "'--' is a null move, which is illegal in check"),
    (b"1. e4 N@f6", [1804], 1, "'N@f6' drops a piece"),
    (
        b'[Event "a"]\r\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\r\n\r\n1. e4',
        [],
        2,
        "White has no king",
    ),
    (b'[FEN "rubbish"]\n\n1. e4', [], 1, "the FEN 'rubbish' is not a legal position: the board has 1 rank, not 8"),
    (b'[Variant "Atomic"]\n\n1. e4', [], 1, "the variant 'Atomic' is not chess"),
    (b'[White "a] \n[Black "b"]\n\n1. e4 *', [1804], 1, """'[White "a]' is not a tag"""),
    (b"1. e4 (1. d4 d5\n *", [1804], 1, "a variation is not closed"),
    (b"1. e4\n{ and so on *", [1804], 2, "a comment is not closed"),
    (b"1. e4\n{ and so on\n\n2. e5 *", [1804], 2, "a comment is not closed"),
    (b"1. e4 e5\n2. Nb  ", [1804, 2356], 2, "the game ends within a move: 'Nb'"),
    (b"1. e4 e5 2. O-", [1804, 2356], 1, "the game ends within a move: 'O-'"),
    (b"1. e4 d5 2. ex", [1804, 2291], 1, "the game ends within a move: 'ex'"),
    (b"1. e4 (1. d4\n{ d5 *", [1804], 2, "a comment is not closed"),
    (b"neither moves nor tags", [], 1, "the game has no tag, move or result"),
    (b'[Variant "' + b"x" * 101 + b'"]\n\n1. e4', [], 1, f"the variant {'x' * 97 + '...'!r} is not chess"),
    (b"\0\xff\xfe\x80\x1a", [], 1, "the game has no tag, move or result"),
]


# A tag ends a comment only after a blank line.
ENDED = [
    (end, *game) for end in (b"\n\n", b"\r\n\r\n", b"\n") for game in BROKEN if end != b"\n" or b"{" not in game[0]
]


@pytest.mark.parametrize(("end", "text", "moves", "line", "reason"), ENDED)
def test_a_broken_game(end: bytes, text: bytes, moves: list[int], line: int, reason: str) -> None:
    games = ox88.read_pgn(io.BytesIO(BEFORE + text + end + AFTER))
    assert naive.moves_of(games) == [BEFORE_MOVES, moves, AFTER_MOVES]
    assert games.headers["White"].tolist()[::2] == ["before", "after"]
    (error,) = games.errors
    assert (error.number, error.line) == (1, 6 + line)
    assert reason in error.reason
    assert str(error) == f"game 2, line {6 + line}: {error.reason}"


@pytest.mark.parametrize(
    ("movetext", "line", "reason"),
    [(b"1. e4 { yes } Ke4", 3, "'Ke4' is not a legal move"), (b"1. e4 (1. d4", 1, "'[White' is not a tag")],
)
def test_what_costs_moves_is_reported_first(movetext: bytes, line: int, reason: str) -> None:
    """Among other errors, the first."""
    (error,) = ox88.read_pgn(b"[White\n\n" + movetext).errors
    assert (error.line, error.reason[: len(reason)]) == (line, reason)


@settings(max_examples=80)
@given(samples.broken_texts() | st.binary(max_size=60), st.sampled_from([b"\n\n", b"\n\n\n", b"\r\n\r\n"]))
def test_neighbours_are_whole(text: bytes, end: bytes) -> None:
    games = ox88.read_pgn(io.BytesIO(BEFORE + text.rstrip(b" \t\n\r") + end + AFTER), threads=1)
    moves = naive.moves_of(games)
    assert (moves[0], games.headers["White"][0]) == (BEFORE_MOVES, "before")
    assert (moves[-1], games.headers["White"][-1]) == (AFTER_MOVES, "after")


def test_a_text_that_is_cut_off_is_read_as_python_chess_does() -> None:
    """Only the last game may have an error."""
    text = b"".join(samples.GAMES)
    for length in range(0, len(text), 3):
        games = ox88.read_pgn(text[:length], threads=1)
        naive.check_same(games, naive.read_pgn(layout.as_python_chess_reads_it(text[:length])))
        assert all(error.number == len(games) - 1 for error in games.errors)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (b"\xef\xbb\xbf1. e4 *", [1804]),
        (b'\n\xef\xbb\xbf[White "before"]\n1. e4 *', [1804]),
        (b"1. e4\r1... e5\r*", [1804, 2356]),
        (b"1. e4 ; e5\r1... d5", [1804, 2291]),
        (b"1. e4 \0e5", [1804, 2356]),
        (b"%1. d4\n1. e4\n%1... d5\n1... e5", [1804, 2356]),
        (b"1. e4 (%\n%)\n) e5", [1804, 2356]),
        (b" %1. e4 *", [1804]),
        (b"1. e4 ({)} ;)\n (()) d5) e5", [1804, 2356]),
        (b"1. e4 {;} e5 ; { \n*", [1804, 2356]),
        (b"", None),
        (b"\n \n\t\n%\n; so", None),
    ],
)
def test_odd_but_right(text: bytes, moves: list[int] | None) -> None:
    games = ox88.read_pgn(io.BytesIO(text))
    assert naive.moves_of(games) == ([] if moves is None else [moves])
    assert games.errors == []


def test_encodings() -> None:
    text = '[White "Žižka, Jan"]\n[Black "Müller"]\n\n1. e4 *\n'
    latin = text.replace("Ž", "Z").replace("ž", "z")
    for encoded, white in [
        (text.encode(), "Žižka, Jan"),
        (text.encode("utf-8-sig"), "Žižka, Jan"),
        (text.encode("utf-16"), "Žižka, Jan"),
        (b"\xfe\xff" + text.encode("utf-16-be"), "Žižka, Jan"),
        (latin.encode("latin-1"), "Zizka, Jan"),
    ]:
        games = ox88.read_pgn(io.BytesIO(encoded))
        assert (games.headers["White"][0], games.headers["Black"][0]) == (white, "Müller")
        assert games.errors == []
        assert games.moves.tolist() == [1804]
