"""The columns of puzzles and their three formats: Lichess's CSV, Parquet, and PGN with a game for each puzzle."""

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.apps.fields import is_encodable
from ox88.apps.files import written_at_once
from ox88.batch.pgn.words import format_tag
from ox88.errors import Ox88Error, unreadable

Columns = dict[str, NDArray[Any]]
Values = Mapping[str, Sequence[Any] | NDArray[Any]]  # By the names of columns, perhaps not of all.
Place = Callable[[int], str]  # Where the puzzle of a row stands in a file, such as `puzzles.csv, line 3`.


class Column(NamedTuple):
    """lichess: its name in Lichess's CSV. tag: in a PGN. kind: str, or int for numbers."""

    name: str
    lichess: str
    tag: str
    kind: type = str


COLUMNS: Final = (
    Column("id", "PuzzleId", "PuzzleId"),
    Column("fen", "FEN", "FEN"),
    Column("moves", "Moves", ""),
    Column("rating", "Rating", "PuzzleRating", int),
    Column("deviation", "RatingDeviation", "PuzzleDeviation", int),
    Column("popularity", "Popularity", "PuzzlePopularity", int),
    Column("plays", "NbPlays", "PuzzlePlays", int),
    Column("themes", "Themes", "PuzzleThemes"),
    Column("source", "GameUrl", "Site"),
    Column("openings", "OpeningTags", "PuzzleOpenings"),
    Column("played", "Played", "PuzzlePlayed"),
    Column("reason", "Reason", "PuzzleReason"),
)
_OWN: Final = ("played", "reason")  # Lichess's CSV does not have these.
_NEEDED: Final = ("id", "fen", "moves", "rating", "themes")
_TAGS: Final = {column.name: column.tag for column in COLUMNS if column.tag}
_LARGEST: Final = 2**31 - 1
_SHORTEST: Final = 2  # Moves.
_BLOCK: Final = 1 << 20  # Bytes.


def make_columns(values: Values, count: int, place: Place, check: bool = True) -> Columns:
    """Arrays of int32 and of str, of values that may be texts. Columns that are not given are empty.

    Raises Ox88Error, which names the place, for what is no number, no legal position or no legal move.
    """
    columns: Columns = {}
    for name, _, _, kind in COLUMNS:
        given = values.get(name)
        if given is None:
            columns[name] = np.full(count, kind(), object if kind is str else np.int32)
        elif kind is str:
            columns[name] = np.array([_text(name, *row, place) for row in enumerate(given)], object)
        else:
            columns[name] = np.array([_number(name, *row, place) for row in enumerate(given)], np.int32)
    if check:
        _check_legal(columns, place)
    return columns


def _text(name: str, row: int, value: Any, place: Place) -> str:
    if not isinstance(value, str):
        raise Ox88Error(f"{place(row)}: {name} is {value!r}: a text is expected")
    return value


def _number(name: str, row: int, value: Any, place: Place) -> int:
    try:
        number = int(value or 0)
    except (TypeError, ValueError, OverflowError):
        raise Ox88Error(f"{place(row)}: {name} is {value!r}: a whole number is expected") from None
    if isinstance(value, float) and number != value:
        raise Ox88Error(f"{place(row)}: {name} is {value!r}: a whole number is expected")
    if abs(number) > _LARGEST:
        raise Ox88Error(f"{place(row)}: {name} is {number}: a number up to {_LARGEST} is expected")
    return number


def _check_legal(columns: Columns, place: Place) -> None:
    """Play all moves of all puzzles, a ply of all of them at a time. Both are then as python-chess writes them."""
    from ox88.batch.positions.positions import Positions  # Imports the compiler.
    from ox88.batch.rows.arguments import RowError
    from ox88.batch.text.uci import need_chess960

    moves = [text.split() for text in columns["moves"]]
    lengths = np.array(list(map(len, moves)), np.intp)
    for row in np.flatnonzero(lengths < _SHORTEST)[:1]:
        found = " ".join(moves[row]) or "none"
        raise Ox88Error(f"{place(int(row))}: the moves are {found}: the opponent's move and the solution are expected")
    rows = np.arange(len(moves))
    try:
        positions = Positions.from_fens(columns["fen"].tolist())
        for row in np.flatnonzero(need_chess960(positions._records))[:1]:
            what = "its castling rights are those of Chess960"
            raise Ox88Error(f"{place(int(row))}: {what}: a puzzle of chess is expected")
        columns["fen"] = np.array(positions.fens(en_passant="legal"), object)
        for ply in range(max(lengths, default=0)):
            goes_on = lengths[rows] > ply
            rows, positions = rows[goes_on], positions[goes_on]
            played = positions.parse_uci([moves[row][ply] for row in rows])
            for row, text in zip(rows, positions.format_uci(played), strict=True):
                moves[row][ply] = text
            positions = positions.push(played)
            if not ply:
                rows = np.flatnonzero(columns["played"])
                positions[rows].push(positions[rows].parse_uci(columns["played"][rows].tolist()))
                rows = np.arange(len(moves))
    except RowError as error:
        raise Ox88Error(f"{place(int(rows[error.row]))}: {error.reason}") from None
    columns["moves"] = np.array(list(map(" ".join, moves)), object)


def check_encodable(columns: Columns) -> None:
    """Raise Ox88Error for a text that no file can have."""
    for name in (column.name for column in COLUMNS if column.kind is str):
        for row, text in enumerate(columns[name]):
            if not is_encodable(text):
                raise Ox88Error(
                    f"puzzle {row} ({columns['id'][row]!a}): {name} is {text!a}, with half of a surrogate pair, "
                    "which no file can have: leave it out"
                )


# --- CSV --------------------------------------------------------------------------------------------------------------


def read_csv(path: Path) -> Columns:
    from ox88.batch.pgn.files import CutOffError, read_texts

    try:
        text = b"".join(itertools.chain.from_iterable(read_texts(path, _BLOCK, (".csv",))))
    except CutOffError as error:
        raise Ox88Error(f"{path} breaks off: {error}") from None
    return parse_csv(io.StringIO(text.decode("utf-8-sig", "replace"), newline="\n"), str(path))


def parse_csv(lines: Iterable[str], name: str, check: bool = True) -> Columns:
    """Puzzles from lines of CSV. name: the file's, for errors. check: False if the lines are known to be right.

    Raises Ox88Error.
    """
    reader = csv.reader(lines, strict=True)
    try:
        titles = next(reader, [])
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise Ox88Error(f"{name}, line {reader.line_num}: {error}") from None
    if missing := [column.lichess for column in COLUMNS if column.name in _NEEDED and column.lichess not in titles]:
        raise Ox88Error(f"{name}, line 1: Lichess's columns of puzzles are expected: {', '.join(missing)} missing")
    for line, row in rows:
        if len(row) != len(titles):
            raise Ox88Error(f"{name}, line {line}: {len(row)} columns, and not {len(titles)} as in line 1")
    table = np.array([row for _, row in rows], object).reshape(-1, len(titles))
    values = {column.name: table[:, titles.index(column.lichess)] for column in COLUMNS if column.lichess in titles}
    return make_columns(values, len(rows), lambda row: f"{name}, line {rows[row][0]}", check)


def format_csv(columns: Columns) -> str:
    """The columns that Lichess does not have are written only if they have values."""
    chosen = [column for column in COLUMNS if column.name not in _OWN or any(columns[column.name])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.lichess for column in chosen])
    writer.writerows(zip(*(columns[column.name] for column in chosen), strict=True))
    return text.getvalue()


# --- Parquet ----------------------------------------------------------------------------------------------------------


def import_pyarrow() -> Any:
    from ox88.batch.positions import arrow  # Imports the compiler.

    return arrow.import_pyarrow("a Parquet file of puzzles")


def read_parquet(path: Path) -> Columns:
    """Columns have the names of `COLUMNS`, or Lichess's. Raises Ox88Error."""
    pyarrow = import_pyarrow()
    try:
        table = pyarrow.parquet.read_table(path)
    except FileNotFoundError as error:
        raise unreadable(str(path), error) from None
    except (pyarrow.ArrowException, OSError) as error:
        raise Ox88Error(f"{path} cannot be read as Parquet: {error}") from None
    names = {column.name: name for column in COLUMNS for name in column[:2] if name in table.schema.names}
    if missing := [name for name in _NEEDED if name not in names]:
        raise Ox88Error(f"{path} is no table of puzzles: {', '.join(missing)} missing")
    values = {column: [_value(value) for value in table[name].to_pylist()] for column, name in names.items()}
    return make_columns(values, len(table), lambda row: f"{path}, row {row + 1}")


def _value(value: Any) -> Any:
    """A list, as some have for themes, becomes a text of words; what is null is empty."""
    return " ".join(map(str, value)) if isinstance(value, list) else "" if value is None else value


def write_parquet(path: Path, columns: Columns) -> None:
    """Raises Ox88Error."""
    pyarrow = import_pyarrow()
    with written_at_once(path) as file:
        pyarrow.parquet.write_table(pyarrow.table(columns), file, compression="zstd")


# --- PGN --------------------------------------------------------------------------------------------------------------


def read_pgn_file(path: Path) -> Columns:
    """Raises Ox88Error."""
    from ox88.batch.pgn.reading import read_pgn  # Imports the compiler.

    games = read_pgn(path, headers=_TAGS.values())
    for error in games.errors[:1]:
        raise Ox88Error(f"{path}, {error}")
    moves, ends = games.positions(final=False).format_uci(games.moves), games.offsets.tolist()
    values: dict[str, Any] = {name: games.headers[tag] for name, tag in _TAGS.items()}
    values["fen"] = games.positions(ply=0).fens(en_passant="legal")
    values["moves"] = [" ".join(moves[begin:end]) for begin, end in itertools.pairwise(ends)]
    return make_columns(values, len(games), lambda row: f"{path}, game {row + 1}")


def format_pgn(columns: Columns) -> Iterator[str]:
    """A game for each puzzle, from the position before the opponent's move. All other columns are tags."""
    for values in zip(*columns.values(), strict=True):
        puzzle = dict(zip(columns, values, strict=True))
        board = chess.Board(puzzle["fen"])
        tags = {"Event": "Puzzle", "White": "?", "Black": "?", "Result": "*", "SetUp": "1"}
        tags |= {tag: re.sub(r"\s+", " ", str(puzzle[name])) for name, tag in _TAGS.items() if puzzle[name]}
        head = "\n".join(format_tag(name, text) for name, text in tags.items())
        line = board.variation_san(map(chess.Move.from_uci, puzzle["moves"].split()))
        yield f"{head}\n\n{line} *\n\n"
