"""Kernels that find the tags of games, where their values are in the text, and results, in tags and movetext."""

import string

import numpy as np

from ox88.batch.pgn.records import BAD_TAG, BLACK_WINS, DRAW, LAST_HARMLESS, RESULT_TAG, UNKNOWN, WHITE_WINS
from ox88.batch.text.bytes import (
    BACKSLASH,
    BRACKET,
    CLOSING_BRACE,
    CLOSING_BRACKET,
    HALF_BYTE,
    OPENING_BRACE,
    QUOTE,
    after_byte_order_marks,
    after_indent,
    after_newline,
    after_space,
    byte_at,
    dash_length,
    find_mark,
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

# In place of where something in the text is.
NO_TAG, UNDECIDED = 0, -1

STAR, ZERO, ONE, TWO, FIVE, SLASH, POINT, HALF = map(ord, "*0125/.½")  # ½ as in Latin-1.
LONGEST_RESULT = 9  # Bytes, of 1/2-1/2 with a dash of UTF-8.


@kernel
def read_tags(text, games, characters, names, name_offsets, values):
    """Read the tags of all games, and set the results and where movetexts begin.

    names: uint8; name i is names[name_offsets[i]:name_offsets[i + 1]]. values: int64[games, names, 2], set to where a
    tag's value begins and ends in the text, or to -1 without the tag.
    """
    for number in range(len(games)):
        game = games[number]
        values[number] = -1
        read_tags_of(text, game, characters, names, name_offsets, values[number])
        begin, end = values[number, RESULT_TAG, 0], values[number, RESULT_TAG, 1]
        if begin >= 0:
            result, length = result_at(text, begin)
            game.result = result if length == end - begin else UNKNOWN


@kernel
def read_tags_of(text, game, characters, names, name_offsets, values):
    """Read the tags of a game, and set where its movetext begins: after the last tag."""
    begin = np.int64(game.start)
    end = np.int64(game.end)
    game.movetext = begin
    at = begin
    while True:
        line = at if at == begin or is_newline(byte_at(text, at - 1)) else np.int64(-1)
        first = after_indent(text, after_byte_order_marks(text, at, end) if line >= 0 else at, end)
        if first == end:
            return
        byte = byte_at(text, first)
        if is_newline(byte):
            at = after_newline(text, first, end)
        elif byte == BRACKET:
            at = read_tag(text, first, end, game, characters, names, name_offsets, values)
            game.movetext = at
        elif is_remark(text, first, line):
            at = line_end(text, first, end, characters)
        elif byte == OPENING_BRACE:  # A comment may stand before a tag.
            while first < end and byte_at(text, first) != CLOSING_BRACE:
                first += 1
            at = min(first + 1, end)
        else:
            return


@kernel
def read_tag(text, at, end, game, characters, names, name_offsets, values):
    """Set where a tag's value is, if its name is among `names`; the last tag counts. Returns where the tag ends."""
    name, name_end, value = tag_opening(text, at, end)
    value_end, tag_end = tag_closing(text, value, end, characters) if value > 0 else (np.int64(0), np.int64(0))
    if tag_end <= 0:
        newline = line_end(text, at, end, characters)
        shown = newline
        while is_space(byte_at(text, shown - 1)):
            shown -= 1
        set_error(game, BAD_TAG, at, shown)
        return newline
    game.tags += 1
    for column in range(len(values)):
        first, length = name_offsets[column], name_end - name
        if name_offsets[column + 1] - first == length:
            same = np.int64(0)
            while same < length and byte_at(text, name + same) == names[first + same]:
                same += 1
            if same == length:
                values[column, 0] = value
                values[column, 1] = value_end
                break
    return tag_end


@kernel
def set_error(game, error, begin, end):
    """Set a game's error. The first error is kept, unless it is harmless and the new one loses moves."""
    if game.error == 0 or (game.error <= LAST_HARMLESS < error):
        game.error = error
        game.error_start = begin
        game.error_end = end


@kernel
def tag_opening(text, at, end):
    """What `[Name "` at `at` opens: (where the name begins, where it ends, where the value begins).

    The last is NO_TAG where no tag begins, and UNDECIDED where the text ends before that is decided. White space is
    any, and over several lines; before the value there may be none.
    """
    name = after_space(text, at + 1, end)
    name_end = name
    if name < end and _IN_NAMES[byte_at(text, name)] == 2:
        while name_end < end and _IN_NAMES[byte_at(text, name_end)] != 0:
            name_end += 1
    quote = after_space(text, name_end, end)
    if quote == end:
        return name, name_end, np.int64(UNDECIDED)
    if name_end == name or byte_at(text, quote) != QUOTE:
        return name, name_end, np.int64(NO_TAG)
    return name, name_end, quote + 1


@kernel
def tag_closing(text, value, end, characters):
    """(where a tag's value ends, where the tag ends): at the first quote and bracket, in the value's line.

    The second is NO_TAG without these, and UNDECIDED where the text ends before that is decided. A quote within the
    value does not end it, with or without a backslash. A quote with a backslash and a bracket end it only if no other
    ones follow: some values end with a backslash that escapes nothing. More brackets behind the first belong to the
    tag: people type them, and a tag behind other text would begin another game.
    """
    escaped, after_escaped = value, np.int64(NO_TAG)
    quote = find_mark(text, value, end, characters.ends_value)
    while quote < end and byte_at(text, quote) == QUOTE:
        bracket = after_space(text, quote + 1, end)
        if bracket == end:
            return quote, np.int64(UNDECIDED)
        if byte_at(text, bracket) == CLOSING_BRACKET:
            while bracket < end and byte_at(text, bracket) == CLOSING_BRACKET:
                bracket += 1
            if not is_escaped(text, value, quote):
                return quote, bracket
            if after_escaped == NO_TAG:
                escaped, after_escaped = quote, bracket
        quote = find_mark(text, quote + 1, end, characters.ends_value)
    return escaped, after_escaped


@kernel
def is_escaped(text, value, quote):
    """True if a backslash belongs to a quote, and to no other backslash. value: where the tag's value begins."""
    first = quote
    while first > value and byte_at(text, first - 1) == BACKSLASH:
        first -= 1
    return (quote - first) & 1 != 0


# --- Results ----------------------------------------------------------------------------------------------------------


@kernel
def result_at(text, at):
    """(result, length) of the token 1-0, 0-1, 1/2-1/2 or * at `at`; (UNKNOWN, 0) if there is none.

    Any dash may stand in it, and ½ or 0.5 for 1/2.
    """
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
