"""The tags of games as columns."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.columns import Column
from ox88.types import Ox88Error

if TYPE_CHECKING:
    import pyarrow


class Headers(Mapping[str, NDArray[np.object_]]):
    """By the name of each tag that was asked for an array of str, object[n]; empty where a game has no such tag."""

    def __init__(self, columns: dict[str, Column]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> NDArray[np.object_]:
        self._check(name)
        return self._columns[name].to_numpy()

    def _check(self, name: str) -> None:
        if name not in self._columns:
            known = ", ".join(self._columns) or "none"
            raise KeyError(f"the tag {name!r} was not asked for when the games were read: headers={known}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Headers: {', '.join(self)}>"

    def has(self, name: str) -> NDArray[np.bool_]:
        """bool[n]: which games have a tag that was asked for, be it empty."""
        self._check(name)
        return self._columns[name].present.copy()

    def numbers(self, name: str) -> NDArray[np.int64]:
        """int64[n]: a tag such as WhiteElo as whole numbers of up to nine digits; 0 where there is none.

        Lichess's question mark behind a rating that is not certain is left out.
        """
        self._check(name)
        return self._columns[name].numbers()

    def to_arrow(self) -> "pyarrow.Table":
        """A table of strings, null where a game has no such tag. Needs pyarrow: `pip install ox88[data]`."""
        try:
            import pyarrow
        except ImportError:
            raise Ox88Error("to_arrow needs pyarrow, which is not installed: pip install ox88[data]") from None
        return pyarrow.table({name: _to_arrow(pyarrow, column) for name, column in self._columns.items()})


def _to_arrow(pyarrow: Any, column: Column) -> Any:
    """The column's own bytes, or a copy if they are not all UTF-8."""
    is_valid = np.packbits(column.present, bitorder="little")
    buffers = [pyarrow.py_buffer(part) for part in (is_valid, column.offsets, column.data)]
    array = pyarrow.LargeBinaryArray.from_buffers(pyarrow.large_binary(), len(column.present), buffers)
    try:
        return array.cast(pyarrow.large_string())
    except pyarrow.ArrowInvalid:
        return pyarrow.array(column.texts(), pyarrow.large_string(), mask=~column.present)
