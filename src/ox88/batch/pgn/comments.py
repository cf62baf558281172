"""Kernels that read comments: [%clk], a clock; [%emt], the time of a move; [%eval], an evaluation; those of matches."""

import numpy as np

from ox88.batch.text.bytes import CLOSING_BRACKET, byte_at, is_space
from ox88.jit import kernel

MATE = 10_000.0  # Mate in n is MATE - n pawns for the side that mates.
HIGHEST = 9_000.0  # The limit of other evaluations, in pawns.
LONGEST_MATE = 999
LONGEST_CLOCK = 1e12  # Seconds, some 30,000 years; a longer time is not read.
MOST_DIGITS = 15  # After a point; a float64 holds no more.
LARGEST = 10**MOST_DIGITS

MINUS, PLUS, POINT, COLON, COMMA, HASH, SLASH, LETTER_M, LETTER_S, LETTER_L, SPACE = map(ord, "-+.:,#/Msl ")
CLOCK_COMMAND, TIME_COMMAND, EVAL_COMMAND = (int.from_bytes(name, "little") for name in (b"clk", b"emt", b"eva"))


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


@kernel
def command_name(text, at):
    """The three bytes at a place, with which the name of a command begins, as one number."""
    return np.int64(byte_at(text, at)) | np.int64(byte_at(text, at + 1)) << 8 | np.int64(byte_at(text, at + 2)) << 16


@kernel
def skip_space(text, at):
    """Where white space ends. The zeros after a text end it, too. Mostly there is one space, or none."""
    if byte_at(text, at) == SPACE:
        at += 1
    if byte_at(text, at) > SPACE:
        return at
    while is_space(byte_at(text, at)):
        at += 1
    return at


# --- Times ------------------------------------------------------------------------------------------------------------


@kernel
def read_time(text, at):
    """(seconds, where the command ends) of `[%clk 1:23:45.6]` at `at`; (NaN, the next byte) if there is none."""
    begin = skip_space(text, at + 5)
    if begin == at + 5:
        return np.nan, at + 1
    hours, colon = read_digits(text, begin)
    minutes, second_colon = read_digits(text, colon + 1)
    seconds, end = read_digits(text, second_colon + 1)
    is_whole = colon > begin and second_colon > colon + 1 and end > second_colon + 1
    if not (is_whole and byte_at(text, colon) == COLON and byte_at(text, second_colon) == COLON):
        return np.nan, at + 1
    digits, scale, end = read_fraction(text, end)
    time = np.float64(hours * 3600 + minutes * 60) + (np.float64(seconds) + np.float64(digits) / np.float64(scale))
    if byte_at(text, end) != CLOSING_BRACKET:
        end = skip_space(text, end)
    if byte_at(text, end) != CLOSING_BRACKET or time >= LONGEST_CLOCK:
        return np.nan, at + 1
    return time, end + 1


# --- Evaluations ------------------------------------------------------------------------------------------------------


@kernel
def read_eval(text, at, mover_is_white):
    """(pawns for White, depth, where the command ends) of `[%eval 0.12,20]` at `at`; NaN for what is not given.

    `#-3` is mate in 3 for Black; `#0` is checkmate by the side that has moved. Without an evaluation the command ends
    with the next byte.
    """
    begin = skip_space(text, at + 6)
    if begin == at + 6 or byte_at(text, at + 5) != LETTER_L:
        return np.nan, np.nan, at + 1
    is_mate = byte_at(text, begin) == HASH
    sign_at = begin + 1 if is_mate else begin
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
    depth = np.nan
    if byte_at(text, end) == COMMA and is_digit(byte_at(text, end + 1)):
        number, end = read_digits(text, end + 1)
        depth = np.float64(number)
    if byte_at(text, end) != CLOSING_BRACKET:
        end = skip_space(text, end)
    if not is_whole or byte_at(text, end) != CLOSING_BRACKET:
        return np.nan, np.nan, at + 1
    return -value if is_negative else value, depth, end + 1


@kernel
def begins_search(text, at):
    """True if the comment of a match may begin here: with a sign or a digit."""
    byte = byte_at(text, skip_space(text, at))
    return byte in (PLUS, MINUS) or is_digit(byte)


@kernel
def read_search(text, at):
    """(pawns for the mover, depth, seconds) of the comment of a match, as `+0.31/15 2.3s`; NaN for what is missing.

    cutechess and fastchess write it so, and older fastchess a comma behind the depth. `-M4` is mate in four plies
    against the mover, counted from before the move.
    """
    at = skip_space(text, at)
    is_negative = byte_at(text, at) == MINUS
    has_sign = is_negative or byte_at(text, at) == PLUS
    if has_sign:
        at += 1
    elif not is_digit(byte_at(text, at)):
        return np.nan, np.nan, np.nan
    if has_sign and byte_at(text, at) == LETTER_M:
        plies, end = read_digits(text, at + 1)
        left = plies if is_negative else plies - 1  # The move is played: who mates needs one less.
        value = MATE - np.float64(min((left + 1) // 2, LONGEST_MATE))
        is_whole = end > at + 1
    else:
        value, end, is_whole = _read_pawns(text, at)
        is_whole = is_whole and byte_at(text, read_digits(text, at)[1]) == POINT
    depth, depth_end = read_digits(text, end + 1)
    if not is_whole or byte_at(text, end) != SLASH or depth_end == end + 1:
        return np.nan, np.nan, np.nan
    seconds = np.nan
    if byte_at(text, depth_end) == COMMA:
        depth_end += 1
    at = skip_space(text, depth_end)
    whole, point = read_digits(text, at)
    digits, scale, end = read_fraction(text, point)
    if at > depth_end and point > at and byte_at(text, end) == LETTER_S:
        seconds = np.float64(whole) + np.float64(digits) / np.float64(scale)
    elif not has_sign:  # Without a sign, as in 0.00/15, a number could be anything.
        return np.nan, np.nan, np.nan
    return -value if is_negative else value, np.float64(depth), seconds


@kernel
def _read_pawns(text, at):
    """(pawns, at most HIGHEST; where they end; False if more than ten digits, more than two after a point, or none)."""
    whole, end = read_digits(text, at)
    count = end - at
    digits, scale, end = read_fraction(text, end)
    pawns = (np.float64(whole) * np.float64(scale) + np.float64(digits)) / np.float64(scale)
    return min(pawns, HIGHEST), end, count <= 10 and scale <= 100 and (count > 0 or scale > 1)
