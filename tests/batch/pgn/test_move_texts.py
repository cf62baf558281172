"""Games made of moves as texts, with python-chess as the judge."""

import functools
import random
import re
from typing import Any

import chess
import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ox88
from ox88.batch.pgn import move_texts
from ox88.convert import from_chess_move
from ox88.types import NO_MOVE
from tests.batch.pgn import naive
from tests.positions import FENS, random_board

MOVES = ["e2e4 e7e5 g1f3", "", "d2d4"]
LISTS = [text.split() for text in MOVES]
NUMBERS = [[1804, 2356, 1350], [], [1739]]


@functools.cache
def _random_line(seed: int) -> tuple[chess.Board, list[chess.Move]]:
    choice = random.Random(seed)
    start = choice.choice([chess.Board(), chess.Board(choice.choice(FENS)), random_board(seed, 20, seed % 960)])
    board, moves = start.copy(), []
    for _ in range(choice.randrange(60)):
        legal = list(board.legal_moves)
        if not legal:
            break
        moves.append(choice.choice(legal))
        board.push(moves[-1])
    return start, moves


def _texts(start: chess.Board, moves: list[chess.Move], choice: random.Random) -> list[str]:
    """Each move in UCI's notation or in SAN, with signs, numbers, and numbers that stand alone."""
    board, words = start.copy(), []
    for move in moves:
        number = choice.choice(["", f"{board.fullmove_number}.", f"{board.fullmove_number}... ", f"{board.ply() + 1} "])
        text = choice.choice([board.uci(move), board.san(move), board.san(move).replace("O", "0"), board.lan(move)])
        words.append(number + text + choice.choice(["", "!", "?!", "!!"]))
        board.push(move)
    return words


@settings(max_examples=40)
@given(st.lists(st.integers(0, 100), max_size=12), st.integers(1, 5), st.sampled_from([1, 2]))
def test_as_python_chess(seeds: list[int], size: int, threads: int) -> None:
    lines = [_random_line(seed) for seed in seeds]
    texts: list[Any] = []
    for (start, moves), seed in zip(lines, seeds, strict=True):
        words = _texts(start, moves, random.Random(seed))
        texts.append(words if seed % 2 else "\n ".join([*words, *["1-0"] * (seed % 3 == 0)]))
    fens = [None if start == chess.Board() else start.fen() for start, _ in lines]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(move_texts, "_GAMES_A_CHUNK", size)
        games = ox88.Games.from_moves(texts, fens, threads=threads)
    assert len(games) == len(seeds)
    for (start, moves), found, seed, points in zip(lines, naive.moves_of(games), seeds, games.results, strict=True):
        board, expected = start.copy(), []
        for move in moves:
            expected.append(from_chess_move(move, board))
            board.push(move)
        assert found == expected
        assert np.array_equal(points, 1.0 if seed % 2 == 0 and seed % 3 == 0 else np.nan, equal_nan=True)
    if lines:
        assert games.positions(ply=-1).fens(en_passant="legal") == [_after(*line).fen() for line in lines]


def _after(start: chess.Board, moves: list[chess.Move]) -> chess.Board:
    board = start.copy()
    for move in moves:
        board.push(move)
    return board


_MOVES = ("e4", "e5", "Nf3", "♘f3", "O-O", "0-0", "Ke2", "e2e4", "e1g1", "e8=Q", "--", "0000", "e4!", "1.e4")
_OTHERS = ("N@e4", "foo", "Sf3", "e4e5e6", "!e4", "é", "1.", "1...", "12", "9", "..", "1-0", "*", "0-1", "½-½")


@settings(max_examples=150)
@given(st.lists(st.sampled_from(_MOVES + _OTHERS), max_size=6))
@example(["Nf3", "Nf6", "g3", "g6", "Bg2", "4.0-0"])
def test_every_word_is_a_move_or_an_error(words: list[str]) -> None:
    """The plain twin: each word alone is a number, a result at the end, or what parse_san reads; or the error."""
    found: list[ox88.RowError] = []
    games = ox88.Games.from_moves([" ".join(words)], errors=found.append, threads=1)
    position, moves, wrong = ox88.Positions.from_fens([ox88.STARTPOS]), list[int](), ""
    for place, word in enumerate(words):
        if place == len(words) - 1 and word in ("1-0", "*", "0-1", "½-½"):
            break
        if re.fullmatch(r"\d*\.*", word) and word != "0000":
            continue
        try:
            move = position.parse_san([re.sub(r"^\d+\.+|[!?]+$", "", word).replace("♘", "N")])
            position = position.push(move, null_moves=True)
        except ox88.Ox88Error:
            wrong = word
            break
        moves.append(int(move[0]))
    if wrong:
        assert len(games) == 0
        assert [error.row for error in found] == [0]
        shown = re.sub(r"^\d+\.+", "", wrong)
        assert str(found[0]).startswith(f"row 0: ply {len(moves)}: {shown!r} ")
    else:
        assert (naive.moves_of(games), found) == ([moves], [])


@pytest.mark.parametrize(
    "moves",
    [
        MOVES, tuple(MOVES), LISTS, iter(LISTS), (iter(line) for line in LISTS), np.array(MOVES), pd.Series(MOVES),
        pd.Series(LISTS), pd.Series([np.array(line, object) for line in LISTS]), pl.Series(MOVES), pl.Series(LISTS),
        pa.array(MOVES), pa.array(LISTS), pa.array(["x", *MOVES])[1:], pa.array([["x"], *LISTS])[1:],
        pa.chunked_array([MOVES[:1], MOVES[1:]]), pa.chunked_array([LISTS[:2], LISTS[2:]]),
        pa.array(MOVES).dictionary_encode(), pa.array(LISTS, pa.large_list(pa.large_string())), pa.table({"a": LISTS}),
    ],
    ids=lambda moves: type(moves).__module__.partition(".")[0] + " " + type(moves).__name__,
)  # fmt: skip
def test_columns(moves: Any) -> None:
    games = ox88.Games.from_moves(moves)
    assert naive.moves_of(games) == NUMBERS
    assert games.numbers.tolist() == [0, 1, 2]
    assert games.errors == []


def test_puzzles_of_lichess() -> None:
    """Two rows of the form of Lichess's CSV: the FEN, and the moves from it."""
    table = pl.DataFrame(
        {
            "FEN": ["r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2R1/PqP2bPP/7K b - - 0 24", "8/8/8/8/8/k1p5/8/1K6 b - - 0 1"],
            "Moves": ["f2g3 e6e7 b2b1 b3c1 b1c1 h6c1", "c3c2 b1c1"],
        }
    )
    games = ox88.Games.from_moves(table["Moves"], table["FEN"])
    assert games.lengths.tolist() == [6, 2]
    assert games.positions(ply=0).fens(en_passant="legal") == table["FEN"].to_list()


@pytest.mark.parametrize(
    "kind", [list, pa.array, pl.Series, pd.Series, lambda fens: pa.array(fens).dictionary_encode()]
)
@pytest.mark.parametrize("start", [None, ""])
def test_a_column_without_a_fen_begins_at_the_start(kind: Any, start: str | None) -> None:
    fens = [start, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", start]
    games = ox88.Games.from_moves(["e4", "e8d8", "d4"], kind(fens))
    assert games.positions(ply=0).fens() == [ox88.STARTPOS, fens[1], ox88.STARTPOS]
    assert ox88.Games.from_moves(["e4", "d4"], kind([start, start])).positions(ply=0).fens() == [ox88.STARTPOS] * 2


def test_tags_and_writing() -> None:
    tags = {"White": ["Šárka", 'B"c"'], "Result": ["1-0", "½-½"]}
    games = ox88.Games.from_moves(["e4", "e8d8"], [None, "4k3/8/8/8/8/8/8/4K3 b - - 0 1"], headers=tags)
    again = ox88.read_pgn_text(games.to_pgn() or "")
    assert again.headers["White"].tolist() == tags["White"]
    assert again.results.tolist() == games.results.tolist() == [1, 0.5]
    assert again.positions() == games.positions()
    assert naive.moves_of(games + again) == naive.moves_of(games) * 2
    assert games.files.tolist() == ["", ""]
    with pytest.raises(ox88.Ox88Error, match="the games come from no file"):
        games.save("out.pgn")
    assert ox88.Games.from_moves(["e4 --"]).moves.tolist()[1] == NO_MOVE


def test_rows_that_are_refused() -> None:
    texts = ["e4 e5", "e4 Ke4", "d4", "Nf3 Nf6 Nd4 x", "Nc3 e5 Nb1 e4 Nc3 e3 Nd5 a6 Nb4 a5 Na6 a4 Nb4 a3 Nbd5"]
    fens = [None, "", "8/8/8/8/8/8/8/8 w - - 0 1", None, None]
    reasons = [
        "row 1: ply 1: 'Ke4' is not legal in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1: no king of",
        "row 2: FEN '8/8/8/8/8/8/8/8 w - - 0 1': illegal position: White has no king",
        "row 3: ply 3: 'x' is not a move: SAN such as 'Nf3', or 'e2e4' is expected",
    ]
    found: list[ox88.RowError] = []
    games = ox88.Games.from_moves(texts, fens, errors=found.append)
    shown = list(map(str, found))
    assert [text[: len(reason)] for text, reason in zip(shown, reasons, strict=True)] == reasons
    assert games.numbers.tolist() == [0, 4]
    assert games.lengths.tolist() == [2, 15]
    skipped = ox88.Games.from_moves(texts, fens, errors="skip", headers={"White": list("abcde")})
    assert skipped.headers["White"].tolist() == ["a", "e"]
    with pytest.raises(ox88.RowError, match="row 1: ply 1: 'Ke4' is not legal"):
        ox88.Games.from_moves(texts, fens)
    two = "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1"
    with pytest.raises(ox88.RowError, match=re.escape(f"row 0: ply 0: 'Nb3' fits more than one legal move in {two}")):
        ox88.Games.from_moves(["Nb3"], [two])
    with pytest.raises(
        ox88.RowError, match=r"row 0: ply 1: 'Nf6Bb4' is not legal in rnb.* 0 1: 'Nf6Bb4' is not a move; "
    ):
        ox88.Games.from_moves(["1. e4 Nf6Bb4"])
    with pytest.raises(ox88.RowError, match="row 0: ply 1: '--' is not legal in "):
        ox88.Games.from_moves(["e8e1 --"], ["4q1k1/8/8/8/8/8/8/7K b - - 0 1"])


@pytest.mark.parametrize(
    ("moves", "options", "kind", "reason"),
    [
        ("e4", {}, TypeError, "moves is of type str: a list with the moves of each game is expected"),
        (3, {}, TypeError, "moves is of type int"),
        ([["e4", 3]], {}, TypeError, "row 0 has int and str: a text such as 'e2e4 e7e5', or a list"),
        (["e4", None], {}, TypeError, "row 1 has NoneType: "),
        (pa.array([1, 2]), {}, TypeError, "an Arrow column of int64: strings, or lists of strings, are expected"),
        (pa.array([b"e4"]), {}, TypeError, "an Arrow column of binary: strings, or lists of strings, are expected"),
        (pa.array(["e4", None]), {}, ox88.RowError, "row 1: null is no moves: a text or a list without null is"),
        (pa.array([["e4", None]]), {}, ox88.RowError, "row 0: null is no moves"),
        (["e4"], {"fens": []}, ox88.Ox88Error, "0 FENs for 1 games: one for each is expected"),
        (["e4"], {"headers": {"White": []}}, ox88.Ox88Error, "the tag 'White' has 0 values for 1 games: a text for"),
        (["e4"], {"headers": {"White": "x"}}, ox88.Ox88Error, "the tag 'White' has 1 values for 1 games: a text for"),
        (["e4"], {"headers": {"White": [3]}}, TypeError, "row 0 of the tag 'White' is of type int: a text is expected"),
        (["e4"], {"headers": {"White": ["a\nb"]}}, ox88.RowError, r"row 0: the tag 'White' is 'a\nb': a text in one"),
        (["e4"], {"headers": {"Wh ite": ["a"]}}, ox88.Ox88Error, "the tag 'Wh ite': a name such as 'White' is"),
        (["e4"], {"headers": [("White", ["a"])]}, TypeError, "headers is of type list: a dict of lists is expected"),
        (["e4", "d4"], {"fens": [None, 3]}, TypeError, "row 1 of the FENs is of type int: a text or None is expected"),
        (["e4", "d4"], {"fens": pa.array([None, "x"])}, ox88.RowError, "row 1: FEN 'x': the board has 1 rank"),
        (pa.array([[1804]]), {}, TypeError, "an Arrow column of list<item: int64>: strings, or lists of strings, are"),
        (["e4"], {"errors": "keep"}, ox88.Ox88Error, "errors is 'keep'"),
    ],
)
def test_arguments_that_are_refused(moves: Any, options: Any, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=re.escape(reason)):
        ox88.Games.from_moves(moves, **options)
