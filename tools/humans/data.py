"""Games of people as arrays: a row for each move that was played."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow.parquet
from numpy.typing import NDArray

import ox88
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rules.legal_moves import legal_moves
from ox88.bitboard.legality import is_capture
from ox88.engines.modern.human.features import SLOTS
from ox88.engines.modern.human.policy import Past, features_and_values
from ox88.engines.modern.human.values import COLUMNS
from ox88.jit import kernel

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
    parts = [part for path in paths for part in (_parquet(path) if path.suffix == ".parquet" else _pgn(path))]
    starts = np.cumsum([0, *(part.games.max(initial=-1) + 1 for part in parts)])
    games = np.concatenate([part.games + start for part, start in zip(parts, starts, strict=False)])
    past = Past(*(np.concatenate([getattr(part.past, name) for part in parts]) for name in Past.__slots__))
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ("moves", "ratings", "plies")}
    records = np.concatenate([part.records for part in parts]).view(np.recarray)
    return Plies(records, past=past, games=games, **joined)


def _pgn(path: Path) -> Iterator[Plies]:
    games = ox88.read_pgn(path, headers=RATINGS)
    white, black = (games.headers.numbers(name) for name in RATINGS)
    games = games[(white > 0) & (black > 0) & (games.lengths > 0)]
    elo = np.array([games.headers.numbers(name) for name in RATINGS])
    lengths = games.lengths
    plies = np.arange(lengths.sum()) - np.repeat(games.offsets[:-1], lengths)
    yield _joined(
        np.asarray(games.positions(final=False)), games.moves, plies, np.repeat(np.arange(len(games)), lengths), elo
    )


def _parquet(path: Path) -> Iterator[Plies]:
    table = pyarrow.parquet.read_table(path, columns=["moves", "white", "black"])
    texts = [text.split() for text in table["moves"].to_pylist()]
    elo = np.array([table["white"].to_numpy(), table["black"].to_numpy()])
    lengths = np.array([len(text) for text in texts])
    offsets = np.cumsum([0, *lengths])
    records: Any = None
    moves = np.zeros(offsets[-1], np.uint16)
    alive, positions = np.arange(len(texts)), ox88.Positions.from_fens([ox88.STARTPOS] * len(texts))
    for ply in range(max(lengths)):
        is_left = lengths[alive] > ply
        alive, positions = alive[is_left], positions[is_left]
        if records is None:
            records = np.zeros(offsets[-1], np.asarray(positions).dtype)
        places = offsets[alive] + ply
        records[places] = np.asarray(positions)
        moves[places] = positions.parse_uci([texts[game][ply] for game in alive])
        positions = positions.push(moves[places])
    plies = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    yield _joined(records, moves, plies, np.repeat(np.arange(len(texts)), lengths), elo)


def _joined(records: Any, moves: Any, plies: Any, games: Any, elo: Any) -> Plies:
    """elo: [2, games], of White and Black."""
    records = np.ascontiguousarray(records).view(np.recarray)
    captures = np.zeros(len(moves), np.bool_)
    fill_captures(records, moves, captures)
    last, own, captured = np.roll(moves, 1), np.roll(moves, 2), np.roll(captures, 1)
    past = Past(np.where(plies > 0, last, 0), np.where(plies > 1, own, 0), captured & (plies > 0))
    return Plies(records, moves, past, elo[records.turn.astype(np.int64), games].astype(np.int64), plies, games)


@kernel
def fill_captures(positions, moves, captures):
    """Tell which moves capture."""
    for row in range(len(positions)):
        captures[row] = is_capture(positions[row], np.int64(moves[row]))


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
