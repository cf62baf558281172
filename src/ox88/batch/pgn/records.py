"""Records of the PGN reader: a SPLITTER that finds games, a GAME for each, and a READER for the one being read."""

from typing import Final

import numpy as np

from ox88.bitboard.records import POSITION, UNDO

# Tags that the reader itself needs. Their columns come first, then those of the tags to keep.
FEN_TAG, VARIANT_TAG, RESULT_TAG = 0, 1, 2
OWN_TAGS: Final = ("FEN", "Variant", "Result")

# Kinds of annotations.
CLOCK, EVAL, TIME, DEPTH = map(np.int64, range(4))
ANNOTATIONS: Final = ("clocks", "evals", "times", "depths")

SPLITTER = np.dtype(
    [
        ("state", np.int64),  # Where the text that has been split ends: between games, in tags, in movetext ...
        ("count", np.int64),  # The number of games that end before that.
        ("line", np.int64),  # The line, from 0.
        ("start", np.int64),  # Where the last game begins.
        ("blanks", np.int64),  # Blank lines since the last tag or movetext.
        ("first_tag", np.int64),  # Where the name of the game's first tag begins and ends; -1 without a tag.
        ("first_tag_end", np.int64),
        ("in_comment", np.bool_),
        ("after_blank", np.bool_),  # True if the line before is blank.
    ],
    align=True,
)

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
        # For each kind of annotation, how many moves have values, or NaN. Those after them are not set.
        ("annotated", np.int64, len(ANNOTATIONS)),
    ],
    align=True,
)

# What is kept of each game: its number in the file, and fields of its GAME.
GAME_ROW = np.dtype([(name, np.int64) for name in ("number", "setup", "result", "tags", "error", "line")])
