"""Replays the moves of games: makes their positions, and counts how often each has occurred in its game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import GameArrays
from ox88.batch.pgn.records import NO_CHESS
from ox88.batch.rows.chunks import in_chunks
from ox88.bitboard.moves import do_move, do_null_move
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel, popcount
from ox88.types import NO_MOVE

GAMES_A_CHUNK = 256
_ROWS_A_CHUNK = 4096


def replay_all(games: GameArrays, final: bool, threads: int | None) -> NDArray[Any]:
    """POSITION[]: the positions of each game before its moves and, if `final`, the last one."""
    count = len(games.games)
    places = games.offsets + np.arange(count + 1) * int(final)
    records = np.empty(places[-1], POSITION).view(np.recarray)
    setups, tables, setup_rows = games.setups.view(np.recarray), board_tables(), games.setup_rows

    def replay(rows: slice) -> None:
        bounds = places[rows.start : rows.stop + 1]
        undo = make_record(UNDO)
        replay_games(games.moves, games.offsets[rows], bounds, setups, setup_rows[rows], tables, undo, records)

    in_chunks(replay, count, threads, GAMES_A_CHUNK)
    return records


def replay_some(
    games: GameArrays, rows: NDArray[np.int64], counts: NDArray[np.int64], threads: int | None
) -> NDArray[Any]:
    """POSITION[m]: for each of `rows`, the position of that game after so many moves, as `with_plies` returns both."""
    records = np.empty(len(rows), POSITION).view(np.recarray)
    firsts, first_rows = games.offsets[rows], games.setup_rows[rows]
    setups, tables = games.setups.view(np.recarray), board_tables()

    def replay(some: slice) -> None:
        of = (rows[some], firsts[some], counts[some])
        replay_plies(games.moves, *of, setups, first_rows[some], tables, make_record(UNDO), records[some])

    in_chunks(replay, len(rows), threads, _ROWS_A_CHUNK)
    return records


def with_plies(games: GameArrays, rows: NDArray[np.int64], plies: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(rows, plies) of the same length; a ply below 0 becomes a number of moves. Raises IndexError, TypeError."""
    numbers = np.asarray(plies)
    if numbers.dtype.kind not in "iu" or numbers.ndim > 1:
        raise TypeError(f"plies as {numbers.dtype} of shape {numbers.shape}: whole numbers are expected")
    try:
        rows, counts = np.broadcast_arrays(rows, numbers.astype(np.int64))
    except ValueError:
        raise IndexError(f"{numbers.size} plies for {len(rows)} games: one, or one for each, is expected") from None
    lengths = games.offsets[rows + 1] - games.offsets[rows]
    for row in np.flatnonzero((counts > lengths) | (counts < -lengths - 1)):
        raise IndexError(f"there is no ply {counts[row]} in game {rows[row]}: it has {lengths[row]}")
    return rows.copy(), np.where(counts < 0, counts + lengths + 1, counts)


@kernel
def replay_games(moves, firsts, places, setups, setup_rows, tables, undo, records):
    """Write all positions of each game; those of game i to records[places[i]:places[i + 1]]."""
    for game in range(len(firsts)):
        begin, end = places[game], places[game + 1]
        if begin < end:
            records[begin] = setups[setup_rows[game]]
        for place in range(begin + 1, end):
            records[place] = records[place - 1]
            play(records[place], tables, undo, np.int64(moves[firsts[game] + place - begin - 1]))


@kernel
def replay_plies(moves, games, firsts, counts, setups, setup_rows, tables, undo, records):
    """Write the position of game games[i] after counts[i] moves; continue from the row before if it is of this game."""
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


# --- Positions that games reach ---------------------------------------------------------------------------------------


def find_reached(
    games: GameArrays, keys: NDArray[np.uint64], counts: NDArray[np.int64], threads: int | None
) -> NDArray[np.bool_]:
    """bool[n]: which games reach a position with one of the keys, or of the counts of pieces, int64[m, 2, 6]."""
    found = np.empty(len(games.games), np.bool_)
    setups, tables, setup_rows = games.setups.view(np.recarray), board_tables(), games.setup_rows

    def work(rows: slice) -> None:
        bounds = games.offsets[rows.start : rows.stop + 1]
        scratch = make_record(POSITION), make_record(UNDO)
        search_games(games.moves, bounds, setups, setup_rows[rows], tables, *scratch, keys, counts, found[rows])

    in_chunks(work, len(found), threads, GAMES_A_CHUNK)
    return found & ~np.isin(games.games["error"], NO_CHESS)


@kernel
def search_games(moves, bounds, setups, setup_rows, tables, position, undo, keys, counts, found):
    """Set found[i] to True if game i, moves[bounds[i]:bounds[i + 1]], reaches what is sought."""
    for game in range(len(found)):
        copy_position(setups[setup_rows[game]], position)
        is_found = is_sought(position, keys, counts)
        for ply in range(bounds[game], bounds[game + 1]):
            if is_found:
                break
            play(position, tables, undo, np.int64(moves[ply]))
            is_found = is_sought(position, keys, counts)
        found[game] = is_found


@kernel
def is_sought(position, keys, counts):
    for key in keys:
        if position.key == key:
            return True
    for sought in range(len(counts)):
        same = np.int64(0)
        for colour in range(2):
            for kind in range(6):
                count = popcount(position.colours[colour] & position.kinds[kind + 1])
                same += np.int64(count == counts[sought, colour, kind])
        if same == 12:
            return True
    return False


# --- Repetitions ------------------------------------------------------------------------------------------------------


def find_repetitions(
    games: GameArrays, final: bool, threads: int | None
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """For each row of `replay_all`, how often its position has occurred in its game, with this time; and its key."""
    count = len(games.games)
    places = games.offsets + np.arange(count + 1) * int(final)
    found, keys = np.empty(places[-1], np.int64), np.empty(places[-1], np.uint64)
    setups, tables, setup_rows = games.setups.view(np.recarray), board_tables(), games.setup_rows

    def work(rows: slice) -> None:
        bounds = places[rows.start : rows.stop + 1]
        scratch = make_record(POSITION), make_record(UNDO)
        count_games(games.moves, games.offsets[rows], bounds, setups, setup_rows[rows], tables, *scratch, keys, found)

    in_chunks(work, count, threads, GAMES_A_CHUNK)
    return found, keys


@kernel
def count_games(moves, firsts, places, setups, setup_rows, tables, position, undo, keys, found):
    """Write counts and keys of game i to found and keys, at places[i]:places[i + 1]. position, undo: scratch."""
    for game in range(len(firsts)):
        begin = places[game]
        for place in range(begin, places[game + 1]):
            if place == begin:
                copy_position(setups[setup_rows[game]], position)
            else:
                play(position, tables, undo, np.int64(moves[firsts[game] + place - begin - 1]))
            keys[place] = position.key
            # A capture or a pawn's move cannot be taken back, so only positions after it can be equal to this one.
            reversible = min(np.int64(position.halfmove_clock), place - begin)
            earlier = earlier_place(keys, place, place - reversible)
            found[place] = found[earlier] + 1 if earlier >= 0 else 1


@kernel
def earlier_place(keys, place, first):
    """The last place from `first` on that has the key of a place, with the same side to move; -1 if there is none."""
    for earlier in range(place - 2, first - 1, -2):
        if keys[earlier] == keys[place]:
            return earlier
    return np.int64(-1)
