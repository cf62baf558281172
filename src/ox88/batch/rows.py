"""Rows: which of them are meant, and what is wrong with one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.types import Ox88Error


class RowError(Ox88Error):
    """A row that cannot be worked on: `row` is its number, from 0, `reason` what is wrong with it."""

    def __init__(self, row: int, reason: object) -> None:
        super().__init__(f"row {row}: {reason}")
        self.row = row
        self.reason = str(reason)


def as_rows(rows: Any) -> slice | NDArray[Any]:
    """What an array can be indexed with; raises TypeError, Ox88Error."""
    if isinstance(rows, slice):
        return rows
    array = np.asarray(rows)
    if array.size == 0 and not isinstance(rows, np.ndarray):
        array = array.astype(np.intp)
    if array.dtype.kind not in "iub":
        raise TypeError(f"rows of {array.dtype}: a slice, whole numbers or a mask of bools are expected")
    if array.ndim != 1:
        raise Ox88Error(f"rows of shape {array.shape}: one dimension is expected")
    return array
