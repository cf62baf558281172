"""Quiescence: beyond the horizon only captures go on, and every answer to a check, until the position is quiet.

The side to move may stand pat: it need not capture, so the static evaluation is a lower bound of its value.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.engines.modern.draws import is_draw
from ox88.engines.modern.history import is_quiet
from ox88.engines.modern.nodes import count_node, extend_line, is_cutoff, judge, known_move, play, save, take_back
from ox88.engines.modern.picker import CAPTURES_ONLY, GOOD_CAPTURES_ONLY, next_move, start_picking
from ox88.engines.modern.records import BEFORE_ROOT, INFINITY, LAST_PLY, MATE, MATE_BOUND
from ox88.engines.modern.table import LOWER, NO_ENTRY, UPPER, entry_bound, entry_value, probe
from ox88.jit import kernel
from ox88.types import NO_MOVE

ZERO = np.int64(0)


@kernel
def quiesce(s, tables, table, alpha, beta):
    """The value of the position by captures alone. Means nothing once s.stop is set."""
    p = s.parameters
    position = s.position
    frame = s.frames[s.ply + BEFORE_ROOT]
    in_check = frame.checkers != NO_SQUARES
    pv_node = beta - alpha > 1

    # Step 1. Count, and see draws.
    if count_node(s, frame):
        return ZERO
    if is_draw(s, tables):
        return ZERO

    # Step 2. What an earlier search found.
    entry = probe(table, position.key) if p.use_table != 0 else NO_ENTRY
    if entry != NO_ENTRY and not pv_node:
        table_value = entry_value(entry, s.ply)
        if is_cutoff(entry_bound(entry), table_value, beta):
            return table_value

    # Step 3. Stand pat; a side in check cannot.
    expected = judge(s, tables, frame, entry)
    if p.use_quiescence == 0 or s.ply >= LAST_PLY:
        return expected
    best_value = -np.int64(INFINITY) if in_check else expected
    if best_value >= beta:
        if entry == NO_ENTRY:
            save(s, table, frame, ZERO, best_value, ZERO, LOWER)
        return best_value
    alpha = max(alpha, best_value)

    # Step 4. Captures; in check all moves.
    best_move = ZERO
    moves_tried = ZERO
    table_move = known_move(s, tables, frame, entry)
    if not in_check and table_move != NO_MOVE and is_quiet(position, table_move):
        table_move = ZERO
    start_picking(s, frame, table_move, GOOD_CAPTURES_ONLY if p.use_quiescence_pruning != 0 else CAPTURES_ONLY)
    while True:
        move = next_move(s, tables, frame)
        if move == NO_MOVE:
            break
        moves_tried += 1

        # Step 5. Leave out captures that cannot lift the value to alpha, and quiet evasions once one is good enough.
        if p.use_quiescence_pruning != 0 and best_value > -MATE_BOUND:
            if in_check:
                if is_quiet(position, move):
                    continue
            else:
                hope = expected + p.delta_margin + gain(position, tables, move)
                if hope <= alpha:
                    best_value = max(best_value, hope)
                    continue

        play(s, tables, frame, move)
        value = -quiesce(s, tables, table, -beta, -alpha)
        take_back(s, frame)
        if s.stop != 0:
            return ZERO
        if value > best_value:
            best_value = value
            if value > alpha:
                alpha = value
                best_move = move
                if pv_node:
                    extend_line(s, frame, move)
                if value >= beta:
                    break

    # Step 6. In check without a move: mate.
    if in_check and moves_tried == 0:
        return s.ply - MATE
    save(s, table, frame, best_move, best_value, ZERO, LOWER if best_value >= beta else UPPER)
    return best_value


@kernel
def gain(position, tables, move):
    """What a capture or promotion wins at once; en passant is left out, and so seldom that it does not matter."""
    victim = tables.values[np.int64(position.board[move >> 6 & 63]) & 7]
    return victim + tables.values[move >> 12 & 7]
