"""What the kernels of the PGN reader pass around: a GAME for each game, and a READER for the one being read."""

from typing import Final

import numpy as np

from ox88.bitboard.records import POSITION, UNDO

# Bytes behind a text that kernels may look at, so that they need not ask for its end within a token.
PADDING: Final = 16

# Tags that say how a game is to be read; their columns come first, then those that somebody has asked for.
FEN_TAG, VARIANT_TAG, RESULT_TAG = 0, 1, 2
OWN_TAGS: Final = ("FEN", "Variant", "Result")

UNKNOWN, WHITE_WINS, BLACK_WINS, DRAW = 0, 1, 2, 3  # Results.
RESULT_WORDS: Final = ("*", "1-0", "0-1", "1/2-1/2")

# What can be wrong with a game; errors.py has the words. Typed, so that a kernel which takes them has one signature.
NO_FAULT, BAD_TAG, OPEN_VARIATION, OPEN_COMMENT = (np.int64(fault) for fault in range(4))
LAST_HARMLESS = OPEN_COMMENT  # Up to here the moves are whole.
(
    NOTHING_READ,
    ILLEGAL_MOVE,
    AMBIGUOUS_MOVE,
    NULL_MOVE_IN_CHECK,
    UNKNOWN_DROP,
    ILLEGAL_FEN,
    OTHER_VARIANT,
    TOO_LONG,
    CUT_OFF,
) = (np.int64(fault) for fault in range(4, 13))

GAME = np.dtype(
    [
        ("start", np.int64),  # Where its text begins and ends.
        ("end", np.int64),
        ("line", np.int64),  # Where it begins in the file, or where it is at fault; the first line is 0.
        ("movetext", np.int64),  # Where its tags are over.
        ("tags", np.int64),  # How many it has.
        ("setup", np.int64),  # The row of its first position; 0 is the usual one.
        ("first", np.int64),  # Its moves: from here on, so many.
        ("length", np.int64),
        ("result", np.int64),
        ("fault", np.int64),
        ("fault_from", np.int64),  # The text at fault.
        ("fault_to", np.int64),
    ],
    align=True,
)

READER = np.dtype(
    [
        ("position", POSITION),
        ("undo", UNDO),
        ("found_result", np.int64),  # Whether the movetext has given one.
        ("clock_count", np.int64),
        ("eval_count", np.int64),
    ],
    align=True,
)
