"""Writes games as PGN, some thousand moves at a time: tags in Python, movetext by kernels."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import GameArrays
from ox88.batch.pgn.comments import HIGHEST, MATE
from ox88.batch.pgn.records import ANNOTATIONS
from ox88.batch.pgn.results import RESULT_BYTES, RESULT_LENGTHS
from ox88.batch.pgn.words import RESULT_WORDS, format_tag
from ox88.batch.rows.chunks import count_threads, in_order
from ox88.batch.text import fen_writer
from ox88.batch.text.fen_writer import piece_letters
from ox88.batch.text.san_writer import LONGEST_SAN, write_san
from ox88.bitboard.moves import do_null_move
from ox88.bitboard.position import to_setup
from ox88.bitboard.records import MOVE_LIST, POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
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


def _runs(offsets: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Rows of consecutive games, which have at most _PLIES_AT_ONCE moves together; or of one longer game."""
    begin = 0
    while begin < len(offsets) - 1:
        end = max(begin + 1, int(np.searchsorted(offsets, offsets[begin] + _PLIES_AT_ONCE, "right")) - 1)
        end = min(end, begin + _PLIES_AT_ONCE)  # Games without moves need memory, too.
        yield np.arange(begin, end)
        begin = end


def _movetexts(games: GameArrays) -> Iterator[str]:
    written = np.zeros(len(games.games), GAME_TO_WRITE).view(np.recarray)
    written.first, written.last = games.offsets[:-1], games.offsets[1:]
    written.setup, written.result = games.games["setup"], games.games["result"]
    text = np.empty(len(games.moves) * BYTES_A_MOVE + len(written) * BYTES_A_GAME, np.uint8)
    write_movetexts(
        written,
        games.moves,
        *(games.annotation(name) for name in ANNOTATIONS),
        games.setups.view(np.recarray),
        board_tables(),
        piece_letters(),
        make_record(WRITER),
        np.empty(LONGEST_SAN, np.uint8),
        text,
    )
    ends = written.text_end.tolist()
    whole = text[: ends[-1]].tobytes().decode("ascii")
    return (whole[begin:end] for begin, end in pairwise([0, *ends]))


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


WRITER = np.dtype(
    [
        ("position", POSITION),
        ("undo", UNDO),
        ("found", MOVE_LIST),
        ("at", np.int64),  # Where to write.
        ("line", np.int64),  # Where the line begins.
        ("word", np.int64),  # The space before the last word. It becomes a newline if the line gets too long.
    ],
    align=True,
)

GAME_TO_WRITE = np.dtype(
    [
        ("first", np.int64),  # The game has moves[first:last].
        ("last", np.int64),
        ("setup", np.int64),  # The row of its first position.
        ("result", np.int64),
        ("text_end", np.int64),  # Set to where its text ends.
    ],
    align=True,
)

BYTES_A_MOVE = 160  # More than a number, SAN, and a comment with the longest evaluation, clock and time.
BYTES_A_GAME = 16  # The result and newlines.

_WIDTH = 79

# Typed, so that a kernel that takes one has a single signature.
_SPACE, _NEWLINE, _DOT, _DASH, _COLON, _OPENING, _CLOSING, _CLOSING_BRACKET, _HASH, _COMMA = (
    np.int64(ord(character)) for character in " \n.-:{}]#,"
)
_EVAL = np.frombuffer(b"[%eval ", np.uint8)
_CLOCK = np.frombuffer(b"[%clk ", np.uint8)
_TIME = np.frombuffer(b"[%emt ", np.uint8)


@kernel
def write_movetexts(games, moves, clocks, evals, times, depths, setups, tables, letters, writer, san, text):
    """Write the movetext of all games, each with a newline after it, and set where it ends.

    games: GAME_TO_WRITE[n]. san: uint8[8], scratch. text: uint8, with BYTES_A_MOVE a move and BYTES_A_GAME a game.
    """
    writer.at = 0
    for number in range(len(games)):
        game = games[number]
        writer.line = writer.at
        writer.position = setups[game.setup]
        needs_number = True
        for ply in range(game.first, game.last):
            if needs_number or writer.position.turn != BLACK:
                write_move_number(text, writer)
            write_move(text, writer, tables, letters, np.int64(moves[ply]), san)
            needs_number = write_comment(
                text,
                writer,
                np.float64(clocks[ply]),
                np.float64(evals[ply]),
                np.float64(times[ply]),
                np.float64(depths[ply]),
            )
        write_result(text, writer, np.int64(game.result))
        put(text, writer, _NEWLINE)
        game.text_end = writer.at


@kernel
def put(text, writer, byte):
    text[writer.at] = byte
    writer.at += 1


@kernel
def begin_word(text, writer):
    writer.word = writer.at
    if writer.at > writer.line:
        put(text, writer, _SPACE)


@kernel
def end_word(text, writer):
    if writer.at - writer.line > _WIDTH and writer.word > writer.line:
        text[writer.word] = _NEWLINE
        writer.line = writer.word + 1


@kernel
def write_word(text, writer, byte):
    begin_word(text, writer)
    put(text, writer, byte)
    end_word(text, writer)


@kernel
def write_number(text, writer, number, digits):
    """Write a number, with zeros before it if it has fewer than `digits` digits."""
    writer.at = fen_writer.write_number(number, digits, text, writer.at)


@kernel
def write_move_number(text, writer):
    begin_word(text, writer)
    write_number(text, writer, np.int64(writer.position.fullmove_number), np.int64(1))
    for _ in range(3 if writer.position.turn == BLACK else 1):
        put(text, writer, _DOT)
    end_word(text, writer)


@kernel
def write_move(text, writer, tables, letters, move, san):
    begin_word(text, writer)
    if move == NO_MOVE:
        put(text, writer, _DASH)
        put(text, writer, _DASH)
        do_null_move(writer.position, tables, writer.undo)
    else:
        san[:] = 0
        write_san(writer.position, tables, letters, move, writer.found, writer.undo, san)
        for place in range(LONGEST_SAN):
            if san[place] != 0:
                put(text, writer, np.int64(san[place]))
    end_word(text, writer)


@kernel
def write_comment(text, writer, clock, pawns, time, depth):
    """Write a comment with a move's evaluation, clock and time. False if it has none of them."""
    has_clock, has_eval, has_time = not np.isnan(clock), not np.isnan(pawns), not np.isnan(time)
    if not (has_clock or has_eval or has_time):
        return False
    write_word(text, writer, _OPENING)
    if has_eval:
        write_eval(text, writer, pawns, depth)
    if has_clock:
        write_time(text, writer, _CLOCK, clock)
    if has_time:
        write_time(text, writer, _TIME, time)
    write_word(text, writer, _CLOSING)
    return True


@kernel
def write_eval(text, writer, pawns, depth):
    begin_word(text, writer)
    for byte in _EVAL:
        put(text, writer, np.int64(byte))
    size = abs(pawns)
    if size > HIGHEST:
        put(text, writer, _HASH)
    if pawns < 0:
        put(text, writer, _DASH)
    if size > HIGHEST:
        write_number(text, writer, np.int64(round(MATE - size)), np.int64(1))
    else:
        hundredths = np.int64(round(size * 100))
        write_number(text, writer, hundredths // 100, np.int64(1))
        put(text, writer, _DOT)
        write_number(text, writer, hundredths % 100, np.int64(2))
    if not np.isnan(depth):
        put(text, writer, _COMMA)
        write_number(text, writer, np.int64(depth), np.int64(1))
    put(text, writer, _CLOSING_BRACKET)
    end_word(text, writer)


@kernel
def write_time(text, writer, command, clock):
    """Write hours, minutes and seconds, and thousandths if they are not 0."""
    begin_word(text, writer)
    for byte in command:
        put(text, writer, np.int64(byte))
    seconds = np.int64(clock)
    thousandths = np.int64(round((clock - np.float64(seconds)) * 1000))
    if thousandths == 1000:
        seconds += 1
        thousandths = 0
    write_number(text, writer, seconds // 3600, np.int64(1))
    put(text, writer, _COLON)
    write_number(text, writer, seconds // 60 % 60, np.int64(2))
    put(text, writer, _COLON)
    write_number(text, writer, seconds % 60, np.int64(2))
    if thousandths > 0:
        put(text, writer, _DOT)
        write_number(text, writer, thousandths, np.int64(3))
    put(text, writer, _CLOSING_BRACKET)
    end_word(text, writer)


@kernel
def write_result(text, writer, result):
    begin_word(text, writer)
    for byte in RESULT_BYTES[result, : RESULT_LENGTHS[result]]:
        put(text, writer, np.int64(byte))
    end_word(text, writer)
