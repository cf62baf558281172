"""The positions of games in the order of their keys, with the move that followed each: what `ox88.Explorer` looks up.

A game counts once for a position, however often it repeats it, and with the move that followed the first time.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import Column, GameArrays
from ox88.batch.pgn.replay import find_repetitions
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import to_offsets

END: Final = 0xFFFF  # In place of a move, where a game ends. No move has all bits.
ROW: Final = np.dtype([("key", np.uint64), ("game", np.int32), ("move", np.uint16)])
# The facts of a game: a date is year, month and day as one number, such as 20240512, with 0 for what is unknown.
RESULT, WHITE_RATING, BLACK_RATING, DATE = range(4)

_BUCKETS: Final = 64  # The first bits of a key choose one. It is sorted in the cache of a core, with little memory.
_EDGES: Final = np.arange(1, _BUCKETS, dtype=np.uint64) << np.uint64(58)
_HIGHEST_RATING: Final = 9999
_DIGITS: Final = (0, 1, 2, 3, 5, 6, 8, 9)  # Where they are in 2024.05.12, between ...
_DOTS: Final = (4, 7)

Allocate = Callable[[str, Any, int], NDArray[Any]]  # Makes an array, by its name, type and length.


def find_rows(games: GameArrays, first: int = 0) -> NDArray[Any]:
    """ROW[]: of some games, in the order of the keys, then of the games. first: the number of the first game."""
    counts, keys = find_repetitions(games, final=True, threads=1)
    lengths = np.diff(games.offsets) + 1
    moves = np.full(len(keys), END, np.uint16)
    has_move = np.ones(len(keys), np.bool_)
    has_move[np.cumsum(lengths) - 1] = False
    moves[has_move] = games.moves
    is_first = counts == 1
    rows = np.empty(np.count_nonzero(is_first), ROW)
    rows["key"], rows["move"] = keys[is_first], moves[is_first]
    rows["game"] = np.repeat(np.arange(first, first + len(lengths)), lengths)[is_first]
    return rows[np.argsort(rows["key"], kind="stable")]


def join_runs(
    runs: Sequence[NDArray[Any]],
    allocate: Allocate,
    threads: int | None,
    progress: Callable[[float], object] = lambda _: None,
) -> list[NDArray[Any]]:
    """The keys, games and moves of all rows, in the order of the keys. runs: of `find_rows`, later games last."""
    bounds = [np.concatenate(([0], np.searchsorted(run["key"], _EDGES), [len(run)])) for run in runs]
    places = to_offsets(np.sum([np.diff(bound) for bound in bounds], axis=0, dtype=np.int64))
    columns = [allocate(f"rows.{name}", ROW[name], int(places[-1])) for name in ROW.names or ()]

    def work(buckets: slice) -> None:
        bucket = buckets.start
        rows = np.concatenate([run[bound[bucket] : bound[bucket + 1]] for run, bound in zip(runs, bounds, strict=True)])
        order = np.argsort(rows["key"], kind="stable")
        for name, column in zip(ROW.names or (), columns, strict=True):
            column[places[bucket] : places[bucket + 1]] = rows[name][order]
        progress(buckets.stop / _BUCKETS)

    in_chunks(work, _BUCKETS, threads, 1)
    return columns


# --- Games ------------------------------------------------------------------------------------------------------------


def find_facts(games: GameArrays) -> NDArray[np.int32]:
    """int32[4, n]: the facts of games, from the tags that were read; 0 for what is unknown."""
    facts = np.zeros((4, len(games.games)), np.int32)
    facts[RESULT] = games.games["result"]
    for fact, tag in ((WHITE_RATING, "WhiteElo"), (BLACK_RATING, "BlackElo")):
        if tag in games.columns:
            ratings = games.columns[tag].numbers()
            facts[fact] = np.where(ratings <= _HIGHEST_RATING, ratings, 0)
    if "Date" in games.columns:
        facts[DATE] = _dates(games.columns["Date"])
    return facts


def _dates(column: Column) -> NDArray[np.int64]:
    """The dates of texts such as 2024.05.12 and 2024.??.??, as numbers; 0 for other texts."""
    dates = np.zeros(len(column.present), np.int64)
    rows = np.flatnonzero(np.diff(column.offsets) == max(_DIGITS) + 1)
    for place in _DOTS:
        rows = rows[column.data[column.offsets[rows] + place] == ord(".")]
    for place in _DIGITS:
        digits = column.data[column.offsets[rows] + place].astype(np.int64) - ord("0")
        dates[rows] = dates[rows] * 10 + np.where((digits >= 0) & (digits <= 9), digits, 0)
    return dates


def format_date(date: int) -> str:
    """A date of the facts as a PGN writes it, without what is unknown; "" if the year is."""
    known = f"{date // 10_000:04}.{date // 100 % 100:02}.{date % 100:02}".replace(".00", "")
    return known if date >= 10_000 else ""
