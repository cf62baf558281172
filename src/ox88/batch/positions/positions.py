"""Positions: many positions in one array, with methods for all of them at once. PositionFile reads parts of a file."""

from __future__ import annotations

import html
import os
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Self, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ox88.batch.learning.engine import WithEngine
from ox88.batch.learning.features import WithFeatures
from ox88.batch.learning.human_policy import WithPeople
from ox88.batch.learning.planes import WithPlanes
from ox88.batch.learning.policy import WithPolicy
from ox88.batch.positions.arrow import WithArrow
from ox88.batch.positions.boards import WithBoards
from ox88.batch.positions.fens import WithFens
from ox88.batch.positions.packed import WithPacked, open_packed
from ox88.batch.rows.arguments import Row, RowError, Rows, as_rows, check_number, is_row
from ox88.batch.rules.fields import BYTES
from ox88.batch.rules.moves import Playing
from ox88.bitboard.position import make_position, to_setup
from ox88.bitboard.records import POSITION, as_array
from ox88.errors import IllegalPositionError, Ox88Error
from ox88.setup import Setup

_OLD_NAMES: Final = {
    "castling": "castling_rights",
    "from_uci": "parse_uci",
    "san": "format_san",
    "to_uci": "format_uci",
}  # They warn in version 1.0, and go after it.
_SHOWN: Final = 3  # FENs in a repr.
_DRAWN: Final = 4  # Boards in a notebook.
_DRAWN_SIZE: Final = 180  # Pixels.


class Positions(
    WithFens, WithBoards, WithPacked, WithArrow, Playing, WithPlanes, WithFeatures, WithPolicy, WithEngine, WithPeople
):
    """Many positions in one array. A method computes its result for all of them, in compiled code and on all cores.

    Positions behave as a NumPy array of one dimension: a slice (which shares memory if its step is 1), an array of rows
    or a mask gives Positions, one row gives an `ox88.Setup`, and iteration gives Setups. `positions[rows] = other`
    replaces rows; nothing else changes Positions, and `push` returns new ones. `+` joins two, and `sum` several; `==`
    is True if all their rows are equal. `np.asarray` gives the records.

    The properties are read-only arrays with a row for each of the n positions. Methods with the argument `threads` use
    that number of threads, all cores by default; the result does not depend on it, and Ctrl-C ends the call.
    """

    __slots__ = ()

    def __init__(self, setups: Iterable[Setup] = ()) -> None:
        """Make Positions from Setups. Raises RowError for an illegal setup, TypeError for anything else."""
        if not isinstance(setups, Iterable):
            raise TypeError(f"Positions of a {type(setups).__name__}: a list of Setups is expected, such as [setup]")
        rows = list(setups)
        self._records, self._origins = np.zeros(len(rows), POSITION), None
        for row, setup in enumerate(rows):
            if not isinstance(setup, Setup):
                raise TypeError(
                    f"row {row} is of type {type(setup).__name__}: an ox88.Setup is expected; "
                    "from_fens reads FENs, from_boards takes boards of python-chess"
                )
            try:
                self._records[row] = make_position(setup)
            except IllegalPositionError as error:
                raise RowError(row, error) from None

    @classmethod
    def concatenate(cls, parts: Iterable[Positions]) -> Positions:
        """Join Positions, in their order. The result has no `game` and no `ply`."""
        joined = list(parts)
        for number, part in enumerate(joined):
            if not isinstance(part, Positions):
                raise TypeError(f"part {number} is of type {type(part).__name__}: ox88.Positions are expected")
        return cls._of(np.concatenate([part._records.view(BYTES) for part in joined])) if joined else cls()

    @overload
    def __getitem__(self, rows: Row) -> Setup: ...

    @overload
    def __getitem__(self, rows: Rows) -> Positions: ...

    def __getitem__(self, rows: Any) -> Setup | Positions:
        """A Setup for one row, else Positions. Raises IndexError, TypeError."""
        if is_row(rows):
            return to_setup(self._records[rows])
        rows = as_rows(rows)
        origins = self._known_origins()
        return Positions._of(
            self._records.view(BYTES)[rows], None if origins is None else np.ascontiguousarray(origins[rows])
        )

    def __setitem__(self, rows: Row | Rows, other: Positions | Setup) -> None:
        """Replace rows by as many Positions, or all of them by one, which may be a Setup.

        Raises:
            IllegalPositionError: The Setup is not a legal position.
            IndexError: There is no such row.
            Ox88Error: There are not as many positions as rows.
            TypeError: The rows, or what replaces them, are of another type.
        """
        new = _bytes_of(other)
        places = as_rows([rows] if is_row(rows) else rows)
        count = len(self._records.view(BYTES)[places])
        if len(new) not in (1, count):
            raise Ox88Error(f"{count} rows replaced by {len(new)} positions: {count}, or one, are expected")
        self._records.view(BYTES)[places] = new
        if (origins := self._known_origins()) is not None:
            origins[places] = -1

    def take(self, rows: Row | Rows) -> Positions:
        """The Positions of some rows, as `positions[rows]`; a single row gives Positions, too."""
        return self[as_rows([rows] if is_row(rows) else rows)]

    def __iter__(self) -> Iterator[Setup]:
        return (to_setup(record) for record in self._records)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Positions):
            return NotImplemented
        return bool(np.array_equal(self._records.view(np.uint8), other._records.view(np.uint8)))

    def __add__(self, other: Positions) -> Positions:
        return Positions.concatenate((self, other)) if isinstance(other, Positions) else NotImplemented

    def __radd__(self, other: int) -> Positions:
        """For `sum`, which begins with 0. It copies once for each part, `concatenate` once in all."""
        return self if is_row(other) and other == 0 else NotImplemented

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """The records: a structured array, read-only unless it is a copy."""
        return np.array(self.records, dtype, copy=copy)

    def __repr__(self) -> str:
        shown = self[:_SHOWN].fens(threads=1)
        more = f", ... {len(self):,} in all" if len(self) > len(shown) else ""
        return f"<Positions: {', '.join(shown) or 'none'}{more}>"

    def _repr_html_(self) -> str:
        """The first boards, for a notebook."""
        boards = "".join(
            f'<span title="{html.escape(setup.fen)}">{setup._repr_svg_(_DRAWN_SIZE)}</span>' for setup in self[:_DRAWN]
        )
        shown = f", the first {_DRAWN}" if len(self) > _DRAWN else ""
        flow = "display: flex; flex-wrap: wrap; gap: 8px"
        return f'<div>{len(self):,} positions{shown}</div><div style="{flow}">{boards}</div>'

    def __reduce__(self) -> tuple[Any, ...]:
        return Positions.from_packed, (self.pack(),)

    if not TYPE_CHECKING:  # Type checkers shall report an old name.

        def __getattr__(self, name: str) -> Any:
            new = _OLD_NAMES.get(name)
            if new is None:
                raise AttributeError(f"'Positions' object has no attribute {name!r}", name=name, obj=self)
            told = f"Positions.{name} is an old name, which will go: use Positions.{new}"
            warnings.warn(told, DeprecationWarning, stacklevel=2)
            return getattr(self, new)

    def copy(self) -> Positions:
        """A copy with its own memory. (A slice keeps the whole array in memory.)"""
        return self.take(np.arange(len(self)))


def _bytes_of(other: Any) -> NDArray[np.void]:
    """The rows of Positions, or the one of a Setup, as bytes. Raises IllegalPositionError, TypeError."""
    if isinstance(other, Setup):
        return as_array(make_position(other)).view(BYTES)
    if not isinstance(other, Positions):
        kind = type(other).__name__
        raise TypeError(f"rows replaced by a {kind}: ox88.Positions, or an ox88.Setup, are expected")
    return other._records.view(BYTES)


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
