"""The positions of games, by playing their moves again."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ox88.batch.chunks import share
from ox88.bitboard.moves import do_move, do_null_move
from ox88.bitboard.records import POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from ox88.types import NO_MOVE

_GAMES_AT_ONCE = 256
_ROWS_AT_ONCE = 4096


class _Played(Protocol):
    @property
    def moves(self) -> NDArray[np.uint16]: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def setups(self) -> NDArray[Any]: ...
    @property
    def setup_rows(self) -> NDArray[np.int64]: ...


def replay_all(games: _Played, final: bool, threads: int | None) -> NDArray[Any]:
    """POSITION records: before each move of each game and, if wanted, the last one."""
    count = len(games.setup_rows)
    places = games.offsets + np.arange(count + 1) * int(final)
    records = np.empty(places[-1], POSITION).view(np.recarray)
    setups, tables = games.setups.view(np.recarray), board_tables()

    def replay(rows: slice) -> None:
        bounds = slice(rows.start, rows.stop + 1)
        firsts, first_rows = games.offsets[rows], games.setup_rows[rows]
        replay_games(games.moves, firsts, places[bounds], setups, first_rows, tables, _undo(), records)

    share(replay, count, threads, _GAMES_AT_ONCE)
    return records


def replay_some(games: _Played, rows: NDArray[np.int64], plies: ArrayLike, threads: int | None) -> NDArray[Any]:
    """POSITION[m]: of each of some games the one after so many plies. Raises IndexError or TypeError."""
    rows, counts = _with_plies(games, rows, plies)
    records = np.empty(len(rows), POSITION).view(np.recarray)
    firsts, first_rows = games.offsets[rows], games.setup_rows[rows]
    setups, tables = games.setups.view(np.recarray), board_tables()

    def replay(some: slice) -> None:
        of = (rows[some], firsts[some], counts[some])
        replay_plies(games.moves, *of, setups, first_rows[some], tables, _undo(), records[some])

    share(replay, len(rows), threads, _ROWS_AT_ONCE)
    return records


def _with_plies(
    games: _Played, rows: NDArray[np.int64], plies: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(rows, plies from 0), both as long."""
    numbers = np.asarray(plies)
    if numbers.dtype.kind not in "iu" or numbers.ndim > 1:
        raise TypeError(f"plies as {numbers.dtype} of shape {numbers.shape}: one whole number or a list is expected")
    try:
        rows, counts = np.broadcast_arrays(rows, numbers.astype(np.int64))
    except ValueError:
        raise IndexError(f"{numbers.size} plies for {len(rows)} games: one, or as many, are expected") from None
    lengths = games.offsets[rows + 1] - games.offsets[rows]
    for row in np.flatnonzero((counts > lengths) | (counts < -lengths - 1)):
        raise IndexError(f"there is no ply {counts[row]} in game {rows[row]}: it has {lengths[row]}")
    return rows.copy(), np.where(counts < 0, counts + lengths + 1, counts)


def _undo() -> Any:
    return make_record(UNDO)


@kernel
def replay_games(moves, firsts, places, setups, setup_rows, tables, undo, records):
    """Write all positions of each game: game i to records[places[i]:places[i + 1]]."""
    for game in range(len(firsts)):
        begin, end = places[game], places[game + 1]
        if begin < end:
            records[begin] = setups[setup_rows[game]]
        for place in range(begin + 1, end):
            records[place] = records[place - 1]
            play(records[place], tables, undo, np.int64(moves[firsts[game] + place - begin - 1]))


@kernel
def replay_plies(moves, games, firsts, counts, setups, setup_rows, tables, undo, records):
    """Write of each game the position after so many moves, going on from the row before if that is of the same game."""
    for row in range(len(firsts)):
        played = np.int64(0)
        if row > 0 and games[row] == games[row - 1] and counts[row] >= counts[row - 1]:
            records[row] = records[row - 1]
            played = counts[row - 1]
        else:
            records[row] = setups[setup_rows[row]]
        for ply in range(played, counts[row]):
            play(records[row], tables, undo, np.int64(moves[firsts[row] + ply]))


@kernel
def play(position, tables, undo, move):
    """Play a move of a game, which may be a null move."""
    if move == NO_MOVE:
        do_null_move(position, tables, undo)
    else:
        do_move(position, tables, undo, move)
