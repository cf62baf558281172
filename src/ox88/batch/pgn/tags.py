"""Kernels that find the tags of games, and where their values are in the text."""

import string

import numpy as np

from ox88.batch.pgn.errors import BAD_TAG, LAST_HARMLESS, OTHER_VARIANT
from ox88.batch.pgn.records import RESULT_BYTES, RESULT_LENGTHS, RESULT_TAG, UNKNOWN, VARIANT_TAG
from ox88.batch.pgn.text import (
    BRACKET,
    CLOSING_BRACKET,
    QUOTE,
    after_newline,
    begins_with,
    byte_at,
    is_blank,
    is_newline,
    is_remark,
    is_space,
    line_end,
)
from ox88.jit import kernel

# For each byte: 2 if a tag's name may begin with it, 1 if it may stand later in a name only, else 0.
_IN_NAMES = np.zeros(256, np.uint8)
_IN_NAMES[list(b"_+#=:-")] = 1
_IN_NAMES[list((string.ascii_letters + string.digits).encode())] = 2

# How names are compared with the text. Typed, so that a kernel that takes one has a single signature.
AS_WRITTEN, IN_LOWER_CASE = np.int64(0), np.int64(1)


@kernel
def read_tags(text, games, characters, names, name_offsets, variants, variant_offsets, values):
    """Read the tags of all games, set the results and where movetexts begin, and set an error for other variants.

    names, variants: uint8; name i is names[name_offsets[i]:name_offsets[i + 1]], a variant is in lower case.
    values: int64[games, names, 2], set to where a tag's value begins and ends in the text, or to -1 without the tag.
    """
    for number in range(len(games)):
        game = games[number]
        for column in range(values.shape[1]):
            values[number, column, 0] = -1
            values[number, column, 1] = -1
        read_tags_of(text, game, characters, names, name_offsets, values[number])
        begin, end = values[number, RESULT_TAG, 0], values[number, RESULT_TAG, 1]
        if begin >= 0:
            result, length = result_at(text, begin)
            game.result = result if length == end - begin else UNKNOWN
        begin, end = values[number, VARIANT_TAG, 0], values[number, VARIANT_TAG, 1]
        if begin >= 0 and find_name(variants, variant_offsets, text, begin, end, IN_LOWER_CASE) < 0:
            set_error(game, OTHER_VARIANT, begin, end)


@kernel
def read_tags_of(text, game, characters, names, name_offsets, values):
    at = np.int64(game.start)
    end = np.int64(game.end)
    while at < end:
        newline = line_end(text, at, end, characters)
        if byte_at(text, at) == BRACKET:
            read_tag(text, at, newline, game, names, name_offsets, values)
        elif not is_remark(byte_at(text, at)) and not is_blank(text, at, newline):
            break
        at = after_newline(text, newline, end)
    game.movetext = min(at, end)


@kernel
def read_tag(text, at, newline, game, names, name_offsets, values):
    """Set where a tag's value begins and ends, if its name is among `names`. A later tag replaces an earlier one."""
    end = newline
    while is_space(byte_at(text, end - 1)):
        end -= 1
    name_end = tag_name_end(text, at, end)
    value = tag_value(text, name_end, end) if name_end > at else np.int64(-1)
    if value < 0 or end - 2 < value or byte_at(text, end - 1) != CLOSING_BRACKET or byte_at(text, end - 2) != QUOTE:
        set_error(game, BAD_TAG, at, end)
        return
    game.tags += 1
    column = find_name(names, name_offsets, text, at + 1, name_end, AS_WRITTEN)
    if column >= 0:
        values[column, 0] = value
        values[column, 1] = end - 2


@kernel
def find_name(names, offsets, text, begin, end, letters):
    """The number of the name in the text from `begin` to `end`, or -1. letters: AS_WRITTEN or IN_LOWER_CASE."""
    for number in range(len(offsets) - 1):
        first = offsets[number]
        if offsets[number + 1] - first == end - begin:
            same = np.int64(0)
            while same < end - begin and _in_case(byte_at(text, begin + same), letters) == names[first + same]:
                same += 1
            if same == end - begin:
                return number
    return -1


@kernel
def _in_case(byte, letters):
    return byte + 32 if letters == IN_LOWER_CASE and 65 <= byte <= 90 else byte


@kernel
def result_at(text, at):
    """(result, length) of the token 1-0, 0-1, 1/2-1/2 or * at `at`; (UNKNOWN, 0) if there is none."""
    for result in range(len(RESULT_LENGTHS)):
        length = RESULT_LENGTHS[result]
        if begins_with(text, at, RESULT_BYTES[result, :length]):
            return result, length
    return UNKNOWN, np.int64(0)


@kernel
def set_error(game, error, begin, end):
    """Set a game's error. The first error is kept, unless it is harmless and the new one loses moves."""
    if game.error == 0 or (game.error <= LAST_HARMLESS < error):
        game.error = error
        game.error_start = begin
        game.error_end = end


@kernel
def tag_name_end(text, at, end):
    """Where a tag's name ends. at: where its bracket is, which is returned if there is no name."""
    name = at + 1
    if name >= end or _IN_NAMES[byte_at(text, name)] != 2:
        return at
    while name < end and _IN_NAMES[byte_at(text, name)] != 0:
        name += 1
    return name


@kernel
def tag_value(text, at, end):
    """Where a tag's value begins, after spaces and a quote; -1 without these. at: where its name ends."""
    space = at
    while at < end and is_space(byte_at(text, at)) and not is_newline(byte_at(text, at)):
        at += 1
    return at + 1 if space < at < end and byte_at(text, at) == QUOTE else -1


@kernel
def is_tag(text, at, end):
    """True if a line begins like a tag: `[Name "`."""
    if at >= end or byte_at(text, at) != BRACKET:
        return False
    name_end = tag_name_end(text, at, end)
    return name_end > at and tag_value(text, name_end, end) >= 0
