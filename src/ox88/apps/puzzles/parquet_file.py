"""Puzzles as Parquet: the columns of `COLUMNS`, or those of Lichess's CSV. It needs pyarrow."""

from pathlib import Path
from typing import Any

from ox88.apps.files import written_at_once
from ox88.apps.puzzles.columns import COLUMNS, NEEDED, Columns, make_columns
from ox88.errors import Ox88Error, unreadable


def read_parquet(path: Path) -> Columns:
    """Raises Ox88Error."""
    pyarrow = import_library()
    try:
        table = pyarrow.parquet.read_table(path)
    except FileNotFoundError as error:
        raise unreadable(str(path), error) from None
    except (pyarrow.ArrowException, OSError) as error:
        raise Ox88Error(f"{path} cannot be read as Parquet: {error}") from None
    names = {column: name for column in COLUMNS for name in (column.name, column.lichess) if name in table.schema.names}
    if missing := [column.name for column in COLUMNS if column.name in NEEDED and column not in names]:
        raise Ox88Error(f"{path} is no table of puzzles: {', '.join(missing)} missing")
    values = {column.name: [_value(value) for value in table[name].to_pylist()] for column, name in names.items()}
    return make_columns(values, len(table), lambda row: f"{path}, row {row + 1}")


def import_library() -> Any:
    from ox88.batch.positions.arrow import import_pyarrow  # Imports the compiler.

    return import_pyarrow("a Parquet file of puzzles")


def _value(value: Any) -> Any:
    """A list, as some have for themes, becomes a text of words; what is null is empty."""
    return " ".join(map(str, value)) if isinstance(value, list) else "" if value is None else value


def write_parquet(path: Path, columns: Columns) -> None:
    """Raises Ox88Error."""
    pyarrow = import_library()
    with written_at_once(path) as temporary:
        pyarrow.parquet.write_table(pyarrow.table(columns), temporary, compression="zstd")
