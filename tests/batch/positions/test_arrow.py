"""Positions from Arrow columns and Parquet files."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ox88
from tests.batch.samples import positions
from tests.conftest import imported

pyarrow: Any = pytest.importorskip("pyarrow")
parquet: Any = pytest.importorskip("pyarrow.parquet")

PACKED = pyarrow.binary(32)
BAD = "8/8/8/8/8/8/8/K7 w - - 0 1"


class Exporter:
    """A column of a library other than pyarrow."""

    def __init__(self, column: Any) -> None:
        self._column = column

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._column.__arrow_c_stream__(requested_schema)


def packed(some: ox88.Positions) -> Any:
    return pyarrow.array([row.tobytes() for row in some.pack()], PACKED)


def columns(some: ox88.Positions) -> list[Any]:
    """The positions in every kind of column."""
    fens, records = pyarrow.array(some.fens(), pyarrow.string()), packed(some)
    plain = [fens, fens.cast(pyarrow.large_string()), records, records.cast(pyarrow.binary())]
    plain += [fens.cast(pyarrow.string_view()), records.cast(pyarrow.large_binary())]
    chunked = [pyarrow.chunked_array([column[:5], column[5:5], column[5:]]) for column in plain]
    plain.append(records.cast(pyarrow.binary()).cast(pyarrow.binary_view()))
    dictionaries = [column.dictionary_encode() for column in plain[:4]]
    return [*plain, *chunked, *dictionaries, *map(Exporter, chunked), *map(tables_of, chunked)]


def tables_of(column: Any) -> Any:
    return pyarrow.table({"anything": column})


def test_columns_of_every_kind() -> None:
    for number, column in enumerate(columns(positions())):
        assert ox88.Positions.from_arrow(column, threads=1 + number % 2) == positions()
    for column in columns(positions()[:0]):
        assert ox88.Positions.from_arrow(column) == ox88.Positions()
    for kind in (PACKED, pyarrow.string()):
        assert len(ox88.Positions.from_arrow(pyarrow.chunked_array([], kind))) == 0
    for column in columns(positions())[:6]:
        assert ox88.Positions.from_arrow(column[7:30]) == positions()[7:30]


def test_rows_that_are_no_positions() -> None:
    good, fens = positions()[:3], positions()[:3].fens()
    as_fens = pyarrow.array([fens[0], None, fens[1], BAD, fens[2]])
    hidden = pyarrow.array([fens[0], fens[0], fens[1], BAD, fens[2]]).buffers()[1:]  # A null may have a text.
    as_hidden = pyarrow.StringArray.from_buffers(5, *hidden, pyarrow.py_buffer(bytes([0b11101])))
    zeros, first, *rest = bytes(32), *(row.tobytes() for row in good.pack())
    as_packed = pyarrow.array([first, None, rest[0], zeros, rest[1]], PACKED)
    for column in (as_fens, as_hidden, as_packed):
        errors: list[ox88.RowError] = []
        assert ox88.Positions.from_arrow(column, errors=errors.append) == good
        assert [error.row for error in errors] == [1, 3]
        assert ox88.Positions.from_arrow(column, errors="skip") == good
        with pytest.raises(ox88.RowError, match=r"row 1: .*it is empty"):
            ox88.Positions.from_arrow(column)
        with pytest.raises(ox88.Ox88Error, match="errors is 'ignore'"):
            ox88.Positions.from_arrow(column, errors="ignore")  # type: ignore[arg-type]


def test_columns_that_are_none() -> None:
    wrong: Any
    for wrong in ([b"x" * 32], positions(), positions().pack(), None, pyarrow.array([1, 2]), range(3)):
        with pytest.raises(TypeError, match=r"Arrow .*packed positions \(fixed_size_binary\[32\], binary\) or FENs"):
            ox88.Positions.from_arrow(wrong)
    table = pyarrow.table({"fen": positions().fens(), "ply": range(len(positions()))})
    with pytest.raises(ox88.Ox88Error, match="has no column 'position': give one of its columns, which are fen, ply"):
        ox88.Positions.from_arrow(table)
    assert ox88.Positions.from_arrow(table, "fen") == positions()
    with pytest.raises(ox88.Ox88Error, match="the column 'fen' of an Arrow column of string: only a table has columns"):
        ox88.Positions.from_arrow(table["fen"], "fen")
    with pytest.raises(ox88.Ox88Error, match="an Arrow column of binary: each row must have 32 bytes"):
        ox88.Positions.from_arrow(pyarrow.array([b"short"]))


def polars_column(files: Path) -> Any:
    """A column of several chunks, one of which does not begin where its memory does."""
    polars = imported("polars")
    column = polars.read_parquet(files)["position"]
    return polars.concat([column[:3], column[:3]])[3:].append(column[3:])


READERS: dict[str, Callable[[Path], Any]] = {
    "polars column": lambda files: imported("polars").read_parquet(files)["position"],
    "polars chunks": polars_column,
    "polars table": lambda files: imported("polars").read_parquet(files),
    "polars fens": lambda files: imported("polars").read_parquet(files)["fen"],
    "polars categories": lambda files: (
        imported("polars").read_parquet(files)["fen"].cast(imported("polars").Categorical)
    ),
    "pandas column": lambda files: imported("pandas").read_parquet(files.parent)["position"],
    "pandas arrow": lambda files: imported("pandas").read_parquet(files.parent, dtype_backend="pyarrow")["position"],
    "pandas table": lambda files: imported("pandas").read_parquet(files.parent),
    "pandas fens": lambda files: imported("pandas").read_parquet(files.parent)["fen"],
    "duckdb relation": lambda files: imported("duckdb").read_parquet(str(files)),
    "duckdb column": lambda files: imported("duckdb").read_parquet(str(files))["fen"],
    "duckdb batches": lambda files: imported("duckdb").read_parquet(str(files)).arrow(),
    "pyarrow table": lambda files: parquet.read_table(files.parent),
}


def write_parts(folder: Path) -> None:
    """Two files with columns ply, position and fen."""
    for number, part in enumerate((positions()[:100], positions()[100:])):
        table = pyarrow.table({"ply": range(len(part)), "position": packed(part), "fen": part.fens()})
        parquet.write_table(table, folder / f"part-{number:05}.parquet", row_group_size=60)


@pytest.mark.parametrize("reader", READERS)
def test_tables_and_columns_of_other_libraries(reader: str, tmp_path: Path) -> None:
    write_parts(tmp_path)
    assert ox88.Positions.from_arrow(READERS[reader](tmp_path / "*.parquet")) == positions()


def test_parquet_files_and_folders(tmp_path: Path) -> None:
    some = positions()
    write_parts(tmp_path)
    (tmp_path / ".unfinished").mkdir()
    (tmp_path / ".unfinished" / "part-00002.parquet.tmp").write_text("half")
    assert ox88.Positions.from_parquet(tmp_path) == some
    assert ox88.Positions.from_parquet(str(tmp_path), "fen", threads=1) == some
    assert ox88.Positions.from_parquet(tmp_path / "part-00001.parquet") == some[100:]
    with pytest.raises(ox88.Ox88Error, match="has no column 'FEN': the columns are ply, position, fen"):
        ox88.Positions.from_parquet(tmp_path, "FEN")
    with pytest.raises(TypeError, match="an Arrow column of int64"):
        ox88.Positions.from_parquet(tmp_path, "ply")


def test_files_that_are_none(tmp_path: Path) -> None:
    for missing in (tmp_path / "none", str(tmp_path / "none.parquet")):
        with pytest.raises(FileNotFoundError, match="there is no such file or folder"):
            ox88.Positions.from_parquet(missing)
    with pytest.raises(TypeError, match="Parquet as list: the path of a file or folder is expected"):
        ox88.Positions.from_parquet([tmp_path])  # type: ignore[arg-type]
    (tmp_path / "text.parquet").write_text("no Parquet")
    with pytest.raises(ox88.Ox88Error, match=r"text\.parquet cannot be read as Parquet: "):
        ox88.Positions.from_parquet(tmp_path / "text.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ox88.Ox88Error, match="has no column 'position': the columns are none"):
        ox88.Positions.from_parquet(tmp_path / "empty")


def test_the_need_of_pyarrow_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        ox88.Ox88Error, match=r"from_arrow needs pyarrow, which is not installed: pip install 'ox88\[data"
    ):
        ox88.Positions.from_arrow(object())  # type: ignore[arg-type]
