"""PGN files, plain or packed, cut into the texts of their games: one at a time, whatever the files' size."""

import bz2
import codecs
import contextlib
import gzip
import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, TextIO, cast

import chess.pgn

from ox88.types import Ox88Error

LONGEST_LINE: Final = 1 << 20  # Letters; what is longer is no PGN, and is cut.
LONGEST_GAME: Final = 1 << 24  # Letters; likewise.
_FIRST_TAG: Final = '[Event "'
_ENDINGS: Final = (".pgn", ".txt")  # Of files in an archive.
_BROKEN: Final = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError, NotImplementedError)


@dataclass(frozen=True, slots=True)
class GameText:
    """A game as it stands in a file. file: its name, and that in an archive. line: of its beginning, from 1."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Damage:
    """A file that cannot be read to its end."""

    file: str
    reason: str


def read_games(paths: Iterable[Path]) -> Iterator[GameText | Damage]:
    """The games of some files, in their order; where a file breaks off, its games until there, and a Damage.

    Raises Ox88Error for a file that cannot be opened, or an archive without a PGN file.
    """
    for path in paths:
        try:
            for name, stream in _open(path):
                yield from _split(name, stream)
        except _BROKEN as error:
            raise Ox88Error(f"{path} cannot be read: {_reason(error)}") from None


def _open(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The files that a path holds, by name: itself, or those of an archive. Its first bytes tell which."""
    with path.open("rb") as file:
        start = file.read(4)
        file.seek(0)
        if start.startswith(b"PK\3\4"):
            yield from _open_archive(path, file)
            return
        opener = next((opener for magic, opener in _PACKED.items() if start.startswith(magic)), None)
        yield _name(path), file if opener is None else opener(file)


def _name(path: Path) -> str:
    """The file's name, whatever bytes it has, as text that can be written anywhere."""
    return os.fsencode(path).decode("utf-8", "replace")


def _open_zstandard(file: IO[bytes]) -> IO[bytes]:
    try:
        import zstandard
    except ImportError:
        raise Ox88Error("files packed by Zstandard need the package zstandard: pip install 'ox88[data]'") from None
    return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True))


_PACKED: Final[Mapping[bytes, Callable[[IO[bytes]], Any]]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\x28\xb5\x2f\xfd": _open_zstandard,
}


def _open_archive(path: Path, file: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(_ENDINGS)]
        if not names:
            raise Ox88Error(f"{path} holds no file {' or '.join(_ENDINGS)}")
        for name in names:
            with archive.open(name) as stream:
                yield f"{_name(path)}/{name}", stream


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _split(file: str, stream: IO[bytes]) -> Iterator[GameText | Damage]:
    lines = _Lines(stream)
    try:
        yield from _games(file, lines)
    except _BROKEN as error:
        text = lines.take()
        if text:
            yield GameText(file, lines.first, text)
        yield Damage(file, f"it breaks off after line {lines.number}: {_reason(error)}")
    finally:
        lines.close()


def _games(file: str, lines: "_Lines") -> Iterator[GameText]:
    while not lines.is_at_end:
        is_game = chess.pgn.read_game(cast(TextIO, lines), Visitor=chess.pgn.SkipVisitor)
        text = lines.take()
        if is_game:
            yield GameText(file, lines.first, text)


class _Lines:
    """What python-chess reads from: it keeps the lines of a game, and lets a game end where the next one begins.

    So neither a comment that is never closed, nor a missing empty line, costs the games that follow.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = _as_text(stream)
        self._held = ""  # The first line of the next game.
        self._kept: list[str] = []
        self._size = 0
        self._is_past_tags = False
        self.number = 0  # Of the line that was read last, from 1.
        self.first = 0  # Where the game begins.
        self.is_at_end = False

    def readline(self) -> str:
        line = self._held or self._read()
        self._held = ""
        if self._size > LONGEST_GAME or (self._is_past_tags and line.startswith(_FIRST_TAG)):
            self._held = line
            return ""
        self._keep(line)
        return line

    def close(self) -> None:
        """Close the stream too."""
        with contextlib.suppress(*_BROKEN):
            self._stream.close()

    def _read(self) -> str:
        line = self._stream.readline(LONGEST_LINE)
        self.is_at_end = not line
        self.number += bool(line)
        return _decode(line).removeprefix("\ufeff") if self.number == 1 else _decode(line)

    def _keep(self, line: str) -> None:
        if not self._kept:
            if not line.strip():
                return
            self.first = self.number
        self._kept.append(line)
        self._size += len(line)
        self._is_past_tags |= not line.startswith(("[", "%", ";"))

    def take(self) -> str:
        """The game that has been read; begin another."""
        text = "".join(self._kept).strip("\n ")
        self._kept.clear()
        self._size, self._is_past_tags = 0, False
        return text


def _as_text(stream: IO[bytes]) -> io.TextIOWrapper:
    """Latin-1 takes any byte, and gives it back; what it is meant to be is decided line by line."""
    buffered = io.BufferedReader(cast(io.RawIOBase, stream))
    is_wide = buffered.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    return io.TextIOWrapper(buffered, encoding="utf-16" if is_wide else "latin-1", errors="replace")


def _decode(line: str) -> str:
    """PGN is Latin-1 by its standard, and UTF-8 in most files."""
    if line.isascii():
        return line
    try:
        return line.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return line
