"""Games of several files, and games written as their files have them."""

import gzip
import io
import os
import re
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.batch.pgn import files, reading
from tests.batch.pgn import naive, samples
from tests.batch.pgn.test_files import same

A, B, C = (f'[White "{name}"]\n\n1. e4 {{ so }} e5 $5 (1... c5) 2. Nf3 *\n\n'.encode() for name in "abc")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "b.pgn").write_bytes(B + C)
    (tmp_path / "in" / "a.PGN.gz").write_bytes(gzip.compress(A))
    (tmp_path / "c.pgn").write_bytes(C + b'[White "bad"]\n\n1. e5 *\n')
    (tmp_path / "notes.txt").write_bytes(A)
    with zipfile.ZipFile(tmp_path / "in" / "z.pgn.zip", "w") as archive:
        archive.writestr("x.pgn", A)
        archive.writestr("y.pgn", B)
    return tmp_path


def whites(games: ox88.Games) -> str:
    return "".join(games.headers["White"])


def test_a_list_a_folder_and_a_pattern_have_an_order(folder: Path) -> None:
    paths = [folder / "c.pgn", folder / "b.pgn"]
    assert whites(ox88.read_pgn(paths)) == "cbadbc"
    assert whites(ox88.read_pgn(path for path in paths)) == "cbadbc"
    assert whites(ox88.read_pgn(folder)) == whites(ox88.read_pgn(str(folder))) == "bccbadaab"
    assert whites(ox88.read_pgn(folder / "*.pgn")) == whites(ox88.read_pgn(f"{folder}/[bc].pgn")) == "bccbad"
    assert whites(ox88.read_pgn(f"{folder}/**/*.gz")) == "a"
    assert whites(ox88.read_pgn([folder / "in", A, io.BytesIO(B)])) == "aabab"
    assert list(map(whites, ox88.iter_pgn(folder, chunk=4))) == ["bccbad", "aab"]


def test_games_and_errors_know_their_file(folder: Path) -> None:
    games = ox88.read_pgn(folder)
    names = [str(folder / name) for name in ("b.pgn", "c.pgn", "in/a.PGN.gz", "in/z.pgn.zip")]
    assert games.files.tolist() == [names[row] for row in (0, 0, 1, 1, 2, 3, 3)]
    assert games.numbers.tolist() == [0, 1, 0, 1, 0, 0, 1]
    assert [error.file for error in games.errors] == [names[1]]
    assert str(games.errors[0]) == f"{names[1]}: game 2, line 7: 'e5' is not a legal move"
    parts = list(ox88.iter_pgn(folder, chunk=3))
    assert [error for part in parts for error in part.errors] == games.errors
    assert np.concatenate([part.files for part in parts]).tolist() == games.files.tolist()
    alone = ox88.read_pgn(names[1])
    assert str(alone.errors[0]) == "game 2, line 7: 'e5' is not a legal move"
    assert (games + alone)[[3, -1]].files.tolist() == [names[1]] * 2
    assert ox88.read_pgn(A).files.tolist() == [""]
    assert (ox88.read_pgn([A, names[1]]) + games)[::-1].files.tolist() == [*games.files[::-1], names[1], names[1], ""]


def test_files_that_are_not_there(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no file is named as '.*/x\*\.pgn'"):
        ox88.read_pgn(f"{folder}/x*.pgn")
    with pytest.raises(FileNotFoundError, match=r"x\.pgn' cannot be opened"):
        ox88.read_pgn([folder / "b.pgn", folder / "x.pgn"])
    (folder / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match=r"the folder '.*empty' has no file \.pgn, "):
        ox88.read_pgn(folder / "empty")
    (folder / "[a].pgn").write_bytes(A)
    assert whites(ox88.read_pgn(folder / "[a].pgn")) == "a"  # A name is no pattern where there is such a file.
    with pytest.raises(TypeError, match="a PGN as int"):
        ox88.read_pgn([A, 1])  # type: ignore[list-item]


@settings(max_examples=40)
@given(st.lists(samples.broken_texts(), max_size=4), st.integers(1, 300))
def test_several_files_are_read_as_each_alone(texts: list[bytes], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK", size)
        games = ox88.read_pgn(texts, threads=1)
    alone = [ox88.read_pgn(text, threads=1) for text in texts]
    empty = ox88.read_pgn(b"", threads=1)
    assert same(games, ox88.Games.concatenate([empty, *alone]))
    if all(map(len, alone)):
        rows = games._arrays.games
        assert rows["end"].tolist() == [end for some in alone for end in some._arrays.games["end"]]
        indents = rows["start"] - [start for some in alone for start in some._arrays.games["start"]]
        assert (indents >= 0).all()  # A block may begin within the indent of a game.


# --- Games as their files have them -----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.lists(samples.SEEDS, min_size=1, max_size=6), st.data())
def test_chosen_games_are_the_texts_that_python_chess_reads(seeds: list[int], data: st.DataObject) -> None:
    texts = [samples.random_games([seed]) for seed in seeds]
    games = ox88.read_pgn(b"".join(texts), threads=1)
    assert games.to_pgn(headers="all") == b"".join(texts).decode()
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=5))
    assert games[rows].to_pgn(headers="all") == b"".join(texts[row] for row in rows).decode()
    trees = naive.read_trees(games[rows].to_pgn(headers="all") or "")
    assert list(map(str, trees)) == [str(samples.random_game(seeds[row])) for row in rows]


@settings(max_examples=40)
@given(samples.broken_texts(), st.integers(1, 300))
def test_all_games_of_any_text_are_its_bytes(text: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_BLOCK", size)
        games = ox88.read_pgn(text, threads=1)
        rows = games._arrays.games
        parts = list(files.read_slices(games._arrays.files[0], rows[["start", "end"]].tolist())) if len(games) else []
    assert parts == [text[start:end] for start, end in rows[["start", "end"]].tolist()]
    between = [text[end:start] for (_, end), (start, _) in pairwise(rows[["start", "end"]].tolist())]
    assert all(re.fullmatch(rb"(\xef\xbb\xbf|\s|^[ \t]*;.*$|^%.*$)*", some, re.MULTILINE) for some in between), between
    for row, part in enumerate(parts):
        again = ox88.read_pgn(part, threads=1)
        assert np.array_equal(again.moves, games[row].moves), part


@pytest.mark.parametrize("name", ["a.pgn", "a.pgn.gz", "a.pgn.bz2", "a.pgn.zst"])
def test_saving(name: str, tmp_path: Path, folder: Path) -> None:
    games = ox88.read_pgn(folder)
    path = tmp_path / name
    games[games.headers["White"] != "bad"].save(path)
    assert ox88.read_pgn(path).to_pgn(headers="all") == (B + C + C + A + A + B).decode()
    games[[-1, 0]].save(str(path))
    assert ox88.read_pgn(path).to_pgn(headers="all") == (B + B).decode()
    stream, text = io.BytesIO(), io.StringIO()
    games[:2].save(stream)
    games[:2].save(text)
    assert stream.getvalue() == text.getvalue().encode() == B + C
    ox88.read_pgn(path)[:1].save(path)  # A file can be replaced by some of its games.
    assert ox88.read_pgn(path).to_pgn(headers="all") == B.decode()


def test_games_of_an_explorer_are_saved(tmp_path: Path, folder: Path) -> None:
    (folder / "in" / "none.pgn").write_bytes(b"")
    paths = [folder / "in" / "none.pgn", folder / "b.pgn", folder / "in" / "a.PGN.gz"]
    explorer = ox88.Explorer(paths, folder=tmp_path / "index")
    explorer.games[explorer["1. e4"].games].save(tmp_path / "found.pgn")
    assert (tmp_path / "found.pgn").read_bytes() == B + C + A
    assert explorer.games.files.tolist() == [os.path.realpath(paths[row]) for row in (1, 1, 2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"1. e4 *", b"1. e4 *\n\n"),
        (b"1. e4 *\r\n", b"1. e4 *\r\n\r\n"),
        (b"1. e4 *\r", b"1. e4 *\r\r"),
        (b"1. e4 *\n \n", b"1. e4 *\n\n"),
        (b"\xef\xbb\xbf1. e4 \xe9 *\n\n\n% x\n", b"1. e4 \xe9 *\n\n"),
        ("1. e4 {é} *\n\n".encode("utf-16"), "1. e4 {é} *\n\n".encode()),
    ],
)
def test_what_is_added_and_left(text: bytes, expected: bytes) -> None:
    stream = io.BytesIO()
    ox88.read_pgn(text).save(stream)
    assert stream.getvalue().removeprefix(b"\xef\xbb\xbf") == expected


def test_games_that_run_together_are_kept_apart() -> None:
    games = ox88.read_pgn(b'[White "a"]\n1. e4 e5 1-0\n[White "b"]\n1. d4 *\n[White "c"]\n1. c4 *')
    text = games[[2, 0, 2]].to_pgn(headers="all") or ""
    assert [game.headers["White"] for game in naive.read_trees(text)] == ["c", "a", "c"]
    assert whites(ox88.read_pgn_text(text)) == "cac"


def test_a_file_that_breaks_off_is_written_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "cut.pgn.gz"
    path.write_bytes(gzip.compress(A * 500 + B)[:-100])
    games = ox88.read_pgn(path)
    assert "ends within the game" in games.errors[-1].reason
    assert (A * 500 + B).decode().startswith((games.to_pgn(headers="all") or "").rstrip("\n"))


def test_games_that_cannot_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(A)
    games = ox88.read_pgn(path)
    path.write_bytes(A + B)
    for some, reason in (
        (games, re.escape(f"{str(path)!r} has changed since its games were read")),
        (ox88.read_pgn(io.BytesIO(A)), "come from an open file"),
    ):
        with pytest.raises(ox88.Ox88Error, match=reason):
            some.save(tmp_path / "out.pgn")
        assert not (tmp_path / "out.pgn").exists()
    with pytest.raises(ox88.Ox88Error, match="'read' for the tags that were read, or 'all' is expected"):
        games.to_pgn(headers="some")  # type: ignore[arg-type]
    path.unlink()
    with pytest.raises(ox88.Ox88Error, match=r"a\.pgn' is gone since its games were read"):
        games.save(tmp_path / "out.pgn")
