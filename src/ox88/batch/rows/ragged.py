"""Results of different lengths, one for each position, in one array."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Generic, NamedTuple, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import Row, Rows, as_rows, is_row
from ox88.errors import Ox88Error

_Scalar = TypeVar("_Scalar", bound=np.generic)


class Ragged(Generic[_Scalar]):
    """The results for n positions, one after another; those of position i are `x[i]`.

    One row gives an array, a view of the whole; a slice, an array of rows or a mask gives an object of the same type.
    Iteration gives the array of each position; `==` is True if everything is equal.
    """

    __slots__ = ("_offsets", "_values")

    def __init__(self, values: NDArray[_Scalar], offsets: NDArray[np.int64]) -> None:
        """Join an array of all results with the places in it: results i are `values[..., offsets[i]:offsets[i + 1]]`.

        Raises Ox88Error for offsets that do not begin at 0, grow, and end at the number of results.
        """
        self._values = values
        self._offsets = np.require(offsets, np.int64, ["C", "W"])
        is_from_0 = self._offsets.ndim == 1 and len(self._offsets) > 0 and self._offsets[0] == 0
        if not is_from_0 or self._offsets[-1] != values.shape[-1] or bool((np.diff(self._offsets) < 0).any()):
            raise Ox88Error(f"offsets for {values.shape[-1]} values: they must grow from 0 to {values.shape[-1]}")

    @classmethod
    def _of(cls, values: NDArray[_Scalar], offsets: NDArray[np.int64]) -> Self:
        """Join what is known to fit, for use within Ox88."""
        ragged = cls.__new__(cls)
        ragged._values, ragged._offsets = values, offsets
        return ragged

    @property
    def offsets(self) -> NDArray[np.int64]:
        """int64[n + 1]: where the results of each position begin, and where those of the last one end."""
        offsets = self._offsets.view()
        offsets.flags.writeable = False  # Kernels trust them.
        return offsets

    @property
    def counts(self) -> NDArray[np.int64]:
        """int64[n]: the number of results of each position."""
        return np.diff(self._offsets)

    @property
    def rows(self) -> NDArray[np.int64]:
        """int64[total]: the row of each result's position."""
        return np.repeat(np.arange(len(self)), self.counts)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, rows: Row) -> NDArray[_Scalar]: ...

    @overload
    def __getitem__(self, rows: Rows) -> Self: ...

    def __getitem__(self, rows: Any) -> NDArray[_Scalar] | Self:
        if is_row(rows):
            if not -len(self) <= rows < len(self):
                raise IndexError(f"row {rows} is out of range: there are {len(self)} rows")
            row = int(rows) % len(self)
            return self._values[..., self._offsets[row] : self._offsets[row + 1]]
        places, offsets = take_ranges(self._offsets, np.arange(len(self))[as_rows(rows)])
        return self._of(self._values[..., places], offsets)

    def __iter__(self) -> Iterator[NDArray[_Scalar]]:
        return (self._values[..., begin:end] for begin, end in pairwise(self._offsets.tolist()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return np.array_equal(self._offsets, other._offsets) and np.array_equal(self._values, other._values)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._values.shape[-1]:,} for {len(self):,} positions>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._values, self._offsets)


def to_offsets(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n + 1]: where each of n parts of some lengths begins, and where the last one ends."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def join_offsets(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The offsets of concatenated arrays."""
    return to_offsets(np.concatenate([np.diff(offsets) for offsets in parts]))


def take_ranges(
    offsets: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64] | slice, NDArray[np.int64]]:
    """(an index that selects the ranges of `rows` from an array, the offsets of the selected ranges)."""
    lengths = offsets[rows + 1] - offsets[rows]
    taken = to_offsets(lengths)
    if len(rows) and bool((rows[1:] - rows[:-1] == 1).all()):
        return slice(int(offsets[rows[0]]), int(offsets[rows[-1] + 1])), taken
    return np.arange(taken[-1]) + np.repeat(offsets[rows] - taken[:-1], lengths), taken


class EachMove(NamedTuple):
    """The moves of n positions; those of position i are `numbers[offsets[i]:offsets[i + 1]]`."""

    numbers: NDArray[np.uint16]
    offsets: NDArray[np.int64]

    def of(self, rows: slice) -> NDArray[np.int64]:
        """The offsets for a chunk of positions."""
        return self.offsets[rows.start : rows.stop + 1]

    def row_of(self, place: int) -> int:
        """The row of the position that a move belongs to."""
        return int(np.searchsorted(self.offsets, place, "right")) - 1
