"""PositionFile: a file of positions that is read in parts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Self, overload

import numpy as np

from ox88.batch.positions.packed import open_packed
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import Row, Rows, as_rows, check_number, is_row
from ox88.setup import Setup


class PositionFile:
    """A memory-mapped file that `Positions.save` has written, of any size.

    A slice, an array of rows or a mask gives Positions, one row gives an `ox88.Setup`, and iteration gives Positions of
    `chunk` rows each. A PositionFile is a context manager. Reading a row that is not a legal position raises RowError.

    Args:
        path: The file.
        chunk: Number of rows that iteration reads at a time.
        threads: Number of threads; all cores by default.

    Raises:
        PositionFileError: The file is not a file of positions, or not complete.
        Ox88Error: The file cannot be read. It is an OSError too, and a FileNotFoundError if there is none.
    """

    def __init__(self, path: str | os.PathLike[str], *, chunk: int = 1 << 20, threads: int | None = None) -> None:
        check_number("chunk", chunk, 1)
        self._packed: Any = open_packed(path)
        self._chunk = chunk
        self._threads = threads

    def __len__(self) -> int:
        return len(self._packed)

    @overload
    def __getitem__(self, rows: Row) -> Setup: ...

    @overload
    def __getitem__(self, rows: Rows) -> Positions: ...

    def __getitem__(self, rows: Any) -> Setup | Positions:
        if is_row(rows):
            return self[np.array([rows])][0]
        return Positions.from_packed(self._packed[as_rows(rows)], threads=self._threads)

    def __iter__(self) -> Iterator[Positions]:
        return (self[first : first + self._chunk] for first in range(0, len(self), self._chunk))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; after that it has no rows."""
        self._packed = self._packed[:0].copy()
