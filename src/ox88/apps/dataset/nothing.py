"""Why the filters of a data set have left nothing: a filter that lets nothing through, even alone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from ox88.apps.dataset.rows import RATINGS, Filters, Rows, ratings
from ox88.apps.dataset.source import Source
from ox88.batch.pgn.games import Games

_TOGETHER: Final = "no position passes all filters together"
_FILTERS: Final = (  # What a filter lets through, and the fields of Filters that it is made of.
    ("games have ratings of {}", "min_rating", "max_rating"),
    ("games have the result {}", "results"),
    ("games have the time control {}", "time_controls"),
    ("games have {} plies", "min_plies", "max_plies"),
    ("positions come after {} plies", "from_ply", "to_ply"),
)


def why_nothing(source: Source) -> str:
    """The reason, in words. Reads the games again, if they can be read twice."""
    filters = source.filters
    if filters == Filters(seed=filters.seed):
        return "the games have no moves"
    if not source.can_be_read_twice:
        return _TOGETHER
    games = positions = 0
    kept: Counter[str] = Counter()
    unfiltered = replace(source, filters=Filters(), tags=filters.tags)
    for some_games, some_positions, some_kept in unfiltered.map(lambda rows: _tally(filters, rows)):
        games, positions = games + some_games, positions + some_positions
        kept.update(some_kept)
    empty = next((what for what, count in kept.items() if not count), None)
    if empty is None:
        return _TOGETHER
    return f"0 of {games if empty.startswith('games') else positions:,} {empty}"


def _tally(filters: Filters, rows: Rows) -> tuple[int, int, dict[str, int]]:
    """The numbers of games and positions, and how many of either each filter lets through."""
    kept = {f"games have {tag}": _count_known(rows.games, tag) for tag in filters.tags}
    for what, filter_ in _single(filters):
        chosen = filter_.choose_games(rows.games) if what.startswith("games") else filter_.choose_plies(rows)
        kept[what] = int(np.count_nonzero(chosen))
    return len(rows.games), len(rows), kept


def _count_known(games: Games, tag: str) -> int:
    known = ratings(games, tag) > 0 if tag in RATINGS else ~np.isin(games.headers[tag], ("", "?"))
    return int(np.count_nonzero(known))


def _single(filters: Filters) -> Iterator[tuple[str, Filters]]:
    """What each filter lets through, and this filter alone. One that is not set lets all through."""
    for what, *names in _FILTERS:
        values = {name: getattr(filters, name) for name in names}
        words = _limits(*values.values()) if len(names) > 1 else " or ".join(*values.values())
        yield what.format(words), Filters(**values)
    if filters.evaluated:
        yield "positions have an [%eval]", Filters(evaluated=True)


def _limits(least: int | None, most: int | None) -> str:
    words = (f"at least {least}" if least is not None else "", f"at most {most}" if most is not None else "")
    return " and ".join(filter(None, words))
