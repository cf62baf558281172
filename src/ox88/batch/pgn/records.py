"""The record of a game that is read, and the errors in it: codes that kernels set, and the messages for users."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ox88.batch.positions.fens import why_illegal
from ox88.batch.text.san_reader import AMBIGUOUS_MOVE, ILLEGAL_MOVE, NULL_MOVE_IN_CHECK, UNKNOWN_DROP

# Tags that the reader itself needs. Their columns come first, then those of the tags to keep.
FEN_TAG, VARIANT_TAG, RESULT_TAG = 0, 1, 2
OWN_TAGS: Final = ("FEN", "Variant", "Result")

# Kinds of annotations.
CLOCK, EVAL, TIME, DEPTH = map(np.int64, range(4))
ANNOTATIONS: Final = ("clocks", "evals", "times", "depths")

UNKNOWN, WHITE_WINS, BLACK_WINS, DRAW = 0, 1, 2, 3  # Results, in the order of RESULT_WORDS.

GAME = np.dtype(
    [
        ("number", np.int64),  # In the file, from 0.
        ("start", np.int64),  # Where its text begins and ends.
        ("end", np.int64),
        ("line", np.int64),  # The line of the file, from 0, where it begins, or where its error is.
        ("movetext", np.int64),  # Where its movetext begins.
        ("tags", np.int64),  # The number of its tags.
        ("setup", np.int64),  # The row of its first position in the setups; row 0 is the start position.
        ("first", np.int64),  # The row of its first move in the array of moves, and the number of its moves.
        ("length", np.int64),
        ("result", np.int64),
        ("error", np.int64),
        ("error_start", np.int64),  # Where the text with the error begins and ends.
        ("error_end", np.int64),
    ],
    align=True,
)

# What is kept of the GAME of each game that was read. Start and end are those in its file, unpacked, and without
# what stands between games.
_KEPT: Final = ("number", "start", "end", "setup", "result", "tags", "error", "line")
GAME_ROW = np.dtype([(name, np.int64) for name in (*_KEPT, "file")])  # file: its row in the files of GameArrays, or -1.


# --- Errors -----------------------------------------------------------------------------------------------------------


# Typed, so that a kernel that takes one has a single signature.
NO_ERROR, BAD_TAG, OPEN_VARIATION, OPEN_COMMENT = (np.int64(error) for error in range(4))
LAST_HARMLESS = OPEN_COMMENT  # The last error that loses no moves.
NOTHING_READ = np.int64(4)  # 5 to 8 are errors in a move.
ILLEGAL_FEN, OTHER_VARIANT, TOO_LONG, CUT_OFF, PARTED, NO_SAN, HALF_MOVE, EARLY_VARIATION, NO_MOVE_WORD = (
    np.int64(error) for error in range(9, 18)
)
NO_CHESS: Final = (NOTHING_READ, ILLEGAL_FEN, OTHER_VARIANT)  # Games without a first position.

# Bytes. The rest of a longer game is skipped, so that memory stays bounded.
LONGEST_GAME: Final = 1 << 24

_SHOWN: Final = 100  # Characters of a text that an error quotes.

_MESSAGES: Final = {
    BAD_TAG: '{text!r} is not a tag: [Name "value"] is expected',
    OPEN_VARIATION: "a variation is not closed",
    OPEN_COMMENT: "a comment is not closed",
    NOTHING_READ: "the game has no tag, move or result",
    ILLEGAL_MOVE: "{text!r} is not a legal move",
    AMBIGUOUS_MOVE: "{text!r} fits more than one legal move",
    NULL_MOVE_IN_CHECK: "{text!r} is a null move, which is illegal in check",
    UNKNOWN_DROP: "{text!r} drops a piece, which is not a move in chess",
    ILLEGAL_FEN: "the FEN {text!r} is not a legal position: {why}",
    OTHER_VARIANT: "the variant {text!r} is not chess",
    TOO_LONG: f"the game is longer than {LONGEST_GAME >> 20} MB and is read no further",
    NO_SAN: "{text!r} is not a move in PGN, where the pieces are K, Q, R, B and N; read_pgn(letters=) reads others",
    NO_MOVE_WORD: "{text!r} is not a move",
    HALF_MOVE: "the game ends within a move: {text!r}",
    EARLY_VARIATION: "a variation begins before the first move of another one",
    PARTED: "the game has moves and no tags, and the game before it tags and no moves: are they one game?",
    CUT_OFF: "the compressed file ends within the game",
}


@dataclass(frozen=True, slots=True)
class GameError:
    """An error in a game. The moves before the error are kept. As a text it counts games from 1.

    Attributes:
        number: The number of the game in the file, from 0, as in `Games.numbers`.
        line: The line in the file, from 1.
        reason: A description of the error.
        file: The name of the file if several were read, else "".
    """

    number: int
    line: int
    reason: str
    file: str = ""

    def __str__(self) -> str:
        place = f"{self.file}: " if self.file else ""
        return f"{place}game {self.number + 1}, line {self.line}: {self.reason}"


def describe_error(error: np.int64, text: str) -> str:
    """The message for an error code. text: the part of the game that is wrong."""
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    why = why_illegal(text).removeprefix("illegal position: ") if error == ILLEGAL_FEN else ""
    return _MESSAGES[error].format(text=shown, why=why)
