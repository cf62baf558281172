"""Names of openings by position, and the openings of many games.

The names are those of https://github.com/lichess-org/chess-openings, commit 51b8862, which anybody may use (CC0). A
line has a code of the Encyclopaedia of Chess Openings, a name, and moves. The position after the moves has the name,
however it is reached.
"""

import functools
import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import GameArrays
from ox88.batch.pgn.move_texts import read_games
from ox88.batch.pgn.replay import GAMES_A_CHUNK, play, replay_some
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.chunks import in_chunks
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

FILE: Final = Path(__file__).with_name("openings.tsv.gz")  # `python -m tools.opening_names` makes it.
NONE: Final = -1  # The row of a game that reaches no named position.


class Openings(NamedTuple):
    """The openings of n games: `eco` and `name` are arrays of str, object[n], `ply` is int64[n].

    ply: the number of moves played before the named position. A game without one has "", "" and -1.
    """

    eco: NDArray[np.object_]
    name: NDArray[np.object_]
    ply: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NamedPositions:
    """n positions with names, in the order of their keys."""

    keys: NDArray[np.uint64]
    ecos: NDArray[np.object_]
    names: NDArray[np.object_]
    positions: Positions


@functools.cache
def named_positions() -> NamedPositions:
    lines = gzip.decompress(FILE.read_bytes()).decode().splitlines()
    ecos, names, movetexts = zip(*(line.split("\t") for line in lines), strict=True)
    games = read_games(movetexts, None, {}, "raise", 1)
    rows = np.arange(len(movetexts))
    positions = Positions._of(replay_some(games, rows, np.diff(games.offsets), 1))
    order = np.argsort(positions.key)
    ecos_by_key, names_by_key = (np.array(texts, np.object_)[order] for texts in (ecos, names))
    return NamedPositions(positions.key[order], ecos_by_key, names_by_key, positions[order])


class OpeningNames(NamedTuple):
    """The openings of n positions: `eco` and `name` are arrays of str, object[n]; "" for a position without a name."""

    eco: NDArray[np.object_]
    name: NDArray[np.object_]


def opening_names(positions: Positions) -> OpeningNames:
    """The names of positions, as `Games.openings` knows them. Raises TypeError for anything but Positions.

    Args:
        positions: Any Positions. Only the position counts, not how it came about, nor its clocks.

    Returns:
        eco: codes of the Encyclopaedia of Chess Openings, such as "C41". name: such as "Philidor Defense".
    """
    if not isinstance(positions, Positions):
        raise TypeError(f"opening names of {type(positions).__name__}: ox88.Positions are expected")
    return names_of_keys(positions.key)


def names_of_keys(keys: NDArray[np.uint64]) -> OpeningNames:
    named = named_positions()
    rows = np.minimum(np.searchsorted(named.keys, keys), len(named.keys) - 1)
    rows[named.keys[rows] != keys] = NONE
    return OpeningNames(*(np.append(texts, "")[rows] for texts in (named.ecos, named.names)))


def find_openings(games: GameArrays, threads: int | None) -> Openings:
    """The last named position that each game reaches."""
    named, count = named_positions(), len(games.games)
    found, plies = np.full(count, NONE), np.full(count, NONE)
    setups, tables, setup_rows = games.setups.view(np.recarray), board_tables(), games.setup_rows

    def work(rows: slice) -> None:
        bounds = games.offsets[rows.start : rows.stop + 1]
        scratch = make_record(POSITION), make_record(UNDO)
        name_games(
            games.moves, bounds, setups, setup_rows[rows], tables, *scratch, named.keys, found[rows], plies[rows]
        )

    in_chunks(work, count, threads, GAMES_A_CHUNK)
    ecos, names = (np.append(texts, "")[found] for texts in (named.ecos, named.names))  # Row -1 is "".
    return Openings(ecos, names, plies)


@kernel
def name_games(moves, bounds, setups, setup_rows, tables, position, undo, keys, found, plies):
    """Write the row in `keys` of the last named position of game i to found[i], and its ply to plies[i].

    The moves of game i are moves[bounds[i]:bounds[i + 1]]. keys: ascending. position, undo: scratch. The entries of a
    game without a named position are left as they are.
    """
    for game in range(len(found)):
        copy_position(setups[setup_rows[game]], position)
        for ply in range(bounds[game + 1] - bounds[game] + 1):
            if ply > 0:
                play(position, tables, undo, np.int64(moves[bounds[game] + ply - 1]))
            key = position.key
            row = first_not_below(keys, key)
            if row < len(keys) and keys[row] == key:
                found[game] = row
                plies[game] = ply


@kernel
def first_not_below(keys, key):
    """The first row of ascending keys that is not below a key, by bisection; their number if there is none."""
    row, end = np.int64(0), np.int64(len(keys))
    while row < end:
        middle = row + end >> 1
        if keys[middle] < key:
            row = middle + 1
        else:
            end = middle
    return row
