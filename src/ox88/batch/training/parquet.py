"""Training data in folders of Parquet files, as `ox88 dataset` writes them. It needs pyarrow.

Columns `position`, `move`, `result`, `ply`, and `score` or else `eval`. Scores there are in pawns for White, mate in n
is 10,000 - n, and results are White's points.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.learning.policy import FLIPPED, NO_INDEX, policy_record
from ox88.batch.positions.arrow import import_pyarrow
from ox88.batch.positions.packed import PACKED
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import IllegalMoveError, RowError
from ox88.batch.training.entries import MATE, NO_SCORE, TrainingData, joined
from ox88.errors import Ox88Error
from ox88.replacing import replaced
from ox88.types import CASTLING_FLAG, NO_MOVE, format_uci, make_castling

_ROWS: Final = 1 << 17  # Rows read at a time, and of a row group.
_PART_ROWS: Final = 1 << 20
_MATE_PAWNS: Final = 10_000
_LEAST_MATE: Final = MATE - 246  # Stockfish's VALUE_MATE_IN_MAX_PLY.
_SCORES: Final = ("score", "eval")


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_parquet(path: Path, threads: int | None = None) -> Iterator[TrainingData]:
    """The rows that have a move and a result, some at a time. Raises Ox88Error."""
    return (read_group(file, group, threads) for file, group in row_groups(path))


def row_groups(path: Path) -> list[tuple[Path, int]]:
    """The row groups of all files of a folder: (file, number). Raises Ox88Error."""
    parquet = import_pyarrow("a folder of Parquet files").parquet
    files = [path] if path.is_file() else sorted(path.glob("*.parquet"))
    if not files:
        raise Ox88Error(f"{path}: a folder with files .parquet is expected, as ox88 dataset writes them")
    try:
        return [(file, group) for file in files for group in range(parquet.read_metadata(file).num_row_groups)]
    except (OSError, ValueError) as error:  # ArrowInvalid is a ValueError.
        raise Ox88Error(f"{path} cannot be read as Parquet: {error}") from None


def read_group(path: Path, group: int, threads: int | None = None) -> TrainingData:
    """The rows of a row group that have a move and a result. Raises Ox88Error."""
    pyarrow = import_pyarrow("a Parquet file")
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            score = next((name for name in _SCORES if name in names), None)
            columns = ["position", "move", "result", "ply", *([] if score is None else [score])]
            if missing := [name for name in columns if name not in names]:
                raise Ox88Error(f"{path} has no column {missing[0]!r}, one of {', '.join(columns)} that are needed")
            table = file.read_row_group(group, columns)
    except (OSError, pyarrow.ArrowException) as error:
        raise Ox88Error(f"{path} cannot be read as Parquet: {error}") from None
    try:
        return _of_table(table, score, threads)
    except (Ox88Error, TypeError, pyarrow.ArrowException) as error:
        raise Ox88Error(f"{path}: row group {group}: {error}") from None


def _of_table(table: Any, score: str | None, threads: int | None) -> TrainingData:
    unknown = [table[name].is_null(nan_is_null=True).to_numpy() for name in ("position", "move", "result", "ply")]
    table = table.filter(~np.logical_or.reduce(unknown))
    positions = Positions.from_arrow(table["position"], threads=threads)
    view = np.where(positions.turn == 0, 1, -1)
    moves = positions.parse_uci(table["move"].to_pylist(), threads=threads)
    for row in np.flatnonzero((moves != NO_MOVE) & ~positions.is_legal(moves, threads=threads))[:1].tolist():
        raise IllegalMoveError(row, int(moves[row]), positions._records[row])
    results = table["result"].cast("float64").to_numpy()
    for row in np.flatnonzero(~np.isin(results, (0, 0.5, 1)))[:1].tolist():
        raise RowError(row, f"result {results[row]}: White's points are expected, 1, 0.5 or 0")
    pawns = np.full(len(positions), np.nan) if score is None else table[score].cast("float64").to_numpy()
    return TrainingData(
        positions,
        moves,
        _as_scores(pawns * view),
        ((2 * results - 1) * view).astype(np.int8),
        np.clip(table["ply"].cast("int64").to_numpy(), 0, 65535),
    )


def _as_scores(pawns: NDArray[np.float64]) -> NDArray[np.int16]:
    """Centipawns for the side to move, of its pawns. A side that mates has the last move, one that is mated has not."""
    left = np.maximum(_MATE_PAWNS - np.abs(pawns), 1)  # An evaluation that is larger is a mate in one.
    mates = MATE - np.where(pawns > 0, 2 * left - 1, 2 * left)
    scores = np.clip(np.rint(pawns * 100), 1 - _LEAST_MATE, _LEAST_MATE - 1)
    scores = np.where(left < _MATE_PAWNS / 10, np.sign(pawns) * mates, scores)
    return np.where(np.isnan(pawns), NO_SCORE, scores).astype(np.int16)


# --- Writing ----------------------------------------------------------------------------------------------------------


def write_parquet(path: Path, parts: Iterable[TrainingData]) -> None:
    """Write a folder of files of about a million rows; after an error none of it is left.

    Raises Ox88Error if there is one with files already, OSError.
    """
    pyarrow = import_pyarrow("a folder of Parquet files")
    if path.is_file() or (path.is_dir() and any(path.glob("*.parquet"))):
        raise Ox88Error(f"{path} is there already: name a new folder")
    with contextlib.ExitStack() as undo:
        if not path.is_dir():
            path.mkdir()
            undo.callback(path.rmdir)
        for number, tables in enumerate(_in_parts(parts)):
            target = path / f"part-{number:05}.parquet"
            with replaced(target) as file:
                table = pyarrow.concat_tables(tables)
                pyarrow.parquet.write_table(table, file, row_group_size=_ROWS, store_schema=False, compression="lz4")
            undo.callback(target.unlink)
        undo.pop_all()


def _in_parts(parts: Iterable[TrainingData]) -> Iterator[list[Any]]:
    tables = [as_table(joined([]))]  # Without any parts an empty file, which can be read.
    for part in parts:
        tables.append(as_table(part))
        if sum(map(len, tables)) >= _PART_ROWS:
            yield tables
            tables = []
    if tables:
        yield tables


def as_table(data: TrainingData) -> Any:
    """A pyarrow.Table with the columns of `ox88 dataset`, of training data."""
    pyarrow = import_pyarrow("a table")
    view = np.where(data.positions.turn == 0, 1, -1)
    scores = (
        np.where(np.abs(data.scores.astype(np.int64)) > MATE, np.nan, as_pawns(data.scores, MATE, _LEAST_MATE)) * view
    )
    return pyarrow.table(
        {
            "ply": pyarrow.array(data.plies.astype(np.int32)),
            "position": packed_column(data.positions.pack()),
            "move": moves_as_uci(data.moves),
            "result": pyarrow.array(((data.results * view + 1) / 2).astype(np.float32)),
            "score": pyarrow.array(scores.astype(np.float32), mask=np.isnan(scores)),
        }
    )


def as_pawns(scores: NDArray[Any], mate: int, least_mate: int) -> NDArray[np.float64]:
    """Pawns for each score in centipawns. The score of a mate in k plies is `mate` - k, at least `least_mate`."""
    wide = scores.astype(np.int64)
    moves = (mate - np.abs(wide) + 1) // 2
    return np.where(np.abs(wide) >= least_mate, np.sign(wide) * (_MATE_PAWNS - moves), wide / 100)


def packed_column(packed: NDArray[Any]) -> Any:
    """A column of PACKED[n], without a copy."""
    pyarrow = import_pyarrow("a column of positions")
    buffers = [None, pyarrow.py_buffer(np.ascontiguousarray(packed))]
    return pyarrow.FixedSizeBinaryArray.from_buffers(pyarrow.binary(PACKED.itemsize), len(packed), buffers)


def moves_as_uci(moves: NDArray[Any]) -> Any:
    """A dictionary array of texts. The dictionary is always the same, so pyarrow writes it as it is."""
    texts, indices = _move_dictionary()
    pyarrow = import_pyarrow("moves")
    return pyarrow.DictionaryArray.from_arrays(indices.take(moves), texts, safe=False)


@functools.cache
def _move_dictionary() -> tuple[Any, NDArray[np.int32]]:
    """The texts of every move that some piece can make on some board, and int32[65536], the index of each move's text.

    Castling is written as e1h1 unless king and rook stand where they do in chess.
    """
    white = np.flatnonzero(policy_record("az").indices != NO_INDEX)
    moves = np.union1d(white, white ^ FLIPPED)
    castlings = moves[(moves ^ moves >> 6) & 0o70 == 0] | CASTLING_FLAG  # Of king and rook on one rank.
    numbers = [NO_MOVE, *moves.tolist(), *castlings.tolist()]
    usual = {make_castling(*squares) for squares in ((4, 0), (4, 7), (60, 56), (60, 63))}
    texts, places = np.unique([format_uci(move, move not in usual) for move in numbers], return_inverse=True)
    indices = np.zeros(1 << 16, np.int32)
    indices[numbers] = places
    return import_pyarrow("moves").array(texts.tolist()), indices
