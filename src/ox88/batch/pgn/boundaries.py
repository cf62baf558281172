"""Where games begin and end: the one place that knows, so that a game that is broken ends where it would otherwise.

As in python-chess, a game is some tags, perhaps with single blank lines among them, and movetext up to a blank line
outside of comments. Two things end a game that python-chess reads on in: a line that begins like a tag, within
movetext, and such a line after a blank one, within a comment that nobody has closed.
"""

import numpy as np

from ox88.batch.pgn.lines import (
    BRACKET,
    RETURN,
    SEMICOLON,
    after_byte_order_marks,
    after_newline,
    byte_at,
    find_mark,
    is_blank,
    is_newline,
    is_remark,
    is_tag,
    line_end,
)
from ox88.jit import kernel

BETWEEN, IN_TAGS, IN_MOVETEXT, IN_COMMENT, SKIPPING = 0, 1, 2, 3, 4

OPENING_BRACE = 123
CLOSING_BRACE = 125


@kernel
def find_games(text, length, is_final, is_skipping, characters, starts, lines):
    """Find the games of a text; returns the number of those that are whole, of which there may be more in what follows.

    is_final: nothing follows, so that the last game is whole. is_skipping: the text begins within a game that is given
    up, until a line begins like a tag. starts, lines: of each game its first byte and line (from 0); behind them stand
    those from which to go on.
    """
    limit = length if is_final != 0 else complete_lines(text, length)
    state = SKIPPING if is_skipping != 0 else BETWEEN
    count = 0
    line = 0
    at = np.int64(0)
    blanks = 0
    after_blank = False
    while at < limit:
        blank = is_blank(text, at, limit)
        # Step 1. Does a game end before this line?
        if state >= IN_MOVETEXT and not blank:
            resumes = state != IN_COMMENT or after_blank
            if resumes and is_tag(text, at, limit):
                count += 1 if state != SKIPPING else 0
                state = BETWEEN
        # Step 2. Does one begin with it?
        if state == BETWEEN:
            at = after_byte_order_marks(text, at, limit)
            blank = is_blank(text, at, limit)
            if not blank and not is_remark(byte_at(text, at)):
                starts[count] = at
                lines[count] = line
                state = IN_TAGS
                blanks = 0
        # Step 3. Tags end with the first line of movetext, a game with a blank line.
        if state == IN_TAGS:
            if blank:
                blanks += 1
            elif byte_at(text, at) == BRACKET:
                blanks = 0
            elif not is_remark(byte_at(text, at)):
                state = IN_MOVETEXT
        if (state == IN_TAGS and blanks > 1) or (state == IN_MOVETEXT and blank):
            count += 1
            state = BETWEEN
        # Step 4. Go through the line, in and out of comments.
        if state == IN_COMMENT or (state == IN_MOVETEXT and not is_remark(byte_at(text, at))):
            at, in_comment = through_line(text, at, limit, state == IN_COMMENT, characters)
            state = IN_COMMENT if in_comment else IN_MOVETEXT
        else:
            at = line_end(text, at, limit, characters)
        after_blank = blank
        line += 1 if at < limit else 0
        at = after_newline(text, at, limit)
    if state in (BETWEEN, SKIPPING):
        starts[count] = limit
        lines[count] = line
    elif is_final != 0:
        count += 1
        starts[count] = limit
        lines[count] = line
    return count


@kernel
def complete_lines(text, length):
    """Where the last line begins of which more may follow. A return that comes last may be half of a newline."""
    at = length
    if at > 0 and byte_at(text, at - 1) == RETURN:
        at -= 1
    while at > 0 and not is_newline(byte_at(text, at - 1)):
        at -= 1
    return at


@kernel
def through_line(text, at, end, in_comment, characters):
    """(the newline that ends a line of movetext, whether it is within a comment)."""
    while at < end:
        if in_comment:
            at = find_mark(text, at, end, characters.ends_comment)
        else:
            at = find_mark(text, at, end, characters.ends_text)
        if at == end or is_newline(byte_at(text, at)):
            return at, in_comment
        if byte_at(text, at) == SEMICOLON:
            return line_end(text, at, end, characters), False
        in_comment = not in_comment
        at += 1
    return at, in_comment
