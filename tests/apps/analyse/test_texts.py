"""PGN files as the texts of games: every game in its place, whatever stands beside it."""

import gzip
import io
import zipfile
from pathlib import Path

import chess.pgn
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.analyse.texts import Damage, GameText, read_games
from ox88.batch.pgn import pieces
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


def zipped(*files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(files):
            archive.writestr(f"{number}.pgn", data)
    return stream.getvalue()


PLAIN = "\n\n".join(GAMES).encode()


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
        zipped(PLAIN),
        zstandard.compress(PLAIN),
    ],
    ids=["plain", "mark", "windows", "old mac", "latin-1", "utf-16", "gzip", "zip", "zstandard"],
)
def test_forms_of_a_file(data: bytes, tmp_path: Path) -> None:
    assert texts(write(tmp_path / "any.name", data)) == GAMES


def test_where_games_stand(tmp_path: Path) -> None:
    first = write(tmp_path / "a.pgn", b"% escaped\n\n" + "\n\n\n".join(GAMES).encode())
    second = write(tmp_path / "b.zip", zipped(NEXT.encode(), NEXT.encode()))
    found = [(game.file, game.line) for game in read_games([first, second]) if isinstance(game, GameText)]
    assert found[:3] == [(str(first), 3), (str(first), 11), (str(first), 19)]
    assert found[3:] == [(str(second), 1), (f"{second} (file 2)", 1)]


@pytest.mark.parametrize("moves", ["1. e4 { open\n\n", "1. e4 e5\n", "1. e4 ( 1. d4\n\n", "\n"])
def test_a_game_without_an_end_costs_no_other(moves: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.pgn", f'[Event "x"]\n\n{moves}{NEXT}\n\n{NEXT}'.encode())
    found = texts(path)
    assert found[0].startswith('[Event "x"]')
    assert found[1:] == [NEXT, NEXT]


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    data = "\n\n".join(f'[Event "{number}"]\n\n1. e4 {{ {number * 7919} }} *' for number in range(8000)).encode()
    packed = gzip.compress(data)
    *games, damage = read_games([write(tmp_path / "a", packed[: len(packed) // 2])])
    assert isinstance(damage, Damage)
    assert "breaks off in line" in damage.reason
    assert len(games) > 1000
    assert all(isinstance(game, GameText) and game.text in data.decode() for game in games)


def test_a_game_without_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces.cut_into_pieces, "__defaults__", (1 << 20,))
    path = write(tmp_path / "a.pgn", b'[Event "1"]\n\n{' + b"x " * (1 << 20) + b"}\n\n" + NEXT.encode())
    found = list(read_games([path]))
    assert [type(each) for each in found].count(Damage) == 1
    assert texts(path)[-1] == NEXT


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, write(tmp_path / "a", b"\x1f\x8b and no more")):
        with pytest.raises(Ox88Error, match=str(path)):
            list(read_games([path]))


def test_names_of_any_bytes(tmp_path: Path) -> None:
    path = write(Path(f"{tmp_path}/\udcff.pgn"), NEXT.encode())
    (game,) = read_games([path])
    assert game.file == f"{tmp_path}/\ufffd.pgn"


@given(st.text(max_size=200), st.integers(0, 255))
def test_noise_between_games_costs_none(folder: Path, noise: str, byte: int) -> None:
    data = f"{GAMES[0]}\n\n".encode() + noise.encode("utf-8", "replace") + bytes([byte]) + f"\n\n{NEXT}\n".encode()
    found = texts(write(folder / "noise.pgn", data))
    assert found[0].startswith(GAMES[0])
    assert not lines_of(found[0].removeprefix(GAMES[0]))
    assert found[-1].endswith(NEXT)  # A lone bracket passes for a tag of it.


def lines_of(text: str) -> list[str]:
    """The lines that say something."""
    return [line for line in text.split("\n") if line.strip("\0\t\v\f \r\x1c\x1d\x1e\x1f") and line[0] not in "%;"]


@given(st.lists(st.sampled_from(['[Event "e"]', '[White "w"]', "1. e4", "{", "}", "; c", "% e", "", " ", "*"])))
def test_each_text_is_one_game(folder: Path, lines: list[str]) -> None:
    """So that a game is parsed by itself as in its file; and no line is lost but what stands between games."""
    found = texts(write(folder / "any.pgn", "\n".join(lines).encode()))
    for text in found:
        stream = io.StringIO(text)
        assert chess.pgn.read_game(stream, Visitor=chess.pgn.SkipVisitor)
        assert not lines_of(stream.read())
    assert lines_of("\n".join(found)) == lines_of("\n".join(lines))
