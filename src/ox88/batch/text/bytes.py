"""The bytes of a text: what each byte can begin in movetext, and where lines end."""

import codecs
import functools
import string
from typing import Any, Final

import numpy as np

from ox88.bitboard.records import make_record
from ox88.jit import kernel
from ox88.types import BISHOP, KING, KNIGHT, QUEEN, ROOK

# Bytes after a text. Kernels may read them, so they need not check for the end of the text within a token.
PADDING: Final = 16

LINE_FEED, RETURN, QUOTE, PERCENT, SEMICOLON, BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE, MINUS = map(
    ord, '\n\r"%;[]{}-'
)
BACKSLASH: Final = ord("\\")

# What a byte of the movetext can begin. Those before WORD begin moves and results, WORD is any other letter.
NOTHING, PIECE, SYMBOL, FILE, RANK, DASH, ZERO, CASTLING, NULL, DROP, WORD = range(11)
COMMENT, REST_OF_LINE, NAG, OPENING, RESULT, NEWLINE = range(11, 17)

CHARACTERS = np.dtype(
    [
        ("begins", np.uint8, 256),  # What each byte can begin.
        ("pieces", np.uint8, 256),  # The kind of piece that a letter stands for, capital or small; 0 for none.
        # 1 for bytes at which a search ends: in any line, in a tag's value, in movetext, in a line of a comment, or for
        # a command in one.
        ("ends_line", np.uint8, 256),
        ("ends_value", np.uint8, 256),
        ("ends_text", np.uint8, 256),
        ("ends_comment", np.uint8, 256),
        ("ends_plain", np.uint8, 256),
    ],
    align=True,
)

_FILES: Final = "abcdefgh"
# By language, the letters of king, queen, rook, bishop and knight.
PIECE_LETTERS: Final = {
    "English": "KQRBN",
    "German": "KDTLS",
    "French": "RDTFC",
    "Spanish": "RDTAC",
    "Dutch": "KDTLP",
    "Italian": "RDTAC",
}
_BEGINNINGS: Final = {
    WORD: string.ascii_letters,
    FILE: _FILES,
    RANK: "12345678",
    DASH: "-x",
    ZERO: "0",
    CASTLING: "Oo",
    NULL: "Z",
    DROP: "@P",
    COMMENT: "{",
    REST_OF_LINE: ";",
    NAG: "$",
    OPENING: "(",
    RESULT: "*½",  # ½ as in Latin-1.
    NEWLINE: "\n\r",
}
_PIECES: Final = (KING, QUEEN, ROOK, BISHOP, KNIGHT)
HALF_BYTE: Final = 0xC2  # In UTF-8 this begins ½, and a no-break space.
SYMBOL_BYTE: Final = 0xE2  # In UTF-8 this begins chess symbols, and dashes.
_ENDS: Final = {
    "ends_line": "\n\r",
    "ends_value": '\n\r"',
    "ends_text": "\n\r{;[",
    "ends_comment": "\n\r}",
    "ends_plain": "}[",
}
_BYTE_ORDER_MARK = np.frombuffer(codecs.BOM_UTF8, np.uint8)
BYTE_ORDER_MARK: Final = codecs.BOM_UTF8[0]


@functools.cache
def characters(language: str = "English") -> Any:
    """The CHARACTERS record, which no kernel writes to. language: one of PIECE_LETTERS."""
    record = make_record(CHARACTERS)
    letters = PIECE_LETTERS[language]
    record.begins[0xC0:] = WORD
    record.begins[[HALF_BYTE, SYMBOL_BYTE]] = RESULT, SYMBOL
    for kind, some in (*_BEGINNINGS.items(), (PIECE, letters)):
        _mark(record.begins, some, kind)
    for kind, letter in zip(_PIECES, letters, strict=True):
        _mark(record.pieces, letter, kind)
        if language == "English" or letter.lower() not in _FILES:  # b of bxc3 is no bishop, but b of a8=b is one.
            _mark(record.pieces, letter.lower(), kind)
    for name, some in _ENDS.items():
        _mark(record[name], some, 1)
    return record


def _mark(table: Any, letters: str, value: int) -> None:
    table[[ord(letter) for letter in letters]] = value


# --- Lines ------------------------------------------------------------------------------------------------------------


@kernel
def byte_at(text, place):
    """A byte of the text. The index is unsigned: a signed one costs a test, since it may count from the end."""
    return text[np.uint64(place)]


@kernel
def begins_with(text, at, word):
    """True if the bytes of `word` stand at a place in the text."""
    same = np.int64(0)
    while same < len(word) and byte_at(text, at + same) == word[same]:
        same += 1
    return same == len(word)


@kernel
def dash_length(text, at):
    """The bytes of a hyphen or dash: of ASCII, UTF-8 (U+2010 to U+2015, U+2212) or Windows-1252; 0 if there is none."""
    byte = byte_at(text, at)
    if byte == MINUS or byte in (0x96, 0x97):
        return np.int64(1)
    if byte != SYMBOL_BYTE:
        return np.int64(0)
    second, third = byte_at(text, at + 1), byte_at(text, at + 2)
    return np.int64(3 if (second == 0x80 and 0x90 <= third <= 0x95) or (second == 0x88 and third == 0x92) else 0)


@kernel
def is_space(byte):
    """True for the white space of ASCII, as in Python's str.isspace."""
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31


@kernel
def is_newline(byte):
    return byte in (LINE_FEED, RETURN)


@kernel
def find_mark(text, at, end, marks):
    """Where the first marked byte is, or the end. Four bytes are tested at once, since few are marked.

    Which of the four is marked is counted, since a branch on it would mostly be mispredicted.
    """
    while at + 4 <= end:
        first = marks[byte_at(text, at)]
        second = first | marks[byte_at(text, at + 1)]
        third = second | marks[byte_at(text, at + 2)]
        if third | marks[byte_at(text, at + 3)] != 0:
            return at + np.int64(first == 0) + np.int64(second == 0) + np.int64(third == 0)
        at += 4
    while at < end and marks[byte_at(text, at)] == 0:
        at += 1
    return at


@kernel
def line_end(text, at, end, characters):
    """Where the line ends: its newline, or the end of the text."""
    return find_mark(text, at, end, characters.ends_line)


@kernel
def after_newline(text, at, end):
    """Where the next line begins. at: where the newline is."""
    if at + 1 < end and byte_at(text, at) == RETURN and byte_at(text, at + 1) == LINE_FEED:
        return at + 2
    return at + 1


@kernel
def count_lines(text, begin, end):
    """The number of lines that end between two bytes."""
    count = np.int64(0)
    while begin < end:
        if is_newline(byte_at(text, begin)):
            count += 1
            begin = after_newline(text, begin, end)
        else:
            begin += 1
    return count


@kernel
def after_space(text, at, end):
    """Where white space ends, which may go over several lines."""
    while at < end and is_space(byte_at(text, at)):
        at += 1
    return at


@kernel
def after_indent(text, at, end):
    """Where the white space ends that begins a line: at its text, or at its end."""
    while at < end and is_space(byte_at(text, at)) and not is_newline(byte_at(text, at)):
        at += 1
    return at


@kernel
def is_remark(text, first, line):
    """True if the rest of a line is ignored: ; begins a comment, % at its very beginning escapes it.

    first: where the text begins in the line. line: where the line begins; -1 if other text is before it in the line.
    """
    byte = byte_at(text, first)
    return byte == SEMICOLON or (byte == PERCENT and first == line)


@kernel
def after_byte_order_marks(text, at, end):
    while at + 3 <= end and begins_with(text, at, _BYTE_ORDER_MARK):
        at += 3
    return at
