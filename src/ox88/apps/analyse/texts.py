"""The games of PGN files as texts, one at a time, whatever the files' size."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ox88.batch.pgn.files import Source, read_texts
from ox88.batch.pgn.pieces import LONGEST_GAME, Piece, cut_into_pieces
from ox88.batch.pgn.records import CUT_OFF, TOO_LONG

_BLOCK: Final = 1 << 20  # Bytes.


@dataclass(frozen=True, slots=True)
class GameText:
    """A game as it stands in a file. line: of its beginning, from 1."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Damage:
    """A file of which something cannot be read."""

    file: str
    reason: str


def read_games(paths: Iterable[Path]) -> Iterator[GameText | Damage]:
    """The games of some files, in their order; where a file breaks off, its games until there, and a Damage.

    Raises Ox88Error for a file of which nothing can be read.
    """
    for path in paths:
        name = os.fsencode(path).decode("utf-8", "replace")  # It may have any bytes, and shall be written anywhere.
        yield from read_source(path, name)


def read_source(source: Source, name: str) -> Iterator[GameText | Damage]:
    """The games of a path or an open file, which errors call by a name."""
    for number, text in enumerate(read_texts(source, _BLOCK), 1):
        file = name if number == 1 else f"{name} (file {number})"
        for piece in cut_into_pieces(iter([text])):
            yield from _games(file, piece)


def _games(file: str, piece: Piece) -> Iterator[GameText | Damage]:
    for start, end, line in zip(piece.starts, piece.starts[1:], piece.lines, strict=False):
        text = _decode(piece.text[start:end].tobytes())
        if text:
            yield GameText(file, int(line) + 1, text)
    if piece.last_fault == CUT_OFF:
        yield Damage(file, f"it breaks off in line {piece.lines[-1] + 1}")
    if piece.last_fault == TOO_LONG:
        yield Damage(file, f"a game is longer than {LONGEST_GAME >> 20} MB; it is read no further")


def _decode(data: bytes) -> str:
    """PGN is UTF-8 in most files, and Latin-1 by its standard; some files mix them. Lines end with a line feed."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").strip().split(b"\n")
    return "\n".join(map(_decode_line, lines))


def _decode_line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")
