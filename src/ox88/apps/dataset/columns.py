"""The columns of the table: what each holds, and how it is made of rows."""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.apps.dataset.filters import RATINGS, evaluations, numbers
from ox88.apps.dataset.rows import Rows
from ox88.batch.packed import PACKED
from ox88.engines.modern.records import MATE
from ox88.types import Ox88Error, is_castling, move_from, move_to, to_uci

DEFAULT: Final = ("game", "ply", "position", "move", "result", "eval", "clock", *RATINGS)
SCORED: Final = ("score", "best")
_MATE_PAWNS: Final = 10_000  # Less the moves to it: so read_pgn tells a mate that an [%eval] tells.
_MATES: Final = MATE - 1000  # Beyond, a score of the search is a mate.
_MOVES: Final = 1 << 16
_ORTHODOX: Final = {(4, 0), (4, 7), (60, 56), (60, 63)}  # King and rook, where castling is the king's two steps.


def import_pyarrow() -> Any:
    """pyarrow, which is not typed. Raises Ox88Error where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Ox88Error("ox88 dataset needs pyarrow, which is not installed: pip install 'ox88[data]'") from None
    return pyarrow


class Context(NamedTuple):
    """What columns are made of. files: their names. positions, scores (SCORE[n]): empty where no column needs them."""

    pyarrow: Any
    rows: Rows
    files: Sequence[str]
    positions: ox88.Positions
    scores: NDArray[Any]


Make = Callable[[Context], Any]


def _game(context: Context) -> Any:
    return context.pyarrow.array(context.rows.games.numbers.astype(np.int32)[context.rows.game])


def _ply(context: Context) -> Any:
    return context.pyarrow.array(context.rows.ply.astype(np.int32))


def _file(context: Context) -> Any:
    names, places = np.unique(context.rows.files, return_inverse=True)
    texts = context.pyarrow.array([context.files[number] for number in names], context.pyarrow.string())
    return context.pyarrow.DictionaryArray.from_arrays(places.astype(np.int32)[context.rows.game], texts)


def _position(context: Context) -> Any:
    pyarrow, rows = context.pyarrow, context.rows
    packed = rows.games.packed(rows.game, rows.ply, threads=1)
    buffers = [None, pyarrow.py_buffer(packed)]
    return pyarrow.FixedSizeBinaryArray.from_buffers(pyarrow.binary(PACKED.itemsize), len(packed), buffers)


def _fen(context: Context) -> Any:
    pyarrow, (data, offsets) = context.pyarrow, context.positions.fen_texts(threads=1)
    buffers = [None, pyarrow.py_buffer(offsets.astype(np.int32)), pyarrow.py_buffer(data)]
    return pyarrow.StringArray.from_buffers(len(offsets) - 1, buffers[1], buffers[2])


def _key(context: Context) -> Any:
    return context.pyarrow.array(context.positions.key)


def _move(context: Context) -> Any:
    return moves_as_uci(context.pyarrow, context.rows.games.moves[context.rows.moves_at])


def moves_as_uci(pyarrow: Any, moves: NDArray[np.uint16]) -> Any:
    """An array of texts."""
    is_there, places = np.zeros(_MOVES, np.bool_), np.empty(_MOVES, np.int32)
    is_there[moves] = True
    found = np.flatnonzero(is_there)
    places[found] = np.arange(len(found))
    return pyarrow.array([_uci(int(move)) for move in found], pyarrow.string()).take(pyarrow.array(places[moves]))


@functools.cache
def _uci(move: int) -> str:
    """Castling as the king's two steps, or where king or rook stand elsewhere, as the king taking its rook."""
    return to_uci(move, chess960=is_castling(move) and (move_from(move), move_to(move)) not in _ORTHODOX)


def _result(context: Context) -> Any:
    return _reals(context, context.rows.games.results[context.rows.game])


def _eval(context: Context) -> Any:
    return _reals(context, evaluations(context.rows))


def _eval_after(context: Context) -> Any:
    return _reals(context, context.rows.games.evals[context.rows.moves_at])


def _clock(context: Context) -> Any:
    return _reals(context, context.rows.games.clocks[context.rows.moves_at])


def _score(context: Context) -> Any:
    return context.pyarrow.array(as_pawns(context.scores["score"]))


def _best(context: Context) -> Any:
    return moves_as_uci(context.pyarrow, context.scores["best"])


def _reals(context: Context, values: NDArray[np.float32]) -> Any:
    return context.pyarrow.array(values, from_pandas=True)  # NaN is null.


def as_pawns(scores: NDArray[np.int16]) -> NDArray[np.float32]:
    """float32[n]: scores of `Positions.search` as the evaluations that `read_pgn` returns."""
    wide = scores.astype(np.int32)
    moves = (MATE - np.abs(wide) + 1) // 2
    return np.where(np.abs(wide) > _MATES, np.sign(wide) * (_MATE_PAWNS - moves), wide / 100).astype(np.float32)


def _rating(name: str, context: Context) -> Any:
    values = numbers(context.rows.games, name)
    return context.pyarrow.array(values.astype(np.int32), mask=values == 0).take(context.rows.game)


def _tag(name: str, context: Context) -> Any:
    texts = context.rows.games.headers.to_arrow()[name].combine_chunks().dictionary_encode()
    return texts.cast(context.pyarrow.dictionary(context.pyarrow.int32(), context.pyarrow.string())).take(
        context.pyarrow.array(context.rows.game)
    )


_COLUMNS: Final[dict[str, Make]] = {
    "game": _game,
    "ply": _ply,
    "file": _file,
    "position": _position,
    "fen": _fen,
    "key": _key,
    "move": _move,
    "result": _result,
    "eval": _eval,
    "eval_after": _eval_after,
    "clock": _clock,
    "score": _score,
    "best": _best,
}
NAMES: Final = tuple(name for name in _COLUMNS if name not in SCORED)
_OF_POSITIONS: Final = ("fen", "key")
_REPEATED: Final = ("file", "move", "best", "eval", "eval_after", "clock")


def is_tag(name: str) -> bool:
    """Tags begin with a capital letter, other columns do not."""
    return name[:1].isupper()


def tags_of(columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(is_tag, columns))


def needs_positions(columns: Sequence[str]) -> bool:
    return any(name in _OF_POSITIONS for name in columns)


def with_dictionaries(columns: Sequence[str]) -> list[str]:
    """Those columns whose values return, but not in row after row, which packs well as it is."""
    return [name for name in columns if name in _REPEATED or (is_tag(name) and name not in RATINGS)]


def with_statistics(columns: Sequence[str]) -> list[str]:
    """Those columns of which readers may want to know the least and the greatest value of a row group."""
    return [name for name in columns if name not in ("position", "fen", "key")]


def make_table(context: Context, columns: Sequence[str]) -> Any:
    return context.pyarrow.table({name: _make(name, context) for name in columns})


def _make(name: str, context: Context) -> Any:
    if name in RATINGS:
        return _rating(name, context)
    return _tag(name, context) if is_tag(name) else _COLUMNS[name](context)
