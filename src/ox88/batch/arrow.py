"""Positions from Arrow columns and Parquet files, as `ox88 dataset` and other programs write them. It needs pyarrow."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.arguments import Errors
from ox88.batch.fens import as_text, read_lines
from ox88.batch.packed import PACKED, unpack
from ox88.types import MissingFileError, Ox88Error


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


def from_parquet(path: str | os.PathLike[str], column: str, errors: Errors, threads: int | None) -> NDArray[Any]:
    """POSITION[n] of a column of a file or folder."""
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
    return from_arrow(table[column], errors, threads)


def from_arrow(column: Any, errors: Errors, threads: int | None) -> NDArray[Any]:
    """POSITION[n] of a column of packed positions or of FENs."""
    pyarrow = import_pyarrow("from_arrow")
    column = _as_column(pyarrow, column)
    is_text = column.type in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())
    # Large: the texts of a column may take more than 2 GB.
    array = column.cast(pyarrow.large_string() if is_text else pyarrow.large_binary()).combine_chunks()
    if is_text:
        offsets, text = _offsets_and_data(array)
        return read_lines(as_text(text), offsets[:-1], offsets[1:], errors, threads)
    packed = np.zeros(len(array), PACKED)  # Zeros are no position.
    packed[array.is_valid().to_numpy(zero_copy_only=False)] = _packed(array.drop_null())
    return unpack(packed, threads, errors)


def _as_column(pyarrow: Any, column: Any) -> Any:
    """The column as a pyarrow.ChunkedArray of a type that may hold positions. Raises TypeError."""
    expected = "packed positions (fixed_size_binary[32]) or FENs (string) are expected"
    if isinstance(column, pyarrow.Array):
        column = pyarrow.chunked_array([column])
    if not isinstance(column, pyarrow.ChunkedArray):
        is_table = hasattr(column, "column_names") or hasattr(column, "columns")
        if is_table or not hasattr(column, "__arrow_c_stream__"):
            raise TypeError(f"an Arrow column of type {type(column).__name__}: one column of {expected}")
        column = pyarrow.chunked_array(column)
    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    texts = (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())
    if column.type not in (*texts, pyarrow.binary(PACKED.itemsize), pyarrow.binary(), pyarrow.large_binary()):
        raise TypeError(f"an Arrow column of {column.type}: {expected}")
    return column


def _offsets_and_data(array: Any) -> tuple[NDArray[np.int64], Any]:
    """(int64[n + 1], the bytes) of large strings or binaries."""
    _, offsets, data = array.buffers()
    return np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1].copy(), data or b""


def _packed(array: Any) -> NDArray[Any]:
    """PACKED[n] of large binaries without nulls. Raises Ox88Error."""
    offsets, data = _offsets_and_data(array)
    if (np.diff(offsets) != PACKED.itemsize).any():
        raise Ox88Error(f"an Arrow column of binary: each row must have {PACKED.itemsize} bytes, a packed position")
    return np.frombuffer(data, PACKED, len(array), offsets[0])
