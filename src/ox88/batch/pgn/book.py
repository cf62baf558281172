"""Opening books of Polyglot: read, made of games, written, and asked in bulk.

An entry is the key of a position, a move, a weight and a number for learning, which is kept; entries ascend by their
keys, and their bytes are big-endian. (Michel Van den Bergh, http://hgm.nubati.net/book_format.html)
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.games import Games
from ox88.batch.pgn.records import BLACK_WINS, WHITE_WINS
from ox88.batch.positions.notation import format_uci
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import check_number
from ox88.batch.rows.ragged import Ragged, to_offsets
from ox88.errors import FileError, unreadable
from ox88.replacing import replaced
from ox88.types import BLACK, NO_MOVE

_ENTRY: Final = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])
_GAMES_A_PART: Final = 4096
_HEAVIEST: Final = 0xFFFF


class BookMoves(NamedTuple):
    """The book's moves in n positions, the heaviest first: `moves[i]` and `weights[i]` are uint16[k]."""

    moves: Ragged[np.uint16]
    weights: Ragged[np.uint16]


class Book:
    """A Polyglot opening book: `Book.read(path)`, or `Book.from_games(games)`; `book.moves(positions)` asks it."""

    __slots__ = ("_entries",)

    def __init__(self, entries: NDArray[Any]) -> None:
        order = np.lexsort((-entries["weight"].astype(np.int64), entries["key"]))
        self._entries = entries[order]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a book. Raises Ox88Error if the file is none, FileNotFoundError if there is none."""
        try:
            data = Path(path).read_bytes()
        except (OSError, ValueError) as error:
            raise unreadable(f"the book {os.fspath(path)!r}", error) from None
        entries = np.frombuffer(data, _ENTRY, len(data) // _ENTRY.itemsize)
        if entries.nbytes != len(data) or (entries["key"][1:] < entries["key"][:-1]).any():
            expected = f"entries of {_ENTRY.itemsize} bytes whose keys ascend are expected"
            raise FileError(f"the book {os.fspath(path)!r} cannot be read: {expected}")
        return cls(entries)

    @classmethod
    def from_games(cls, games: Games | Iterable[Games], *, plies: int = 40, min_games: int = 1) -> Self:
        """Make a book of the moves that were played, as Polyglot does: a win of the mover weighs 2, a draw 1.

        A game without a result counts as a draw. Moves that weigh nothing are left out. The weights in a position are
        divided where one is above 65,535.

        Args:
            games: Games, or several of them such as `ox88.iter_pgn(path)`.
            plies: How many moves of each game count.
            min_games: Leave out moves that were played less often.

        Raises:
            Ox88Error: A number is too low. TypeError: `games` are no Games.
        """
        check_number("plies", plies, 1)
        check_number("min_games", min_games, 1)
        tallies = [_tally(np.empty(0, _TALLY))]
        for some in [games] if isinstance(games, Games) or not isinstance(games, Iterable) else games:
            if not isinstance(some, Games):
                raise TypeError(f"a book of {type(some).__name__}: ox88.Games are expected, or several of them")
            parts = (some[first : first + _GAMES_A_PART] for first in range(0, len(some), _GAMES_A_PART))
            tallies.append(_tally(np.concatenate([tallies.pop(), *(_tally(_played(part, plies)) for part in parts)])))
        (tally,) = tallies
        tally = tally[(tally["games"] >= min_games) & (tally["points"] > 0)]
        entries = np.zeros(len(tally), _ENTRY)
        entries["key"], entries["move"] = tally["key"], tally["move"]
        entries["weight"] = _weights(tally)
        return cls(entries)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the book. Raises Ox88Error if the file cannot be written."""
        try:
            with replaced(Path(path)) as file:
                file.write(self._entries.tobytes())
        except OSError as error:
            raise unreadable(os.fspath(path), error, "cannot be written") from None

    def moves(self, positions: Positions) -> BookMoves:
        """The legal moves of the book in each position. Raises TypeError."""
        if not isinstance(positions, Positions):
            raise TypeError(f"the book is asked for {type(positions).__name__}: ox88.Positions are expected")
        keys, asked = self._entries["key"].astype(np.uint64), positions.polyglot_key()
        firsts = np.searchsorted(keys, asked)
        counts = np.searchsorted(keys, asked, "right") - firsts
        rows = np.repeat(np.arange(len(positions)), counts)
        places = np.arange(len(rows)) + np.repeat(firsts - to_offsets(counts)[:-1], counts)
        every = positions.take(rows)
        moves = every.parse_uci(format_uci(_from_polyglot(self._entries["move"][places].astype(np.uint16))))
        is_legal = every.is_legal(moves)
        offsets = to_offsets(np.bincount(rows[is_legal], minlength=len(positions)))
        weights = self._entries["weight"][places].astype(np.uint16)
        return BookMoves(Ragged(moves[is_legal], offsets), Ragged(weights[is_legal], offsets))

    def __len__(self) -> int:
        """The number of entries: moves of all positions."""
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<Book: {len(self):,} moves>"


# --- From games -------------------------------------------------------------------------------------------------------

_TALLY: Final = np.dtype([("key", np.uint64), ("move", np.uint16), ("games", np.int64), ("points", np.int64)])


def _played(games: Games, plies: int) -> NDArray[Any]:
    """_TALLY of each of the first moves of the games."""
    lengths = np.minimum(games.lengths, plies)
    rows = np.repeat(np.arange(len(games)), lengths)
    ply = np.arange(len(rows)) - np.repeat(to_offsets(lengths)[:-1], lengths)
    positions, moves = games.positions(rows, ply), games.moves[games.offsets[rows] + ply]
    results = games._arrays.games["result"][rows]
    wins = np.where(positions.turn == BLACK, results == BLACK_WINS, results == WHITE_WINS)
    losses = ~wins & np.isin(results, (WHITE_WINS, BLACK_WINS))
    found = np.ones(len(rows), _TALLY)
    found["key"], found["move"], found["points"] = positions.polyglot_key(), _to_polyglot(moves), 1 + wins - losses
    real: NDArray[Any] = found[moves != NO_MOVE]
    return real


def _tally(played: NDArray[Any]) -> NDArray[Any]:
    """The sums for each move in each position, by their keys."""
    played = played[np.lexsort((played["move"], played["key"]))]
    is_first = np.ones(len(played), np.bool_)
    is_first[1:] = (np.diff(played["key"]) != 0) | (np.diff(played["move"]) != 0)
    starts = np.flatnonzero(is_first)
    sums = played[starts]
    for name in ("games", "points"):
        sums[name] = np.add.reduceat(played[name], starts) if len(starts) else 0
    return sums


def _weights(tally: NDArray[Any]) -> NDArray[np.int64]:
    """The points of each move, divided by the same in a position, so that none is too heavy; at least 1."""
    _, rows = np.unique(tally["key"], return_inverse=True)
    heaviest = np.zeros(rows.max(initial=-1) + 1, np.int64)
    np.maximum.at(heaviest, rows, tally["points"])
    divisors = -(-heaviest[rows] // _HEAVIEST)
    weights: NDArray[np.int64] = np.maximum(tally["points"] // np.maximum(divisors, 1), 1)
    return weights


# A move has six bits for a square each, and the promotion: 1 for a knight to 4 for a queen. Castling captures the rook,
# as in Ox88, where the bits of the squares change places, and knights are 2.


def _to_polyglot(moves: NDArray[np.uint16]) -> NDArray[np.int64]:
    numbers = moves.astype(np.int64)
    promotion = numbers >> 12 & 7
    found: NDArray[np.int64] = (numbers & 63) << 6 | numbers >> 6 & 63 | np.maximum(promotion - 1, 0) << 12
    return found


def _from_polyglot(moves: NDArray[np.uint16]) -> NDArray[np.uint16]:
    numbers = moves.astype(np.int64)
    promotion = numbers >> 12 & 7
    begin, end = numbers >> 6 & 63, numbers & 63
    found = begin | end << 6 | (promotion + (promotion > 0)) << 12
    return np.where((begin == end) | (promotion > 4), NO_MOVE, found).astype(np.uint16)
