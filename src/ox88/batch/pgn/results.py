"""The result of a game: the kernels that read it. Any dash may stand in it, and ½ or 0.5 for 1/2."""

import numpy as np

from ox88.batch.pgn.words import RESULT_WORDS
from ox88.batch.text.bytes import HALF_BYTE, byte_at, dash_length, is_space
from ox88.jit import kernel

UNKNOWN, WHITE_WINS, BLACK_WINS, DRAW = 0, 1, 2, 3
RESULT_LENGTHS = np.array([len(word) for word in RESULT_WORDS])
RESULT_BYTES = np.array([list(word.ljust(7).encode()) for word in RESULT_WORDS], np.uint8)

STAR, ZERO, ONE, TWO, FIVE, SLASH, POINT, HALF = map(ord, "*0125/.½")  # ½ as in Latin-1.
LONGEST_RESULT = 9  # Bytes, of 1/2-1/2 with a dash of UTF-8.


@kernel
def result_at(text, at):
    """(result, length) of the token 1-0, 0-1, 1/2-1/2 or * at `at`; (UNKNOWN, 0) if there is none."""
    if byte_at(text, at) == STAR:
        return UNKNOWN, np.int64(1)
    white, dash = score_at(text, at)
    black, end = score_at(text, dash + dash_length(text, dash))
    if white + black != 2 or dash_length(text, dash) == 0:
        return UNKNOWN, np.int64(0)
    return BLACK_WINS if white == 0 else WHITE_WINS if white == 2 else DRAW, end - at


@kernel
def score_at(text, at):
    """(twice a side's score, where it ends): 0, 1/2, ½, 0.5 or 1 at `at`; (-1, at) if there is none."""
    byte = byte_at(text, at)
    if byte == ZERO:
        is_half = byte_at(text, at + 1) == POINT and byte_at(text, at + 2) == FIVE
        return (np.int64(1), at + 3) if is_half else (np.int64(0), at + 1)
    if byte == ONE:
        is_half = byte_at(text, at + 1) == SLASH and byte_at(text, at + 2) == TWO
        return (np.int64(1), at + 3) if is_half else (np.int64(2), at + 1)
    half = at + 1 if byte == HALF_BYTE else at
    return (np.int64(1), half + 1) if byte_at(text, half) == HALF else (np.int64(-1), at)


@kernel
def ends_with_result(text, start, at):
    """True if the last word before `at` ends with a result."""
    while at > start and is_space(byte_at(text, at - 1)):
        at -= 1
    for length in range(1, LONGEST_RESULT + 1):
        if at - length >= start and result_at(text, at - length)[1] == length:
            return True
    return False
