"""Puzzles as CSV in the columns of Lichess's lichess_db_puzzle.csv, plain or packed."""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from ox88.apps.puzzles.columns import COLUMNS, NEEDED, OWN, Columns, make_columns
from ox88.errors import Ox88Error

_BLOCK: Final = 1 << 20  # Bytes.


def read_csv(path: Path) -> Columns:
    return parse_csv(_lines(path), str(path))


def parse_csv(lines: Iterable[str], name: str, check: bool = True) -> Columns:
    """name: of the file, for errors. check: False for lines that are known to be right. Raises Ox88Error."""
    reader = csv.reader(lines, strict=True)
    try:
        titles = next(reader, [])
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise Ox88Error(f"{name}, line {reader.line_num}: {error}") from None
    if missing := [column.lichess for column in COLUMNS if column.name in NEEDED and column.lichess not in titles]:
        raise Ox88Error(f"{name}, line 1: Lichess's columns of puzzles are expected: {', '.join(missing)} missing")
    for line, row in rows:
        if len(row) != len(titles):
            raise Ox88Error(f"{name}, line {line}: {len(row)} columns, and not {len(titles)} as in line 1")
    table = np.array([row for _, row in rows], object).reshape(-1, len(titles))
    values = {column.name: table[:, titles.index(column.lichess)] for column in COLUMNS if column.lichess in titles}
    return make_columns(values, len(rows), lambda row: f"{name}, line {rows[row][0]}", check)


def _lines(path: Path) -> Iterator[str]:
    from ox88.batch.pgn.files import CutOffError, read_texts

    try:
        for blocks in read_texts(path, _BLOCK, (".csv",)):
            rest = b""
            for block in blocks:
                *lines, rest = (rest + block).split(b"\n")
                yield from (line.decode("utf-8-sig", "replace") + "\n" for line in lines)
            yield rest.decode("utf-8-sig", "replace")
    except CutOffError as error:
        raise Ox88Error(f"{path} breaks off: {error}") from None


def format_csv(columns: Columns) -> Iterator[str]:
    """The lines. The columns that Lichess does not have are written only if they have values."""
    chosen = [column for column in COLUMNS if column.name not in OWN or any(columns[column.name])]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in ([column.lichess for column in chosen], *zip(*(columns[column.name] for column in chosen), strict=True)):
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
