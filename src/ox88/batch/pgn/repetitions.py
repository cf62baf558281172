"""Counts how often each position of a game has occurred in it."""

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import in_chunks
from ox88.batch.pgn.arrays import GameArrays
from ox88.batch.pgn.replay import GAMES_A_CHUNK, play
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel


def count_repetitions(games: GameArrays, final: bool, threads: int | None) -> NDArray[np.int64]:
    """int64[]: for each row of `replay_all`, how often its position has occurred in its game, with this time."""
    count = len(games.games)
    places = games.offsets + np.arange(count + 1) * int(final)
    found, keys = np.empty(places[-1], np.int64), np.empty(places[-1], np.uint64)
    setups, tables, setup_rows = games.setups.view(np.recarray), board_tables(), games.setup_rows

    def work(rows: slice) -> None:
        bounds = places[rows.start : rows.stop + 1]
        scratch = make_record(POSITION), make_record(UNDO)
        count_games(games.moves, games.offsets[rows], bounds, setups, setup_rows[rows], tables, *scratch, keys, found)

    in_chunks(work, count, threads, GAMES_A_CHUNK)
    return found


@kernel
def count_games(moves, firsts, places, setups, setup_rows, tables, position, undo, keys, found):
    """Write the counts of game i to found[places[i]:places[i + 1]]. position, undo, keys: scratch."""
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
