"""Splits a PGN into games; only this module knows where a game begins and ends.

A game is tags and movetext, and comments anywhere: as in the import format of the PGN standard, a line's end is white
space like any other. Since results are often missing, a game also ends, as in python-chess, at blank lines:

- A tag ends the movetext before it, wherever it stands; in a comment it does so only after a blank line, so that a
  comment that is not closed does not swallow the next game.
- A blank line ends movetext with a result at its end. Without one, movetext goes on after a single blank line, unless
  the next line begins a game: with move number 1 or a comment.
- Movetext with a result at the end of a line ends there if the next line begins with move number 1.
- Tags begin another game after two blank lines, or after one if the first of them has the name of the game's first tag.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.errors import CUT_OFF, LONGEST_GAME, NO_ERROR, TOO_LONG
from ox88.batch.pgn.files import CutOffError
from ox88.batch.pgn.records import PADDING
from ox88.batch.pgn.tags import NO_TAG, UNDECIDED, result_at, tag_closing, tag_opening
from ox88.batch.pgn.text import (
    BRACKET,
    BYTE_ORDER_MARK,
    OPENING_BRACE,
    RETURN,
    SEMICOLON,
    after_byte_order_marks,
    after_indent,
    after_newline,
    byte_at,
    characters,
    count_lines,
    find_mark,
    is_newline,
    is_remark,
    is_space,
    line_end,
)
from ox88.jit import kernel

BETWEEN, IN_TAGS, IN_MOVETEXT, SKIPPING = 0, 1, 2, 3

_SPACE: Final = bytes([32, *range(9, 14), *range(28, 32)])
_ONE, _DOT = map(ord, "1.")
# Typed, since a kernel is compiled anew for each literal that it is called with.
NO, YES = np.bool_(False), np.bool_(True)
LONGEST_RESULT = 9  # Bytes, of 1/2-1/2 with a dash of UTF-8.


class Chunk(NamedTuple):
    """The text of n complete games; game i is `text[starts[i]:starts[i + 1]]`, and PADDING bytes follow.

    lines: int64[n + 1], the line of the file, from 0, in which each game begins. number: that of the first game in the
    file. last_error: TOO_LONG or CUT_OFF if the text of the last game is incomplete, else NO_ERROR. before: the text of
    the game before the first one.
    """

    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lines: NDArray[np.int64]
    number: int
    last_error: np.int64
    before: bytes = b""


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
        self._last_game = b""
        self._number = 0
        self._line = 0
        self._is_skipping = False

    def split(self, block: bytes, is_final: bool = False) -> Chunk:
        """The games that another block of text completes; all that are left if it is the last block."""
        data = self.rest + block
        text = padded(data)
        starts, lines = (np.empty(len(data) // 2 + 2, np.int64) for _ in range(2))
        numbers = map(np.int64, (len(data), is_final, self._is_skipping))
        count, state = find_games(text, *numbers, characters(), starts, lines)
        lines = lines[: count + 1] + self._line
        chunk = Chunk(text, starts[: count + 1].copy(), lines, self._number, NO_ERROR, self._last_game)
        if count:
            self._last_game = data[int(starts[count - 1]) : int(starts[count])]
        rest = data[int(starts[count]) :]
        self.rest = _shortened(rest) if state == BETWEEN else rest
        self._number += count
        self._line = int(chunk.lines[-1])
        self._is_skipping = state == SKIPPING and not is_final
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


def _shortened(line: bytes) -> bytes:
    """What is needed of an incomplete line between games: white space and remarks of any length say no more."""
    text = line.lstrip(_SPACE)
    if not text:
        return line[-1:]
    if line.startswith(b"%") or text.startswith(b";"):
        return b"%" + line[-1:] if line.endswith(b"\r") else b"%"  # A return may be the first half of a newline.
    return line


def padded(data: bytes) -> NDArray[np.uint8]:
    text = np.empty(len(data) + PADDING, np.uint8)
    text[: len(data)] = np.frombuffer(data, np.uint8)
    text[len(data) :] = 0
    text.flags.writeable = False  # Like every text, so that kernels have one signature.
    return text


@kernel
def find_games(text, length, is_final, is_skipping, characters, starts, lines):
    """Find the complete games of a text: (their number, the state at its end).

    is_final: 1 if nothing follows, so that the last game is complete. is_skipping: 1 if the text begins within a game
    that is skipped, up to a line that begins like a tag. starts, lines: set to the first byte and line (from 0) of each
    game, and then to the byte and line at which the next call continues.
    """
    limit = length if is_final != 0 else complete_lines(text, length)
    state = SKIPPING if is_skipping != 0 else BETWEEN
    in_comment = NO
    count = np.int64(0)
    line = np.int64(0)
    at = np.int64(0)
    begin = at  # Where the line begins; -1 if other text is before `at` in the line.
    blanks = np.int64(0)  # Blank lines since the last tag or movetext.
    after_blank = False
    first_tag = np.int64(-1)  # Where its name is; -1 without a tag.
    first_tag_end = np.int64(-1)
    while at < limit:
        # Step 1. What does the line, or the rest of it, begin with?
        if begin >= 0 and not in_comment and byte_at(text, at) == BYTE_ORDER_MARK:
            marked = after_byte_order_marks(text, at, limit)
            if state == BETWEEN or opens_bracket(text, marked, limit):
                at = begin = marked
        first = after_indent(text, at, limit)
        is_end = first == limit or is_newline(byte_at(text, first))
        is_blank = is_end and begin >= 0
        name, name_end, value = np.int64(0), np.int64(0), np.int64(NO_TAG)
        if first < limit and byte_at(text, first) == BRACKET and (not in_comment or (after_blank and begin >= 0)):
            name, name_end, value = tag_opening(text, first, limit)
            if value <= 0:
                name_end = name
            if value == UNDECIDED and is_final == 0:
                if state == BETWEEN:
                    starts[count] = at
                    lines[count] = line
                    state = IN_TAGS
                limit = at
                break
        # Step 2. Does a game end here?
        if value > 0 and state == SKIPPING:
            state = BETWEEN
        elif (
            (value > 0 and (in_comment or state == IN_MOVETEXT))
            or (
                state == IN_TAGS
                and first_tag >= 0
                and value > 0
                and blanks > 0
                and (blanks > 1 or is_same(text, first_tag, first_tag_end, name, name_end))
            )
            or (
                state == IN_MOVETEXT
                and not in_comment
                and begin >= 0
                and ends_movetext(text, starts[count], at, first, is_blank, blanks)
            )
        ):
            count += 1
            state = BETWEEN
            in_comment = NO
        blanks += np.int64(is_blank and not in_comment)
        # Step 3. Does a game begin here?
        if state == BETWEEN and not is_end and not is_remark(text, first, begin):
            starts[count] = at
            lines[count] = line
            state = IN_TAGS
            blanks = np.int64(0)
            first_tag = np.int64(-1)
        # Step 4. Find the end of a tag, or of the line. Is it within a comment?
        if is_end:
            at = first
        elif in_comment:
            at, in_comment = skip_line(text, first, limit, YES, state == IN_MOVETEXT, characters)
        elif state in (BETWEEN, SKIPPING) or is_remark(text, first, begin):
            at = line_end(text, first, limit, characters)
        elif byte_at(text, first) == BRACKET and state == IN_TAGS:
            if first_tag < 0:
                first_tag, first_tag_end = name, name_end
            blanks = np.int64(0)
            tag_end = tag_closing(text, value, limit, characters)[1] if value > 0 else np.int64(NO_TAG)
            if tag_end == UNDECIDED and is_final == 0:
                limit = at
                break
            at = tag_end if tag_end > 0 else line_end(text, first, limit, characters)
            line += count_lines(text, first, at)
        elif byte_at(text, first) == OPENING_BRACE and state == IN_TAGS:
            at, in_comment = skip_line(text, first + 1, limit, YES, NO, characters)
        else:
            state = IN_MOVETEXT
            blanks = np.int64(0)
            at, in_comment = skip_line(text, first, limit, NO, YES, characters)
        # Step 5. Go on to the next line.
        begin = np.int64(-1)
        if at < limit and is_newline(byte_at(text, at)):
            after_blank = is_blank
            line += 1
            at = begin = after_newline(text, at, limit)
    if state in (BETWEEN, SKIPPING):
        starts[count] = limit
        lines[count] = line
    elif is_final != 0:
        count += 1
        starts[count] = limit
        lines[count] = line
    return count, state


@kernel
def opens_bracket(text, at, end):
    first = after_indent(text, at, end)
    return first < end and byte_at(text, first) == BRACKET


@kernel
def is_same(text, first, first_end, second, second_end):
    """True if two parts of the text have the same bytes."""
    same = np.int64(0)
    while first + same < first_end and byte_at(text, first + same) == byte_at(text, second + same):
        same += 1
    return first + same == first_end and second + same == second_end


@kernel
def ends_movetext(text, start, at, first, is_blank, blanks):
    """True if movetext ends before the line at `at`. first: where its text is. blanks: the blank lines before it."""
    if is_blank:
        return blanks > 0 or ends_with_result(text, start, at)
    byte = byte_at(text, first)
    begins_game = byte == _ONE and (
        is_space(byte_at(text, first + 1)) or (byte_at(text, first + 1) == _DOT and byte_at(text, first + 2) != _DOT)
    )
    if blanks > 0:
        return begins_game or byte == OPENING_BRACE
    return begins_game and ends_with_result(text, start, at)


@kernel
def ends_with_result(text, start, at):
    """True if the last word before `at` ends with a result."""
    while at > start and is_space(byte_at(text, at - 1)):
        at -= 1
    for length in range(1, LONGEST_RESULT + 1):
        if at - length >= start and result_at(text, at - length)[1] == length:
            return True
    return False


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
def skip_line(text, at, end, in_comment, is_movetext, characters):
    """Skip a line of movetext, or a comment among tags: (where it ends, True if that is within a comment).

    It ends early before a bracket in movetext, which may open a tag, and after a comment among tags.
    """
    begin = at
    while at < end:
        if in_comment:
            at = find_mark(text, at, end, characters.ends_comment)
        else:
            at = find_mark(text, at, end, characters.ends_text)
        if at == end or is_newline(byte_at(text, at)):
            return at, in_comment
        if byte_at(text, at) == SEMICOLON and not in_comment:
            return line_end(text, at, end, characters), NO
        if byte_at(text, at) == BRACKET and not in_comment:
            if at > begin:
                return at, NO
            at += 1
            continue
        in_comment = not in_comment
        at += 1
        if not (in_comment or is_movetext):
            return at, NO
    return at, in_comment
