"""The games of a job, as kernels: from each opening by random moves to a balanced beginning, and on from there."""

import numpy as np

from ox88.batch.positions.packed import pack_position
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import copy_position, is_insufficient
from ox88.engines.modern.nodes import start_root
from ox88.engines.modern.records import BEFORE_ROOT
from ox88.jit import kernel
from tools.playing import play_game, search_by_depths


@kernel
def play_games(searchers, all_tables, table, game, rules, openings, dice, starts, lengths, results, moves, scores):
    """Play a game from each opening. Returns the number of moves.

    searchers, all_tables: arrays of one, as for `search_root`. game: a GAME. rules: GAME_RULES. openings: POSITION[n].
    dice: int64[n, attempts, 1 + plies], random numbers from 0 on: for each attempt at a balanced beginning the number
    of random plies, and one for each ply. starts: PACKED of ox88.batch[n], behind the random plies. lengths: int64[n];
    0 where no beginning is balanced. results: int64[n], White's half points. moves: uint16[n x longest]. scores: int64,
    for White.
    """
    position = searchers[0].position
    game.kept = 0
    for number in range(len(openings)):
        first = game.kept
        for attempt in range(dice.shape[1]):
            copy_position(openings[number], position)
            if begin(searchers, all_tables, table, rules, dice[number, attempt]):
                pack_position(position, starts[number])
                results[number] = play_game(searchers, searchers, all_tables, table, table, game, rules, moves, scores)
                break
        lengths[number] = game.kept - first
    return game.kept


@kernel
def begin(searchers, all_tables, table, rules, dice):
    """Play random moves. True if the game is not over then, and balanced."""
    s = searchers[0]
    tables = all_tables[0]
    frame = s.frames[BEFORE_ROOT]
    s.game_length = 0
    for number in range(dice[0]):
        moves = start_root(searchers, all_tables)
        if moves == 0:
            return False
        do_move(s.position, tables, frame.undo, np.int64(frame.list.moves[dice[1 + number] % moves]))
    frame.plies_since_irreversible = 0
    if start_root(searchers, all_tables) == 0 or is_insufficient(s.position):
        return False
    return abs(search_by_depths(searchers, all_tables, table, rules)) <= rules.balanced
