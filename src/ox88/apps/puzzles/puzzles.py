"""Puzzles: many puzzles as an array, read from and written to Parquet, CSV and PGN."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from ox88.apps.puzzles.formats import (
    Columns,
    check_encodable,
    format_csv,
    format_pgn,
    make_columns,
    read_csv,
    read_parquet,
    read_pgn_file,
    write_parquet,
)
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.errors import Ox88Error

if TYPE_CHECKING:
    from ox88.batch.positions.positions import Positions
    from ox88.batch.rows.arguments import Row, Rows

_READERS: Final = {".parquet": read_parquet, ".csv": read_csv, ".pgn": read_pgn_file}
_PACKED: Final = (".gz", ".bz2", ".zst", ".zip")


class Puzzles:
    """Many puzzles in columns.

    A slice, an array of rows or a mask gives Puzzles, one row gives a Puzzle, and iteration gives each of them. `+`
    joins two; `==` is True if all their rows are equal.

    Args:
        puzzles: The puzzles.

    Raises:
        Ox88Error: A position or a move is not legal.
        TypeError: One is no Puzzle.
    """

    __slots__ = ("_columns",)

    def __init__(self, puzzles: Iterable[Puzzle] = ()) -> None:
        rows = list(puzzles)
        for row, puzzle in enumerate(rows):
            if not isinstance(puzzle, Puzzle):
                raise TypeError(f"puzzle {row} is {puzzle!r}: a Puzzle is expected")
            for name, words in (("moves", puzzle.moves), ("themes", puzzle.themes)):
                if not isinstance(words, (tuple, list)) or not all(isinstance(word, str) for word in words):
                    raise Ox88Error(f"puzzle {row} ({puzzle.id}): {name} is {words!r}: a tuple of texts is expected")
        values = {name: [getattr(puzzle, name) for puzzle in rows] for name in Puzzle.__slots__}
        for name in ("moves", "themes"):
            values[name] = list(map(" ".join, values[name]))
        self._columns = make_columns(values, len(rows), lambda row: f"puzzle {row} ({rows[row].id})")

    @classmethod
    def of(cls, columns: Columns) -> "Puzzles":
        """Wrap columns that are known to be right, for use within Ox88."""
        puzzles = cls.__new__(cls)
        puzzles._columns = columns
        return puzzles

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Puzzles":
        """Read a file: .parquet, .csv in the columns of Lichess's lichess_db_puzzle.csv, or .pgn.

        CSV and PGN may be packed (.gz, .bz2, .zst, .zip). Parquet needs pyarrow.

        Raises:
            FileNotFoundError: There is no such file.
            Ox88Error: The file cannot be read, or a row of it is no puzzle. The text names the line and what is wrong.
        """
        return cls.of(_READERS[kind_of(Path(path))](Path(path)))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, whose name says in which of the formats. Raises Ox88Error."""
        from ox88.batch.pgn.files import write_text

        kind = kind_of(Path(path))
        check_encodable(self._columns)
        if kind == ".parquet":
            write_parquet(Path(path), self._columns)
        else:
            write_text(path, [format_csv(self._columns)] if kind == ".csv" else format_pgn(self._columns))

    def __len__(self) -> int:
        return len(self._columns["id"])

    @overload
    def __getitem__(self, rows: "Row") -> Puzzle: ...

    @overload
    def __getitem__(self, rows: "Rows") -> "Puzzles": ...

    def __getitem__(self, rows: Any) -> "Puzzle | Puzzles":
        if not isinstance(rows, (int, np.integer)) or isinstance(rows, bool):
            from ox88.batch.rows.arguments import as_rows  # Imports the compiler.

            return Puzzles.of({name: column[as_rows(rows)] for name, column in self._columns.items()})
        values = {name: self._columns[name][rows] for name in Puzzle.__slots__}
        for name in ("moves", "themes"):
            values[name] = tuple(values[name].split())
        return Puzzle(**values | {"rating": int(values["rating"])})

    def __iter__(self) -> Iterator[Puzzle]:
        return (self[row] for row in range(len(self)))

    def __add__(self, other: "Puzzles") -> "Puzzles":
        if not isinstance(other, Puzzles):
            return NotImplemented
        return Puzzles.of(
            {name: np.concatenate([column, other._columns[name]]) for name, column in self._columns.items()}
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Puzzles):
            return NotImplemented
        return all(np.array_equal(column, other._columns[name]) for name, column in self._columns.items())

    def __repr__(self) -> str:
        return f"<Puzzles: {len(self):,}>"

    def column(self, name: str) -> NDArray[Any]:
        """A column: id, fen, moves, rating, deviation, popularity, plays, themes, source, openings, played or reason.

        Numbers are int32; texts are objects, in which words, such as moves and themes, are separated by spaces.
        """
        if name not in self._columns:
            raise Ox88Error(f"there is no column {name!r}: the columns are {', '.join(self._columns)}")
        return self._columns[name]

    @property
    def positions(self) -> "Positions":
        """The positions to be solved, after the opponent's moves."""
        from ox88.batch.positions.positions import Positions  # Imports the compiler.

        positions = Positions.from_fens(self._columns["fen"].tolist())
        return positions.push(positions.parse_uci([text.split(" ", 1)[0] for text in self._columns["moves"]]))

    def rated(self, low: int, high: int) -> "Puzzles":
        """The puzzles with a rating from `low` to `high`, whole numbers. Raises TypeError; Ox88Error if low > high."""
        from ox88.batch.rows.arguments import check_number  # Imports the compiler.

        for name, value in (("low", low), ("high", high)):
            check_number(name, value, -(2**31))
        if low > high:
            raise Ox88Error(f"low is {low}, and high {high}: low is expected to be at most high")
        ratings = self._columns["rating"]
        return self[(low <= ratings) & (ratings <= high)]

    def with_theme(self, *themes: str) -> "Puzzles":
        """The puzzles that have all of these themes. Raises Ox88Error for what is no word, and so no theme."""
        for theme in themes:
            if not isinstance(theme, str) or theme.split() != [theme]:
                raise Ox88Error(f"{theme!r} is no theme: a word is expected, such as 'fork'")
        wanted = set(themes)
        return self[np.array([wanted <= set(found.split()) for found in self._columns["themes"]], bool)]


def kind_of(path: Path) -> str:
    """The format of a file by its name: .parquet, .csv or .pgn. Raises Ox88Error."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    kind = next((suffix for suffix in reversed(suffixes) if suffix not in _PACKED), "")
    if kind not in _READERS or (kind == ".parquet" and suffixes[-1] != kind):
        raise Ox88Error(f"{path}: puzzles are .parquet, .csv or .pgn, of which the last two may be packed (.csv.zst)")
    return kind
