"""What bytes of a PGN mean: tables for kernels to look up."""

import functools
from typing import Any, Final

import numpy as np

from ox88.bitboard.records import make_record

# What a byte of the movetext can begin: before COMMENT stand moves and results. A MARK only ends what it begins.
NOTHING, PIECE, FILE, RANK, DASH, ZERO, CASTLING, NULL, DROP = range(9)
COMMENT, REST_OF_LINE, NAG, OPENING, STAR, NEWLINE, MARK = range(9, 16)
KINDS: Final = 16

CHARACTERS = np.dtype(
    [
        ("begins", np.uint8, 256),
        ("may_begin", np.uint8, KINDS * KINDS),  # Whether something begins, by what two bytes can begin.
        ("pieces", np.uint8, 256),  # The kind of a piece's letter, capital or small.
        ("ends_line", np.uint8, 256),  # Marks, not 0, of what ends a line,
        ("ends_text", np.uint8, 256),  # and what ends the text in a line of movetext, or a comment's line.
        ("ends_comment", np.uint8, 256),
        ("ends_plain", np.uint8, 256),  # What ends plain text in a comment: its end, or an annotation.
    ],
    align=True,
)

_BEGINNINGS: Final = {
    PIECE: "NBRQK",
    FILE: "abcdefgh",
    RANK: "12345678",
    DASH: "-x",
    ZERO: "0",
    CASTLING: "O",
    NULL: "Z",
    DROP: "@P",
    COMMENT: "{",
    REST_OF_LINE: ";",
    NAG: "$",
    OPENING: "(",
    STAR: "*",
    NEWLINE: "\n\r",
    MARK: "%/",
}
# What has to follow, so that there is something: 1-0 or 1e4, but not the 1 of a number. Without an entry, anything.
_FOLLOWING: Final = {
    NOTHING: (),
    PIECE: (FILE, RANK, DASH, DROP),
    FILE: (FILE, RANK, DASH),
    RANK: (FILE, DASH, MARK),
    DASH: (FILE, DASH),
    ZERO: (ZERO, DASH),
    CASTLING: (DASH,),
    NULL: (ZERO,),
    DROP: (FILE, DROP),
    NEWLINE: (MARK,),
    MARK: (),
}
_PIECE_LETTERS: Final = " PNBRQK"  # Indexed by kind.
_ENDS: Final = {"ends_line": "\n\r", "ends_text": "\n\r{;", "ends_comment": "\n\r}", "ends_plain": "}["}


@functools.cache
def characters() -> Any:
    """The CHARACTERS record, which no kernel writes to."""
    record = make_record(CHARACTERS)
    for kind, letters in _BEGINNINGS.items():
        _mark(record.begins, letters, kind)
    for kind in range(KINDS):
        for following in _FOLLOWING.get(kind, range(KINDS)):
            record.may_begin[kind * KINDS + following] = 1
    for kind, letter in enumerate(_PIECE_LETTERS[2:], 2):
        _mark(record.pieces, letter + letter.lower(), kind)
    for name, letters in _ENDS.items():
        _mark(record[name], letters, 1)
    return record


def _mark(table: Any, letters: str, value: int) -> None:
    table[[ord(letter) for letter in letters]] = value
