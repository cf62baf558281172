"""Checks a whole game, with its variations, as strictly as `read_pgn` reads the main line.

What is wrong is left out of the text, so that a lenient reader makes no other moves of it.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ox88.batch.pgn.arrays import decode
from ox88.batch.pgn.game_text import in_usual_layout
from ox88.batch.pgn.movetext_reader import (
    CLOSING_PARENTHESIS,
    READER,
    is_move_number,
    read_no_move,
    read_non_move,
    variation_end,
)
from ox88.batch.pgn.reading import TagNames, read_heads
from ox88.batch.pgn.records import (
    ANNOTATIONS,
    EARLY_VARIATION,
    ILLEGAL_FEN,
    LAST_HARMLESS,
    NO_ERROR,
    NOTHING_READ,
    OPEN_VARIATION,
    OTHER_VARIANT,
    GameError,
    describe_error,
)
from ox88.batch.pgn.replay import play
from ox88.batch.pgn.splitting import one_game
from ox88.batch.pgn.tags import set_error
from ox88.batch.text.bytes import (
    CASTLING,
    COMMENT,
    FILE,
    NOTHING,
    NULL,
    OPENING,
    PIECE,
    RANK,
    WORD,
    byte_at,
    characters,
)
from ox88.batch.text.san_reader import read_move
from ox88.bitboard.records import POSITION, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

# A line is the main line or a variation: where it begins, and the number of its moves so far.
LINE = np.dtype([("begin", np.int64), ("plies", np.int64)], align=True)

# An error, where the wrong text begins and ends, where the line goes on, and how many variations it is in.
FAULT = np.dtype([(name, np.int64) for name in ("error", "begin", "end", "stop", "depth")], align=True)

_NO_TAGS: Final = TagNames([])
_NO_CHESS: Final = (NOTHING_READ, ILLEGAL_FEN, OTHER_VARIANT)


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """A game without what is wrong in it.

    Attributes:
        text: The game in the usual layout; the main line and each variation end before their first error.
        errors: What is wrong, in the order of the text. The number of the game is 0.
        reason: Why the main line ends early; empty if it does not.
        is_readable: False if it is no game of chess, so that nothing of it can be read.
        has_words: True if movetext has words that are no moves, and that `read_pgn` passes over.
    """

    text: str
    errors: list[GameError]
    reason: str = ""
    is_readable: bool = True
    has_words: bool = False


def check_game(text: str) -> CheckedGame:
    """Check the text of one game, which may have any layout."""
    data = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace")
    chunk = one_game(data)
    games, values, setups = read_heads(chunk, _NO_TAGS)
    room = data.count(b"(") + 4
    faults, lines = np.zeros(room, FAULT).view(np.recarray), np.empty(room, LINE).view(np.recarray)
    after, before = (np.empty(room, POSITION).view(np.recarray) for _ in range(2))
    records = (games, setups, make_record(READER), board_tables(), characters(), values[0])
    annotations = np.empty((len(ANNOTATIONS), 0), np.float32)
    with np.errstate(over="ignore"):  # Kernels that run as plain Python let integers wrap around.
        count, has_words = check_lines(chunk.text, *records, annotations, lines, after, before, faults)
    found: Any = faults[:count]
    errors = [
        GameError(0, data.count(b"\n", 0, begin) + 1, describe_error(error, decode(data[begin:end])))
        for error, begin, end in zip(found.error, found.begin.tolist(), found.end.tolist(), strict=True)
    ]
    cut = next((error.reason for error, fault in zip(errors, found, strict=True) if fault.stop and not fault.depth), "")
    is_readable = not np.isin(found.error, _NO_CHESS).any()
    return CheckedGame(in_usual_layout(_without(data, found)), errors, cut, is_readable, bool(has_words))


def _without(data: bytes, faults: Any) -> str:
    """The text without the faulty ends of its lines."""
    kept, at = [], 0
    for begin, stop in zip(faults.begin.tolist(), faults.stop.tolist(), strict=True):
        if stop > begin:
            kept.append(data[at:begin])
            at = stop
    return b"".join([*kept, data[at:]]).decode()


@kernel
def check_lines(text, games, setups, reader, tables, characters, values, annotations, lines, after, before, faults):
    """Read the main line and the variations of a game, each up to its first error.

    lines: LINE for the main line and each open variation. after, before: POSITION, after the last move of each of these
    lines and before it. faults: set to what is wrong; `stop` is 0 where no text has to be left out. Returns (the number
    of faults, 1 if words were passed over that are no moves, else 0).
    """
    game = games[0]
    at = np.int64(game.movetext)
    end = np.int64(game.end)
    zero = np.int64(0)
    count, depth, has_words = zero, zero, zero
    # Step 1. The tags, after whose errors a game can be read on or not.
    if game.error != NO_ERROR:
        set_fault(faults[0], game.error, game.error_start, game.error_end, zero)
        count += 1
        at = end if game.error > LAST_HARMLESS else at
        game.error = NO_ERROR
    begin_line(lines[0], at)
    after[0] = setups[game.setup]
    while at < end:
        line = lines[depth]
        begins = np.int64(characters.begins[byte_at(text, at)])
        # Step 2. The end of a variation, and what stands between words.
        if begins == NOTHING or (begins == RANK and is_move_number(text, at, characters)):
            if depth > 0 and byte_at(text, at) == CLOSING_PARENTHESIS:
                depth -= 1
            at += 1
            continue
        # Step 3. The beginning of a variation: it replaces the last move.
        if begins == OPENING and line.plies > 0:
            after[depth + 1] = before[depth]
            depth += 1
            begin_line(lines[depth], at)
            at += 1
            continue
        # Step 4. A move, or what is none.
        if begins == OPENING and depth > 0:
            set_error(game, EARLY_VARIATION, at, at)
        elif begins >= COMMENT:
            has_words |= begins == WORD
            at = read_non_move(text, at, end, begins, game, reader, characters, values, zero, annotations, zero)
        else:
            move, length = read_move(text, at, begins, after[depth], tables, characters)
            if length == 0:
                has_words |= begins in (PIECE, FILE, CASTLING, NULL)
                at = read_no_move(text, at, end, begins, game, reader, characters, values)
            elif move < 0:
                set_error(game, -move, at, at + length)
            else:
                before[depth] = after[depth]
                play(after[depth], tables, reader.undo, move)
                line.plies += 1
                at += length
        # Step 5. An error ends the line.
        if game.error > LAST_HARMLESS:
            fault = faults[count]
            set_fault(fault, game.error, game.error_start, game.error_end, depth)
            game.error = NO_ERROR
            at = end if depth == 0 else variation_end(text, fault.end, end, game, characters)
            fault.stop = at
            count += 1
    # Step 6. What is not closed, and what is no game.
    for number in range(1, depth + 1):
        begin = lines[number].begin
        set_fault(faults[count], OPEN_VARIATION, begin, begin + 1, number)
        count += 1
    if game.error != NO_ERROR:
        set_fault(faults[count], game.error, game.error_start, game.error_end, zero)
        count += 1
    if count == 0 and lines[0].plies == 0 and game.tags == 0 and reader.found_result == 0:
        set_fault(faults[0], NOTHING_READ, game.start, end, zero)
        count += 1
    return count, has_words


@kernel
def begin_line(line, at):
    line.begin = at
    line.plies = 0


@kernel
def set_fault(fault, error, begin, end, depth):
    fault.error = error
    fault.begin = begin
    fault.end = end
    fault.stop = 0
    fault.depth = depth
