"""The columns of the data set: what each contains, and how it is made of rows."""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pyarrow
from numpy.typing import NDArray

from ox88.apps.dataset.rows import RATINGS, Rows, evaluations, ratings
from ox88.batch.training import parquet
from ox88.batch.training.parquet import moves_as_uci, packed_column
from ox88.engines.modern.records import MATE

DEFAULT: Final = ("game", "ply", "position", "move", "result", "eval", "clock", *RATINGS)
SCORED: Final = ("score", "best")  # Made by a search.
POSITION: Final = "position"
MOVES: Final = ("move", "best")
_NEVER_NULL: Final = ("game", "ply", "file", POSITION, "fen", "key", "move")
_LEAST_MATE: Final = MATE - 999  # Of scores of the search.
_PAGE: Final = 1 << 18  # Bytes: small enough to be copied while it is still in the processor's cache.


def _floats(values: NDArray[np.float32]) -> Any:
    """An array of the values, null where they are not known."""
    return pyarrow.array(values, mask=np.isnan(values))


def _fen(rows: Rows) -> Any:
    fens = rows.positions.fen_texts(threads=1)
    buffers = map(pyarrow.py_buffer, (fens.offsets.astype(np.int32), fens.data))
    return pyarrow.StringArray.from_buffers(len(fens), *buffers)


def _rating(name: str, rows: Rows) -> Any:
    values = rows.of_games(ratings(rows.games, name))
    return pyarrow.array(values, mask=values == 0)


def _tag(name: str, rows: Rows) -> Any:
    texts = rows.games.headers.to_arrow()[name].combine_chunks()
    return texts.cast(pyarrow.string()).take(pyarrow.array(rows.game))


_COLUMNS: Final[dict[str, Callable[[Rows], Any]]] = {
    "game": lambda of: pyarrow.array(of.of_games((of.games.numbers + 1).astype(np.int32))),
    "ply": lambda of: pyarrow.array(of.ply.astype(np.int32)),
    "file": lambda of: np.full(len(of), of.file, np.int32),  # Indices into the names of the files.
    POSITION: lambda of: packed_column(of.packed()),
    "fen": _fen,
    "key": lambda of: pyarrow.array(of.positions.key),
    "move": lambda of: moves_as_uci(of.of_moves(of.games.moves)),
    "result": lambda of: _floats(of.of_games(of.games.results)),
    "eval": lambda of: _floats(evaluations(of)),
    "eval_after": lambda of: _floats(of.of_moves(of.games.evals)),
    "clock": lambda of: _floats(of.of_moves(of.games.clocks)),
    "time": lambda of: _floats(of.of_moves(of.games.times)),
    "depth": lambda of: _floats(of.of_moves(of.games.depths)),
    **{name: functools.partial(_rating, name) for name in RATINGS},
}
NAMES: Final = tuple(name for name in _COLUMNS if name not in RATINGS)


def is_tag(name: str) -> bool:
    """True for PGN tags: they begin with a capital letter, other columns do not."""
    return name[:1].isupper()


def make_table(rows: Rows, columns: Sequence[str], files: Sequence[str]) -> Any:
    """A pyarrow.Table of the rows. files: the names of all files."""
    found = {name: _COLUMNS[name](rows) if name in _COLUMNS else _tag(name, rows) for name in columns}
    if "file" in found:
        found["file"] = pyarrow.DictionaryArray.from_arrays(found["file"], list(files))
    fields = [pyarrow.field(name, array.type, nullable=name not in _NEVER_NULL) for name, array in found.items()]
    return pyarrow.table([*found.values()], pyarrow.schema(fields))


def parquet_options(columns: Sequence[str], compression: str) -> dict[str, Any]:
    """How pyarrow writes a table: dictionaries for texts that repeat, statistics of columns that readers search.

    Moves are indices into a dictionary: only zstd makes them smaller.
    """
    return {
        "data_page_size": _PAGE,
        "compression": {n: "none" if n in MOVES and compression != "zstd" else compression for n in columns},
        "use_dictionary": [n for n in columns if n in ("file", *MOVES) or (is_tag(n) and n not in RATINGS)],
        "write_statistics": [name for name in columns if name in ("game", "file")],
    }


def add_scores(table: Any, scores: NDArray[Any]) -> Any:
    """A pyarrow.Table with the columns of SCORED added. scores: SCORE[n]."""
    pawns, best = pyarrow.array(as_pawns(scores["score"])), moves_as_uci(scores["best"])
    return table.append_column(SCORED[0], pawns).append_column(SCORED[1], best)


def as_pawns(scores: NDArray[np.int16]) -> NDArray[np.float32]:
    """float32[n]: scores of `Positions.search` as the evaluations that `read_pgn` returns."""
    return parquet.as_pawns(scores, MATE, _LEAST_MATE).astype(np.float32)
