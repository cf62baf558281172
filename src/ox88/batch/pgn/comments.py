"""What comments say in brackets: the clock and the evaluation of a move."""

import numpy as np

from ox88.batch.pgn.lines import is_space
from ox88.jit import kernel

MATE = 10_000.0  # Mate in n is this less n, for the side that mates.
HIGHEST = 9_000.0  # What is not mate counts at most this much.
LONGEST_MATE = 999
LONGEST_CLOCK = 1e12  # Seconds; what says more than 30,000 years is no clock.
MOST_DIGITS = 15  # Behind a point; a float64 holds no more.
LARGEST = 10**MOST_DIGITS

MINUS = 45
PLUS = 43
POINT = 46
COLON = 58
COMMA = 44
CLOSING_BRACKET = 93
HASH = 35

MINUS = 45
PLUS = 43
POINT = 46
COLON = 58
COMMA = 44
CLOSING_BRACKET = 93
HASH = 35

# Digits beyond these are not read: a float64 holds no more.
MOST_DIGITS = 15


@kernel
def is_digit(byte):
    return 48 <= byte <= 57


@kernel
def read_digits(text, at):
    """(number of the digits at `at`, at most LARGEST; where they end)."""
    value = np.int64(0)
    while is_digit(text[at]):
        value = min(value * 10 + np.int64(text[at]) - 48, LARGEST)
        at += 1
    return value, at


@kernel
def read_fraction(text, at):
    """(value of the digits behind a decimal point, what it is to be divided by, where they end)."""
    digits = np.int64(0)
    scale = np.int64(1)
    while is_digit(text[at]):
        if scale < LARGEST:
            digits = digits * 10 + np.int64(text[at]) - 48
            scale *= 10
        at += 1
    return digits, scale, at


@kernel
def is_word(text, at, first, second, third):
    return text[at] == first and text[at + 1] == second and text[at + 2] == third


@kernel
def read_clock(text, at):
    """Seconds that `[%clk 1:23:45.6]` says, if that stands at `at`; NaN otherwise."""
    if not (is_word(text, at + 2, 99, 108, 107) and is_space(text[at + 5])):  # clk
        return np.nan
    hours, colon = read_digits(text, at + 6)
    if colon == at + 6 or text[colon] != COLON:
        return np.nan
    minutes, second_colon = read_digits(text, colon + 1)
    if second_colon == colon + 1 or text[second_colon] != COLON:
        return np.nan
    seconds, end = read_digits(text, second_colon + 1)
    if end == second_colon + 1:
        return np.nan
    digits, scale = np.int64(0), np.int64(1)
    if text[end] == POINT:
        digits, scale, end = read_fraction(text, end + 1)
    if text[end] != CLOSING_BRACKET:
        return np.nan
    clock = np.float64(hours * 3600 + minutes * 60) + (np.float64(seconds) + np.float64(digits) / np.float64(scale))
    return clock if clock < LONGEST_CLOCK else np.nan


@kernel
def read_eval(text, at, mover_is_white):
    """Pawns, for White, that `[%eval 0.12,20]` says, if that stands at `at`; NaN otherwise. `#-3` is mate in 3.

    Where mate is on the board, `#0`, the side that has moved has mated.
    """
    if not (is_word(text, at + 2, 101, 118, 97) and text[at + 5] == 108 and is_space(text[at + 6])):  # eval
        return np.nan
    at += 7
    is_mate = text[at] == HASH
    if is_mate:
        at += 1
    sign = -1.0 if text[at] == MINUS else 1.0
    if text[at] == MINUS or text[at] == PLUS:
        at += 1
    whole, end = read_digits(text, at)
    digits, scale = np.int64(0), np.int64(1)
    has_digits = end > at
    if is_mate:
        if not has_digits:
            return np.nan
    elif end - at > 10:
        return np.nan
    elif text[end] == POINT:
        digits, scale, fraction_end = read_fraction(text, end + 1)
        if fraction_end - end > 3 or (fraction_end - end == 1 and not has_digits):
            return np.nan
        end = fraction_end
    elif not has_digits:
        return np.nan
    if text[end] == COMMA:
        _, depth_end = read_digits(text, end + 1)
        end = depth_end if depth_end > end + 1 else end
    if text[end] != CLOSING_BRACKET:
        return np.nan
    if is_mate:
        if whole == 0:
            sign = 1.0 if mover_is_white else -1.0
        return sign * (MATE - min(whole, LONGEST_MATE))
    return sign * min(np.float64(whole) + np.float64(digits) / np.float64(scale), HIGHEST)
