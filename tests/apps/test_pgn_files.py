"""PGN files cut into games: every game in its place, whatever stands beside it."""

import bz2
import gzip
import io
import zipfile
from pathlib import Path

import chess.pgn
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps import pgn_files
from ox88.apps.pgn_files import Damage, GameText, read_games
from ox88.types import Ox88Error

GAMES = [
    '[Event "1"]\n[White "Müller"]\n\n1. e4 { a comment\n\nof two parts } e5 *',
    '[Event "2"]\n[Result "1-0"]\n\n1. d4 ; { no comment\n1... d5 ( 1... f5 )\n2. c4 1-0',
    '[Event "3"]\n\n*',
]
NEXT = '[Event "next"]\n\n1. Nf3 *'


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def texts(path: Path) -> list[str]:
    return [game.text for game in read_games([path]) if isinstance(game, GameText)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pgn")


def zipped(data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.md", "nothing")
        archive.writestr("games.PGN", data)
    return stream.getvalue()


PLAIN = "\n\n".join(GAMES).encode()
FRAMES = zstandard.compress(PLAIN[:50]) + zstandard.compress(PLAIN[50:])


@pytest.mark.parametrize(
    "data",
    [
        PLAIN,
        b"\xef\xbb\xbf\n\n" + PLAIN + b"\n\n\n",
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.replace(b"\n", b"\r"),
        "\n\n".join(GAMES).encode("latin-1"),
        "\n\n".join(GAMES).encode("utf-16"),
        gzip.compress(PLAIN),
        bz2.compress(PLAIN),
        zipped(PLAIN),
        FRAMES,
    ],
    ids=["plain", "mark", "windows", "old mac", "latin-1", "utf-16", "gzip", "bzip2", "zip", "zstandard"],
)
def test_forms_of_a_file(data: bytes, tmp_path: Path) -> None:
    assert texts(write(tmp_path / "any.name", data)) == GAMES


def test_where_games_stand(tmp_path: Path) -> None:
    first = write(tmp_path / "a.pgn", b"% escaped\n\n" + "\n\n\n".join(GAMES).encode())
    second = write(tmp_path / "b.zip", zipped(NEXT.encode()))
    found = [(game.file, game.line) for game in read_games([first, second]) if isinstance(game, GameText)]
    assert found == [(str(first), 3), (str(first), 11), (str(first), 19), (f"{second}/games.PGN", 1)]


@pytest.mark.parametrize("moves", ["1. e4 { open\n", "1. e4 e5\n", "1. e4 ( 1. d4\n\n", "\n", ""])
def test_a_game_without_an_end_costs_no_other(moves: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.pgn", f'[Event "x"]\n\n{moves}{NEXT}\n\n{NEXT}'.encode())
    found = texts(path)
    assert found[0].startswith('[Event "x"]')
    assert found[1:] == [NEXT, NEXT]


def test_nothing_of_a_game(tmp_path: Path) -> None:
    for data in (b"", b"\n \n", b"% escaped\n", b"; comment\n"):
        assert texts(write(tmp_path / "a.pgn", data)) == []


def test_a_packed_file_that_breaks_off(tmp_path: Path) -> None:
    data = "\n\n".join(f'[Event "{number}"]\n\n1. e4 {{ {number * 7919} }} *' for number in range(8000)).encode()
    for packed in (gzip.compress(data), bz2.compress(data, 1)):
        *games, damage = read_games([write(tmp_path / "a", packed[: len(packed) // 2])])
        assert isinstance(damage, Damage)
        assert "breaks off after line" in damage.reason
        assert len(games) > 1000
        assert all(isinstance(game, GameText) and game.text in data.decode() for game in games)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "No such file"),
        (b"PK\3\4 and no more", "not a zip file"),
        (zipped(b"")[:60], "not a zip file"),
        (b"\x1f\x8b and no more", "Unknown compression method"),
    ],
)
def test_files_that_cannot_be_read(data: bytes | None, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(Ox88Error, match=reason):
        list(read_games([path]))


def test_an_archive_without_games(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("readme.md", "nothing")
    with pytest.raises(Ox88Error, match=r"holds no file \.pgn"):
        list(read_games([tmp_path / "a.zip"]))


def test_endless_lines_and_games_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgn_files, "LONGEST_LINE", 100)
    monkeypatch.setattr(pgn_files, "LONGEST_GAME", 1000)
    path = write(tmp_path / "a.pgn", b"x" * 10_000 + b"\n\n" + NEXT.encode())
    assert max(map(len, texts(path))) <= 1200
    assert texts(path)[-1] == NEXT


@given(st.lists(st.sampled_from(['[Event "e"]', '[White "w"]', "1. e4", "{", "}", "; c", "% e", "", " ", "*"])))
def test_lines_that_python_chess_reads(folder: Path, lines: list[str]) -> None:
    """As many games as python-chess finds, or more, each read as it reads them; no line of moves is lost."""
    path = write(folder / "any.pgn", "\n".join(lines).encode())
    found = texts(path)
    kept = [line for line in "\n".join(found).split("\n") if line.strip() and not line.startswith(("%", ";"))]
    assert kept == [line for line in lines if line.strip() and not line.startswith(("%", ";"))]
    stream = io.StringIO("\n".join(lines))
    games = 0
    while chess.pgn.read_game(stream, Visitor=chess.pgn.SkipVisitor):
        games += 1
    assert len(found) >= games


@given(st.text(max_size=200), st.integers(0, 255))
def test_noise_between_games_costs_none(folder: Path, noise: str, byte: int) -> None:
    data = f"{GAMES[0]}\n\n".encode() + noise.encode("utf-8", "replace") + bytes([byte]) + f"\n\n{NEXT}\n".encode()
    found = texts(write(folder / "noise.pgn", data))
    assert found[0] == GAMES[0]
    assert found[-1] == NEXT
