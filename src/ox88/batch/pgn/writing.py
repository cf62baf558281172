"""Writes games as PGN, some thousand moves at a time: tags in Python, movetext by kernels."""

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import GameArrays
from ox88.batch.pgn.comments import HIGHEST, MATE
from ox88.batch.pgn.files import read_slices
from ox88.batch.pgn.records import ANNOTATIONS, CLOCK, DEPTH, EVAL, TIME
from ox88.batch.pgn.words import RESULT_WORDS, format_tag
from ox88.batch.rows.chunks import count_threads, in_order
from ox88.batch.text.fen_writer import piece_letters, put, write_number
from ox88.batch.text.san_writer import write_san
from ox88.bitboard.moves import do_null_move
from ox88.bitboard.position import copy_position, to_setup
from ox88.bitboard.records import MOVE_LIST, POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error
from ox88.jit import kernel
from ox88.setup import format_fen
from ox88.types import BLACK, NO_MOVE

# The tags that every PGN has, with their values for "unknown".
SEVEN_TAGS: Final = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
_START_TAGS: Final = ("FEN", "SetUp")  # Made from the first position, not copied.
_PLIES_AT_ONCE: Final = 1 << 14


def write_games(games: GameArrays, threads: int | None) -> Iterator[str]:
    def write(rows: NDArray[np.int64]) -> str:
        some = games.take(rows)
        return "".join(f"{tags}\n{text}\n" for tags, text in zip(_tags_of(some), _movetexts(some), strict=True))

    return in_order(write, _runs(games.offsets), count_threads(threads))


def unchanged_games(games: GameArrays) -> Iterator[bytes]:
    """The text of each game as its file has it, read again, with a blank line at its end. Raises Ox88Error."""
    rows = games.games
    if (rows["file"] < 0).any():
        raise Ox88Error("the games come from no file: to_pgn() writes their main lines")
    order = np.lexsort((rows["start"], rows["file"]))
    texts = (
        ending_with_blank_line(text)
        for number, some in groupby(order.tolist(), lambda row: int(rows["file"][row]))
        for text in read_slices(games.files[number], (rows[row][["start", "end"]].tolist() for row in some))
    )
    if (order[1:] > order[:-1]).all():
        yield from texts
    else:
        known = dict(zip(order.tolist(), texts, strict=True))
        yield from map(known.__getitem__, range(len(rows)))


def ending_with_blank_line(text: bytes) -> bytes:
    """The text of a game, with as many newlines after it as keep it apart from the next one."""
    end = text[len(text.rstrip()) :]
    newline = next((kind for kind in (b"\r\n", b"\n", b"\r") if kind in text), b"\n")
    return text + newline * (2 - max(end.count(b"\n"), end.count(b"\r")))


def _runs(offsets: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Rows of consecutive games, which have at most _PLIES_AT_ONCE moves together; or of one longer game."""
    begin = 0
    while begin < len(offsets) - 1:
        end = max(begin + 1, int(np.searchsorted(offsets, offsets[begin] + _PLIES_AT_ONCE, "right")) - 1)
        end = min(end, begin + _PLIES_AT_ONCE)  # Games without moves need memory, too.
        yield np.arange(begin, end)
        begin = end


def _tags_of(games: GameArrays) -> Iterator[str]:
    """The tags of each game as text: the seven of every PGN, those that were read, those of its first position."""
    columns = {name: column for name, column in games.columns.items() if name not in _START_TAGS}
    texts = {name: column.texts() for name, column in columns.items()}
    for row, game in enumerate(games.games):
        kept = {name: text[row] for name, text in texts.items() if columns[name].present[row]}
        result = RESULT_WORDS[game["result"]]
        start = _start_tags(games, int(game["setup"]), kept)
        tags = {**SEVEN_TAGS, "Result": result, **kept, **start}
        yield "".join(f"{format_tag(name, text)}\n" for name, text in tags.items())


def _start_tags(games: GameArrays, setup_row: int, kept: dict[str, str]) -> dict[str, str]:
    """The tags FEN and SetUp, made from the first position, so that an illegal FEN is not written again."""
    if setup_row == 0:
        return {}
    setup = to_setup(games.setups.view(np.recarray)[setup_row])
    variant = {"Variant": "Chess960"} if setup.is_chess960() and not kept.get("Variant") else {}
    return {**variant, "FEN": format_fen(setup), "SetUp": "1"}


# --- Movetext ---------------------------------------------------------------------------------------------------------


BYTES_A_MOVE = 160  # More than a number, SAN, and a comment with the longest evaluation, clock and time.
BYTES_A_GAME = 16  # The result and newlines.

_WIDTH = 79

# Typed, so that a kernel that takes one has a single signature.
_SPACE, _NEWLINE, _DOT, _DASH, _COLON, _CLOSING_BRACKET, _HASH, _COMMA = (
    np.int64(ord(character)) for character in " \n.-:]#,"
)
_BRACKET = ord("[")
_OPENS, _CLOSES, _EVAL, _CLOCK, _TIME, _NULL = (
    np.frombuffer(word, np.uint8) for word in (b"{ ", b"} ", b"[%eval ", b"[%clk ", b"[%emt ", b"--")
)
_RESULTS = np.frombuffer(b"".join(word.encode().ljust(7, b"\0") for word in RESULT_WORDS), np.uint8).reshape(4, 7)


def _movetexts(games: GameArrays) -> Iterator[str]:
    text = np.empty(len(games.moves) * BYTES_A_MOVE + len(games.games) * BYTES_A_GAME, np.uint8)
    ends = np.zeros(len(games.games) + 1, np.int64)
    write_movetexts(
        games.moves,
        games.offsets,
        np.stack([games.annotation(name) for name in ANNOTATIONS]),
        games.setups.view(np.recarray),
        games.setup_rows,
        np.ascontiguousarray(games.games["result"]),
        board_tables(),
        piece_letters(),
        *(make_record(scratch) for scratch in (POSITION, MOVE_LIST, UNDO)),
        text,
        ends,
    )
    whole = text[: ends[-1]].tobytes().decode("ascii")
    return (whole[begin:end] for begin, end in pairwise(ends.tolist()))


@kernel
def write_movetexts(
    moves, offsets, annotations, setups, setup_rows, results, tables, letters, position, found, undo, text, ends
):
    """Write the movetext of all games, each with a newline after it; that of game i is text[ends[i]:ends[i + 1]].

    annotations: float32[4, plies]. position, found, undo: scratch. text: uint8, with BYTES_A_MOVE a move and
    BYTES_A_GAME a game. ends: int64[games + 1], of which the first is 0.
    """
    for game in range(len(setup_rows)):
        at = ends[game]
        copy_position(setups[setup_rows[game]], position)
        needs_number = True
        for ply in range(offsets[game], offsets[game + 1]):
            if needs_number or position.turn != BLACK:
                at = write_number(np.int64(position.fullmove_number), np.int64(1), text, at)
                for _ in range(3 if position.turn == BLACK else 1):
                    at = put(text, at, _DOT)
                at = put(text, at, _SPACE)
            if moves[ply] == NO_MOVE:
                at = write_word(_NULL, text, at)
                do_null_move(position, tables, undo)
            else:
                at = write_san(position, tables, letters, np.int64(moves[ply]), found, undo, text, at)
            at = put(text, at, _SPACE)
            after = write_comment(annotations, ply, text, at)
            needs_number = after > at
            at = after
        at = write_word(_RESULTS[results[game]], text, at)
        wrap_lines(text, ends[game], at)
        ends[game + 1] = put(text, at, _NEWLINE)


@kernel
def write_word(word, text, place):
    """Write bytes, except for the zeros that may follow; returns the place after them."""
    for byte in word:
        if byte != 0:
            place = put(text, place, np.int64(byte))
    return place


@kernel
def wrap_lines(text, begin, end):
    """Replace spaces by newlines, so that lines are short. Those in commands, as in [%clk 0:01:00], are left."""
    line = begin
    last = begin  # The last space.
    in_command = False
    for at in range(begin, end + 1):
        if at == end or (text[at] == _SPACE and not in_command):
            if at - line > _WIDTH and last > line:
                text[last] = _NEWLINE
                line = last + 1
            last = at
        elif text[at] == _BRACKET or text[at] == _CLOSING_BRACKET:
            in_command = text[at] == _BRACKET


@kernel
def write_comment(annotations, ply, text, place):
    """Write a comment with a move's evaluation, clock and time; returns the place after it. Nothing without them."""
    clock, pawns = np.float64(annotations[CLOCK, ply]), np.float64(annotations[EVAL, ply])
    time, depth = np.float64(annotations[TIME, ply]), np.float64(annotations[DEPTH, ply])
    if np.isnan(clock) and np.isnan(pawns) and np.isnan(time):
        return place
    place = write_word(_OPENS, text, place)
    if not np.isnan(pawns):
        place = write_eval(pawns, depth, text, place)
    if not np.isnan(clock):
        place = write_time(_CLOCK, clock, text, place)
    if not np.isnan(time):
        place = write_time(_TIME, time, text, place)
    return write_word(_CLOSES, text, place)


@kernel
def write_eval(pawns, depth, text, place):
    place = write_word(_EVAL, text, place)
    size = abs(pawns)
    if size > HIGHEST:
        place = put(text, place, _HASH)
    if pawns < 0:
        place = put(text, place, _DASH)
    if size > HIGHEST:
        place = write_number(np.int64(round(MATE - size)), np.int64(1), text, place)
    else:
        hundredths = np.int64(round(size * 100))
        place = write_number(hundredths // 100, np.int64(1), text, place)
        place = put(text, place, _DOT)
        place = write_number(hundredths % 100, np.int64(2), text, place)
    if not np.isnan(depth):
        place = put(text, place, _COMMA)
        place = write_number(np.int64(depth), np.int64(1), text, place)
    place = put(text, place, _CLOSING_BRACKET)
    return put(text, place, _SPACE)


@kernel
def write_time(command, time, text, place):
    """Write hours, minutes and seconds, and thousandths if they are not 0; returns the place after them."""
    place = write_word(command, text, place)
    seconds = np.int64(time)
    thousandths = np.int64(round((time - np.float64(seconds)) * 1000))
    if thousandths == 1000:
        seconds += 1
        thousandths = 0
    place = write_number(seconds // 3600, np.int64(1), text, place)
    place = put(text, place, _COLON)
    place = write_number(seconds // 60 % 60, np.int64(2), text, place)
    place = put(text, place, _COLON)
    place = write_number(seconds % 60, np.int64(2), text, place)
    if thousandths > 0:
        place = put(text, place, _DOT)
        place = write_number(thousandths, np.int64(3), text, place)
    place = put(text, place, _CLOSING_BRACKET)
    return put(text, place, _SPACE)
