"""The arrays in a `Games`, and functions that select and join games in this form.

A Column has a text for each game: their bytes stand in one array, so that reading a game makes no Python object.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.files import SourceFile
from ox88.batch.pgn.records import ANNOTATIONS
from ox88.batch.rows.ragged import join_offsets, take_ranges, to_offsets
from ox88.batch.text.bytes import is_space
from ox88.jit import kernel

QUESTION_MARK, QUOTE, BACKSLASH = map(ord, '?"\\')
DIGIT_ZERO = 48
MAX_DIGITS = 9


class Column(NamedTuple):
    """n texts in UTF-8 or Latin-1; text i is `data[offsets[i]:offsets[i + 1]]`.

    Attributes:
        data: uint8[total].
        offsets: int64[n + 1].
        present: bool[n]; False if the game has no such text.
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    present: NDArray[np.bool_]

    def take(self, rows: NDArray[np.int64]) -> "Column":
        chosen, offsets = take_ranges(self.offsets, rows)
        return Column(self.data[chosen], offsets, self.present[rows])

    def texts(self) -> list[str]:
        """The texts, "" where there is none. Equal texts share one str."""
        if not len(self.data):
            return [""] * len(self.present)
        data, known = self.data.tobytes(), dict[bytes, str]()
        return [
            known.get(text) or known.setdefault(text, decode(text))
            for text in (data[begin:end] for begin, end in pairwise(self.offsets.tolist()))
        ]

    def numbers(self) -> NDArray[np.int64]:
        """int64[n]: the texts as whole numbers of up to nine digits, 0 for anything else."""
        numbers = np.empty(len(self.present), np.int64)
        read_numbers(self.data, self.offsets, numbers)
        return numbers


def decode(text: bytes) -> str:
    """The text if it is valid UTF-8, else as Latin-1, in which every byte is a character."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def make_columns(text: NDArray[np.uint8], places: NDArray[np.int64], numbers: Sequence[int]) -> list[Column]:
    """Columns of parts of a text, all read in one pass.

    places: int64[n, m, 2], where each part begins and ends, or -1 for no part. numbers: which of the m to take.
    """
    chosen, count = np.array(numbers, np.int64), len(places)
    offsets, present = np.empty((len(chosen), count + 1), np.int64), np.empty((len(chosen), count), np.bool_)
    measure_places(places, chosen, offsets, present)
    begins = to_offsets(offsets[:, -1])
    data = np.empty(begins[-1], np.uint8)
    copy_places(text, places, chosen, offsets, begins, data)
    parts = (data[begin:end] for begin, end in pairwise(begins))
    return [Column(*column) for column in zip(parts, offsets, present, strict=True)]


def unescaped(column: Column) -> Column:
    """The values of a tag, as `ox88.batch.pgn.words` unescapes them."""
    if not (column.data == BACKSLASH).any():
        return column
    data, offsets = np.empty_like(column.data), np.zeros_like(column.offsets)
    copy_unescaped(column.data, column.offsets, data, offsets)
    return Column(data[: offsets[-1]], offsets, column.present)


def join_columns(columns: list[Column]) -> Column:
    return Column(
        np.concatenate([column.data for column in columns]),
        join_offsets([column.offsets for column in columns]),
        np.concatenate([column.present for column in columns]),
    )


@kernel
def measure_places(places, numbers, offsets, present):
    """Set the offsets of the parts in the data of each column, and which are present."""
    offsets[:, 0] = 0
    for row in range(len(places)):
        for column in range(len(numbers)):
            begin, end = places[row, numbers[column], 0], places[row, numbers[column], 1]
            offsets[column, row + 1] = offsets[column, row] + end - begin
            present[column, row] = begin >= 0


@kernel
def copy_places(text, places, numbers, offsets, begins, data):
    """Copy the parts of each column to data, one after another. begins: where each column begins there."""
    for row in range(len(places)):
        for column in range(len(numbers)):
            to = begins[column] + offsets[column, row]
            for at in range(places[row, numbers[column], 0], places[row, numbers[column], 1]):
                data[to] = text[at]
                to += 1


@kernel
def copy_unescaped(data, offsets, to, to_offsets):
    """Copy texts without the backslashes that stand before a quotation mark or another backslash."""
    count = np.int64(0)
    for row in range(len(offsets) - 1):
        at, end = offsets[row], offsets[row + 1]
        while at < end:
            if data[at] == BACKSLASH and at + 1 < end and (data[at + 1] == QUOTE or data[at + 1] == BACKSLASH):
                at += 1
            to[count] = data[at]
            count += 1
            at += 1
        to_offsets[row + 1] = count


@kernel
def read_numbers(data, offsets, numbers):
    """Read texts as numbers, ignoring spaces around a number and question marks after it; 0 for other texts."""
    for row in range(len(numbers)):
        begin, end = offsets[row], offsets[row + 1]
        while begin < end and is_space(data[begin]):
            begin += 1
        while begin < end and is_space(data[end - 1]):
            end -= 1
        while begin < end and data[end - 1] == QUESTION_MARK:
            end -= 1
        number = np.int64(0)
        is_number = end - begin <= MAX_DIGITS
        while is_number and begin < end:
            digit = np.int64(data[begin]) - DIGIT_ZERO
            is_number = 0 <= digit <= 9
            number = number * 10 + digit
            begin += 1
        numbers[row] = number if is_number else 0


# --- Games ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameArrays:
    """n games. Game i has the rows offsets[i]:offsets[i + 1] of moves, annotations and packed."""

    moves: NDArray[np.uint16]
    annotations: dict[str, NDArray[np.float32]]  # By the names in ANNOTATIONS; only if some move has such a one.
    packed: NDArray[Any] | None  # PACKED, the positions before the moves; None if not requested.
    offsets: NDArray[np.int64]
    setups: NDArray[Any]  # POSITION; row 0 is the start position.
    games: NDArray[Any]  # GAME_ROW[n].
    error_texts: Column
    columns: dict[str, Column]  # The values of the tags, by name.
    files: tuple[SourceFile, ...] = ()  # Those of GAME_ROW.

    @property
    def setup_rows(self) -> NDArray[np.int64]:
        """int64[n]: the row in `setups` of each game's first position."""
        return np.ascontiguousarray(self.games["setup"])

    def annotation(self, name: str) -> NDArray[np.float32]:
        """float32[plies]: one of ANNOTATIONS; NaN where it is not given."""
        values = self.annotations.get(name)
        return np.full(len(self.moves), np.nan, np.float32) if values is None else values

    def take(self, rows: NDArray[np.int64]) -> "GameArrays":
        """The games of some rows."""
        plies, offsets = take_ranges(self.offsets, rows)
        return GameArrays(
            moves=self.moves[plies],
            annotations={name: values[plies] for name, values in self.annotations.items()},
            packed=None if self.packed is None else self.packed[plies],
            offsets=offsets,
            setups=self.setups,
            games=self.games[rows],
            error_texts=self.error_texts.take(rows),
            columns={name: column.take(rows) for name, column in self.columns.items()},
            files=self.files,
        )


@kernel
def keep_games(games, ends, at, rows):
    """Set GAME_ROW[n] from GAME[n], but for the file. ends: where games end. at: where the text begins in its file."""
    for number in range(len(games)):
        game, row = games[number], rows[number]
        row.number = game.number
        row.start = game.start + at
        row.end = ends[number] + at
        row.setup = game.setup
        row.result = game.result
        row.tags = game.tags
        row.error = game.error
        row.line = game.line


def join(parts: list[GameArrays]) -> GameArrays:
    """The games of all parts, with the tags that every part has."""
    names = [name for name in parts[0].columns if all(name in part.columns for part in parts)]
    packed = [part.packed for part in parts if part.packed is not None]
    games = np.concatenate([part.games for part in parts])
    setups_before = np.cumsum([0, *(len(part.setups) - 1 for part in parts[:-1])])
    if setups_before[-1]:
        games["setup"] += np.repeat(setups_before, [len(part.games) for part in parts]) * (games["setup"] > 0)
    files = list(dict.fromkeys(file for part in parts for file in part.files))
    at = 0
    for part in parts:
        if part.files != tuple(files):
            some = games["file"][at : at + len(part.games)]
            some[:] = np.array([*map(files.index, part.files), -1])[some]
        at += len(part.games)
    return GameArrays(
        moves=np.concatenate([part.moves for part in parts]),
        annotations={
            name: np.concatenate([part.annotation(name) for part in parts])
            for name in ANNOTATIONS
            if any(name in part.annotations for part in parts)
        },
        packed=np.concatenate(packed) if len(packed) == len(parts) else None,
        offsets=join_offsets([part.offsets for part in parts]),
        # All setups begin with the start position, which is kept once.
        setups=np.concatenate([parts[0].setups[:1], *(part.setups[1:] for part in parts)]),
        games=games,
        error_texts=join_columns([part.error_texts for part in parts]),
        columns={name: join_columns([part.columns[name] for part in parts]) for name in names},
        files=tuple(files),
    )
