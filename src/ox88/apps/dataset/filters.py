"""Which games and positions are wanted."""

import functools
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.apps.dataset.rows import Rows, all_rows
from ox88.apps.dataset.time_control import fits

RATINGS: Final = ("WhiteElo", "BlackElo")
TIME_CONTROL: Final = "TimeControl"
RESULTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}  # All else is no result.
_MAX_RATING: Final = 99_999  # More is something else.
_Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Filters:
    """None or empty: all. Ratings are those of both players, plies those of a game, and ply the row's.

    sample: the share of positions to keep; per_game: how many of each game at most. Both choose at random by the seed,
    the number of the file and of the game in it and the ply, and so the same ones each time.
    """

    min_rating: int | None = None
    max_rating: int | None = None
    results: tuple[str, ...] = ()
    time_controls: tuple[str, ...] = ()
    min_plies: int | None = None
    max_plies: int | None = None
    from_ply: int | None = None
    to_ply: int | None = None
    evaluated: bool = False
    sample: float | None = None
    per_game: int | None = None
    seed: int = 0

    @property
    def tags(self) -> tuple[str, ...]:
        """Those that games are filtered by."""
        ratings = () if self.min_rating is None and self.max_rating is None else RATINGS
        return ratings + ((TIME_CONTROL,) if self.time_controls else ())

    def rows(self, games: ox88.Games, file: int) -> Rows:
        """The rows wanted of some games of a file."""
        chosen = self._games(games)
        rows = all_rows(games if chosen.all() else games[chosen], file)
        if self.from_ply is not None or self.to_ply is not None or self.evaluated:
            rows = rows.take(self._plies(rows))
        return rows if self.sample is None and self.per_game is None else rows.take(self._chance(rows))

    def _games(self, games: ox88.Games) -> _Mask:
        chosen = np.ones(len(games), np.bool_)
        for name in self.tags[: len(RATINGS)] if RATINGS[0] in self.tags else ():
            rating = ratings(games, name)
            chosen &= rating >= (1 if self.min_rating is None else self.min_rating)
            if self.max_rating is not None:
                chosen &= rating <= self.max_rating
        if self.results:
            chosen &= _is_any(games.results, self.results)
        if self.time_controls:
            chosen &= [_fits(text, self.time_controls) for text in games.headers[TIME_CONTROL]]
        return chosen & _within(games.lengths, self.min_plies, self.max_plies)

    def _plies(self, rows: Rows) -> _Mask:
        chosen = _within(rows.ply, self.from_ply, self.to_ply)
        return chosen & ~np.isnan(evaluations(rows)) if self.evaluated else chosen

    def _chance(self, rows: Rows) -> _Mask:
        of_game = mixed(mixed(mixed(self.seed) + np.uint64(rows.file)) + rows.games.numbers.astype(np.uint64))
        lot = mixed(of_game[rows.game] + rows.ply.astype(np.uint64))
        chosen = np.ones(len(rows), np.bool_)
        if self.sample is not None:
            chosen &= lot < np.uint64(min(int(self.sample * 2.0**64), 2**64 - 1))
        if self.per_game is not None:
            chosen[chosen] = _few_of_each(rows.game[chosen], lot[chosen], self.per_game)
        return chosen


def evaluations(rows: Rows) -> NDArray[np.float32]:
    """float32[n]: pawns for White, NaN for none: what stands behind the move that led to each position."""
    before = np.roll(rows.games.evals, 1)
    before[rows.games.offsets[:-1][rows.games.lengths > 0]] = np.nan
    return rows.of_moves(before)


def ratings(games: ox88.Games, tag: str) -> NDArray[np.int32]:
    """int32[n]: the rating that a tag gives of each game, 0 for none."""
    numbers = games.headers.numbers(tag)
    return np.where(numbers <= _MAX_RATING, numbers, 0).astype(np.int32)


_fits = functools.lru_cache(maxsize=1 << 12)(fits)


def _is_any(points: NDArray[np.float32], results: tuple[str, ...]) -> _Mask:
    chosen = np.isin(points, [RESULTS[result] for result in results if result in RESULTS])
    return chosen | np.isnan(points) if "*" in results else chosen


def _within(values: NDArray[np.int64], least: int | None, most: int | None) -> _Mask:
    chosen = np.ones(len(values), np.bool_)
    if least is not None:
        chosen &= values >= least
    if most is not None:
        chosen &= values <= most
    return chosen


def mixed(numbers: Any) -> Any:
    """uint64 to uint64, one to one, as if at random: the last steps of SplitMix64 (Steele, Lea and Flood, 2014)."""
    with np.errstate(over="ignore"):
        bits = np.asarray(numbers).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        bits = (bits ^ bits >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ bits >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return bits ^ bits >> np.uint64(31)


def _few_of_each(game: NDArray[np.int64], lot: NDArray[np.uint64], count: int) -> _Mask:
    """The rows with the lowest lots of each game."""
    order = np.lexsort((lot, game))
    is_first = np.diff(game, prepend=-1) != 0
    firsts = np.flatnonzero(is_first)
    chosen = np.empty(len(game), np.bool_)
    chosen[order] = np.arange(len(game)) - np.repeat(firsts, np.diff(firsts, append=len(game))) < count
    return chosen
