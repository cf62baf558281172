"""Kernels that read commands in comments: [%clk], the clock, and [%eval], the evaluation of a move."""

import numpy as np

from ox88.batch.pgn.text import CLOSING_BRACKET, begins_with, byte_at, is_space
from ox88.jit import kernel

MATE = 10_000.0  # Mate in n is MATE - n pawns for the side that mates.
HIGHEST = 9_000.0  # The limit of other evaluations, in pawns.
LONGEST_MATE = 999
LONGEST_CLOCK = 1e12  # Seconds, some 30,000 years; a longer time is not read.
MOST_DIGITS = 15  # After a point; a float64 holds no more.
LARGEST = 10**MOST_DIGITS

MINUS, PLUS, POINT, COLON, COMMA, HASH = map(ord, "-+.:,#")
_CLOCK, _EVAL = np.frombuffer(b"[%clk", np.uint8), np.frombuffer(b"[%eval", np.uint8)


@kernel
def is_digit(byte):
    return 48 <= byte <= 57


@kernel
def read_digits(text, at):
    """(the number that begins at `at`, at most LARGEST; where it ends)."""
    value = np.int64(0)
    while is_digit(byte_at(text, at)):
        value = min(value * 10 + np.int64(byte_at(text, at)) - 48, LARGEST)
        at += 1
    return value, at


@kernel
def read_fraction(text, at):
    """(the digits after a decimal point, what to divide them by, where they end); (0, 1, at) if there is no point."""
    digits = np.int64(0)
    scale = np.int64(1)
    if byte_at(text, at) != POINT:
        return digits, scale, at
    at += 1
    while is_digit(byte_at(text, at)):
        if scale < LARGEST:
            digits = digits * 10 + np.int64(byte_at(text, at)) - 48
            scale *= 10
        at += 1
    return digits, scale, at


# --- Clocks -----------------------------------------------------------------------------------------------------------


@kernel
def read_clock(text, at):
    """(seconds, where the command ends) of `[%clk 1:23:45.6]` at `at`; (NaN, the next byte) if there is none."""
    if not (begins_with(text, at, _CLOCK) and is_space(byte_at(text, at + 5))):
        return np.nan, at + 1
    hours, colon = read_digits(text, at + 6)
    minutes, second_colon = read_digits(text, colon + 1)
    seconds, end = read_digits(text, second_colon + 1)
    is_whole = colon > at + 6 and second_colon > colon + 1 and end > second_colon + 1
    if not (is_whole and byte_at(text, colon) == COLON and byte_at(text, second_colon) == COLON):
        return np.nan, at + 1
    digits, scale, end = read_fraction(text, end)
    clock = np.float64(hours * 3600 + minutes * 60) + (np.float64(seconds) + np.float64(digits) / np.float64(scale))
    if byte_at(text, end) != CLOSING_BRACKET or clock >= LONGEST_CLOCK:
        return np.nan, at + 1
    return clock, end + 1


# --- Evaluations ------------------------------------------------------------------------------------------------------


@kernel
def read_eval(text, at, mover_is_white):
    """(pawns for White, where the command ends) of `[%eval 0.12,20]` at `at`; (NaN, the next byte) if there is none.

    `#-3` is mate in 3 for Black; `#0` is checkmate by the side that has moved.
    """
    if not (begins_with(text, at, _EVAL) and is_space(byte_at(text, at + 6))):
        return np.nan, at + 1
    is_mate = byte_at(text, at + 7) == HASH
    sign_at = at + 8 if is_mate else at + 7
    is_negative = byte_at(text, sign_at) == MINUS
    number = sign_at + 1 if is_negative or byte_at(text, sign_at) == PLUS else sign_at
    if is_mate:
        moves, end = read_digits(text, number)
        value = MATE - np.float64(min(moves, LONGEST_MATE))
        if moves == 0:
            is_negative = not mover_is_white
        is_whole = end > number
    else:
        value, end, is_whole = _read_pawns(text, number)
    if byte_at(text, end) == COMMA and is_digit(byte_at(text, end + 1)):
        _, end = read_digits(text, end + 1)  # The depth of the search.
    if not is_whole or byte_at(text, end) != CLOSING_BRACKET:
        return np.nan, at + 1
    return -value if is_negative else value, end + 1


@kernel
def _read_pawns(text, at):
    """(pawns, at most HIGHEST; where they end; False if more than ten digits, more than two after a point, or none)."""
    whole, end = read_digits(text, at)
    count = end - at
    digits, scale, end = read_fraction(text, end)
    pawns = (np.float64(whole) * np.float64(scale) + np.float64(digits)) / np.float64(scale)
    return min(pawns, HIGHEST), end, count <= 10 and scale <= 100 and (count > 0 or scale > 1)
