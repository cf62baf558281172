"""Games written and read again, by Ox88 and by python-chess."""

import bz2
import codecs
import functools
import gzip
import io
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import chess.pgn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.batch.pgn.words import format_tag, unescaped
from ox88.batch.pgn.writing import _PLIES_AT_ONCE, _runs
from tests.batch.pgn import naive, samples
from tests.batch.pgn.samples import zstd

TAGS = ["White", "Result", "FEN", "SetUp", "Variant", "Annotator"]


def written(games: ox88.Games, **options: Any) -> bytes:
    text = games.to_pgn(**options)
    assert text is not None
    return text.encode()


def check_there_and_back(text: bytes) -> None:
    games = ox88.read_pgn(io.BytesIO(text), headers=TAGS, threads=1)
    output = written(games, threads=1)
    again = ox88.read_pgn(io.BytesIO(output), headers=TAGS, threads=1)
    variants = [error.number for error in games.errors if "is not chess" in error.reason]
    assert [error.number for error in again.errors] == variants
    for name in ("moves", "offsets", "results", "evals", "depths"):
        assert np.array_equal(getattr(again, name), getattr(games, name), equal_nan=True), name
    for name in ("clocks", "times"):
        assert np.allclose(getattr(again, name), getattr(games, name), rtol=1e-6, atol=6e-4, equal_nan=True), name
    present = games.headers.has("White")
    whites = [white if there else "?" for white, there in zip(games.headers["White"], present, strict=True)]
    assert again.headers["White"].tolist() == whites
    assert again.positions(threads=1) == games.positions(threads=1)
    assert written(again, threads=1) == output


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (r"The \"Open\"", 'The "Open"'),
        (r"C:\\games\\", "C:\\games\\"),
        (r"\\\"", r"\""),
        ('5th "Theodorakis" Open', '5th "Theodorakis" Open'),
        (r"Let\'s Play!", r"Let\'s Play!"),
        ("Stockfish /Level 6\\", "Stockfish /Level 6\\"),
        ('"b', '"b'),
        (r"a\"] b", 'a"] b'),
        (r"\"]", '"]'),
        (r"a\\", "a\\"),
    ],
)
def test_quotation_marks_and_backslashes_in_tags(value: str, meant: str) -> None:
    games = ox88.read_pgn_text(f'[White "{value}"]\n[Black "b"]\n\n1. e4 *\n')
    assert games.errors == []
    assert (games.headers["White"].tolist(), games.headers["Black"].tolist()) == ([meant], ["b"])
    output = written(games + games)
    assert output.count(b'[White "' + re.sub(rb'["\\]', rb"\\\g<0>", meant.encode()) + b'"]\n') == 2
    assert ox88.read_pgn(io.BytesIO(output)).headers["White"].tolist() == [meant, meant]


@given(st.lists(st.text(st.sampled_from('a"]\\ é'), max_size=6), min_size=1, max_size=3))
def test_any_value_of_a_tag(values: list[str]) -> None:
    text = "\n\n".join(f"{format_tag('White', value)}\n\n*" for value in values)
    assert ox88.read_pgn_text(text).headers["White"].tolist() == values
    assert [unescaped(format_tag("A", value)[4:-2]) for value in values] == values


@settings(max_examples=60)
@given(samples.broken_texts())
def test_there_and_back(text: bytes) -> None:
    check_there_and_back(text)


def test_random_games_there_and_back() -> None:
    text = samples.random_games(range(25))
    games = ox88.read_pgn(io.BytesIO(text), headers=TAGS)
    naive.check_same(games, naive.read_pgn(written(games)))
    assert written(games, threads=2) == written(games, threads=1)


@pytest.mark.parametrize("headers", [[], ["White"], ["Event", "Annotator"], ["Variant", "Annotator"]], ids=str)
@pytest.mark.parametrize("number", [0, 959])
def test_chess960_is_said_beside_any_tags(headers: list[str], number: int) -> None:
    """The tags that were read do not matter: python-chess reads the same position and moves."""
    board = chess.Board.from_chess960_pos(number)
    named = f'[Variant "Fischerandom"]\n[FEN "{board.fen()}"]\n\n*\n'
    assert (b'"Fischerandom"' in written(ox88.read_pgn_text(named, headers=headers))) == ("Variant" in headers)
    game = chess.pgn.Game({"White": "A", "Annotator": "B"})
    game.setup(board)
    game.add_main_variation(next(iter(board.legal_moves)))
    text = written(ox88.read_pgn(io.BytesIO(str(game).encode()), headers=headers))
    read = chess.pgn.read_game(io.StringIO(text.decode()))
    assert read is not None
    assert read.board() == board
    assert read.headers["Variant"] == "Chess960"
    assert text.count(b"[Variant ") == text.count(b"[FEN ") == text.count(b"[SetUp ") == 1
    assert read.headers.get("Annotator") == ("B" if "Annotator" in headers else None)
    assert [move.uci() for move in read.mainline_moves()] == [move.uci() for move in game.mainline_moves()]


def test_games_of_any_length_are_written_in_runs() -> None:
    lengths = [_PLIES_AT_ONCE + 1, 0, 1, _PLIES_AT_ONCE, 2, *[0] * _PLIES_AT_ONCE]
    runs = islice(_runs(np.cumsum([0, *lengths])), 5)
    assert [len(run) for run in runs] == [1, 2, 1, _PLIES_AT_ONCE, 1]


def test_as_python_chess_writes_it() -> None:
    """Except for comments, which python-chess does not break into lines."""
    for seed in range(20):
        (game,) = naive.read_trees(samples.random_games([seed]).decode())
        exporter = chess.pgn.StringExporter(columns=80, variations=False, comments=False)
        for node in game.mainline():
            node.nags.clear()
        expected = game.accept(exporter).encode()
        games = ox88.read_pgn(io.BytesIO(expected), headers=["Event", "FEN", "SetUp", "Variant"])
        assert written(games + games) == 2 * written(games)
        movetext = written(games).split(b"\n\n", 1)[1]
        assert movetext.strip() == expected.split(b"\n\n", 1)[1].strip()


@settings(max_examples=50)
@given(st.floats(0, 4e5, width=32), st.floats(-9000, 9000, width=32), st.integers(-999, 999))
def test_clocks_and_evaluations(clock: float, pawns: float, mate: int) -> None:
    hours, seconds = divmod(clock, 3600)
    minutes, seconds = divmod(seconds, 60)
    said = f"[%clk {int(hours)}:{int(minutes)}:{seconds:.3f}]"
    text = f"1. e4 {{ {said} [%eval {pawns:.2f}] }} e5 {{ [%eval #{mate}] }} *"
    check_there_and_back(text.encode())


def test_every_digit_counts() -> None:
    text = b"1. e4 {[%clk 1:9:8.007][%eval -0.05]} e5 {[%eval #-12]} 2. d4 {[%clk 0:00:59.9999]} d5 {[%clk 0:0:0]} 1/2"
    assert written(ox88.read_pgn(io.BytesIO(text + b"-1/2"))).split(b"\n\n", 1)[1] == (
        b"1. e4 { [%eval -0.05] [%clk 1:09:08.007] } 1... e5 { [%eval #-12] } 2. d4 {\n"
        b"[%clk 0:01:00] } 2... d5 { [%clk 0:00:00] } 1/2-1/2\n\n"
    )


def test_the_largest_clock_and_evaluation() -> None:
    largest = b"[%clk 99999999:9999999999:9999999999.9999999999999999999] [%eval -9999999999.99]"
    games = ox88.read_pgn(io.BytesIO(b"1. e4 {" + largest + b"} d5 {[%clk 999999999999:0:0]} *"))
    assert games.evals[0] == -9000
    assert 5e11 < games.clocks[0] < 1e12
    assert np.isnan(games.clocks[1])
    again = ox88.read_pgn(io.BytesIO(written(games)))
    assert np.array_equal(again.clocks, games.clocks, equal_nan=True)


def test_where_to(tmp_path: Path) -> None:
    games = ox88.read_pgn(io.BytesIO(b"".join(samples.GAMES)))
    expected = written(games)
    unpack: dict[str, Callable[[bytes], bytes]]
    unpack = {"": bytes, ".gz": gzip.decompress, ".bz2": bz2.decompress, ".zst": zstd.decompress}
    for suffix, unpacked in unpack.items():
        path = tmp_path / f"games.pgn{suffix}"
        assert games.to_pgn(path) is None
        assert unpacked(path.read_bytes()) == expected
    binary, text = io.BytesIO(), io.StringIO()
    games.to_pgn(binary)
    games.to_pgn(text)
    assert binary.getvalue() == text.getvalue().encode() == expected
    assert ox88.read_pgn(io.BytesIO(b"")).to_pgn() == ""


def test_where_to_by_wrappers_of_files(tmp_path: Path) -> None:
    """They are no io.TextIOBase, and the `mode` of text files by codecs is binary."""
    games = ox88.read_pgn(io.BytesIO('[White "Réti"]\n\n1. Nf3 *'.encode()), headers=["White"])
    reader, writer, path = codecs.getreader("utf-8"), codecs.getwriter("utf-8"), tmp_path / "games.pgn"
    wrappers: list[Callable[[], Any]] = [
        lambda: codecs.StreamReaderWriter(path.open("wb"), reader, writer),  # What codecs.open returns.
        lambda: writer(path.open("wb")),
        functools.partial(NamedTemporaryFile, "w", encoding="utf-8", newline="", dir=tmp_path, delete=False),
        functools.partial(NamedTemporaryFile, "wb", dir=tmp_path, delete=False),
    ]
    for wrapper in wrappers:
        with wrapper() as file:
            games.to_pgn(file)
        assert Path(file.name).read_bytes() == written(games)


def test_where_to_not(tmp_path: Path) -> None:
    games = ox88.read_pgn(io.BytesIO(b"1. e4 *"))
    with pytest.raises(ox88.Ox88Error, match="cannot be written"):
        games.to_pgn(tmp_path / "nowhere" / "games.pgn")
    with pytest.raises(ox88.Ox88Error, match=r"the suffix \.gz, "):
        games.to_pgn(tmp_path / "games.zip")
    target: Any = 3
    with pytest.raises(TypeError, match="a path or an open file is expected"):
        games.to_pgn(target)
