"""Positions from Arrow columns and Parquet files, as `ox88 dataset` and other programs write them. It needs pyarrow."""

from __future__ import annotations

import importlib
import os
from typing import Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ox88.batch.positions.fens import as_text, read_lines
from ox88.batch.positions.packed import PACKED, unpack
from ox88.batch.rows.arguments import Errors, RowError
from ox88.batch.rules.fields import Fields
from ox88.errors import MissingFileError, Ox88Error

_EXPECTED: Final = "packed positions (fixed_size_binary[32], binary) or FENs (string)"


class ArrowArray(Protocol):
    """An array with Arrow's PyCapsule interface, such as pyarrow.Array."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> object: ...


class ArrowStream(Protocol):
    """A column or a table with Arrow's PyCapsule interface, such as polars.Series or a relation of DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


def import_pyarrow(user: str) -> Any:
    """Return pyarrow, which has no types. Raises Ox88Error, which says who needs it, if it cannot be had."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise Ox88Error(f"{user} needs pyarrow, which is not installed: pip install 'ox88[data]'") from None
    except ImportError as error:
        raise Ox88Error(f"{user} needs pyarrow, which cannot be loaded: {error}") from None
    return pyarrow


class WithArrow(Fields):
    """Positions that are read from Arrow columns and Parquet files."""

    __slots__ = ()

    @classmethod
    def from_arrow(
        cls,
        data: ArrowArray | ArrowStream,
        column: str | None = None,
        *,
        errors: Errors = "raise",
        threads: int | None = None,
    ) -> Self:
        """Read a column of an Arrow table: packed positions, as `ox88 dataset` writes them, or FENs. Needs pyarrow.

        Args:
            data: A column or a table of any library with Arrow's PyCapsule interface: pyarrow, polars, DuckDB, pandas.
                A column has binaries of 32 bytes or strings.
            column: Its name in a table; by default the table's only column, or `position`.
            errors: What to do with a row that is null or no legal position, as for `from_fens`.
            threads: Number of threads; all cores by default.

        Raises:
            RowError: A row is not a legal position.
            TypeError: The column is of another type.
            Ox88Error: There is no such column, or pyarrow is not installed.
        """
        pyarrow = import_pyarrow("from_arrow")
        array = _as_large_array(pyarrow, _as_column(pyarrow, data, column))
        if pyarrow.types.is_large_string(array.type):
            offsets, text = _offsets_and_data(array.fill_null("") if array.null_count else array)
            return cls._of(read_lines(as_text(text), offsets[:-1], offsets[1:], errors, threads))
        packed = np.zeros(len(array), PACKED)  # Zeros are no position.
        packed[array.is_valid().to_numpy(zero_copy_only=False)] = _packed(array.drop_null())
        return cls._of(unpack(packed, threads, errors))

    @classmethod
    def from_parquet(
        cls,
        path: str | os.PathLike[str],
        column: str = "position",
        *,
        errors: Errors = "raise",
        threads: int | None = None,
    ) -> Self:
        """Read a column of a Parquet file, or of a folder of them such as `ox88 dataset` writes. Needs pyarrow.

        Args:
            path: The file or the folder.
            column: Its name; the column has packed positions or FENs.
            errors: What to do with a row that is null or no legal position, as for `from_fens`.
            threads: Number of threads; all cores by default.

        Raises:
            FileNotFoundError: There is no such file.
            RowError: A row is not a legal position.
            TypeError: The column is of another type.
            Ox88Error: There is no such column, the file is not Parquet, or pyarrow is not installed.
        """
        pyarrow = import_pyarrow("from_parquet")
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"Parquet as {type(path).__name__}: the path of a file or folder is expected")
        try:
            data = pyarrow.parquet.ParquetDataset(path)
            names = data.schema.names
            if column not in names:
                known = ", ".join(names) or "none"
                raise Ox88Error(f"{os.fspath(path)} has no column {column!r}: the columns are {known}")
            table = data.read([column])
        except FileNotFoundError:
            raise MissingFileError(f"{os.fspath(path)}: there is no such file or folder") from None
        except (pyarrow.ArrowException, OSError) as error:
            raise Ox88Error(f"{os.fspath(path)} cannot be read as Parquet: {error}") from None
        return cls.from_arrow(table[column], errors=errors, threads=threads)


def _as_column(pyarrow: Any, data: Any, name: str | None) -> Any:
    """The column as a pyarrow.ChunkedArray. Raises TypeError, Ox88Error."""
    if hasattr(data, "__arrow_c_stream__"):
        column = pyarrow.chunked_array(data)
    elif hasattr(data, "__arrow_c_array__") or type(data).__module__.startswith("pandas."):  # Before pandas 3.
        array = pyarrow.array(data)
        column = array if isinstance(array, pyarrow.ChunkedArray) else pyarrow.chunked_array([array])
    else:
        raise TypeError(f"Arrow as {type(data).__name__}: a column of {_EXPECTED}, or a table with one, is expected")
    if pyarrow.types.is_struct(column.type):  # So Arrow hands over a table.
        return _select(pyarrow, column, name)
    if name is not None:
        raise Ox88Error(f"the column {name!r} of an Arrow column of {column.type}: only a table has columns")
    return column


def texts_of_column(pyarrow: Any, data: Any) -> tuple[Any, NDArray[np.int64]]:
    """(the bytes, int64[n + 1]) of a column of strings, or of lists of strings, which are joined by blanks.

    A newline ends each text. Raises TypeError, RowError for a null.
    """
    column = _as_column(pyarrow, data, None)
    compute = importlib.import_module("pyarrow.compute")
    wrong = TypeError(f"an Arrow column of {column.type}: strings, or lists of strings, are expected")
    if pyarrow.types.is_list(column.type) or pyarrow.types.is_large_list(column.type):
        if pyarrow.types.is_primitive(column.type.value_type):  # Numbers would be read as those of moves.
            raise wrong
        lists = (chunk.cast(pyarrow.list_(pyarrow.string())) for chunk in column.chunks)
        column = pyarrow.chunked_array([compute.binary_join(some, " ") for some in lists], pyarrow.string())
    try:
        array = _as_large_array(pyarrow, column)
    except TypeError:
        raise wrong from None
    if not pyarrow.types.is_large_string(array.type):
        raise wrong
    for row in np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[:1]:
        raise RowError(int(row), "null is no moves: a text or a list without null is expected")
    offsets, text = _offsets_and_data(
        compute.binary_join_element_wise(array, *(pyarrow.scalar(text, array.type) for text in ("", "\n")))
    )
    return text, offsets


def without_empty(pyarrow: Any, data: Any) -> tuple[Any, NDArray[np.intp], int]:
    """(the rows of a column that are neither null nor empty, their numbers, how many rows there are in all).

    Raises TypeError, Ox88Error.
    """
    array = _as_large_array(pyarrow, _as_column(pyarrow, data, None))
    compute = importlib.import_module("pyarrow.compute")
    is_full = compute.fill_null(compute.greater(compute.binary_length(array), 0), False)
    return array.filter(is_full), np.flatnonzero(is_full.to_numpy(zero_copy_only=False)), len(array)


def _select(pyarrow: Any, table: Any, name: str | None) -> Any:
    """A column of a table: the one with a name, the only one, or `position`."""
    names = [field.name for field in table.type]
    wanted = name or (names[0] if len(names) == 1 else "position")
    if wanted not in names:
        known = ", ".join(names) or "none"
        raise Ox88Error(f"the Arrow table has no column {wanted!r}: give one of its columns, which are {known}")
    number = names.index(wanted)
    return pyarrow.chunked_array([chunk.flatten()[number] for chunk in table.chunks], table.type.field(number).type)


def _as_large_array(pyarrow: Any, column: Any) -> Any:
    """All rows as large strings or large binaries, which may take more than 2 GB. Raises TypeError."""
    is_dictionary = pyarrow.types.is_dictionary(column.type)
    kind = column.type.value_type if is_dictionary else column.type
    if kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.null()):
        large = pyarrow.large_string()
    elif kind in (pyarrow.binary(PACKED.itemsize), pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()):
        large = pyarrow.large_binary()
    else:
        raise TypeError(f"an Arrow column of {column.type}: {_EXPECTED} are expected")
    if is_dictionary:
        chunks = [chunk.dictionary.cast(large).take(chunk.indices) for chunk in column.chunks]
        return pyarrow.chunked_array(chunks, large).combine_chunks()
    return column.cast(large).combine_chunks()


def _offsets_and_data(array: Any) -> tuple[NDArray[np.int64], Any]:
    """(int64[n + 1]: where each text begins and the last one ends; the bytes) of large strings or binaries."""
    _, offsets, data = array.buffers()
    return np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1].copy(), data or b""


def _packed(array: Any) -> NDArray[Any]:
    """PACKED[n] of large binaries without nulls. Raises Ox88Error."""
    offsets, data = _offsets_and_data(array)
    if (np.diff(offsets) != PACKED.itemsize).any():
        raise Ox88Error(f"an Arrow column of binary: each row must have {PACKED.itemsize} bytes, a packed position")
    return np.frombuffer(data, PACKED, len(array), offsets[0])
