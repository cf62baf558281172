"""Games made of moves as texts: of lists, of strings with blanks, and of columns of Arrow.

Moves are in SAN or UCI's notation, as `Positions.parse_san` reads them. Move numbers, the signs ! and ?, and a result
at the end are passed over. Unlike in a PGN, any other word is an error.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import Column, GameArrays
from ox88.batch.pgn.comments import is_digit
from ox88.batch.pgn.movetext_reader import DOT, is_move_number
from ox88.batch.pgn.records import GAME_ROW, NO_SAN
from ox88.batch.pgn.replay import play, replay_some
from ox88.batch.pgn.tags import result_at
from ox88.batch.pgn.words import RESULT_WORDS, TAG_NAME, usual_result
from ox88.batch.positions.arrow import import_pyarrow, texts_of_column, without_empty
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import Errors, IllegalMoveError, RowError, check_errors, report
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import to_offsets
from ox88.batch.text.bytes import PADDING, RANK, after_space, byte_at, characters, is_space
from ox88.batch.text.san_reader import AMBIGUOUS_MOVE, UNKNOWN_DROP, read_move
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.jit import kernel

_GAMES_A_CHUNK: Final = 4096
_EXPECTED: Final = "a text such as 'e2e4 e7e5', or a list of moves such as ['e4', 'e5'], is expected"
_SIGNS = tuple(b"+#!?")
NINE = ord("9")


def read_games(
    moves: Any, fens: Any, headers: Mapping[str, Iterable[str]], errors: Errors, threads: int | None
) -> GameArrays:
    """The games of `Games.from_moves`, which documents the arguments and what is raised."""
    check_errors(errors)
    text, offsets = _texts(moves)
    count = len(offsets) - 1
    setups, setup_rows, wrong = _setups(fens, count)
    starts, ends = offsets[:-1], offsets[1:]
    read, found = np.empty(len(text) // 2 + count, np.uint16), np.empty((count, 2), np.int64)
    faults = np.zeros((count, 3), np.int64)
    places = starts // 2 + np.arange(count)  # Each game has room for a move of two bytes after another.

    def read_some(rows: slice) -> None:
        scratch = make_record(POSITION), make_record(UNDO)
        records = (setups, setup_rows[rows], board_tables(), characters(), *scratch)
        read_lines_of_moves(text, starts[rows], ends[rows], *records, places[rows], read, found[rows], faults[rows])

    in_chunks(read_some, count, threads, _GAMES_A_CHUNK)
    lengths, results = np.ascontiguousarray(found.T)
    rows = np.zeros(count, GAME_ROW)
    rows["number"], rows["line"], rows["file"] = np.arange(count), np.arange(count), -1
    rows["setup"], rows["result"] = setup_rows, results
    of_moves = to_offsets(lengths)
    places = np.arange(of_moves[-1]) + np.repeat(places - of_moves[:-1], lengths)
    columns = _columns(headers, count)
    if "Result" in columns:
        known = {word: number for number, word in enumerate(RESULT_WORDS)}
        rows["result"] = [known.get(usual_result(word), 0) for word in columns["Result"].texts()]
    games = GameArrays(
        moves=read[places],
        annotations={},
        packed=None,
        offsets=of_moves,
        setups=setups,
        games=rows,
        error_texts=_column([""] * count),
        columns=columns,
    )

    def explain(row: int) -> str:
        return wrong[row] if row in wrong else _why(games, row, text, *faults[row])

    is_wrong = faults[:, 0] != 0
    is_wrong[list(wrong)] = True
    report(errors, np.flatnonzero(is_wrong), explain)
    return games.take(np.flatnonzero(~is_wrong)) if is_wrong.any() else games


def _texts(moves: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """(all texts, read-only and with PADDING; where each begins and ends). The last byte of each is a newline."""
    if hasattr(moves, "__arrow_c_stream__") or hasattr(moves, "__arrow_c_array__"):
        data, offsets = texts_of_column(import_pyarrow("from_moves"), moves)
    else:
        lines = _lines(moves)
        data = "\n".join([*lines, ""]).encode("utf-8", "replace")
        lengths = [len(line) + 1 if line.isascii() else len(line.encode("utf-8", "replace")) + 1 for line in lines]
        offsets = to_offsets(np.array(lengths, np.int64))
    text = np.zeros(len(data) + PADDING, np.uint8)
    text[: len(data)] = np.frombuffer(data, np.uint8)
    text.flags.writeable = False
    return text, offsets


def _lines(moves: Any) -> list[str]:
    if isinstance(moves, (str, bytes)) or not isinstance(moves, Iterable):
        raise TypeError(f"moves is of type {type(moves).__name__}: a list with the moves of each game is expected")
    lines = []
    for row, line in enumerate(moves):
        try:
            lines.append(line if isinstance(line, str) else " ".join(line))
        except TypeError:
            kinds = {type(item).__name__ for item in line} if isinstance(line, Iterable) else {type(line).__name__}
            raise TypeError(f"row {row} has {' and '.join(sorted(kinds))}: {_EXPECTED}") from None
    return lines


def _setups(fens: Any, count: int) -> tuple[Any, NDArray[np.int64], dict[int, str]]:
    """(POSITION[m], of which row 0 is the start position; the row of each game; why rows are no legal positions)."""
    start = Positions.from_fens([STARTPOS], threads=1)
    if fens is None:
        return start.records.copy().view(np.recarray), np.zeros(count, np.int64), {}
    wrong: list[RowError] = []
    if hasattr(fens, "__arrow_c_stream__") or hasattr(fens, "__arrow_c_array__"):
        column, rows, length = without_empty(import_pyarrow("from_moves"), fens)
        found = Positions.from_arrow(column, errors=wrong.append)
    else:
        texts = [fens] if isinstance(fens, str) else list(fens)
        for row, fen in enumerate(texts):
            if not (fen is None or isinstance(fen, str)):
                raise TypeError(f"row {row} of the FENs is of type {type(fen).__name__}: a text or None is expected")
        rows, length = np.flatnonzero([bool(fen) for fen in texts]), len(texts)
        found = Positions.from_fens([texts[row] for row in rows], errors=wrong.append)
    if length != count:
        raise Ox88Error(f"{length} FENs for {count} games: one for each is expected; None is the start position")
    setup_rows = np.zeros(count, np.int64)
    setup_rows[np.delete(rows, [error.row for error in wrong])] = np.arange(1, len(found) + 1)
    setups = np.concatenate([start.records, found.records]).view(np.recarray)
    return setups, setup_rows, {int(rows[error.row]): error.reason for error in wrong}


def _columns(headers: Mapping[str, Iterable[str]], count: int) -> dict[str, Column]:
    """The tags as columns. Raises Ox88Error, TypeError for what no PGN can say."""
    if not isinstance(headers, Mapping):
        raise TypeError(f"headers is of type {type(headers).__name__}: a dict of lists is expected")
    columns = {}
    for name, texts in headers.items():
        values = list(texts)
        if not (isinstance(name, str) and TAG_NAME.fullmatch(name)):
            raise Ox88Error(f"the tag {name!r}: a name such as 'White' is expected")
        if isinstance(texts, str) or len(values) != count:
            raise Ox88Error(f"the tag {name!r} has {len(values)} values for {count} games: a text for each is expected")
        for row, value in enumerate(values):
            if not isinstance(value, str):
                raise TypeError(f"row {row} of the tag {name!r} is of type {type(value).__name__}: a text is expected")
            if "\n" in value or "\r" in value:
                raise RowError(row, f"the tag {name!r} is {value!r}: a text in one line is expected")
        columns[name] = _column(values)
    return columns


def _column(values: list[str]) -> Column:
    encoded = [value.encode("utf-8", "replace") for value in values]
    data = np.frombuffer(b"".join(encoded), np.uint8)
    return Column(data, to_offsets(np.array(list(map(len, encoded)), np.int64)), np.ones(len(values), np.bool_))


def _why(games: GameArrays, row: int, text: NDArray[np.uint8], error: int, begin: int, end: int) -> str:
    ply = games.offsets[row + 1] - games.offsets[row]
    word = text[begin:end].tobytes().decode("utf-8", "replace")
    record = replay_some(games, np.array([row]), np.array([ply]), 1)[0]
    if error == AMBIGUOUS_MOVE:
        why = f"{word!r} fits more than one legal move in {Positions._of(record.reshape(1)).fens()[0]}"
    elif error in (NO_SAN, UNKNOWN_DROP):
        why = f"{word!r} is not a move: SAN such as 'Nf3', or 'e2e4' is expected"
    else:
        why = IllegalMoveError(row, word, record).reason
    return f"ply {ply}: {why}"


@kernel
def read_lines_of_moves(
    text, starts, ends, setups, setup_rows, tables, characters, position, undo, places, moves, found, faults
):
    """Read the moves of game i, text[starts[i]:ends[i]], to moves[places[i]:], up to the first word that is none.

    found: int64[games, 2], set to the number of moves and the result. faults: int64[games, 3], set to an error, and to
    where its word begins and ends.
    """
    for game in range(len(starts)):
        copy_position(setups[setup_rows[game]], position)
        at, end = after_space(text, starts[game], ends[game]), ends[game]
        count = np.int64(0)
        found[game, 1] = 0
        while at < end:
            result, length = result_at(text, at)
            if length > 0 and after_space(text, at + length, end) == end:
                found[game, 1] = result
                break
            begins = np.int64(characters.begins[byte_at(text, at)])
            if is_number(text, at, begins, characters):
                at = after_space(text, after_number(text, at, end), end)
                continue
            move, length = read_move(text, at, begins, position, tables, characters)
            stop = after_signs(text, at + length, end)
            if length == 0 or move < 0 or (stop < end and not is_space(byte_at(text, stop))):
                stop = word_end(text, at, end)
                faults[game, 0] = -move if length > 0 and move < 0 else NO_SAN
                faults[game, 1] = at
                faults[game, 2] = stop
                break
            play(position, tables, undo, move)
            moves[places[game] + count] = move
            count += 1
            at = after_space(text, stop, end)
        found[game, 0] = count


@kernel
def is_number(text, at, begins, characters):
    """True if a move number begins at `at`, or the dots after one."""
    byte = byte_at(text, at)
    return byte in (DOT, NINE) or (begins == RANK and is_move_number(text, at, characters))


@kernel
def after_number(text, at, end):
    """Where a number and its dots end. Castling may follow at once, also as 0-0."""
    while at < end and is_digit(byte_at(text, at)):
        at += 1
    while at < end and byte_at(text, at) == DOT:
        at += 1
    return at


@kernel
def after_signs(text, at, end):
    while at < end and byte_at(text, at) in _SIGNS:
        at += 1
    return at


@kernel
def word_end(text, at, end):
    while at < end and not is_space(byte_at(text, at)):
        at += 1
    return at
