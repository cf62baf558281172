"""Splits a PGN into games; only this module knows where a game begins and ends.

As in python-chess, a game is some tags, perhaps with single blank lines among them, and movetext up to a blank line
outside of comments. So that a broken game does not swallow the next one, Ox88 ends a game in two more places: at a line
of movetext that begins like a tag, and at such a line within a comment, if the line before it is blank.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.errors import CUT_OFF, NO_ERROR, TOO_LONG
from ox88.batch.pgn.files import CutOffError
from ox88.batch.pgn.records import PADDING
from ox88.batch.pgn.tags import is_tag
from ox88.batch.pgn.text import (
    BRACKET,
    RETURN,
    SEMICOLON,
    after_byte_order_marks,
    after_newline,
    byte_at,
    characters,
    find_mark,
    is_blank,
    is_newline,
    is_remark,
    line_end,
)
from ox88.jit import kernel

BETWEEN, IN_TAGS, IN_MOVETEXT, IN_COMMENT, SKIPPING = 0, 1, 2, 3, 4

# Bytes. The rest of a longer game is skipped, so that memory stays bounded.
LONGEST_GAME: Final = 1 << 24


class Chunk(NamedTuple):
    """The text of n complete games; game i is `text[starts[i]:starts[i + 1]]`, and PADDING bytes follow.

    lines: int64[n + 1], the line of the file, from 0, in which each game begins. number: that of the first game in the
    file. last_error: TOO_LONG or CUT_OFF if the text of the last game is incomplete, else NO_ERROR.
    """

    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lines: NDArray[np.int64]
    number: int
    last_error: np.int64


def split_into_chunks(texts: Iterator[Iterator[bytes]], longest: int = LONGEST_GAME) -> Iterator[Chunk]:
    """The games of several texts, numbered consecutively. A game ends at the end of a text at the latest."""
    splitter = _Splitter()
    for blocks in texts:
        error = NO_ERROR
        try:
            for block in blocks:
                yield splitter.split(block)
                if len(splitter.rest) > longest:
                    yield from splitter.skip_game()
        except CutOffError:
            error = CUT_OFF
        yield splitter.end(error)


class _Splitter:
    def __init__(self) -> None:
        self.rest = b""  # The text from the beginning of the last game, which is incomplete.
        self._number = 0
        self._line = 0
        self._is_skipping = False

    def split(self, block: bytes, is_final: bool = False) -> Chunk:
        """The games that another block of text completes; all that are left if it is the last block."""
        data = self.rest + block
        text = _padded(data)
        starts, lines = (np.empty(len(data) // 2 + 2, np.int64) for _ in range(2))
        numbers = map(np.int64, (len(data), is_final, self._is_skipping))
        count, is_skipping = find_games(text, *numbers, characters(), starts, lines)
        chunk = Chunk(text, starts[: count + 1].copy(), lines[: count + 1] + self._line, self._number, NO_ERROR)
        self.rest = data[int(starts[count]) :]
        self._number += count
        self._line = int(chunk.lines[-1])
        self._is_skipping = is_skipping and not is_final
        return chunk

    def end(self, error: np.int64) -> Chunk:
        """The games that are left at the end of a text. After an error there is at least one, which may be empty."""
        chunk = self.split(b"", is_final=True)._replace(last_error=error)
        if error == NO_ERROR or len(chunk.starts) > 1:
            return chunk
        self._number += 1
        return chunk._replace(starts=np.repeat(chunk.starts, 2), lines=np.repeat(chunk.lines, 2))

    def skip_game(self) -> Iterator[Chunk]:
        """Yield the beginning of a game that is too long, and skip the rest of it."""
        if self._is_skipping:
            self.rest = b""
        else:
            yield self.end(TOO_LONG)
            self._is_skipping = True


def _padded(data: bytes) -> NDArray[np.uint8]:
    text = np.empty(len(data) + PADDING, np.uint8)
    text[: len(data)] = np.frombuffer(data, np.uint8)
    text[len(data) :] = 0
    text.flags.writeable = False  # Like every text, so that kernels have one signature.
    return text


@kernel
def find_games(text, length, is_final, is_skipping, characters, starts, lines):
    """Find the complete games of a text: (their number, True if the text ends within a game that is skipped).

    is_final: 1 if nothing follows, so that the last game is complete. is_skipping: 1 if the text begins within a game
    that is skipped, up to a line that begins like a tag. starts, lines: set to the first byte and line (from 0) of each
    game, and then to the byte and line at which the next call continues.
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
        # Step 2. Does a game begin with this line?
        if state == BETWEEN:
            at = after_byte_order_marks(text, at, limit)
            blank = is_blank(text, at, limit)
            if not blank and not is_remark(byte_at(text, at)):
                starts[count] = at
                lines[count] = line
                state = IN_TAGS
                blanks = 0
        # Step 3. Tags end with the first line of movetext, a game ends with a blank line.
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
        # Step 4. Find the end of the line. Is it within a comment?
        if state == IN_COMMENT or (state == IN_MOVETEXT and not is_remark(byte_at(text, at))):
            at, in_comment = skip_line(text, at, limit, state == IN_COMMENT, characters)
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
    return count, state == SKIPPING


@kernel
def complete_lines(text, length):
    """Where the last line begins, which may be incomplete. A return at the end may be the first half of a newline."""
    at = length
    if at > 0 and byte_at(text, at - 1) == RETURN:
        at -= 1
    while at > 0 and not is_newline(byte_at(text, at - 1)):
        at -= 1
    return at


@kernel
def skip_line(text, at, end, in_comment, characters):
    """Skip a line of movetext: (where it ends, True if that is within a comment)."""
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
