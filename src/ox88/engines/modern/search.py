"""Principal variation search: alpha-beta that trusts the first move and proves the others worse with a null window.

One function for every use: root and PV node are run-time facts, every heuristic has a switch and every number a name in
options.py. Values are fail-soft. Each step says which moves or positions it spares, and why that is safe enough.
(The steps are common knowledge of the field; https://www.chessprogramming.org names their first authors.)
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.see import see_ge
from ox88.engines.modern.draws import is_draw
from ox88.engines.modern.history import (
    is_quiet,
    quiet_history,
    remember_tried,
    update_correction,
    update_histories,
)
from ox88.engines.modern.nodes import (
    count_node,
    entry_decides,
    extend_line,
    is_root_move,
    judge,
    known_move,
    play,
    play_null,
    save,
    start_node,
    take_back,
    take_back_null,
)
from ox88.engines.modern.picker import ALL_MOVES, GOOD_CAPTURES_ONLY, QUIETS, next_move, start_picking
from ox88.engines.modern.quiescence import quiesce
from ox88.engines.modern.records import BEFORE_ROOT, INFINITY, LAST_PLY, MATE, MATE_BOUND
from ox88.engines.modern.selectivity import (
    internal_reduction,
    is_far_ahead,
    is_hopeless,
    is_prunable,
    is_singular_candidate,
    late_move_depth,
    may_try_null_move,
    may_try_probcut,
    null_move_depth,
    restart_after_table_move,
    singular_extension,
    trusts_null_move,
)
from ox88.engines.modern.table import (
    EXACT,
    LOWER,
    NO_ENTRY,
    UPPER,
    entry_value,
    probe,
)
from ox88.jit import kernel
from ox88.types import NO_MOVE

ZERO = np.int64(0)
ONE = np.int64(1)
NULL_WINDOW = np.int64(1)


@kernel
def search(s, tables, table, alpha, beta, depth, cut_node):
    """The value of the position, exact within (alpha, beta), else a bound. Means nothing once s.stop is set.

    s: SEARCHER. tables: TABLES. table: the transposition table. alpha, beta: values. depth: plies. cut_node: 1 where a
    cut-off is expected.
    """
    p = s.parameters
    position = s.position
    ply = s.ply
    root_node = ply == 0
    pv_node = beta - alpha > 1
    frame = s.frames[ply + BEFORE_ROOT]
    in_check = frame.checkers != NO_SQUARES

    # Step 1. Check extension: a side in check has few moves, and no quiet position to judge.
    if in_check and p.use_check_extension != 0 and ply < 2 * s.root_depth:
        depth += 1

    # Step 2. At the horizon only captures go on.
    if depth <= 0 or ply >= LAST_PLY:
        return quiesce(s, tables, table, alpha, beta)
    if count_node(s, frame):
        return ZERO

    # Step 3. Draws, and mates that are too far to matter beside one already found.
    if not root_node:
        if is_draw(s, tables):
            return ZERO
        if p.use_mate_distance != 0:
            alpha = max(alpha, ply - MATE)
            beta = min(beta, MATE - ply - 1)
            if alpha >= beta:
                return alpha

    # Step 4. What an earlier search found of this position.
    excluded_move = frame.excluded_move
    entry = probe(table, position.key) if excluded_move == NO_MOVE and p.use_table != 0 else NO_ENTRY
    table_move = known_move(s, tables, frame, entry)
    table_value = entry_value(entry, ply)
    if not pv_node and entry_decides(position, entry, table_value, beta, depth):
        return table_value

    # Step 5. What to expect of the position without a search, and whether it improves on two plies ago.
    expected = judge(s, tables, frame, entry) if excluded_move == NO_MOVE else frame.static_eval
    improving = not in_check and frame.static_eval > s.frames[ply + BEFORE_ROOT - 2].static_eval
    start_node(s, frame)

    # Step 6. Prune the whole node, where it is neither in check nor on the principal variation.
    if not pv_node and not in_check and excluded_move == NO_MOVE and abs(beta) < MATE_BOUND:
        # Step 6a. Razoring: hopelessly behind, near the horizon; captures tell whether that is so.
        if is_hopeless(p, expected, alpha, depth):
            value = quiesce(s, tables, table, alpha, alpha + NULL_WINDOW)
            if value <= alpha:
                return value

        # Step 6b. Reverse futility: so far ahead that the rest of the depth will not change it.
        if is_far_ahead(p, expected, beta, depth, improving):
            return (expected + beta) // 2

        # Step 6c. Null move: if passing still beats beta, a move will too. Unsafe in pawn endings.
        if may_try_null_move(s, expected, beta, depth):
            null_depth = null_move_depth(s, expected, beta, depth)
            play_null(s, tables, frame)
            value = -search(s, tables, table, -beta, -beta + NULL_WINDOW, null_depth, ONE - cut_node)
            take_back_null(s, frame)
            if s.stop != 0:
                return ZERO
            if value >= beta:
                value = min(value, MATE_BOUND)
                if trusts_null_move(s, depth):
                    return value
                # Where passing may be the best move, or much depends on it, a search without passing must agree.
                s.no_null_move_before = ply + null_depth * 3 // 4
                verified = search(s, tables, table, beta - NULL_WINDOW, beta, null_depth, ZERO)
                s.no_null_move_before = 0
                if s.stop != 0:
                    return ZERO
                if verified >= beta:
                    return value
                start_node(s, frame)

        # Step 6d. ProbCut: a good capture that beats beta by far at less depth will beat beta at this depth.
        raised = beta + p.probcut_margin
        if may_try_probcut(p, entry, table_value, raised, depth):
            start_picking(s, frame, ZERO, GOOD_CAPTURES_ONLY)
            while True:
                move = next_move(s, tables, frame)
                if move == NO_MOVE:
                    break
                if not see_ge(position, tables, move, raised - frame.static_eval):
                    continue
                play(s, tables, frame, move)
                value = -quiesce(s, tables, table, -raised, -raised + NULL_WINDOW)
                if value >= raised:
                    probcut_depth = depth - p.probcut_reduction
                    value = -search(s, tables, table, -raised, -raised + NULL_WINDOW, probcut_depth, ONE - cut_node)
                take_back(s, frame)
                if s.stop != 0:
                    return ZERO
                if value >= raised:
                    save(s, table, frame, move, value, depth - p.probcut_reduction + 1, LOWER)
                    return value

    # Step 7. Internal iterative reduction: where no move is known to be good, a shallower search finds one first.
    if table_move == NO_MOVE and excluded_move == NO_MOVE and (pv_node or cut_node != 0):
        depth -= internal_reduction(p, depth)

    # Step 8. Search the moves, best first.
    first_alpha = alpha
    best_value = -np.int64(INFINITY)
    best_move = ZERO
    moves_tried = ZERO
    start_picking(s, frame, table_move, ALL_MOVES)
    while True:
        move = next_move(s, tables, frame)
        if move == NO_MOVE:
            break
        if move == excluded_move or (root_node and not is_root_move(s, move)):
            continue
        moves_tried += 1
        quiet = is_quiet(position, move)
        history = quiet_history(s, ply, move) if quiet else ZERO
        reduction = s.reductions[min(depth, 63), min(moves_tried, 63)]

        # Step 9. Prune single moves, once one is known that does not lose.
        if best_value > -MATE_BOUND and is_prunable(
            s, tables, frame, move, quiet, history, alpha, depth, moves_tried, reduction, improving
        ):
            continue

        # Step 10. Singular extension: where all other moves are clearly worse, much depends on the table's move.
        extension = ZERO
        if move == table_move and excluded_move == NO_MOVE and is_singular_candidate(s, entry, table_value, depth):
            singular_beta = table_value - p.singular_margin * depth
            frame.excluded_move = move
            value = search(s, tables, table, singular_beta - NULL_WINDOW, singular_beta, (depth - 1) // 2, cut_node)
            frame.excluded_move = NO_MOVE
            if s.stop != 0:
                return ZERO
            restart_after_table_move(s, frame, table_move)
            if value < singular_beta:
                extension = singular_extension(s, frame, pv_node, singular_beta - value)
            elif singular_beta >= beta:
                # Step 10a. Multi-cut: another move beats beta as well, so it is no matter which one is played.
                return singular_beta
            elif table_value >= beta:
                extension = -ONE

        # Step 11. Late move reduction: what comes late is searched less deep, and again only if it proves good.
        if root_node:
            s.root_move = move
            s.root_move_number = moves_tried
        nodes_before = s.nodes
        new_depth = depth - 1 + extension
        reduced_depth = new_depth
        if depth >= p.reduction_depth and moves_tried > 1 + 2 * root_node and (quiet or frame.stage > QUIETS):
            reduced_depth = late_move_depth(
                s, tables, frame, move, history, new_depth, reduction, improving, pv_node, cut_node
            )
        play(s, tables, frame, move)
        value = alpha + NULL_WINDOW
        if reduced_depth < new_depth:
            value = -search(s, tables, table, -alpha - NULL_WINDOW, -alpha, reduced_depth, ONE)
        if value > alpha and (reduced_depth < new_depth or not pv_node or moves_tried > 1):
            value = -search(s, tables, table, -alpha - NULL_WINDOW, -alpha, new_depth, ONE - cut_node)

        # Step 12. On the principal variation the first move, and any that is better, gets the full window.
        if pv_node and (moves_tried == 1 or (value > alpha and (root_node or value < beta))):
            value = -search(s, tables, table, -beta, -alpha, new_depth, ZERO)
        take_back(s, frame)
        if s.stop != 0:
            return ZERO
        if root_node:
            s.effort[move & 4095] += s.nodes - nodes_before

        # Step 13. A better move, and perhaps a cut-off.
        best_value = max(best_value, value)
        if value > alpha:
            alpha = value
            best_move = move
            if pv_node:
                extend_line(s, frame, move)
                if root_node:
                    s.root_value = value
            if value >= beta:
                update_histories(s, frame, move, depth)
                break
        remember_tried(frame, move, quiet)

    # Step 14. No move: mate, stalemate, or nothing beside the move that is left out.
    if moves_tried == 0:
        if excluded_move != NO_MOVE:
            return alpha
        return ply - MATE if in_check else ZERO

    # Step 15. Keep what was found.
    if excluded_move == NO_MOVE:
        bound = LOWER if best_value >= beta else (EXACT if alpha > first_alpha else UPPER)
        save(s, table, frame, best_move, best_value, depth, bound)
        if not in_check and (best_move == NO_MOVE or is_quiet(position, best_move)):
            update_correction(s, frame.static_eval, best_value, bound, depth)
    return best_value
