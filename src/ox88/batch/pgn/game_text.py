"""Splits a PGN into the texts of its games, with the variations and comments that `read_pgn` leaves out.

A text is written as python-chess reads it, whatever layout, dashes and chess symbols the file has.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ox88.batch.pgn.arrays import decode
from ox88.batch.pgn.files import Source, name_of, read_texts
from ox88.batch.pgn.records import CUT_OFF, TOO_LONG, describe_error
from ox88.batch.pgn.splitting import Chunk, split_into_chunks
from ox88.batch.pgn.words import CHESS960, DASH, RESULT, usual_result
from ox88.errors import Ox88Error

_BLOCK: Final = 1 << 20  # Bytes.


@dataclass(frozen=True, slots=True)
class GameText:
    r"""The text of a game in a PGN.

    Attributes:
        text: The tags and the movetext as python-chess reads them, in the layout of PGN's export format, or as the file
            has them; without blank lines before and after. A line ends with "\n".
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


def split_games(pgn: Source, *, as_written: bool = False) -> Iterator[GameText]:
    """Split a PGN into its games, exactly where `ox88.read_pgn` does; a broken game does not affect the others.

    Args:
        pgn: The text itself as a str or as bytes, the pathlib.Path of a file, or an open file. A file may be compressed
            with gzip, bzip2 or Zstandard, or be a zip archive. Each line of bytes is read as UTF-8, or as Latin-1 if it
            is not valid UTF-8.
        as_written: True to leave the texts as the file has them; False to write them as python-chess reads them.

    Returns:
        An iterator. It holds one block of the file in memory, or one game if that is longer. If a file ends too early,
        its last GameText has an error, and perhaps no text.

    Raises:
        Ox88Error: The file cannot be opened or read.
    """
    source = io.StringIO(pgn) if isinstance(pgn, str) else pgn
    for file, blocks in enumerate(read_texts(source, _BLOCK), 1):
        for chunk in split_into_chunks(iter([blocks])):
            yield from _games(chunk, file, as_written)


def read_text(source: Source, number: int) -> str:
    """The text of the game with a number in a file, from 0, as python-chess reads it. Raises Ox88Error."""
    for chunk in split_into_chunks(read_texts(source, _BLOCK)):
        row = number - chunk.number
        if row < len(chunk.starts) - 1:
            return in_usual_layout(_decode(chunk.text[chunk.starts[row] : chunk.starts[row + 1]].tobytes()))
    raise Ox88Error(f"there is no game {number + 1} in {name_of(source)}")


def read_tags(text: str) -> dict[str, str]:
    """The tags that a game's text begins with, by name; see `GameText.tags`."""
    tags: dict[str, str] = {}
    at = 0
    while at < len(text) and (found := HEAD.match(text, at)):
        at = found.end()
        if found["name"]:
            tags[found["name"]] = found["value"]
    return tags


def _games(chunk: Chunk, file: int, as_written: bool) -> Iterator[GameText]:
    last = len(chunk.starts) - 2
    for number, (start, end, line) in enumerate(zip(chunk.starts, chunk.starts[1:], chunk.lines, strict=False)):
        text = _decode(chunk.text[start:end].tobytes())
        if not as_written:
            text = in_usual_layout(text)
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


# --- Layout -----------------------------------------------------------------------------------------------------------


_SPACE: Final = r"[\t-\r\x1c-\x1f ]*"
_INDENT: Final = r"[\t\v\f\x1c-\x1f ]*"
_NAME: Final = "[A-Za-z0-9][A-Za-z0-9_+#=:-]*"
_END: Final = rf'"{_SPACE}\]'
# As `tag_closing`: the first end whose quote has no backslash, else the first.
_VALUE: Final = rf"(?:[^\n\\]|\\[^\n])*?(?={_END})|[^\n]*?"
_TAG: Final = rf'\[{_SPACE}(?P<name>{_NAME}){_SPACE}"(?P<value>{_VALUE}){_END}'
# What may stand before movetext: a tag, a line with a bracket that begins none, a comment, an ignored line, a newline.
HEAD: Final = re.compile(
    rf"(?:^\ufeff*)?{_INDENT}(?:{_TAG}"
    r"|(?P<bracket>\[[^\n]*)|(?P<comment>\{[^}]*\})|;[^\n]*|\n)|^%[^\n]*",
    re.MULTILINE,
)
_USUAL_HEAD: Final = re.compile(
    rf'(?:\[{_NAME}[\t ]+"(?:(?!"{_SPACE}\])[^\n])*"\][\t ]*(?:\n|\Z)'
    rf"|(?!{_TAG})[\[%;][^\n]*(?:\n|\Z)|\n(?!{_INDENT}\n))*"
)
# What changes in movetext, and comments, in which nothing does.
_ODD: Final = re.compile(
    rf"(?P<comment>\{{[^}}]*\}}?|;[^\n]*|^%[^\n]*)|(?P<blank>^{_INDENT}\n)|(?P<symbol>[\u2654-\u265f])[\ufe0e\ufe0f]?"
    rf"|(?P<castling>(?P<letter>[Oo0]){DASH}(?P=letter)(?:{DASH}(?P=letter))?)"
    rf"|{RESULT}",
    re.MULTILINE,
)
_SYMBOLS: Final = "KQRBNP"
_OTHER_CHESS: Final = {"": "Standard", "standard chess": "Standard", "fromposition": "From Position"}


def in_usual_layout(text: str) -> str:
    """A game with each tag in a line of its own and without blank lines in its movetext. A line ends with a line feed.

    Lines keep their numbers, unless tags share a line.
    """
    usual = _USUAL_HEAD.match(text)
    begin = usual.end() if usual else 0
    tags, comments, at, last_tag = [], [], 0, 0
    while at < len(text) and (found := HEAD.match(text, at)):
        at = found.end()
        if found["name"] or found["bracket"]:
            last_tag = at
        if found["name"]:
            value, lower = found["value"], found["value"].lower()
            if found["name"] == "Variant":  # python-chess does not know all names of chess and Chess960.
                value = "Chess960" if lower in CHESS960 else _OTHER_CHESS.get(lower, value)
            tags.append(f'[{found["name"]} "{value}"]')
        elif found["bracket"]:
            tags.append(found["bracket"])
        elif found["comment"]:
            comments.append(found["comment"])
    is_usual = at <= begin or (last_tag <= begin and text[begin] == "{")
    if is_usual and not any(tag.startswith("[Variant ") and tag not in text for tag in tags):
        head = text[:begin]
    else:
        begin = at
        lines = [*tags, "", *comments]
        spare = text.count("\n", 0, at) - sum(line.count("\n") + 1 for line in lines)
        head = "\n".join([*tags, *["%"] * spare, "", *comments, ""])
    return (head + _ODD.sub(_usual, text[begin:])).rstrip("\n")


def _usual(odd: re.Match[str]) -> str:
    if odd["blank"]:
        return "%\n"  # python-chess passes over such a line.
    if odd["symbol"]:
        return _SYMBOLS[(ord(odd["symbol"]) - ord("\u2654")) % len(_SYMBOLS)]
    if odd["castling"]:
        if odd["castling"] in ("0-0", "0-0-0"):
            return odd["castling"]
        return "-".join("O" * ((len(odd["castling"]) + 1) // 2))
    return usual_result(odd[0])
