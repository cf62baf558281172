"""Splits a PGN into the texts of its games, with the variations and comments that `read_pgn` leaves out."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ox88.batch.pgn.columns import decode
from ox88.batch.pgn.errors import CUT_OFF, TOO_LONG, describe_error
from ox88.batch.pgn.files import Source, read_texts
from ox88.batch.pgn.splitting import Chunk, split_into_chunks
from ox88.batch.pgn.usual_layout import HEAD, in_usual_layout

_BLOCK: Final = 1 << 20  # Bytes.


@dataclass(frozen=True, slots=True)
class GameText:
    r"""The text of a game in a PGN.

    Attributes:
        text: The tags and the movetext as python-chess reads them, in the layout of PGN's export format, without blank
            lines before and after. A line ends with "\n".
        line: The line of the file in which the text begins, from 1.
        file: The number of the file in a zip archive, from 1; else 1.
        error: Why the text is incomplete; empty if it is complete.
    """

    text: str
    line: int
    file: int = 1
    error: str = ""

    @property
    def tags(self) -> dict[str, str]:
        """The tags by name. If a tag is given twice, the last value counts. Malformed tags are left out."""
        return read_tags(self.text)


def split_games(pgn: Source) -> Iterator[GameText]:
    """Split a PGN into its games, exactly where `ox88.read_pgn` does; a broken game does not affect the others.

    Args:
        pgn: The text itself as a str or as bytes, the pathlib.Path of a file, or an open file. A file may be compressed
            with gzip, bzip2 or Zstandard, or be a zip archive. Each line of bytes is read as UTF-8, or as Latin-1 if it
            is not valid UTF-8.

    Returns:
        An iterator. It holds one block of the file in memory, or one game if that is longer. If a file ends too early,
        its last GameText has an error, and perhaps no text.

    Raises:
        Ox88Error: The file cannot be opened or read.
    """
    source = io.StringIO(pgn) if isinstance(pgn, str) else pgn
    for file, blocks in enumerate(read_texts(source, _BLOCK), 1):
        for chunk in split_into_chunks(iter([blocks])):
            yield from _games(chunk, file)


def read_tags(text: str) -> dict[str, str]:
    """The tags that a game's text begins with, by name; see `GameText.tags`."""
    tags: dict[str, str] = {}
    at = 0
    while at < len(text) and (found := HEAD.match(text, at)):
        at = found.end()
        if found["name"]:
            tags[found["name"]] = found["value"]
    return tags


def _games(chunk: Chunk, file: int) -> Iterator[GameText]:
    last = len(chunk.starts) - 2
    for number, (start, end, line) in enumerate(zip(chunk.starts, chunk.starts[1:], chunk.lines, strict=False)):
        text = in_usual_layout(_decode(chunk.text[start:end].tobytes()))
        error = ""
        if number == last and chunk.last_error == CUT_OFF:
            error = f"the file breaks off in line {chunk.lines[-1] + 1}"
        elif number == last and chunk.last_error == TOO_LONG:
            error = describe_error(TOO_LONG, "")
        if text or error:
            yield GameText(text, int(line) + 1, file, error)


def _decode(data: bytes) -> str:
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").strip().split(b"\n")
    return "\n".join(map(decode, lines))
