"""Lines of a text of bytes. A line feed, a return, or both end them, as Python reads text."""

import numpy as np

from ox88.jit import kernel

LINE_FEED = 10
RETURN = 13
PERCENT = 37
SEMICOLON = 59
BRACKET = 91
QUOTE = 34


@kernel
def byte_at(text, place):
    """A byte of the text. An unsigned index is not asked whether it counts from the end."""
    return text[np.uint64(place)]


@kernel
def is_space(byte):
    """ASCII's white space, as Python's str.isspace has it."""
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31


@kernel
def is_newline(byte):
    return byte in (LINE_FEED, RETURN)


@kernel
def find_mark(text, at, end, marks):
    """The first byte from `at` on that is marked, or the end. Four are looked at together: most bytes are not."""
    while at + 4 <= end:
        first = marks[byte_at(text, at)] | marks[byte_at(text, at + 1)]
        if first | marks[byte_at(text, at + 2)] | marks[byte_at(text, at + 3)] != 0:
            break
        at += 4
    while at < end and marks[byte_at(text, at)] == 0:
        at += 1
    return at


@kernel
def line_end(text, at, end, characters):
    """Where the line ends that `at` is in: its newline, or the end of the text."""
    return find_mark(text, at, end, characters.ends_line)


@kernel
def after_newline(text, at, end):
    """The start of the line behind the newline at `at`."""
    if at + 1 < end and byte_at(text, at) == RETURN and byte_at(text, at + 1) == LINE_FEED:
        return at + 2
    return at + 1


@kernel
def is_blank(text, at, end):
    """Whether nothing but white space follows in the line."""
    while at < end and not is_newline(byte_at(text, at)):
        if not is_space(byte_at(text, at)):
            return False
        at += 1
    return True


@kernel
def is_remark(byte):
    """Whether a line that begins with this byte says nothing: an escape, or a comment of one line."""
    return byte in (PERCENT, SEMICOLON)


@kernel
def after_byte_order_marks(text, at, end):
    while (
        at + 3 <= end and byte_at(text, at) == 0xEF and byte_at(text, at + 1) == 0xBB and byte_at(text, at + 2) == 0xBF
    ):
        at += 3
    return at


@kernel
def tag_name_end(text, at, end):
    """Where the name of the tag ends that begins with the bracket at `at`; `at` itself where there is no name."""
    name = at + 1
    while name < end and (
        _is_alphanumeric(byte_at(text, name)) or (name > at + 1 and _may_follow(byte_at(text, name)))
    ):
        name += 1
    return name if name > at + 1 else at


@kernel
def tag_value(text, at, end):
    """Where the value of a tag begins: behind the quote that follows its name and some space; -1 without one."""
    space = at
    while at < end and is_space(byte_at(text, at)) and not is_newline(byte_at(text, at)):
        at += 1
    return at + 1 if space < at < end and byte_at(text, at) == QUOTE else -1


@kernel
def is_tag(text, at, end):
    """Whether a line begins like a tag: `[Name "`."""
    if at >= end or byte_at(text, at) != BRACKET:
        return False
    name_end = tag_name_end(text, at, end)
    return name_end > at and tag_value(text, name_end, end) >= 0


@kernel
def _is_alphanumeric(byte):
    return 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122


@kernel
def _may_follow(byte):
    """Whether a byte is one of _+#=:- which a tag's name may have after its first letter."""
    return byte == 95 or byte == 43 or byte == 35 or byte == 61 or byte == 58 or byte == 45
