"""Splits a PGN into games; only this module knows where a game begins and ends.

A game is tags and movetext, and comments anywhere: as in the import format of the PGN standard, a line's end is white
space like any other. Since results are often missing, a game also ends, as in python-chess, at blank lines:

- A tag ends the movetext before it, wherever it stands; in a comment it does so only after a blank line, so that a
  comment that is not closed does not swallow the next game.
- A blank line ends movetext with a result at its end. Without one, movetext goes on after a single blank line, unless
  the next line begins a game: with move number 1, or with a comment if the game has no tags. People set comments apart
  by blank lines, in games with tags.
- Movetext with a result at the end of a line ends there if the next line begins with move number 1.
- Tags begin another game after two blank lines, or after one if the first of them has the name of the game's first tag.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.files import CutOffError, SourceFile
from ox88.batch.pgn.records import CUT_OFF, LONGEST_GAME, NO_ERROR, TOO_LONG
from ox88.batch.pgn.tags import NO_TAG, UNDECIDED, ends_with_result, tag_closing, tag_opening
from ox88.batch.text.bytes import (
    BRACKET,
    BYTE_ORDER_MARK,
    OPENING_BRACE,
    PADDING,
    RETURN,
    SEMICOLON,
    after_byte_order_marks,
    after_indent,
    after_newline,
    begins_with,
    byte_at,
    characters,
    count_lines,
    find_mark,
    is_newline,
    is_remark,
    is_space,
    line_end,
)
from ox88.bitboard.records import make_record
from ox88.jit import kernel

# The state of a SPLITTER. SKIPPING: within a game that is too long.
BETWEEN, IN_TAGS, IN_MOVETEXT, SKIPPING = range(4)
START, END, LINE = range(3)  # The columns of what `find_games` finds.

SPLITTER = np.dtype(
    [
        ("state", np.int64),  # Where the text that has been split ends: between games, in tags, in movetext ...
        ("count", np.int64),  # The number of games that end before that.
        ("line", np.int64),  # The line, from 0.
        ("start", np.int64),  # Where the last game begins.
        ("blanks", np.int64),  # Blank lines since the last tag or movetext.
        ("first_tag", np.int64),  # Where the name of the game's first tag begins and ends; -1 without a tag.
        ("first_tag_end", np.int64),
        ("in_comment", np.bool_),
        ("after_blank", np.bool_),  # True if the line before is blank.
    ],
    align=True,
)

_SPACE: Final = bytes([32, *range(9, 14), *range(28, 32)])
_ONE, _DOT = map(ord, "1.")


class Chunk(NamedTuple):
    """The text of n complete games; game i is `text[starts[i]:starts[i + 1]]`, and PADDING bytes follow.

    lines: int64[n + 1], the line of the file, from 0, in which each game begins. number: that of the first game in the
    file. last_error: TOO_LONG or CUT_OFF if the text of the last game is incomplete, else NO_ERROR. before: the text of
    the game before the first one. at: where the text begins in the file, unpacked. ends: int64[n],
    where each game ends, without blank lines and remarks up to the next one.
    """

    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lines: NDArray[np.int64]
    number: int = 0
    last_error: np.int64 = NO_ERROR
    before: bytes = b""
    at: int = 0
    ends: NDArray[np.int64] | None = None
    file: SourceFile | None = None


def one_game(data: bytes) -> Chunk:
    """A Chunk of one game, which is the whole text."""
    return Chunk(padded(data), np.array([0, len(data)]), np.zeros(2, np.int64))


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
        self._read = 0  # Bytes of all blocks so far.
        self._record = make_record(SPLITTER)

    def split(self, block: bytes, is_final: bool = False) -> Chunk:
        """The games that another block of text completes; all that are left if it is the last block."""
        data = self.rest + block
        text = padded(data)
        places = np.empty((len(data) // 2 + 2, 3), np.int64)
        record = self._record
        count = find_games(text, np.int64(len(data)), np.int64(is_final), record, characters(), places)
        starts, ends, lines = places[: count + 1].T.copy()
        at = self._read - len(self.rest)
        chunk = Chunk(text, starts, lines + self._line, self._number, NO_ERROR, self._last_game, at, ends[:-1])
        self._read += len(block)
        if count:
            self._last_game = data[starts[-2] : starts[-1]]
        rest = data[starts[-1] :]
        self.rest = _shortened(rest) if record.state == BETWEEN else rest
        self._number += count
        self._line = int(chunk.lines[-1])
        if is_final:
            record.state = BETWEEN
        return chunk

    def end(self, error: np.int64) -> Chunk:
        """The games that are left at the end of a text. After an error there is at least one, if only an empty one."""
        chunk = self.split(b"", is_final=True)._replace(last_error=error)
        if error == NO_ERROR or len(chunk.starts) > 1:
            return chunk
        self._number += 1
        starts, lines = (np.repeat(places, 2) for places in (chunk.starts, chunk.lines))
        return chunk._replace(starts=starts, lines=lines, ends=starts[:1])

    def skip_game(self) -> Iterator[Chunk]:
        """Yield the beginning of a game that is too long, and skip the rest of it."""
        if self._record.state == SKIPPING:
            self.rest = b""
        else:
            yield self.end(TOO_LONG)
            self._record.state = SKIPPING


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
def find_games(text, length, is_final, splitter, characters, places):
    """Find the complete games of a text; returns their number.

    is_final: 1 if nothing follows, so that the last game is complete. splitter: SPLITTER; in the state SKIPPING the
    text begins within a game that is skipped, up to a line that begins like a tag. places: int64[half the length + 2,
    3], set to where each game begins; where it ends, without the blank lines and remarks up to the next one; and the
    line, from 0, in which it begins. The row after the last game says where the next call continues.
    """
    limit = length if is_final != 0 else complete_lines(text, length)
    if splitter.state != SKIPPING:
        splitter.state = BETWEEN
    splitter.in_comment = False
    splitter.after_blank = False
    splitter.line = 0
    splitter.count = 0
    at = np.int64(0)
    begin = at  # Where the line begins; -1 if other text is before `at` in the line.
    while at < limit:
        # Step 1. What does the line, or the rest of it, begin with?
        if begin >= 0 and not splitter.in_comment:
            at = begin = after_marks(text, at, limit, splitter)
        first = after_indent(text, at, limit)
        is_end = first == limit or is_newline(byte_at(text, first))
        name, name_end, value = first, first, np.int64(NO_TAG)
        # In a comment a tag can begin only with a line, after a blank one.
        may_open = not splitter.in_comment or (splitter.after_blank and begin >= 0)
        if may_open and not is_end and byte_at(text, first) == BRACKET:
            name, name_end, value = tag_opening(text, first, limit)
        # Step 2. Does a game end here, or begin?
        if (value > 0 and ends_at_tag(text, splitter, name, name_end)) or (
            begin >= 0 and ends_at_line(text, splitter, at, first, is_end)
        ):
            places[splitter.count, END] = at
            splitter.count += np.int64(splitter.state != SKIPPING)
            splitter.state = BETWEEN
            splitter.in_comment = False
        if splitter.state == BETWEEN and not is_end and not is_remark(text, first, begin):
            splitter.start = places[splitter.count, START] = at
            places[splitter.count, LINE] = splitter.line
            splitter.state = IN_TAGS
            splitter.blanks = 0
            splitter.first_tag = -1
        # Step 3. Find the end of a tag, or of the line.
        value_end, tag_end = value, value
        if value > 0:
            note_tag(splitter, name, name_end)
            value_end, tag_end = tag_closing(text, value, limit, characters)
        if tag_end == UNDECIDED and is_final == 0:
            break
        if is_end:
            at = first
        elif tag_end > 0:
            splitter.line += count_lines(text, first, value) + count_lines(text, value_end, tag_end)
            at = tag_end
        else:
            at = skip_text(text, splitter, begin, first, limit, characters)
        # Step 4. Go on to the next line.
        is_blank = is_end and begin >= 0
        begin = np.int64(-1)
        if at < limit and is_newline(byte_at(text, at)):
            splitter.line += 1
            splitter.after_blank = is_blank
            splitter.blanks += np.int64(is_blank and not splitter.in_comment)
            at = begin = after_newline(text, at, limit)
    # Step 5. Where does the next call continue? With the last game, if that is not complete.
    if splitter.state in (IN_TAGS, IN_MOVETEXT):
        if is_final == 0:
            return splitter.count
        places[splitter.count, END] = at
        splitter.count += 1
    places[splitter.count, START] = at
    places[splitter.count, LINE] = splitter.line
    return splitter.count


# --- Where games begin and end ----------------------------------------------------------------------------------------


@kernel
def note_tag(splitter, name, name_end):
    """Note the name of a game's first tag. It is empty where a bracket opens no tag."""
    if splitter.first_tag < 0:
        splitter.first_tag = name
        splitter.first_tag_end = name_end
    splitter.blanks = 0


@kernel
def ends_at_tag(text, splitter, name, name_end):
    """True if a game, or what is skipped of it, ends before a tag."""
    if splitter.state != IN_TAGS or splitter.in_comment:
        return splitter.state != BETWEEN
    if splitter.first_tag < 0 or splitter.blanks == 0:
        return False
    first, end = splitter.first_tag, splitter.first_tag_end
    return splitter.blanks > 1 or (end - first == name_end - name and begins_with(text, name, text[first:end]))


@kernel
def ends_at_line(text, splitter, at, first, is_blank):
    """True if movetext ends before the line at `at`. first: where its text is."""
    if splitter.state != IN_MOVETEXT or splitter.in_comment:
        return False
    byte = byte_at(text, first)
    begins_game = byte == _ONE and (
        is_space(byte_at(text, first + 1)) or (byte_at(text, first + 1) == _DOT and byte_at(text, first + 2) != _DOT)
    )
    if splitter.blanks > 0:
        return is_blank or begins_game or (byte == OPENING_BRACE and splitter.first_tag < 0)
    return (is_blank or begins_game) and ends_with_result(text, splitter.start, at)


# --- Lines ------------------------------------------------------------------------------------------------------------


@kernel
def after_marks(text, at, end, splitter):
    """Where byte order marks end that begin a line. They are text within a game, unless a bracket follows."""
    if byte_at(text, at) != BYTE_ORDER_MARK:
        return at
    marked = after_byte_order_marks(text, at, end)
    first = after_indent(text, marked, end)
    opens_bracket = first < end and byte_at(text, first) == BRACKET
    return marked if splitter.state == BETWEEN or opens_bracket else at


@kernel
def skip_text(text, splitter, begin, first, end, characters):
    """Skip a line that is no tag, or the rest of it; returns where it ends, as skip_line does."""
    byte = byte_at(text, first)
    if splitter.in_comment:
        return skip_line(text, splitter, first, end, characters)
    if splitter.state in (BETWEEN, SKIPPING) or is_remark(text, first, begin):
        return line_end(text, first, end, characters)
    if splitter.state == IN_TAGS and byte == BRACKET:
        note_tag(splitter, first, first)
        return line_end(text, first, end, characters)
    if splitter.state == IN_TAGS and byte == OPENING_BRACE:
        splitter.in_comment = True
        return skip_line(text, splitter, first + 1, end, characters)
    splitter.state = IN_MOVETEXT
    splitter.blanks = 0
    return skip_line(text, splitter, first, end, characters)


@kernel
def skip_line(text, splitter, at, end, characters):
    """Skip a line of movetext, or a comment among tags; returns where it ends.

    It ends early before a bracket in movetext, which may open a tag, and after a comment among tags.
    """
    begin = at
    while at < end:
        at = find_mark(text, at, end, characters.ends_comment if splitter.in_comment else characters.ends_text)
        if at == end or is_newline(byte_at(text, at)):
            return at
        if not splitter.in_comment:
            if byte_at(text, at) == SEMICOLON:
                return line_end(text, at, end, characters)
            if byte_at(text, at) == BRACKET:
                if at > begin:
                    return at
                at += 1
                continue
        splitter.in_comment = not splitter.in_comment
        at += 1
        if splitter.state == IN_TAGS and not splitter.in_comment:
            return at
    return at


@kernel
def complete_lines(text, length):
    """Where the last line begins, which may be incomplete. A return at the end may be the first half of a newline."""
    at = length
    if at > 0 and byte_at(text, at - 1) == RETURN:
        at -= 1
    while at > 0 and not is_newline(byte_at(text, at - 1)):
        at -= 1
    return at
