"""The positions of games, made from their starts and moves by a kernel."""

import numpy as np

from ox88.batch.positions.packed import pack_position, unpack_position
from ox88.bitboard.attacks import checkers_and_pinned
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.legality import is_legal
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import is_valid
from ox88.engines.modern.history import is_quiet
from ox88.jit import kernel

MOST_RESULT = 2  # White's half points.


@kernel
def list_positions(
    position, undo, tables, starts, offsets, moves, scores, results, known, found, values, ends, numbers
):
    """Write the calm positions of games. Returns how many, or -n if the n-th game, from 1 on, is malformed.

    position, undo: a POSITION and an UNDO record, for working memory. starts to results: the fields of Games. known:
    scores beyond it are left out. found: PACKED of ox88.batch, values: int16, the scores, ends: uint8, the results, and
    numbers: int32, the games, each as long as moves.
    """
    kept = np.int64(0)
    for game in range(len(starts)):
        if not (unpack_position(starts[game], position, tables) and is_valid(position, tables)):
            return np.int64(-1 - game)
        if results[game] > MOST_RESULT:
            return np.int64(-1 - game)
        for number in range(offsets[game], offsets[game + 1]):
            move = np.int64(moves[number])
            if not is_legal(position, tables, move):
                return np.int64(-1 - game)
            if abs(np.int64(scores[number])) <= known and is_calm(position, tables, move):
                pack_position(position, found[kept])
                values[kept] = scores[number]
                ends[kept] = results[game]
                numbers[kept] = game
                kept += 1
            do_move(position, tables, undo, move)
    return kept


@kernel
def is_calm(position, tables, move):
    """True if the side to move is not in check, and a move is quiet."""
    checkers, _ = checkers_and_pinned(position, tables, np.int64(position.turn))
    return checkers == NO_SQUARES and is_quiet(position, move)
