"""The columns of the table: what each holds, and how it is made of rows."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.apps.dataset.filters import RATINGS, evaluations, ratings
from ox88.apps.dataset.move_words import moves_as_uci
from ox88.apps.dataset.rows import Rows
from ox88.batch.packed import PACKED
from ox88.engines.modern.records import MATE
from ox88.types import Ox88Error

DEFAULT: Final = ("game", "ply", "position", "move", "result", "eval", "clock", *RATINGS)
SCORED: Final = ("score", "best")  # What a search finds.
POSITION: Final = "position"
_MATE_PAWNS: Final = 10_000  # Less the moves to it: so read_pgn tells a mate that an [%eval] tells.
_MATES: Final = MATE - 1000  # Beyond, a score of the search is a mate.


def import_pyarrow() -> Any:
    """pyarrow, which is not typed. Raises Ox88Error where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Ox88Error("ox88 dataset needs pyarrow, which is not installed: pip install 'ox88[data]'") from None
    return pyarrow


class Context(NamedTuple):
    """What columns are made of. files: their names. positions: none where no column needs them."""

    pyarrow: Any
    rows: Rows
    files: Sequence[str]
    positions: ox88.Positions


Make = Callable[[Context], Any]


def _game(context: Context) -> Any:
    return context.pyarrow.array(context.rows.of_games(context.rows.games.numbers.astype(np.int32)))


def _ply(context: Context) -> Any:
    return context.pyarrow.array(context.rows.ply.astype(np.int32))


def _file(context: Context) -> Any:
    numbers = np.full(len(context.rows), context.rows.file, np.int32)
    return context.pyarrow.DictionaryArray.from_arrays(numbers, list(context.files))


def _position(context: Context) -> Any:
    pyarrow, rows = context.pyarrow, context.rows
    packed = np.ascontiguousarray(rows.packed())
    buffers = [None, pyarrow.py_buffer(packed)]
    return pyarrow.FixedSizeBinaryArray.from_buffers(pyarrow.binary(PACKED.itemsize), len(packed), buffers)


def _fen(context: Context) -> Any:
    pyarrow, (data, offsets) = context.pyarrow, context.positions.fen_texts(threads=1)
    buffers = [None, pyarrow.py_buffer(offsets.astype(np.int32)), pyarrow.py_buffer(data)]
    return pyarrow.StringArray.from_buffers(len(offsets) - 1, buffers[1], buffers[2])


def _key(context: Context) -> Any:
    return context.pyarrow.array(context.positions.key)


def _move(context: Context) -> Any:
    return moves_as_uci(context.pyarrow, context.rows.of_moves(context.rows.games.moves))


def _result(context: Context) -> Any:
    return _reals(context, context.rows.of_games(context.rows.games.results))


def _eval(context: Context) -> Any:
    return _reals(context, evaluations(context.rows))


def _eval_after(context: Context) -> Any:
    return _reals(context, context.rows.of_moves(context.rows.games.evals))


def _clock(context: Context) -> Any:
    return _reals(context, context.rows.of_moves(context.rows.games.clocks))


def _reals(context: Context, values: NDArray[np.float32]) -> Any:
    return _known(context.pyarrow, values, ~np.isnan(values))


def _known(pyarrow: Any, values: NDArray[Any], is_known: NDArray[np.bool_]) -> Any:
    """The values themselves, not copied; null where they are not known."""
    bits = np.packbits(is_known, bitorder="little")
    buffers = [pyarrow.py_buffer(bits), pyarrow.py_buffer(values)]
    return pyarrow.Array.from_buffers(pyarrow.from_numpy_dtype(values.dtype), len(values), buffers)


def as_pawns(scores: NDArray[np.int16]) -> NDArray[np.float32]:
    """float32[n]: scores of `Positions.search` as the evaluations that `read_pgn` returns."""
    wide = scores.astype(np.int32)
    moves = (MATE - np.abs(wide) + 1) // 2
    return np.where(np.abs(wide) > _MATES, np.sign(wide) * (_MATE_PAWNS - moves), wide / 100).astype(np.float32)


def _rating(name: str, context: Context) -> Any:
    values = context.rows.of_games(ratings(context.rows.games, name))
    return _known(context.pyarrow, values, values != 0)


def _tag(name: str, context: Context) -> Any:
    texts = context.rows.games.headers.to_arrow()[name].combine_chunks()
    return texts.cast(context.pyarrow.string()).take(context.pyarrow.array(context.rows.game))


_COLUMNS: Final[dict[str, Make]] = {
    "game": _game,
    "ply": _ply,
    "file": _file,
    POSITION: _position,
    "fen": _fen,
    "key": _key,
    "move": _move,
    "result": _result,
    "eval": _eval,
    "eval_after": _eval_after,
    "clock": _clock,
}
NAMES: Final = tuple(_COLUMNS)
_OF_POSITIONS: Final = ("fen", "key")
MOVES: Final = ("move", "best")
_NEVER_NULL: Final = ("game", "ply", "file", POSITION, "fen", "key", "move")


def is_tag(name: str) -> bool:
    """Tags begin with a capital letter, other columns do not."""
    return name[:1].isupper()


def tags_of(columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(is_tag, columns))


def needs_packed(columns: Sequence[str]) -> bool:
    return POSITION in columns


def needs_positions(columns: Sequence[str]) -> bool:
    return any(name in _OF_POSITIONS for name in columns)


def with_dictionaries(columns: Sequence[str]) -> list[str]:
    """Those columns of texts that return."""
    return [name for name in columns if name in ("file", *MOVES) or (is_tag(name) and name not in RATINGS)]


def with_statistics(columns: Sequence[str]) -> list[str]:
    """Those columns whose least and greatest value let a reader leave out row groups: others have all in each."""
    return [name for name in columns if name in ("game", "file")]


def make_table(context: Context, columns: Sequence[str]) -> Any:
    pyarrow, arrays = context.pyarrow, [_make(name, context) for name in columns]
    fields = [
        pyarrow.field(name, array.type, nullable=name not in _NEVER_NULL)
        for name, array in zip(columns, arrays, strict=True)
    ]
    return pyarrow.table(arrays, pyarrow.schema(fields))


def add_scores(pyarrow: Any, table: Any, found: NDArray[Any]) -> Any:
    """The table with the columns of SCORED. found: SCORE[n]."""
    score, best = pyarrow.array(as_pawns(found["score"])), moves_as_uci(pyarrow, found["best"])
    return table.append_column(SCORED[0], score).append_column(SCORED[1], best)


def packed_of(tables: Iterable[Any]) -> NDArray[Any]:
    """PACKED[n]: what their columns of positions hold."""
    chunks = [
        np.frombuffer(chunk.buffers()[1], PACKED, len(chunk), chunk.offset * PACKED.itemsize)
        for table in tables
        for chunk in table[POSITION].chunks
        if len(chunk)
    ]
    return np.concatenate(chunks) if chunks else np.zeros(0, PACKED)


def _make(name: str, context: Context) -> Any:
    if name in RATINGS:
        return _rating(name, context)
    return _tag(name, context) if is_tag(name) else _COLUMNS[name](context)
