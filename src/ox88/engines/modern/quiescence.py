"""Quiescence search: beyond the horizon only captures, and all evasions of a check, until the position is quiet.

The side to move may stand pat: it need not capture, so its evaluation is a lower bound of its value.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.engines.modern.history import is_quiet
from ox88.engines.modern.nodes import (
    bound_cuts_off,
    can_repeat,
    count_node,
    evaluate_node,
    find_attacked,
    is_draw,
    is_stalemate,
    legal_tt_move,
    make_move,
    note_pv,
    prefetch_child,
    save,
    table_key,
    unmake_move,
    update_pv,
)
from ox88.engines.modern.picker import CAPTURES_ONLY, GOOD_CAPTURES_ONLY, captured_value, next_move, start_picking
from ox88.engines.modern.records import BEFORE_ROOT, INFINITY, LAST_PLY, MATE, MATE_BOUND
from ox88.engines.modern.table import LOWER, NO_ENTRY, UPPER, entry_bound, entry_value, probe
from ox88.jit import kernel
from ox88.types import NO_MOVE

ZERO = np.int64(0)


@kernel
def quiesce(s, tables, table, alpha, beta):
    """The value of the position by captures alone; meaningless once s.stop is set. See `search` for the arguments."""
    p = s.parameters
    position = s.position
    frame = s.frames[s.ply + BEFORE_ROOT]
    in_check = frame.checkers != NO_SQUARES
    pv_node = beta - alpha > 1

    # Step 1. Count the node. Draws have the value 0; a side that can repeat a position has at least that.
    if count_node(s, frame):
        return ZERO
    if is_draw(s, tables) or (not in_check and is_stalemate(s, tables)):
        return ZERO
    least_value = -np.int64(INFINITY)
    if alpha < 0 and can_repeat(s, tables):
        alpha = least_value = ZERO
        if alpha >= beta:
            return alpha

    # Step 2. Transposition table cutoff.
    entry = probe(table, table_key(position)) if p.use_table != 0 else NO_ENTRY
    if entry != NO_ENTRY and not pv_node:
        tt_value = entry_value(entry, s.ply)
        if bound_cuts_off(entry_bound(entry), tt_value, beta):
            return tt_value
    note_pv(frame, entry, pv_node)

    # Step 3. Stand pat; a side in check cannot.
    node_eval = evaluate_node(s, tables, frame, entry)
    if p.use_quiescence == 0 or s.ply >= LAST_PLY:
        return max(node_eval, least_value)
    best_value = least_value if in_check else max(node_eval, least_value)
    if best_value >= beta:
        if entry == NO_ENTRY:
            save(s, table, frame, ZERO, best_value, ZERO, LOWER)
        return best_value
    alpha = max(alpha, best_value)

    # Step 4. Search captures; in check all moves.
    best_move = ZERO
    moves_tried = ZERO
    tt_move = legal_tt_move(s, tables, frame, entry)
    if not in_check and tt_move != NO_MOVE and is_quiet(position, tt_move):
        tt_move = ZERO
    if in_check:
        find_attacked(s, tables, frame)
    start_picking(frame, tt_move, GOOD_CAPTURES_ONLY if p.use_quiescence_pruning != 0 else CAPTURES_ONLY)
    while True:
        move = next_move(s, tables, frame)
        if move == NO_MOVE:
            break
        moves_tried += 1
        prefetch_child(table, tables, position, move)

        # Step 5. Delta pruning of captures that cannot reach alpha; no quiet evasions once one move avoids mate.
        if p.use_quiescence_pruning != 0 and best_value > -MATE_BOUND:
            if in_check:
                if is_quiet(position, move):
                    continue
            else:
                futility_value = node_eval + p.delta_margin + captured_value(position, tables, move)
                if futility_value <= alpha:
                    best_value = max(best_value, futility_value)
                    continue

        make_move(s, tables, frame, move)
        value = -quiesce(s, tables, table, -beta, -alpha)
        unmake_move(s, frame)
        if s.stop != 0:
            return ZERO
        if value > best_value:
            best_value = value
            if value > alpha:
                alpha = value
                best_move = move
                if pv_node:
                    update_pv(s, frame, move)
                if value >= beta:
                    break

    # Step 6. In check without a legal move: mate. Else store the result.
    if in_check and moves_tried == 0:
        return s.ply - MATE
    save(s, table, frame, best_move, best_value, ZERO, LOWER if best_value >= beta else UPPER)
    return best_value
