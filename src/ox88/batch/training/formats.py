"""Files of training data by their names' endings: a format is a line of FORMATS."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from ox88.batch.rows.arguments import IllegalMoveError, RowError
from ox88.batch.rows.chunks import count_threads, in_order
from ox88.batch.training.binpack import read_binpack, write_binpack
from ox88.batch.training.entries import TrainingData, joined
from ox88.batch.training.leela import PAST, is_leela, read_chunks, read_leela, write_leela
from ox88.batch.training.parquet import read_parquet, write_parquet
from ox88.batch.training.plain import read_plain, write_plain
from ox88.errors import MissingFileError, Ox88Error, unreadable
from ox88.replacing import replaced
from ox88.types import NO_MOVE

_Path = str | os.PathLike[str]


class Format(NamedTuple):
    """How files of a format are read, some positions at a time, and written.

    read: raises Ox88Error for what is wrong in a file, OSError if it cannot be read. write: called with some data and
    the number of a row, returns the bytes of the rows from there on; the rows before are only the past. It raises
    RowError. rows: how many are written at a time.
    """

    read: Callable[[Path, int | None], Iterator[TrainingData]]
    write: Callable[[TrainingData, int], bytes]
    rows: int


FORMATS: Final = {
    ".plain": Format(read_plain, write_plain, 1 << 14),
    ".binpack": Format(read_binpack, write_binpack, 1 << 18),
    ".gz": Format(read_leela, write_leela, 1 << 10),
    ".tar": Format(read_chunks, write_leela, 1 << 10),  # Is only read.
}


def iter_training(path: _Path, *, threads: int | None = None) -> Iterator[TrainingData]:
    """Read a file of training data of any size: TrainingData of some 100,000 positions at a time.

    Args:
        path: A file `.plain` or `.binpack` of Stockfish's, a chunk `.gz` of Leela's or a `.tar` of chunks, or a folder
            of Parquet files as `ox88 dataset` writes them. Of a folder's rows, the ones without a move or a result are
            left out.
        threads: Number of threads; all cores by default.

    Raises:
        Ox88Error: The file is damaged, and the text names the place; or it is of no format that Ox88 knows. If it
            cannot be opened, it is an OSError too, and a FileNotFoundError if there is none.
    """
    path = Path(path)
    if not path.exists():
        raise MissingFileError(f"{path}: there is no such file or folder")
    if path.is_dir():
        return read_parquet(path, threads)
    return _opened(path, _format_of(path), threads)


def _opened(path: Path, form: Format, threads: int | None) -> Iterator[TrainingData]:
    try:
        yield from form.read(path, threads)
    except OSError as error:
        raise unreadable(str(path), error) from None


def read_training(path: _Path, *, threads: int | None = None) -> TrainingData:
    """Read all of a file of training data, as `iter_training` does."""
    return joined(list(iter_training(path, threads=threads)))


def write_training(path: _Path, data: TrainingData | Iterable[TrainingData]) -> None:
    """Write training data: a file `.plain`, `.binpack` or `.gz` by its ending, else a folder of Parquet files.

    After an error a file at the path is unchanged, and no new file or folder is left.

    Raises:
        RowError: A row's move is not legal, or its position or ply cannot be written in this format.
        TypeError: `data` is of another type.
        Ox88Error: The file cannot be written.
    """
    path, parts = Path(path), _checked([data] if isinstance(data, TrainingData) else data)
    check_writable(path)
    try:
        if not is_training_file(path):
            write_parquet(path, parts)
            return
        with replaced(path) as file:
            file.writelines(written(FORMATS[path.suffix.lower()], parts))
    except Ox88Error:  # Of what is written: a file that is read meanwhile, too.
        raise
    except OSError as error:
        raise unreadable(str(path), error, "cannot be written") from None


def _checked(parts: Iterable[TrainingData]) -> Iterator[TrainingData]:
    """The parts, if all their moves are legal, or 0. Raises RowError, of a row of all parts, and TypeError."""
    first = 0
    for number, part in enumerate(parts):
        if not isinstance(part, TrainingData):
            raise TypeError(f"part {number} is of type {type(part).__name__}: ox88.TrainingData is expected")
        is_wrong = (part.moves != NO_MOVE) & ~part.positions.is_legal(part.moves)
        for row in np.flatnonzero(is_wrong)[:1].tolist():
            error = IllegalMoveError(row, int(part.moves[row]), part.positions._records[row])
            raise RowError(first + row, error.reason)
        yield part
        first += len(part)


def written(form: Format, parts: Iterable[TrainingData]) -> Iterator[bytes]:
    """The bytes of a file. Raises RowError, with the row among those of all parts."""

    def blocks() -> Iterator[tuple[int, int, TrainingData]]:
        first = 0
        for part in parts:
            for begin in range(0, len(part), form.rows):
                since = max(0, begin - PAST)
                yield first + since, begin - since, part[since : begin + form.rows]
            first += len(part)

    def write(block: tuple[int, int, TrainingData]) -> bytes:
        first, begin, data = block
        try:
            return form.write(data, begin)
        except RowError as error:
            raise RowError(first + error.row, error.reason) from None

    return in_order(write, blocks(), count_threads(None))


def check_writable(path: Path) -> None:
    """Raises Ox88Error for a file that is only read."""
    if path.suffix.lower() == ".tar":
        raise Ox88Error(f"{path}: a .tar of Leela's chunks is only read: a file .gz is one chunk")


def is_training_file(path: Path) -> bool:
    """True if a file's ending names a format."""
    ending = path.suffix.lower()
    return ending in FORMATS and (ending != ".gz" or is_leela(path))


def _format_of(path: Path) -> Format:
    if not is_training_file(path):
        raise Ox88Error(f"{path}: a file {', '.join(FORMATS)}, or a folder of Parquet files, is expected")
    return FORMATS[path.suffix.lower()]
