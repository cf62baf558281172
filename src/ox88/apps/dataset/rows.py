"""Rows of the data set: positions of games, and the filters that choose them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.apps.time_control import fits_time_control
from ox88.batch.pgn.games import Games
from ox88.batch.positions.positions import Positions
from ox88.rules import POINTS
from ox88.zobrist import STRIDE, _scramble

RATINGS: Final = ("WhiteElo", "BlackElo")
TIME_CONTROL: Final = "TimeControl"
_MAX_RATING: Final = 99_999  # A greater number is not a rating.
_Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Rows:
    """Positions of games of one file.

    game: int64[n], the index of each row's game, ascending. ply: int64[n], the moves before it, ascending in a game.
    file: the number of the file.
    """

    games: Games
    file: int
    game: NDArray[np.int64]
    ply: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.game)

    def take(self, chosen: _Mask) -> "Rows":
        return self if chosen.all() else Rows(self.games, self.file, self.game[chosen], self.ply[chosen])

    def of_games(self, values: NDArray[Any]) -> NDArray[Any]:
        """For each row, the value of its game. values: one for each game."""
        found: NDArray[Any] = np.repeat(values, self.games.lengths) if self._is_complete else values[self.game]
        return found

    def of_moves(self, values: NDArray[Any]) -> NDArray[Any]:
        """For each row, the value of the move played there. values: one for each move of all games."""
        return values if self._is_complete else values[self.games.offsets[self.game] + self.ply]

    def packed(self) -> NDArray[Any]:
        """PACKED[n]. Raises ValueError if the games were read without positions."""
        packed = self.games.packed
        if packed is None:
            raise ValueError("the games have no packed positions: read them by read_parts(..., packed=True)")
        return self.of_moves(packed)

    @property
    def _is_complete(self) -> bool:
        """True if there is a row for each move: rows ascend, so their number is enough to know."""
        return len(self) == len(self.games.moves)

    @cached_property
    def positions(self) -> Positions:
        return self.games.positions(self.game, self.ply, threads=1)


def all_rows(games: Games, file: int) -> Rows:
    """A row for each move of some games of a file."""
    lengths = games.lengths
    ply = np.arange(len(games.moves)) - np.repeat(games.offsets[:-1], lengths)
    return Rows(games, file, np.repeat(np.arange(len(games)), lengths), ply)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which games and positions to keep; None or empty keeps all.

    Both players' ratings must be in the range. min_plies, max_plies: the length of the game; from_ply, to_ply: the
    row's ply. sample: the share of positions to keep; per_game: the most of each game. Both choose at random by the
    seed, the numbers of file and game, and the ply, so the same input gives the same rows.
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
        """The tags that the filters read."""
        ratings = () if self.min_rating is None and self.max_rating is None else RATINGS
        return ratings + ((TIME_CONTROL,) if self.time_controls else ())

    def rows(self, games: Games, file: int) -> Rows:
        """The rows to keep of some games of a file."""
        chosen = self.choose_games(games)
        rows = all_rows(games if chosen.all() else games[chosen], file)
        rows = rows.take(self.choose_plies(rows))
        return rows if self.sample is None and self.per_game is None else rows.take(self._choose_at_random(rows))

    def choose_games(self, games: Games) -> _Mask:
        """bool[games]: the games to keep."""
        chosen = np.ones(len(games), np.bool_)
        for name in (tag for tag in self.tags if tag in RATINGS):
            least = 1 if self.min_rating is None else self.min_rating  # 0 is no rating.
            chosen &= _within(ratings(games, name), least, self.max_rating)
        if self.results:
            points = [POINTS[result] for result in self.results if result in POINTS]
            chosen &= np.isin(games.results, points) | (np.isnan(games.results) & ("*" in self.results))
        if self.time_controls:
            chosen &= [fits_time_control(text, self.time_controls) for text in games.headers[TIME_CONTROL]]
        return chosen & _within(games.lengths, self.min_plies, self.max_plies)

    def choose_plies(self, rows: Rows) -> _Mask:
        """bool[rows]: the rows to keep for their plies and evaluations."""
        chosen = _within(rows.ply, self.from_ply, self.to_ply)
        return chosen & ~np.isnan(evaluations(rows)) if self.evaluated else chosen

    def _choose_at_random(self, rows: Rows) -> _Mask:
        of_game = mix(mix(mix(self.seed) + np.uint64(rows.file)) + rows.games.numbers.astype(np.uint64))
        number = mix(of_game[rows.game] + rows.ply.astype(np.uint64))
        chosen = np.ones(len(rows), np.bool_)
        if self.sample is not None:
            chosen &= number < np.uint64(min(int(self.sample * 2.0**64), 2**64 - 1))
        if self.per_game is not None:
            chosen[chosen] = _least_of_each_game(rows.game[chosen], number[chosen], self.per_game)
        return chosen


def evaluations(rows: Rows) -> NDArray[np.float32]:
    """float32[n]: each position's evaluation, from the comment of the move before, in pawns for White; NaN for none."""
    before = np.roll(rows.games.evals, 1)
    before[rows.games.offsets[:-1][rows.games.lengths > 0]] = np.nan
    return rows.of_moves(before)


def ratings(games: Games, tag: str) -> NDArray[np.int32]:
    """int32[n]: the rating in a tag of each game, 0 for none."""
    numbers = games.headers.numbers(tag)
    return np.where(numbers <= _MAX_RATING, numbers, 0).astype(np.int32)


def _within(values: NDArray[Any], least: int | None, most: int | None) -> _Mask:
    """values: not negative."""
    chosen: _Mask = values >= (least or 0)
    return chosen if most is None else chosen & (values <= most)


def mix(numbers: Any) -> Any:
    """Map uint64 to uint64, one to one and as if at random, by SplitMix64."""
    with np.errstate(over="ignore"):
        return _scramble(np.asarray(numbers).astype(np.uint64) + STRIDE)


def _least_of_each_game(game: NDArray[np.int64], number: NDArray[np.uint64], count: int) -> _Mask:
    """True for the rows with the `count` least numbers of each game."""
    order = np.lexsort((number, game))
    firsts = np.flatnonzero(np.diff(game, prepend=-1))
    chosen = np.empty(len(game), np.bool_)
    chosen[order] = np.arange(len(game)) - np.repeat(firsts, np.diff(firsts, append=len(game))) < count
    return chosen
