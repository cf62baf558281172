"""A file of positions, of which only what is asked for is read."""

import os
from collections.abc import Iterator
from typing import Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from ox88.batch import files
from ox88.batch.positions import Positions
from ox88.batch.rows import as_rows
from ox88.types import Ox88Error, Setup


class PositionFile:
    """A file that `Positions.save` has written, mapped into memory: it may be larger than that.

    Slices, arrays of rows and masks give Positions, a row alone an `ox88.Setup`. Iteration gives all rows, as Positions
    of `chunk` rows each. Raises PositionFileError for a file of another kind or one cut off, and RowError when rows are
    read that are no position.
    """

    def __init__(self, path: str | os.PathLike[str], *, chunk: int = 1 << 20, threads: int | None = None) -> None:
        if chunk < 1:
            raise Ox88Error(f"chunks of {chunk} positions: at least 1 is expected")
        self._packed: Any = files.open_packed(path)
        self._chunk = chunk
        self._threads = threads

    def __len__(self) -> int:
        return len(self._packed)

    @overload
    def __getitem__(self, rows: int) -> Setup: ...

    @overload
    def __getitem__(self, rows: slice | ArrayLike) -> Positions: ...

    def __getitem__(self, rows: Any) -> Setup | Positions:
        if isinstance(rows, (int, np.integer)) and not isinstance(rows, bool):
            return self[np.array([rows])][0]
        return Positions.from_packed(self._packed[as_rows(rows)], threads=self._threads)

    def __iter__(self) -> Iterator[Positions]:
        return (self[first : first + self._chunk] for first in range(0, len(self), self._chunk))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; no row can be read any more."""
        self._packed = self._packed[:0].copy()
