"""Games of people as arrays: a row for each move that was played."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow.parquet
from numpy.typing import NDArray

import ox88
from ox88.batch.learning.human_policy import past_of
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rules.legal_moves import legal_moves
from ox88.engines.modern.human.features import SLOTS
from ox88.engines.modern.human.policy import Past, features_and_values
from ox88.engines.modern.human.values import COLUMNS

HELD_OUT: Final = 10  # One game in so many is held out. It measures the ranker, and chooses nothing of it.
RATINGS: Final = ("WhiteElo", "BlackElo")
CHUNK: Final = 1000  # Positions.


@dataclass(frozen=True, slots=True)
class Plies:
    """The moves of games, one a row.

    records: POSITION[n].  moves: uint16[n].  past: of each.  ratings: int64[n], of the mover.
    plies, games: int64[n], the number of the move in its game, and of the game.
    """

    records: Any
    moves: NDArray[np.uint16]
    past: Past
    ratings: NDArray[np.int64]
    plies: NDArray[np.int64]
    games: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """bool[n]: True for the rows of games that are kept from training."""
        return np.asarray(self.games % HELD_OUT == HELD_OUT // 2)

    def take(self, rows: NDArray[np.int64]) -> "Plies":
        past = Past(self.past.last_moves[rows], self.past.own_moves[rows], self.past.last_captures[rows])
        rest = (self.ratings[rows], self.plies[rows], self.games[rows])
        return Plies(self.records[rows], self.moves[rows], past, *rest)


def read_plies(paths: Sequence[Path]) -> Plies:
    """Read games with ratings, from PGN or from Parquet with the columns moves (UCI), white and black."""
    games = ox88.Games.concatenate(_parquet(path) if path.suffix == ".parquet" else _pgn(path) for path in paths)
    elo = np.stack([games.headers.numbers(name) for name in RATINGS])
    is_rated = (elo > 0).all(axis=0) & (games.lengths > 0)
    return plies_of(games[is_rated], elo[:, is_rated].astype(np.int64))


def plies_of(games: ox88.Games, elo: NDArray[np.int64]) -> Plies:
    """The moves of games. elo: [2, games], of White and Black."""
    numbers = np.repeat(np.arange(len(games)), games.lengths)
    plies = np.arange(len(numbers)) - games.offsets[numbers]
    records: Any = np.ascontiguousarray(games.positions(final=False)).view(np.recarray)
    past = past_of(records, games.moves_before(final=False))
    return Plies(records, games.moves, past, elo[records.turn.astype(np.int64), numbers], plies, numbers)


def _pgn(path: Path) -> ox88.Games:
    return ox88.read_pgn(path, headers=RATINGS)


def _parquet(path: Path) -> ox88.Games:
    table = pyarrow.parquet.read_table(path, columns=["moves", "white", "black"])
    ratings = (map(str, table[name].to_pylist()) for name in ("white", "black"))
    return ox88.Games.from_moves(table["moves"], headers=dict(zip(RATINGS, ratings, strict=True)))


@dataclass(frozen=True, slots=True)
class Samples:
    """Plies with the features (uint16[m, SLOTS]) and values (int16[m, COLUMNS]) of all legal moves.

    offsets: int64[n + 1].  moves: uint16[m].  played: int64[n], the place of the move played.
    """

    plies: Plies
    offsets: NDArray[np.int64]
    moves: NDArray[np.uint16]
    played: NDArray[np.int64]
    features: NDArray[np.uint16]
    values: NDArray[np.int16]

    @property
    def rows(self) -> NDArray[np.int64]:
        """int64[m]: the row of each move's position."""
        return np.repeat(np.arange(len(self.plies)), np.diff(self.offsets))

    def take(self, rows: NDArray[np.int64]) -> "Samples":
        """Some rows."""
        counts = np.diff(self.offsets)[rows]
        offsets = np.cumsum([0, *counts])
        shift = self.offsets[rows] - offsets[:-1]
        places = np.arange(offsets[-1]) + np.repeat(shift, counts)
        rest = (each[places] for each in (self.features, self.values))
        return Samples(self.plies.take(rows), offsets, self.moves[places], self.played[rows] - shift, *rest)


def make_samples(plies: Plies, report: Callable[[int], None] | None = None) -> Samples:
    """The features and values of some plies. report: called from any thread with a number of rows that are done."""
    legal = legal_moves(plies.records, None)
    offsets, moves = legal.offsets, legal.moves
    features, values = np.zeros((len(moves), SLOTS), np.uint16), np.zeros((len(moves), COLUMNS), np.int16)

    def work(rows: slice) -> None:
        some = plies.take(np.arange(rows.start, rows.stop))
        places = slice(offsets[rows.start], offsets[rows.stop])
        own = offsets[rows.start : rows.stop + 1] - offsets[rows.start]
        features[places], values[places] = features_and_values(
            some.records, own, moves[places], some.ratings, some.past
        )
        if report:
            report(rows.stop - rows.start)

    in_chunks(work, len(plies), None, CHUNK)
    played = np.flatnonzero(moves == np.repeat(plies.moves, np.diff(offsets)))
    return Samples(plies, offsets, moves, played, features, values)
