"""What every node of the search does: count, detect draws, use the table, evaluate, make and unmake moves."""

import numpy as np

from ox88.bitboard.attacks import attacked_by, checkers_and_pinned, occupied_squares
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.counting import count_legal
from ox88.bitboard.cuckoo import reversible_move
from ox88.bitboard.legality import keeps_king_safe, pseudo_legal
from ox88.bitboard.movegen import generate_legal, pawn_pushes, sides
from ox88.bitboard.moves import do_move, do_null_move, undo_move, undo_null_move
from ox88.bitboard.position import en_passant_key, is_insufficient
from ox88.engines.modern.history import corrected_eval, piece_to
from ox88.engines.modern.network.inference import forget
from ox88.engines.modern.records import BEFORE_ROOT, MATE_BOUND, NO_VALUE
from ox88.engines.modern.static_eval import evaluate_position
from ox88.engines.modern.table import (
    EXACT,
    LOWER,
    NO_ENTRY,
    UPPER,
    bucket_of,
    entry_bound,
    entry_depth,
    entry_eval,
    entry_move,
    entry_value,
    entry_was_pv,
    store,
)
from ox88.jit import fetch_subtract, kernel, prefetch
from ox88.types import KING, NO_MOVE, PAWN

ZERO = np.int64(0)
FIFTY_MOVES = np.int64(100)  # Plies.
NEAR_FIFTY_MOVES = np.int64(90)
# After so many plies without a capture or a pawn's move, the clock changes a position's key in the table every 8 plies.
SHUFFLING = np.int64(16)
SHUFFLING_SHIFT = np.int64(3)
CLOCK_FACTOR = np.uint64(0x9E3779B97F4A7C15)
NO_CHANGE = np.uint64(0)  # Of a key.
EXCLUDED_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)


@kernel
def take_nodes(s):
    """Raise a thread's limit by nodes from the pool. False if there is no pool, or if nothing is left in it."""
    if s.node_pool == 0:
        return False
    taken = min(fetch_subtract(s.node_pool, s.nodes_at_once), s.nodes_at_once)
    if taken <= 0:
        return False
    s.node_limit += taken
    return True


@kernel
def count_node(s, frame):
    """Count a node, or return True if the search must stop."""
    frame.pv_length = 0
    if s.nodes >= s.node_limit and not take_nodes(s):
        s.stop = 1
    if s.stop != 0:
        return True
    s.nodes += 1
    if s.ply > s.selective_depth:
        s.selective_depth = s.ply
    return False


@kernel
def table_key(position):
    """The key of a position in the table.

    Where pieces go to and fro, every eight plies give another key. An entry from earlier would say that nothing is lost
    by going on like that, until the fifty moves are over. (Stockfish changes its keys so, too.)
    """
    clock = np.int64(position.halfmove_clock)
    if clock < SHUFFLING:
        return position.key
    return position.key ^ np.uint64(clock >> SHUFFLING_SHIFT) * CLOCK_FACTOR


@kernel
def node_key(s, frame):
    """The key of the node's entry in the table. A search without the table's move has an entry of its own."""
    return table_key(s.position) ^ np.uint64(frame.excluded_move) * EXCLUDED_FACTOR


@kernel
def is_draw(s, tables):
    """True if the position is drawn by repetition, the fifty-move rule or material. Not asked at the root.

    Checkmate comes before the fifty-move rule.
    """
    position = s.position
    if position.halfmove_clock >= FIFTY_MOVES:
        frame = s.frames[s.ply + BEFORE_ROOT]
        if frame.checkers == NO_SQUARES or generate_legal(position, tables, frame.list) != 0:
            return True
    return is_repetition(s) or is_insufficient(position)


@kernel
def is_stalemate(s, tables):
    """True if the side to move, which is not in check, has only its king and pawns that cannot push, and no legal move.

    In quiescence no list of moves would show it, and a defender seldom reaches a stalemate with more pieces.
    """
    position = s.position
    own, theirs, _ = sides(position)
    pawns = own & position.kinds[PAWN]
    if own & ~(pawns | position.kinds[KING]) != NO_SQUARES:
        return False
    single, _ = pawn_pushes(pawns, ~(own | theirs), np.int64(position.turn))
    return single == NO_SQUARES and count_legal(position, tables) == 0


@kernel
def is_repetition(s):
    """True if the position has occurred once since the root, or twice in all.

    Within the tree one repetition is enough: a side that could force it once can force it again.
    """
    index = s.game_length + s.ply
    key = s.position.key
    found = np.int64(0)
    for back in range(4, s.frames[s.ply + BEFORE_ROOT].plies_since_irreversible + 1, 2):
        if s.keys[index - back] == key:
            found += 1
            if back < s.ply or found == 2:
                return True
    return False


@kernel
def can_repeat(s, tables):
    """True if one move of the side to move repeats a position that has occurred since the root, which is a draw.

    Such a position was reached an odd number of plies ago. Since then the opponent's moves have undone each other, and
    one reversible move undoes the moves of the side to move.
    """
    last = min(s.frames[s.ply + BEFORE_ROOT].plies_since_irreversible, s.ply - 1)
    if last < 3 or s.parameters.use_upcoming_repetition == 0:
        return False
    keys, now, black_key = s.keys, s.game_length + s.ply, tables.black_key
    theirs = keys[now] ^ keys[now - 1] ^ black_key  # What the opponent's moves have changed in the key.
    for back in range(3, last + 1, 2):
        theirs ^= keys[now - back + 1] ^ keys[now - back] ^ black_key
        if theirs == NO_CHANGE:
            move = reversible_move(tables, keys[now] ^ keys[now - back])
            if move != NO_MOVE and tables.between[move & 63, move >> 6] & occupied_squares(s.position) == NO_SQUARES:
                return True
    return False


@kernel
def start_node(s, frame):
    """Reset the node, and clear the killers two plies ahead: they belong to another branch."""
    frame.quiets_tried = 0
    frame.captures_tried = 0
    frame.is_losing_check = 0
    frame.double_extensions = s.frames[s.ply + BEFORE_ROOT - 1].double_extensions
    grandchild = s.frames[s.ply + BEFORE_ROOT + 2]
    grandchild.killers[0] = NO_MOVE
    grandchild.killers[1] = NO_MOVE


@kernel
def find_attacked(s, tables, frame):
    """Note in the frame which squares the opponent attacks: the butterfly history depends on them."""
    position = s.position
    frame.attacked = NO_SQUARES
    if s.parameters.use_threat_history != 0:
        frame.attacked = attacked_by(position, tables, np.int64(position.turn) ^ 1, occupied_squares(position))


@kernel
def enter_frame(s, tables, plies_since_irreversible):
    """Begin the frame of a ply: with checkers, pinned pieces and the position's key, and without neurons."""
    position = s.position
    frame = s.frames[s.ply + BEFORE_ROOT]
    forget(frame.accumulator)
    frame.plies_since_irreversible = plies_since_irreversible
    frame.checkers, frame.pinned = checkers_and_pinned(position, tables, np.int64(position.turn))
    s.keys[s.game_length + s.ply] = position.key


@kernel
def prefetch_child(table, tables, position, move):
    """Begin to load the table's entry of the position after a move, long before it is needed."""
    prefetch(table, bucket_of(table, likely_key(tables, position, move)))


@kernel
def likely_key(tables, position, move):
    """The key of the position after a move.

    It is wrong for a few rare moves: castling, promotion, en passant, a double step that allows en passant, and a move
    that ends a right to castle. For such a move the wrong entry is loaded, which costs only time.
    """
    from_square, to_square = move & 63, move >> 6 & 63
    piece, captured = np.int64(position.board[from_square]), np.int64(position.board[to_square])
    keys = tables.piece_keys
    moved = keys[piece, from_square] ^ keys[piece, to_square] ^ keys[captured, to_square]
    return position.key ^ tables.black_key ^ en_passant_key(position, tables) ^ moved


@kernel
def make_move(s, tables, frame, move):
    """Make a legal move and enter the next frame."""
    position = s.position
    frame.move = move
    frame.piece_to = piece_to(position, move)
    do_move(position, tables, frame.undo, move)
    s.ply += 1
    enter_frame(s, tables, frame.plies_since_irreversible + 1 if position.halfmove_clock != 0 else ZERO)


@kernel
def start_root(searchers, all_tables):
    """Set up the root's frame. Returns the number of legal moves. For the arrays see `search_root`."""
    s = searchers[0]
    tables = all_tables[0]
    frame = s.frames[BEFORE_ROOT]
    s.ply = 0
    enter_frame(s, tables, frame.plies_since_irreversible)
    return generate_legal(s.position, tables, frame.list)


@kernel
def unmake_move(s, frame):
    undo_move(s.position, frame.undo)
    s.ply -= 1


@kernel
def make_null_move(s, tables, table, frame):
    """Make a null move. No earlier position can be repeated after it."""
    frame.move = NO_MOVE
    frame.piece_to = 0
    do_null_move(s.position, tables, frame.undo)
    prefetch(table, bucket_of(table, table_key(s.position)))
    s.ply += 1
    enter_frame(s, tables, ZERO)


@kernel
def unmake_null_move(s, frame):
    undo_null_move(s.position, frame.undo)
    s.ply -= 1


@kernel
def is_root_move(s, move):
    """True if the root may search a move. With an empty list of root moves it may search all."""
    for index in range(s.root_move_count):
        if s.root_moves[index] == move:
            return True
    return s.root_move_count == 0


@kernel
def legal_tt_move(s, tables, frame, entry):
    """The table's move if it is legal, else NO_MOVE: another position may have the same key.

    At the root it is the best move of the last iteration, so that an iteration that is cut short has searched it first.
    """
    if s.ply == 0 and s.root_first_move != NO_MOVE:
        return s.root_first_move
    if entry == NO_ENTRY:
        return np.int64(NO_MOVE)
    move = entry_move(entry)
    position = s.position
    if pseudo_legal(position, tables, move) and keeps_king_safe(position, tables, move, frame.checkers, frame.pinned):
        return move
    return np.int64(NO_MOVE)


@kernel
def note_pv(frame, entry, pv_node):
    """Note whether the node is on a principal variation, or was on one before, as the table's entry says."""
    frame.was_pv = np.int64(pv_node or (entry != NO_ENTRY and entry_was_pv(entry)))


@kernel
def bound_cuts_off(bound, value, beta):
    """True if a value with its bound decides the null window (beta - 1, beta)."""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value < beta)


@kernel
def is_tt_cutoff(position, entry, value, beta, depth):
    """True if an entry is deep enough, and its bound good enough, to replace a search in a null window.

    Not near the fifty-move rule: the entry may hide a draw that is coming.
    """
    if entry == NO_ENTRY or entry_depth(entry) < depth or position.halfmove_clock >= NEAR_FIFTY_MOVES:
        return False
    return bound_cuts_off(entry_bound(entry), value, beta)


@kernel
def evaluate_node(s, tables, frame, entry):
    """Write the static evaluation into the frame. Returns it, or the table's value if that is a better estimate.

    In check the evaluation of two plies ago stands in, since a position in check cannot be evaluated well. A mate in
    the table is no estimate: to stand pat on it would leave the principal variation without the moves that mate.
    """
    if frame.checkers != NO_SQUARES and s.parameters.use_quiescence != 0 and s.ply >= 2:
        frame.raw_eval = NO_VALUE
        frame.static_eval = s.frames[s.ply + BEFORE_ROOT - 2].static_eval
        return frame.static_eval
    tt_eval = entry_eval(entry) if entry != NO_ENTRY else np.int64(NO_VALUE)
    frame.raw_eval = tt_eval if tt_eval != NO_VALUE else evaluate_position(s, tables)
    frame.static_eval = corrected_eval(s, frame.raw_eval)
    if entry != NO_ENTRY:
        tt_value = entry_value(entry, s.ply)
        bound = entry_bound(entry)
        is_better = bound == EXACT or (bound == LOWER) == (tt_value > frame.static_eval)
        if is_better and abs(tt_value) < MATE_BOUND:
            return tt_value
    return frame.static_eval


@kernel
def is_improving(s, frame):
    """True if the side to move stands better than two plies ago, so that its moves deserve a deeper look.

    False in check. True near the root, where the position of two plies ago is not known.
    """
    if frame.checkers != NO_SQUARES:
        return False
    return s.ply < 2 or frame.static_eval > s.frames[s.ply + BEFORE_ROOT - 2].static_eval


@kernel
def save(s, table, frame, move, value, depth, bound):
    """Store a node's result in the table, unless it is a root that searched only some of its moves."""
    if s.parameters.use_table != 0 and (s.ply != 0 or s.root_move_count == 0):
        key, generation, ply = node_key(s, frame), s.generation, s.ply
        store(table, key, generation, ply, move, value, frame.raw_eval, depth, bound, frame.was_pv)


@kernel
def update_pv(s, frame, move):
    """Set the principal variation from here: the move, then the variation of the next frame."""
    child = s.frames[s.ply + BEFORE_ROOT + 1]
    frame.pv[0] = move
    for index in range(child.pv_length):
        frame.pv[index + 1] = child.pv[index]
    frame.pv_length = child.pv_length + 1
