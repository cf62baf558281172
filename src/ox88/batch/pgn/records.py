"""Records of the PGN reader: a GAME for each game, and a READER for the one being read."""

from typing import Final

import numpy as np

from ox88.bitboard.records import POSITION, UNDO

# Bytes after a text. Kernels may read them, so they need not check for the end of the text within a token.
PADDING: Final = 16

# Tags that the reader itself needs. Their columns come first, then those of the tags to keep.
FEN_TAG, VARIANT_TAG, RESULT_TAG = 0, 1, 2
OWN_TAGS: Final = ("FEN", "Variant", "Result")

# Kinds of annotations.
CLOCK, EVAL, TIME, DEPTH = map(np.int64, range(4))
ANNOTATIONS: Final = ("clocks", "evals", "times", "depths")

UNKNOWN, WHITE_WINS, BLACK_WINS, DRAW = 0, 1, 2, 3  # Results.
RESULT_WORDS: Final = ("*", "1-0", "0-1", "1/2-1/2")
RESULT_LENGTHS = np.array([len(word) for word in RESULT_WORDS])
RESULT_BYTES = np.array([list(word.ljust(7).encode()) for word in RESULT_WORDS], np.uint8)

GAME = np.dtype(
    [
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

READER = np.dtype(
    [
        ("position", POSITION),
        ("undo", UNDO),
        ("found_result", np.int64),  # 1 if the movetext has a result.
        # For each kind of annotation, in order, how many moves have values, or NaN.
        *((name, np.int64) for name in ANNOTATIONS),
    ],
    align=True,
)

# What is kept of each game: its number in the file, and fields of its GAME.
GAME_ROW = np.dtype([(name, np.int64) for name in ("number", "setup", "result", "tags", "error", "line")])
