"""Principal variation search: alpha-beta that expects the first move to be best, and tests the others in a null window.

One function serves every kind of node: root and PV node are run-time facts. Every heuristic has a switch and every
number a name in options.py. Values are fail-soft. Each step says what it saves, and why that is safe enough.
Steps whose worth is known end with it: Elo in games at 4,000 nodes a move, at 60,000 or by a clock (docs/features.md).
(The ideas are common knowledge; https://www.chessprogramming.org names their first authors.)
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.see import see_ge
from ox88.engines.modern.history import (
    capture_history,
    is_quiet,
    judge_last_move,
    note_tried_move,
    quiet_history,
    reward_last_move,
    update_correction,
    update_histories,
)
from ox88.engines.modern.nodes import (
    can_repeat,
    count_node,
    evaluate_node,
    find_attacked,
    is_draw,
    is_improving,
    is_root_move,
    is_tt_cutoff,
    legal_tt_move,
    make_move,
    make_null_move,
    node_key,
    note_pv,
    prefetch_child,
    save,
    start_node,
    unmake_move,
    unmake_null_move,
    update_pv,
)
from ox88.engines.modern.picker import ALL_MOVES, GOOD_CAPTURES_ONLY, is_losing_capture, next_move, start_picking
from ox88.engines.modern.quiescence import quiesce
from ox88.engines.modern.records import BEFORE_ROOT, INFINITY, LAST_PLY, MATE, MATE_BOUND
from ox88.engines.modern.selectivity import (
    can_be_singular,
    can_extend_check,
    can_extend_endgame,
    can_extend_passed_pawn,
    can_probcut_by_table,
    can_prune_by_reverse_futility,
    can_prune_move,
    can_razor,
    can_trust_null_move,
    can_try_null_move,
    can_try_probcut,
    count_double_extensions,
    late_move_depth,
    note_check,
    null_move_depth,
    research_depth,
    restart_after_tt_move,
    singular_extension,
)
from ox88.engines.modern.table import EXACT, LOWER, NO_ENTRY, UPPER, entry_value, probe
from ox88.jit import kernel
from ox88.types import NO_MOVE

ZERO = np.int64(0)
ONE = np.int64(1)
NULL_WINDOW = np.int64(1)


@kernel
def search(s, tables, table, alpha, beta, depth, cut_node):
    """The value of the position: exact within (alpha, beta), else a bound; meaningless once s.stop is set.

    s: SEARCHER. tables: TABLES. table: the transposition table. alpha, beta: the window. depth: plies. cut_node: 1 if a
    cutoff is expected.
    """
    p = s.parameters
    position = s.position
    ply = s.ply
    root_node = ply == 0
    pv_node = beta - alpha > 1
    frame = s.frames[ply + BEFORE_ROOT]
    in_check = frame.checkers != NO_SQUARES

    # Step 1. Check extension: evasions are few, and a position in check cannot be evaluated. Checks that lose material
    # are not extended: there are too many of them. (+29 ± 18 with step 10 at 4,000; losing checks left out +6 ± 13.)
    if in_check and can_extend_check(s):
        depth += 1

    # Step 2. At the horizon, go on with captures alone.
    if depth <= 0 or ply >= LAST_PLY:
        return quiesce(s, tables, table, alpha, beta)
    if count_node(s, frame):
        return ZERO

    # Step 3. Draws have the value 0; a side that can repeat a position has at least that. Mate distance pruning: if a
    # shorter mate is known than any that can follow here, nothing need be searched. (Repetitions: +17 ± 13 at 60,000.)
    least_value = -np.int64(INFINITY)
    if not root_node:
        if is_draw(s, tables):
            return ZERO
        if alpha < 0 and can_repeat(s, tables):
            alpha = least_value = ZERO
            if alpha >= beta:
                return alpha
        if p.use_mate_distance != 0:
            alpha = max(alpha, ply - MATE)
            beta = min(beta, MATE - ply - 1)
            if alpha >= beta:
                return alpha

    # Step 4. Transposition table: the value of an earlier search if it suffices, else its best move, and whether the
    # position was on a principal variation. A singular search has entries of its own. (+280 ± 24 at 4,000; the note of
    # principal variations +29 ± 19 at 60,000, the entries of singular searches +8 ± 11.)
    excluded_move = frame.excluded_move
    entry = probe(table, node_key(s, frame)) if p.use_table != 0 else NO_ENTRY
    tt_move = legal_tt_move(s, tables, frame, entry)
    tt_value = entry_value(entry, ply)
    if not pv_node and is_tt_cutoff(position, entry, tt_value, beta, depth):
        return tt_value
    if excluded_move == NO_MOVE:
        note_pv(frame, entry, pv_node)

    # Step 5. Static evaluation, what it says of the last move, and whether it has improved since two plies ago.
    # (The last move: +10 ± 8 at 5,000.)
    node_eval = evaluate_node(s, tables, frame, entry) if excluded_move == NO_MOVE else frame.static_eval
    improving = is_improving(s, frame)
    start_node(s, frame)
    if excluded_move == NO_MOVE:
        judge_last_move(s, frame)

    # Step 6. Prune the whole node. Not in check, and not on the principal variation. (+180 ± 22 with step 9 at 4,000,
    # without the null move.)
    if not pv_node and not in_check and excluded_move == NO_MOVE and abs(beta) < MATE_BOUND:
        # Step 6a. Razoring: the evaluation is far below alpha near the horizon. Give up if captures do not help.
        if can_razor(p, node_eval, alpha, depth):
            value = quiesce(s, tables, table, alpha, alpha + NULL_WINDOW)
            if value <= alpha:
                return value

        # Step 6b. Reverse futility: the evaluation is so far above beta that the remaining depth will not change it.
        if can_prune_by_reverse_futility(p, node_eval, beta, depth, improving):
            return (node_eval + beta) // 2

        # Step 6c. Null move: if even passing beats beta, some move will too. It is tried where a cutoff is expected. In
        # pawn endings it is unsafe. (+10 ± 18 at 4,000; in cut nodes alone +10 ± 11 at 60,000.)
        if can_try_null_move(s, node_eval, beta, depth, cut_node):
            null_depth = null_move_depth(s, node_eval, beta, depth)
            make_null_move(s, tables, table, frame)
            value = -search(s, tables, table, -beta, -beta + NULL_WINDOW, null_depth, ONE - cut_node)
            unmake_null_move(s, frame)
            if s.stop != 0:
                return ZERO
            if value >= beta:
                if value >= MATE_BOUND:  # A mate after a pass is not proven.
                    value = beta
                if can_trust_null_move(s, depth):
                    return value
                # Verification: a search without null moves must agree.
                s.no_null_move_before = ply + null_depth * 3 // 4
                verified = search(s, tables, table, beta - NULL_WINDOW, beta, null_depth, ZERO)
                s.no_null_move_before = 0
                if s.stop != 0:
                    return ZERO
                if verified >= beta:
                    return value
                start_node(s, frame)

        # Step 6d. ProbCut: a good capture that beats beta by a margin at less depth will beat beta at this depth.
        probcut_beta = beta + p.probcut_margin
        if can_try_probcut(p, entry, tt_value, probcut_beta, depth):
            start_picking(frame, ZERO, GOOD_CAPTURES_ONLY)
            while True:
                move = next_move(s, tables, frame)
                if move == NO_MOVE:
                    break
                if not see_ge(position, tables, move, probcut_beta - frame.static_eval):
                    continue
                make_move(s, tables, frame, move)
                value = -quiesce(s, tables, table, -probcut_beta, -probcut_beta + NULL_WINDOW)
                if value >= probcut_beta:
                    probcut_depth = depth - p.probcut_reduction
                    value = -search(
                        s, tables, table, -probcut_beta, -probcut_beta + NULL_WINDOW, probcut_depth, ONE - cut_node
                    )
                unmake_move(s, frame)
                if s.stop != 0:
                    return ZERO
                if value >= probcut_beta:
                    save(s, table, frame, move, value, depth - p.probcut_reduction + 1, LOWER)
                    return value

        # Step 6e. ProbCut by the table: its value beats beta by a larger margin, so no capture need be searched.
        # (+4 ± 11 at 60,000.)
        if can_probcut_by_table(p, entry, tt_value, beta, depth):
            return beta + p.probcut_table_margin

    # Step 7. Internal iterative reduction: without a table move, search less deep and let the next iteration do it.
    # (+101 ± 19 with step 11 at 4,000.)
    if tt_move == NO_MOVE and excluded_move == NO_MOVE and (pv_node or cut_node != 0):
        depth -= np.int64(p.use_internal_reduction != 0 and depth >= p.internal_reduction_depth)

    # Step 8. Loop over the moves, the most promising first. (Histories and killers: +476 ± 41 at 4,000.)
    original_alpha = alpha
    best_value = least_value
    best_move = ZERO
    moves_tried = ZERO
    extends_endgame = can_extend_endgame(s)
    find_attacked(s, tables, frame)
    start_picking(frame, tt_move, ALL_MOVES)
    while True:
        move = next_move(s, tables, frame)
        if move == NO_MOVE:
            break
        if move == excluded_move or (root_node and not is_root_move(s, move)):
            continue
        moves_tried += 1
        quiet = is_quiet(position, move)
        history = quiet_history(s, frame, move) if quiet else capture_history(s, move)
        reduction = s.reductions[min(depth, 63), min(moves_tried, 63)]

        # Step 9. Prune single moves, once a move is known that does not get mated.
        if best_value > -MATE_BOUND and can_prune_move(
            s, tables, frame, move, quiet, history, alpha, depth, moves_tried, reduction, improving
        ):
            continue
        prefetch_child(table, tables, position, move)

        # Step 10. Singular extension: search the table's move deeper if all other moves are clearly worse. (By three
        # plies if they are far worse: +11 ± 13 at 60,000.)
        extension = ZERO
        if move == tt_move and excluded_move == NO_MOVE and can_be_singular(s, entry, tt_value, depth):
            singular_beta = tt_value - p.singular_margin * depth
            frame.excluded_move = move
            value = search(s, tables, table, singular_beta - NULL_WINDOW, singular_beta, (depth - 1) // 2, cut_node)
            frame.excluded_move = NO_MOVE
            if s.stop != 0:
                return ZERO
            restart_after_tt_move(frame, tt_move)
            if value < singular_beta:
                extension = singular_extension(s, frame, pv_node, singular_beta - value)
            elif singular_beta >= beta:
                # Step 10a. Multi-cut: another move beats beta as well at less depth, so a cutoff is all but certain.
                return singular_beta
            elif tt_value >= beta:
                extension = -ONE

        # Step 10b. Endgame extension: search every move a ply deeper if an exchange has just led to a simple endgame.
        # Passed pawn extension: search a move a ply deeper if it brings a passed pawn near its promotion. (Endgames:
        # +4 ± 13 and +7 ± 16 at 60,000; passed pawns +12 ± 12 by a clock.)
        if extension == 0 and (extends_endgame or can_extend_passed_pawn(s, tables, frame, move, quiet)):
            extension = ONE

        # Step 11. Late move reduction: search late quiet moves and losing captures less deep in a null window. A move
        # that succeeds is searched at full depth, or a ply less if it is hardly better than the best move. (The ply
        # less: +10 ± 6.)
        if root_node:
            s.root_move = move
            s.root_move_number = moves_tried
        count_double_extensions(s, frame, extension)
        note_check(s, tables, frame, move)
        new_depth = depth - 1 + extension
        reduced_depth = new_depth
        is_late = depth >= p.reduction_depth and moves_tried > 1 + 2 * root_node
        if is_late and (quiet or is_losing_capture(s, tables, frame, move)):
            reduced_depth = late_move_depth(s, frame, move, history, new_depth, reduction, improving, pv_node, cut_node)
        make_move(s, tables, frame, move)
        value = alpha + NULL_WINDOW
        is_null_window = not pv_node or moves_tried > 1
        if reduced_depth < new_depth:
            value = -search(s, tables, table, -alpha - NULL_WINDOW, -alpha, reduced_depth, ONE)
            new_depth = research_depth(s, new_depth, value, best_value)
            is_null_window = reduced_depth < new_depth
        if value > alpha and is_null_window:
            value = -search(s, tables, table, -alpha - NULL_WINDOW, -alpha, new_depth, ONE - cut_node)

        # Step 12. In a PV node, the first move and any move that raises alpha get the full window.
        if pv_node and (moves_tried == 1 or (value > alpha and (root_node or value < beta))):
            value = -search(s, tables, table, -beta, -alpha, new_depth, ZERO)
        unmake_move(s, frame)
        if s.stop != 0:
            return ZERO

        # Step 13. A new best move, and perhaps a cutoff.
        best_value = max(best_value, value)
        if value > alpha:
            alpha = value
            best_move = move
            if pv_node:
                update_pv(s, frame, move)
                if root_node:
                    s.root_value = value
            if value >= beta:
                update_histories(s, frame, move, depth)
                break
        note_tried_move(frame, move, quiet)

    # Step 14. No legal move: checkmate or stalemate; in a singular search, no move but the excluded one.
    if moves_tried == 0:
        if excluded_move != NO_MOVE:
            return alpha
        return ply - MATE if in_check else ZERO

    # Step 15. Store the result, and learn: the last move was good if no move reaches alpha; correct the evaluation.
    # (The last move: +11 ± 8 at 5,000; corrections by pieces +13 ± 6, by moves +6 ± 6 at 4,000.)
    bound = LOWER if best_value >= beta else (EXACT if alpha > original_alpha else UPPER)
    save(s, table, frame, best_move, best_value, depth, bound)
    if excluded_move == NO_MOVE:
        if best_move == NO_MOVE:
            reward_last_move(s, depth)
        if not in_check and (best_move == NO_MOVE or is_quiet(position, best_move)):
            update_correction(s, frame.static_eval, best_value, bound, depth)
    return best_value


@kernel
def search_root(searchers, all_tables, table, alpha, beta, depth):
    """`search` from the root, for Python. searchers, all_tables: arrays of one SEARCHER and one TABLES.

    Numba takes an array in a microsecond, but a large record in thirty.
    """
    return search(searchers[0], all_tables[0], table, alpha, beta, depth, ZERO)


@kernel
def judge_root(searchers, all_tables, table):
    """The value of the root without a search. The move that a search would try first becomes the principal variation.

    For the arguments see `search_root`.
    """
    s = searchers[0]
    tables = all_tables[0]
    frame = s.frames[BEFORE_ROOT]
    entry = probe(table, node_key(s, frame)) if s.parameters.use_table != 0 else NO_ENTRY
    value = evaluate_node(s, tables, frame, entry)
    find_attacked(s, tables, frame)
    start_picking(frame, legal_tt_move(s, tables, frame, entry), ALL_MOVES)
    move = next_move(s, tables, frame)
    while not is_root_move(s, move):
        move = next_move(s, tables, frame)
    frame.pv[0] = move
    frame.pv_length = 1
    return value
