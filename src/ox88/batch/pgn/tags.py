"""The tags of games: which a game has, and where their values stand in the text."""

import numpy as np

from ox88.batch.pgn.lines import (
    BRACKET,
    QUOTE,
    after_newline,
    byte_at,
    is_blank,
    is_remark,
    is_space,
    line_end,
    tag_name_end,
    tag_value,
)
from ox88.batch.pgn.records import (
    BAD_TAG,
    BLACK_WINS,
    DRAW,
    LAST_HARMLESS,
    OTHER_VARIANT,
    RESULT_TAG,
    UNKNOWN,
    VARIANT_TAG,
    WHITE_WINS,
)
from ox88.jit import kernel

CLOSING_BRACKET = 93
STAR = 42

# How names are compared with the text. Typed, so that a kernel which takes them has one signature.
AS_WRITTEN, IN_SMALL_LETTERS = np.int64(0), np.int64(1)


@kernel
def read_tags(text, games, characters, names, name_offsets, variants, variant_offsets, values):
    """Read the tags of all games: where movetext begins, what Result says, whether the variant is chess.

    names, variants: uint8, one after another; name i is names[name_offsets[i]:name_offsets[i + 1]]. Variants are in
    small letters. values: int64[games, names, 2], where the text of a tag's value begins and ends; -1 without the tag.
    """
    for number in range(len(games)):
        game = games[number]
        for column in range(values.shape[1]):
            values[number, column, 0] = -1
            values[number, column, 1] = -1
        read_tags_of(text, game, characters, names, name_offsets, values[number])
        begin, end = values[number, RESULT_TAG, 0], values[number, RESULT_TAG, 1]
        if begin >= 0:
            game.result = read_result(text, begin, end)
        begin, end = values[number, VARIANT_TAG, 0], values[number, VARIANT_TAG, 1]
        if begin >= 0 and find_name(variants, variant_offsets, text, begin, end, IN_SMALL_LETTERS) < 0:
            set_fault(game, OTHER_VARIANT, begin, end)


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
    """Note where the value of a tag stands that is asked for; of a tag given twice the second counts."""
    end = newline
    while is_space(byte_at(text, end - 1)):
        end -= 1
    name_end = tag_name_end(text, at, end)
    value = tag_value(text, name_end, end) if name_end > at else np.int64(-1)
    if value < 0 or end - 2 < value or byte_at(text, end - 1) != CLOSING_BRACKET or byte_at(text, end - 2) != QUOTE:
        set_fault(game, BAD_TAG, at, end)
        return
    game.tags += 1
    column = find_name(names, name_offsets, text, at + 1, name_end, AS_WRITTEN)
    if column >= 0:
        values[column, 0] = value
        values[column, 1] = end - 2


@kernel
def find_name(names, offsets, text, begin, end, letters):
    """Which of some names stands in the text, or -1. letters: AS_WRITTEN, or the text's IN_SMALL_LETTERS."""
    for number in range(len(offsets) - 1):
        first = offsets[number]
        if offsets[number + 1] - first == end - begin:
            same = np.int64(0)
            while same < end - begin and _letter(byte_at(text, begin + same), letters) == names[first + same]:
                same += 1
            if same == end - begin:
                return number
    return -1


@kernel
def _letter(byte, letters):
    return byte + 32 if letters == IN_SMALL_LETTERS and 65 <= byte <= 90 else byte


@kernel
def read_result(text, begin, end):
    """The result that a text says from `begin` to `end`, no more and no less."""
    result, length = result_at(text, begin)
    return result if length == end - begin else UNKNOWN


@kernel
def result_at(text, at):
    """(result, length) of a result token: 1-0, 0-1, 1/2-1/2 or *; the length is 0 where there is none."""
    first, second, third = byte_at(text, at), byte_at(text, at + 1), byte_at(text, at + 2)
    if first == STAR:
        return UNKNOWN, 1
    if first == 49 and second == 45 and third == 48:
        return WHITE_WINS, 3
    if first == 48 and second == 45 and third == 49:
        return BLACK_WINS, 3
    if _is_half(text, at) and byte_at(text, at + 3) == 45 and _is_half(text, at + 4):
        return DRAW, 7
    return UNKNOWN, 0


@kernel
def _is_half(text, at):
    return byte_at(text, at) == 49 and byte_at(text, at + 1) == 47 and byte_at(text, at + 2) == 50


@kernel
def set_fault(game, fault, begin, end):
    """Note what is wrong with a game: the first of all, but for what costs moves, which counts more."""
    if game.fault == 0 or (game.fault <= LAST_HARMLESS < fault):
        game.fault = fault
        game.fault_from = begin
        game.fault_to = end
