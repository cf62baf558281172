"""What every node of a search does: count itself, look up, judge, play and take back, keep what it found."""

import numpy as np

from ox88.bitboard.attacks import checkers_and_pinned
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.legality import keeps_king_safe, pseudo_legal
from ox88.bitboard.moves import do_move, do_null_move, undo_move, undo_null_move
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.history import corrected, piece_to
from ox88.engines.modern.records import BEFORE_ROOT, NO_VALUE
from ox88.engines.modern.table import (
    EXACT,
    LOWER,
    NO_ENTRY,
    UPPER,
    entry_bound,
    entry_depth,
    entry_eval,
    entry_move,
    entry_value,
    store,
)
from ox88.jit import kernel
from ox88.types import NO_MOVE

NEAR_FIFTY_MOVES = np.int64(90)  # Plies.


@kernel
def count_node(s, frame):
    """Count a node, unless the search has to end; returns whether it has to."""
    frame.pv_length = 0
    if s.nodes >= s.node_limit:
        s.stop = 1
    if s.stop != 0:
        return True
    s.nodes += 1
    if s.ply > s.selective_depth:
        s.selective_depth = s.ply
    return False


@kernel
def start_node(s, frame):
    """Nothing is tried yet, and the grandchildren have no killers: those that are there are of another branch."""
    frame.quiets_tried = 0
    frame.captures_tried = 0
    frame.double_extensions = s.frames[s.ply + BEFORE_ROOT - 1].double_extensions
    after_next = s.frames[s.ply + BEFORE_ROOT + 2]
    after_next.killers[0] = NO_MOVE
    after_next.killers[1] = NO_MOVE


@kernel
def see_checks(s, tables):
    """Note who gives check to the side to move, and what is pinned."""
    position = s.position
    frame = s.frames[s.ply + BEFORE_ROOT]
    frame.checkers, frame.pinned = checkers_and_pinned(position, tables, np.int64(position.turn))
    s.keys[s.game_length + s.ply] = position.key


@kernel
def play(s, tables, frame, move):
    """Play a legal move, and go to the next frame."""
    position = s.position
    frame.move = move
    frame.piece_to = piece_to(position, move)
    do_move(position, tables, frame.undo, move)
    s.ply += 1
    following = s.frames[s.ply + BEFORE_ROOT]
    following.reversible = frame.reversible + 1 if position.halfmove_clock != 0 else 0
    see_checks(s, tables)


@kernel
def take_back(s, frame):
    undo_move(s.position, frame.undo)
    s.ply -= 1


@kernel
def play_null(s, tables, frame):
    """Pass; nothing before it can be repeated after it."""
    frame.move = NO_MOVE
    frame.piece_to = 0
    do_null_move(s.position, tables, frame.undo)
    s.ply += 1
    s.frames[s.ply + BEFORE_ROOT].reversible = 0
    see_checks(s, tables)


@kernel
def take_back_null(s, frame):
    undo_null_move(s.position, frame.undo)
    s.ply -= 1


@kernel
def is_root_move(s, move):
    """Whether the root is to look at a move."""
    for index in range(s.root_count):
        if s.root_moves[index] == move:
            return True
    return s.root_count == 0


@kernel
def known_move(s, tables, frame, entry):
    """The table's move, or NO_MOVE: two positions can share a key, and two threads an entry.

    In the root the best move of the depth before, so that a depth which is broken off has looked at it first.
    """
    if s.ply == 0 and s.root_best != NO_MOVE:
        return s.root_best
    if entry == NO_ENTRY:
        return np.int64(NO_MOVE)
    move = entry_move(entry)
    position = s.position
    if pseudo_legal(position, tables, move) and keeps_king_safe(position, tables, move, frame.checkers, frame.pinned):
        return move
    return np.int64(NO_MOVE)


@kernel
def is_cutoff(bound, value, beta):
    """Whether a known value or bound decides a null window below beta."""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value < beta)


@kernel
def entry_decides(position, entry, value, beta, depth):
    """Whether an entry is deep enough, and its bound on the right side, to stand for a search in a null window.

    Near the fifty moves an old value may hide the draw that is coming.
    """
    if entry == NO_ENTRY or entry_depth(entry) < depth or position.halfmove_clock >= NEAR_FIFTY_MOVES:
        return False
    return is_cutoff(entry_bound(entry), value, beta)


@kernel
def judge(s, tables, frame, entry):
    """Evaluate the position into the frame; returns what to expect of it, by the table if that knows better."""
    if frame.checkers != NO_SQUARES and s.parameters.use_quiescence != 0:
        frame.raw_eval = NO_VALUE
        frame.static_eval = s.frames[s.ply + BEFORE_ROOT - 2].static_eval
        return frame.static_eval
    known = entry_eval(entry) if entry != NO_ENTRY else np.int64(NO_VALUE)
    frame.raw_eval = known if known != NO_VALUE else evaluate(s.position, tables, s.evaluation)
    frame.static_eval = corrected(s, frame.raw_eval)
    if entry != NO_ENTRY:
        value = entry_value(entry, s.ply)
        bound = entry_bound(entry)
        if bound == EXACT or (bound == LOWER) == (value > frame.static_eval):
            return value
    return frame.static_eval


@kernel
def save(s, table, frame, move, value, depth, bound):
    """Keep in the table what a node found; a root that looks at some moves only finds nothing that holds elsewhere."""
    if s.parameters.use_table != 0 and (s.ply != 0 or s.root_count == 0):
        store(table, s.position.key, s.generation, s.ply, move, value, frame.raw_eval, depth, bound)


@kernel
def extend_line(s, frame, move):
    """The principal variation from here: the move, and what follows it in the next frame."""
    following = s.frames[s.ply + BEFORE_ROOT + 1]
    frame.pv[0] = move
    for index in range(following.pv_length):
        frame.pv[index + 1] = following.pv[index]
    frame.pv_length = following.pv_length + 1
