"""Sources of PGN: paths and open files, plain and compressed, complete and cut off, in blocks of any size."""

import bz2
import contextlib
import functools
import gzip
import io
import lzma
import operator
import random
import re
import shutil
import sqlite3
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.apps.files import check_is_text
from ox88.batch.pgn import reading
from ox88.batch.pgn.files import CutOffError, read_texts
from ox88.batch.pgn.game_text import split_games
from ox88.batch.pgn.splitting import split_into_chunks
from tests.batch.pgn import naive, samples
from tests.batch.pgn.samples import zstd

TEXT = b"".join(samples.GAMES) * 3


def _zip(text: bytes, *names: str, kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        for name in names or ("games.pgn",):
            archive.writestr(name, text)
    return file.getvalue()


def _in_parts(pack: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    return lambda text: b"".join(pack(text[place : place + 1000]) for place in range(0, len(text), 1000))


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "zstandard": zstd.compress,
    **{f"parts of {pack.__module__}": _in_parts(pack) for pack in (gzip.compress, bz2.compress, zstd.compress)},
    "zip": _zip,
}
_TOO_LONG = "the game is longer than 16 MB and is read no further"
MAGIC = (b"\x1f\x8b", b"BZh9", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PK\x05\x06")


def same(games: ox88.Games, others: ox88.Games) -> bool:
    arrays = ("moves", "offsets", "clocks", "evals", "times", "depths", "results", "numbers")
    pairs = ((getattr(games, name), getattr(others, name)) for name in arrays)
    headers, other_headers = ({name: some.headers[name].tolist() for name in some.headers} for some in (games, others))
    return (
        all(np.array_equal(one, other, equal_nan=True) for one, other in pairs)
        and (games.errors, headers) == (others.errors, other_headers)
        and games.positions(threads=1) == others.positions(threads=1)
    )


@pytest.mark.parametrize("packing", PACKINGS)
def test_packings(packing: str, tmp_path: Path) -> None:
    packed, path, expected = PACKINGS[packing](TEXT), tmp_path / "any.name", ox88.read_pgn(TEXT)
    path.write_bytes(packed)
    with path.open("rb") as file, path.open("rb", buffering=0) as unbuffered:
        files = (path, str(path), file, unbuffered, io.BytesIO(packed))
        for source in (*files, packed, bytearray(packed), memoryview(packed)):
            assert same(ox88.read_pgn(source), expected)
    assert same(next(ox88.iter_pgn(packed)), expected)


def test_a_file_of_pzstd() -> None:
    if (pzstd := shutil.which("pzstd")) is None:
        pytest.skip("pzstd is not installed")
    packed = subprocess.run([pzstd, "-c"], input=TEXT, capture_output=True, check=True).stdout
    assert same(ox88.read_pgn(packed), ox88.read_pgn(TEXT))


def test_every_first_frame_of_zstandard() -> None:
    """RFC 8878: skippable frames have sixteen magic numbers. pzstd begins with one that holds the size of the next."""
    packed, expected = zstd.compress(TEXT), ox88.read_pgn(TEXT)
    for magic in range(0x184D2A50, 0x184D2A60):
        skipped = magic.to_bytes(4, "little") + (5).to_bytes(4, "little") + b"12345"
        assert same(ox88.read_pgn(skipped + packed), expected)
        assert same(ox88.read_pgn(packed + skipped), expected)


def _tar(text: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("games.pgn")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    return file.getvalue()


def _sqlite(_text: bytes) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE games (moves)")
        return database.serialize()


NO_TEXT: dict[str, Callable[[bytes], bytes]] = {
    "but xz": lzma.compress,
    "but LZMA": functools.partial(lzma.compress, format=lzma.FORMAT_ALONE),
    "but tar": _tar,
    "but SQLite": _sqlite,
    "but UTF-16 without a byte order mark": lambda text: text.decode().encode("utf-16-be"),
    "but 7-Zip": lambda text: b"7z\xbc\xaf\x27\x1c" + text,
    "but RAR": lambda text: b"Rar!\x1a\x07" + text,
    "but LZ4": lambda text: b"\x02\x21\x4c\x18" + text,
    "but Snappy": lambda text: b"\xff\x06\0\0sNaPpY" + text,
    "but PDF": lambda text: b"%PDF-1.4\n" + text,
    "but gzip": lambda text: gzip.compress(gzip.compress(text)),
    "but bzip2": lambda text: zstd.compress(bz2.compress(text)),
    "but Zstandard": lambda text: _zip(zstd.compress(text)),
    "but zip": lambda text: gzip.compress(_zip(text)),
    "": lambda _: random.Random(1).randbytes(500),
}


@pytest.mark.parametrize("found", NO_TEXT)
def test_what_is_no_text_is_refused_by_every_reader(found: str, tmp_path: Path) -> None:
    data = NO_TEXT[found](TEXT)
    path = tmp_path / "x.pgn"
    path.write_bytes(data)
    refused = rf"is not text{' ' if found else ''}{re.escape(found)}: a PGN, plain or packed by .*, is expected$"
    readers: list[Callable[[], object]] = [
        lambda: ox88.read_pgn(data),
        lambda: ox88.read_pgn(path),
        lambda: next(ox88.iter_pgn(path)),
        lambda: next(split_games(path)),
        lambda: check_is_text(path),
    ]
    for read in readers:
        with pytest.raises(ox88.Ox88Error, match=refused):
            read()


def test_a_text_may_have_some_zeros_and_zeros_alone_are_no_utf_16() -> None:
    assert naive.moves_of(ox88.read_pgn(TEXT + b"\0" * 7))[:5] == naive.moves_of(ox88.read_pgn(TEXT))[:5]
    for zeros in (8, 500):
        with pytest.raises(ox88.Ox88Error, match=r"^the PGN is not text: a PGN"):
            ox88.read_pgn(bytes(zeros))
    assert ox88.read_pgn(b"1. e4\0\0").errors == []
    with pytest.raises(ox88.Ox88Error, match=r"^the PGN is not text: a PGN"):
        ox88.read_pgn(b"\0\1e\2H*")


BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "zstandard": zstd.compress,
    "zip": _zip,
    "zip of bzip2": lambda text: _zip(text, kind=zipfile.ZIP_BZIP2),
    "zip of LZMA": lambda text: _zip(text, kind=zipfile.ZIP_LZMA),
}


@pytest.mark.parametrize("pack", BOMBS.values(), ids=BOMBS)
def test_a_small_file_is_unpacked_in_blocks(pack: Callable[[bytes], bytes]) -> None:
    packed, size = pack(b" " * 10_000_000), 1 << 18
    assert len(packed) < 20_000
    (blocks,) = (list(map(len, blocks)) for blocks in read_texts(packed, size))
    assert sum(blocks) == 10_000_000
    assert max(blocks) < 2 * size


@pytest.mark.parametrize("packing", ["gzip", *(packing for packing in PACKINGS if "parts" in packing)])
def test_a_packed_file_that_is_cut_off(packing: str) -> None:
    text = samples.random_games(range(12))
    packed, whole = PACKINGS[packing](text), ox88.read_pgn(io.BytesIO(text))
    for length in range(len(packed) // 2, len(packed), len(packed) // 9):
        games = ox88.read_pgn(io.BytesIO(packed[:length]))
        error = games.errors[-1]
        assert error.number == len(games) - 1
        assert error.reason == "the compressed file ends within the game"
        assert naive.moves_of(games)[:-1] == naive.moves_of(whole)[: len(games) - 1]


def test_a_packed_file_that_is_damaged() -> None:
    packed = bytearray(gzip.compress(samples.random_games(range(12))))
    packed[-6] ^= 1  # Of the checksum.
    games = ox88.read_pgn(io.BytesIO(packed))
    assert ([error.number for error in games.errors], len(games)) == ([12], 13)


@settings(max_examples=100)
@given(st.sampled_from(MAGIC), st.binary(max_size=99))
def test_noise_that_looks_packed(magic: bytes, noise: bytes) -> None:
    with pytest.raises(ox88.Ox88Error, match="'the file' cannot be unpacked: "):
        ox88.read_pgn(io.BytesIO(magic + noise))


@pytest.mark.parametrize(
    ("magic", "offset", "byte", "reason"),
    [
        (b"PK\x01\x02", 6, 200, "zip file version 20"),
        (b"PK\x05\x06", 16, 50, "negative seek value -5"),  # By the directory, a member begins before the file.
    ],
)
def test_a_zip_file_with_a_wrong_byte(magic: bytes, offset: int, byte: int, reason: str) -> None:
    packed = bytearray(_zip(b"1. e4 *\n", "a.pgn"))
    packed[packed.index(magic) + offset] = byte
    with pytest.raises(ox88.Ox88Error, match=f"the PGN cannot be unpacked: {reason}"):
        ox88.read_pgn(bytes(packed))


def test_damaged_packings_never_crash() -> None:
    choice = random.Random(6)
    for pack in PACKINGS.values():
        whole = pack(TEXT)
        for _ in range(30):
            packed = bytearray(whole)
            for _ in range(choice.randrange(1, 4)):
                packed[choice.randrange(len(packed))] ^= 1 << choice.randrange(8)
            try:
                ox88.read_pgn(io.BytesIO(packed), threads=1)
            except ox88.Ox88Error as error:
                assert re.search("cannot be unpacked|holds|is not text", str(error))  # noqa: PT017


def test_zip_files_with_several_files() -> None:
    two = ox88.read_pgn(io.BytesIO(_zip(TEXT[:-2], "b/a.pgn", "readme.txt", "c.PGN")))
    assert naive.moves_of(two) == naive.moves_of(ox88.read_pgn(io.BytesIO(TEXT))) * 2
    assert two.errors == []
    with pytest.raises(ox88.Ox88Error, match=r"'the file' holds 2 files, none of them a \.pgn"):
        ox88.read_pgn(io.BytesIO(_zip(TEXT, "a.txt", "b.txt")))
    assert len(ox88.read_pgn(io.BytesIO(_zip(TEXT, "a.txt")))) == 15


def test_what_macos_adds_to_a_zip_file_is_left_out() -> None:
    """Beside each file macOS packs a file of attributes with the same ending."""
    for name in ("games.pgn", "games.txt"):
        file = io.BytesIO(_zip(TEXT, name))
        with zipfile.ZipFile(file, "a") as archive:
            for added in ("__MACOSX/._" + name, "a/._" + name, "__MACOSX/" + name):
                archive.writestr(added, b"\0\5\x16\7\0\2\0\0Mac OS X")
        assert same(ox88.read_pgn(file.getvalue()), ox88.read_pgn(TEXT))


def test_files_opened_as_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.pgn"
    path.write_bytes('[White "Müller"]\n\n1. e4 *\n'.encode("latin-1"))
    assert ox88.read_pgn(io.StringIO('[White "Müller"]\n\n1. e4 *\n')).headers["White"].tolist() == ["Müller"]
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        assert ox88.read_pgn(file).headers["White"].tolist() == ["Müller"]
    with path.open(encoding="utf-8") as file, pytest.raises(ox88.Ox88Error, match="open it in binary mode"):
        ox88.read_pgn(file)
    assert ox88.read_pgn(io.StringIO("1. e4 \ud800 e5")).lengths.tolist() == [2]


@pytest.mark.parametrize("kind", [str, Path])
def test_what_is_no_file(kind: Callable[[Path], Any], tmp_path: Path) -> None:
    missing = tmp_path / "nowhere.pgn"
    readers: tuple[Callable[[Any], object], ...] = (ox88.read_pgn, lambda path: next(ox88.iter_pgn(path)))
    for read in readers:
        with pytest.raises(FileNotFoundError) as caught:
            read(kind(missing))
        assert isinstance(caught.value, ox88.Ox88Error)
        assert str(caught.value) == f"{str(missing)!r} cannot be opened: No such file or directory"
        for source in (3, None, [3]):
            with pytest.raises(TypeError, match="a path or an open file is expected"):
                read(source)


def test_texts() -> None:
    text = TEXT.decode()
    assert same(ox88.read_pgn_text(text), ox88.read_pgn(TEXT))
    assert same(ox88.read_pgn_text(text, headers=["White"], threads=1), ox88.read_pgn(TEXT, headers=["White"]))
    assert ox88.read_pgn_text("1. e4 e5 *").moves.tolist() == [1804, 2356]
    assert len(ox88.read_pgn_text("")) == 0


def test_each_misuse_names_the_right_function(tmp_path: Path) -> None:
    texts = (TEXT.decode(), "1. e4 e5 2. Nf3", '[White "A"]', "\n" + "1. e4 e5 " * 1000)
    for text in texts:
        with pytest.raises(ox88.Ox88Error, match=r"; read_pgn_text reads the text of a PGN$") as caught:
            ox88.read_pgn(text)
        assert len(str(caught.value)) < 300
    for wrong in (b"1. e4", tmp_path, io.StringIO("1. e4"), None):
        with pytest.raises(TypeError, match="a text is expected; read_pgn reads paths, files and bytes"):
            ox88.read_pgn_text(wrong)  # type: ignore[arg-type]
    for name in ("games.pgn", "my games.PGN", "games.pgn.zst"):
        with pytest.raises(ox88.Ox88Error, match="is the name of a file, not a PGN: read_pgn reads files"):
            ox88.read_pgn_text(name)


@settings(max_examples=60)
@given(samples.broken_texts(), st.integers(1, 40), st.sampled_from([1, 2]))
def test_blocks_of_any_size(text: bytes, size: int, threads: int) -> None:
    whole = ox88.read_pgn(io.BytesIO(text), threads=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK", size)
        assert same(ox88.read_pgn(io.BytesIO(text), threads=threads), whole)


def test_threads_and_chunks() -> None:
    text = samples.random_games(range(30)) + b"".join(samples.GAMES) + b"1. e4 Ke4\n\n"
    whole = ox88.read_pgn(io.BytesIO(text), threads=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK", 1000)
        for threads, chunk in ((1, 7), (2, 36), (3, 37), (2, 1)):
            assert same(ox88.read_pgn(io.BytesIO(text), threads=threads), whole)
            chunks = list(ox88.iter_pgn(io.BytesIO(text), chunk=chunk, threads=threads))
            assert [len(games) for games in chunks] == [chunk] * (36 // chunk) + [36 % chunk] * (36 % chunk > 0)
            assert same(functools.reduce(operator.add, chunks), whole)


def test_a_stream_is_read_as_it_is_asked_for() -> None:
    file = io.BytesIO(b"1. e4 e5 2. Nf3 Nc6 *\n\n" * 500_000)
    chunks = ox88.iter_pgn(file, chunk=1000, threads=2)
    assert len(next(chunks)) == 1000
    assert file.tell() < 4 * reading.BLOCK < len(file.getvalue())
    chunks.close()


@pytest.mark.parametrize("text", [b"{ ", b"1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 ", b"\xff", b"[", b"x\n"])
def test_each_game_that_does_not_end_is_given_up(text: bytes) -> None:
    longest, room, games = 1 << 14, 1 << 12, list[ox88.Games]()
    parts = ([b'[White "%c"]\n\n' % name, *[text * (room // len(text))] * 16, b"\n\n\n"] for name in b"abc")
    for chunk in split_into_chunks(iter([chain(*parts, [b'[White "after"]\n\n1. d4 d5 *\n'])]), longest):
        assert len(chunk.text) < longest + 2 * room
        if len(chunk.starts) > 1:
            games.append(reading.read_chunk(chunk, reading.TagNames(["White"])))
    assert [some.headers["White"].tolist() for some in games] == [["a"], ["b"], ["c"], ["after"]]
    assert [[error.reason for error in some.errors] for some in games] == [[_TOO_LONG]] * 3 + [[]]
    assert naive.moves_of(games[-1]) == [[1739, 2291]]


def test_a_file_that_breaks_off_between_games_ends_with_a_game_that_is_counted() -> None:
    def cut_off() -> Iterator[bytes]:
        yield b"1. e4 *\n\n"
        raise CutOffError

    chunks = [chunk for chunk in split_into_chunks(iter([cut_off(), iter([b"1. d4 *"])])) if len(chunk.starts) > 1]
    assert [(chunk.number, len(chunk.starts)) for chunk in chunks] == [(0, 2), (1, 2), (2, 2)]
