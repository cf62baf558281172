"""Stockfish's .plain: six lines a position, as text.

    fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    move e2e4
    score 25
    ply 0
    result 1
    e

Score and result are for the side to move. Lines may end as on Windows. Source: the tools in the branch tools of
github.com/official-stockfish/Stockfish.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from ox88.batch.pgn.comments import read_digits
from ox88.batch.pgn.writing import write_word
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import IllegalMoveError, RowError
from ox88.batch.rows.chunks import count_threads, in_order
from ox88.batch.text.bytes import FILE, LINE_FEED, MINUS, PADDING, RETURN, begins_with, byte_at, characters, line_end
from ox88.batch.text.fen_reader import board_symbols, read_fen
from ox88.batch.text.fen_writer import EN_PASSANT, MAX_LENGTH, piece_letters, put, write_fen, write_number
from ox88.batch.text.san_reader import is_square, null_length, read_move
from ox88.batch.text.uci import write_uci
from ox88.batch.training.entries import ENTRY, TrainingData, of_entries
from ox88.bitboard.position import is_valid
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error
from ox88.jit import kernel
from ox88.types import NO_MOVE

_LINES: Final = (  # What each line must be: a pattern, words, the range of its number.
    (rb"fen ([^\r\n]+)", "fen and a FEN", None),
    (rb"move (\w+)", "move and a move such as e2e4", None),
    (rb"score (-?\d{1,5})", "score and a whole number from -32768 to 32767", range(-(1 << 15), 1 << 15)),
    (rb"ply (\d{1,5})", "ply and a whole number from 0 to 65535", range(1 << 16)),
    (rb"result (-?[01])", "result and 1, 0 or -1", range(-1, 2)),
    (rb"(e)", "e", None),
)
_WHOLE: Final = re.compile(rb".*\ne\r?\n", re.DOTALL)  # Positions up to the last one that ends.
_BLOCK: Final = 1 << 23  # Bytes, far more than a position takes.
_MOST_BYTES: Final = MAX_LENGTH + 64  # Of a position that is written.
_SHOWN: Final = 60  # Bytes of a line that an error quotes.
FEN, MOVE, SCORE, PLY, RESULT, END = (
    np.frombuffer(word, np.uint8) for word in (b"fen ", b"\nmove ", b"\nscore ", b"\nply ", b"\nresult ", b"\ne")
)
SHREDDER, AFTER_DOUBLE_STEP, ONE_DIGIT, LAST_SCORE, LAST_PLY = (
    np.int64(number) for number in (0, EN_PASSANT["fen"], 1, (1 << 15) - 1, (1 << 16) - 1)
)


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_plain(path: Path, threads: int | None = None) -> Iterator[TrainingData]:
    """The positions of a file, some at a time. Raises Ox88Error, OSError."""
    return in_order(lambda block: read_block(path, *block), _blocks(path), count_threads(threads))


def _blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """(the number of the first line, whole positions) of each block of a file."""
    line, rest = 1, b""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            rest += block
            whole = _WHOLE.match(rest)
            cut = whole.end() if whole else len(rest) if len(rest) > _BLOCK else 0
            yield line, rest[:cut]
            line, rest = line + rest.count(b"\n", 0, cut), rest[cut:]
    yield line, rest


def read_block(path: Path, line: int, text: bytes) -> TrainingData:
    """The positions of a block. Those that the kernel refuses are read, or explained, in Python."""
    data, most = np.frombuffer(text + bytes(PADDING), np.uint8), text.count(b"\n") // len(_LINES) + 1
    positions, entries = np.empty(most, POSITION), np.empty(most, ENTRY)
    records, end, row, at = (board_symbols(), board_tables(), characters()), len(text.rstrip()), 0, 0
    while at < end:
        row, at = read_entries(data, at, end, *records, positions, entries, row)
        if at < end:
            positions[row], entries[row], at = _read_entry(path, line + len(_LINES) * row, text, at)
            row += 1
    return of_entries(Positions._of(positions[:row]), entries[:row])


def _read_entry(path: Path, line: int, text: bytes, at: int) -> tuple[Any, tuple[int, ...], int]:
    """(the POSITION that begins at a place of the text, its ENTRY, where the next one begins). Raises Ox88Error."""
    values = []
    for number, (pattern, words, allowed) in enumerate(_LINES, line):
        found = re.compile(pattern + rb"(?:\r?\n|\Z)").match(text, at)
        if found is None or (allowed and int(found[1]) not in allowed):
            shown = text[at:].split(b"\n", 1)[0][:_SHOWN].decode("utf-8", "backslashreplace").rstrip()
            what = repr(shown) if at < len(text) else "the file ends within a position"
            raise Ox88Error(f"{path}: line {number}: {what}: {words} is expected")
        values.append(found[1].decode("latin-1"))
        at = found.end()
    fen, move, score, ply, result, _ = values
    try:
        position = Positions.from_fens([fen])
        line += 1
        (number,) = numbers = position.parse_uci([move])
        if number != NO_MOVE and not position.is_legal(numbers)[0]:
            raise IllegalMoveError(0, move, position._records[0])
    except RowError as error:
        raise Ox88Error(f"{path}: line {line}: {error.reason}") from None
    return position._records[0], (int(number), int(score), int(result), int(ply)), at


@kernel
def read_entries(text, at, end, symbols, tables, characters, positions, entries, row):
    """Read positions, up to the first that is not as usual. Returns (the row after them, the place after them)."""
    while at < end:
        position, entry, place = positions[row], entries[row], after_word(text, at, FEN)
        stop = line_end(text, max(place, np.int64(0)), end, characters)
        if place < 0 or not read_fen(text, place, stop, symbols, tables, position) or not is_valid(position, tables):
            break
        move, place = read_uci(text, after_word(text, stop, MOVE), position, tables, characters)
        score, place = read_number(text, place, SCORE)
        ply, place = read_number(text, place, PLY)
        result, place = read_number(text, place, RESULT)
        place = after_word(text, place, END)
        if place >= 0 and byte_at(text, place) == RETURN:
            place += 1
        is_in_range = -LAST_SCORE - 1 <= score <= LAST_SCORE and 0 <= ply <= LAST_PLY and -1 <= result <= 1
        if place < 0 or not is_in_range or (place < end and byte_at(text, place) != LINE_FEED):
            break
        entry.moves, entry.scores, entry.results, entry.plies = move, score, result, ply
        row, at = row + 1, place + 1
    return row, at


@kernel
def after_word(text, at, word):
    """Where a word ends that begins at `at`, or after a carriage return there; -1 if there is none, or for -1."""
    if at < 0:
        return at
    if byte_at(text, at) == RETURN:
        at += 1
    return at + len(word) if begins_with(text, at, word) else np.int64(-1)


@kernel
def read_uci(text, at, position, tables, characters):
    """(a legal move, or 0 for 0000; where it ends, -1 for another text)."""
    if at < 0:
        return np.int64(NO_MOVE), at
    if null_length(text, at) == 4:
        return np.int64(NO_MOVE), at + 4
    if not (is_square(text, at, characters.begins) and is_square(text, at + 2, characters.begins)):
        return np.int64(NO_MOVE), np.int64(-1)
    move, length = read_move(text, at, np.int64(FILE), position, tables, characters)
    return move, at + length if move > 0 else np.int64(-1)


@kernel
def read_number(text, at, word):
    """(the whole number after a word, where it ends); (0, -1) if there is none."""
    at = after_word(text, at, word)
    if at < 0:
        return np.int64(0), at
    is_negative = np.int64(byte_at(text, at) == MINUS)
    number, end = read_digits(text, at + is_negative)
    return (number - 2 * number * is_negative, end) if end > at + is_negative else (np.int64(0), np.int64(-1))


# --- Writing ----------------------------------------------------------------------------------------------------------


def write_plain(data: TrainingData, begin: int = 0) -> bytes:
    """The text of the rows from one on."""
    text = np.empty((len(data) - begin) * _MOST_BYTES, np.uint8)
    length = write_entries(data.positions._records, data.entries(), begin, board_tables(), piece_letters(), text)
    return text[:length].tobytes()


@kernel
def write_entries(positions, entries, begin, tables, letters, text):
    """Write the rows from one on as text; returns the number of bytes."""
    at = np.int64(0)
    for row in range(begin, len(positions)):
        position, entry = positions[row], entries[row]
        at = write_word(FEN, text, at)
        at = write_fen(position, tables, letters, SHREDDER, AFTER_DOUBLE_STEP, text, at)
        at = write_word(MOVE, text, at)
        at = write_uci(position, letters, np.int64(entry.moves), text, at)
        at = write_signed(SCORE, np.int64(entry.scores), text, at)
        at = write_signed(PLY, np.int64(entry.plies), text, at)
        at = write_signed(RESULT, np.int64(entry.results), text, at)
        at = write_word(END, text, at)
        at = put(text, at, np.int64(LINE_FEED))
    return at


@kernel
def write_signed(word, number, text, at):
    """Write a word and a number; returns the place after them."""
    at = write_word(word, text, at)
    if number < 0:
        at = put(text, at, np.int64(MINUS))
    return write_number(abs(number), ONE_DIGIT, text, at)
