"""Which moves the search looks at less deep, deeper, or not at all."""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.legality import gives_check
from ox88.bitboard.see import see_ge
from ox88.engines.modern.history import has_pieces
from ox88.engines.modern.picker import BAD_CAPTURES, CAPTURES_INIT, is_refutation, start_picking
from ox88.engines.modern.records import BEFORE_ROOT, MATE_BOUND
from ox88.engines.modern.table import NO_ENTRY, UPPER, entry_bound, entry_depth
from ox88.jit import kernel, popcount
from ox88.types import KING, PAWN

SCALE = np.int64(10)  # Reductions are in 1,024ths of a ply.


# --- Razoring, reverse futility, ProbCut, internal iterative reduction ------------------------------------------------


@kernel
def is_hopeless(p, expected, alpha, depth):
    """Razoring: whether what is missing to alpha is more than the depth can bring."""
    margin = p.razoring_base + p.razoring_margin * depth * depth
    return p.use_razoring != 0 and depth <= p.razoring_depth and expected + margin < alpha


@kernel
def is_far_ahead(p, expected, beta, depth, improving):
    """Reverse futility: whether what is above beta is more than the depth can cost."""
    margin = p.reverse_futility_margin * (depth - improving)
    is_shallow = p.use_reverse_futility != 0 and depth <= p.reverse_futility_depth
    return is_shallow and expected < MATE_BOUND and expected - margin >= beta


@kernel
def may_try_probcut(p, entry, table_value, raised, depth):
    return p.use_probcut != 0 and depth >= p.probcut_depth and (entry == NO_ENTRY or table_value >= raised)


@kernel
def internal_reduction(p, depth):
    """Plies."""
    return np.int64(p.use_internal_reduction != 0 and depth >= p.internal_reduction_depth)


# --- Null move --------------------------------------------------------------------------------------------------------


@kernel
def may_try_null_move(s, expected, beta, depth):
    p = s.parameters
    return (
        p.use_null_move != 0
        and depth >= p.null_move_depth
        and expected >= beta
        and s.frames[s.ply + BEFORE_ROOT - 1].piece_to != 0
        and s.ply >= s.no_null_move_before
        and has_pieces(s.position)
    )


@kernel
def null_move_depth(s, expected, beta, depth):
    """The more depth and lead there are, the less depth is enough."""
    p = s.parameters
    lead = min((expected - beta) // p.null_move_value_divisor, p.null_move_value_limit)
    return depth - p.null_move_base - depth // p.null_move_depth_divisor - lead


@kernel
def trusts_null_move(s, depth):
    """Whether a null move's cut-off needs no verification: with one piece left, passing may well be best."""
    position = s.position
    pieces = position.colours[np.int64(position.turn)] & ~(position.kinds[PAWN] | position.kinds[KING])
    is_shallow = depth < s.parameters.null_move_verification_depth
    return s.no_null_move_before != 0 or (is_shallow and popcount(pieces) > 1)


# --- Pruning of single moves ------------------------------------------------------------------------------------------


@kernel
def is_prunable(s, tables, frame, move, quiet, history, alpha, depth, moves_tried, reduction, improving):
    """Whether a move is too unlikely to reach alpha to be searched at all. Not in the root, nor in pawn endings."""
    p = s.parameters
    if s.ply == 0 or not has_pieces(s.position):
        return False
    if not quiet:
        return is_bad_capture(s, tables, frame, move, depth)
    reduced = max(depth - 1 - (reduction >> SCALE), 0)
    if is_late(p, depth, moves_tried, improving):
        frame.skip_quiets = 1
    is_weak = frame.skip_quiets != 0 or is_futile(p, frame, alpha, reduced) or has_failed(p, history, reduced)
    if is_weak and not gives_check(s.position, tables, move):
        return True
    # SEE pruning: quiet moves onto squares where they are lost.
    margin = -p.see_quiet_margin * reduced * reduced
    return p.use_see_pruning != 0 and reduced <= p.see_pruning_depth and not see_ge(s.position, tables, move, margin)


@kernel
def is_bad_capture(s, tables, frame, move, depth):
    """SEE pruning: captures that lose more than the depth could bring back."""
    p = s.parameters
    if p.use_see_pruning == 0 or depth > p.see_pruning_depth or frame.stage < BAD_CAPTURES:
        return False
    return not see_ge(s.position, tables, move, -p.see_capture_margin * depth)


@kernel
def is_late(p, depth, moves_tried, improving):
    """Late move pruning: behind so many moves, near the horizon, none comes that is better."""
    limit = (p.late_move_pruning_base + depth * depth) // (2 - improving)
    return p.use_late_move_pruning != 0 and depth <= p.late_move_pruning_depth and moves_tried > limit


@kernel
def is_futile(p, frame, alpha, reduced):
    """Futility: a quiet move does not make up for what is missing to alpha."""
    hope = frame.static_eval + p.futility_base + p.futility_margin * reduced
    return p.use_futility != 0 and frame.checkers == NO_SQUARES and reduced <= p.futility_depth and hope <= alpha


@kernel
def has_failed(p, history, reduced):
    """History pruning: a move that has failed wherever it was tried."""
    is_shallow = p.use_history_pruning != 0 and reduced <= p.history_pruning_depth
    return is_shallow and history < -p.history_pruning_margin * (reduced + 1)


# --- Late move reductions ---------------------------------------------------------------------------------------------


@kernel
def late_move_depth(s, tables, frame, move, history, new_depth, reduction, improving, pv_node, cut_node):
    """The depth for a late move: at least a ply, at most what the first move gets."""
    p = s.parameters
    if p.use_late_move_reduction == 0:
        return new_depth
    reduction += p.reduction_cut_node * cut_node
    if not improving:
        reduction += p.reduction_not_improving
    if pv_node:
        reduction -= p.reduction_pv_node
    if is_refutation(frame, move):
        reduction -= p.reduction_killer
    if gives_check(s.position, tables, move):
        reduction -= p.reduction_check
    reduction -= history // p.reduction_history_divisor
    return min(max(new_depth - (reduction >> SCALE), 1), new_depth)


# --- Singular extension -----------------------------------------------------------------------------------------------


@kernel
def is_singular_candidate(s, entry, table_value, depth):
    """Whether the table's move is known well enough to ask if it is the only good one."""
    p = s.parameters
    return (
        p.use_singular_extension != 0
        and depth >= p.singular_depth
        and 0 < s.ply < 2 * s.root_depth
        and entry != NO_ENTRY
        and entry_depth(entry) >= depth - 3
        and entry_bound(entry) != UPPER
        and abs(table_value) < MATE_BOUND
    )


@kernel
def singular_extension(s, frame, pv_node, margin):
    """A ply, or two where the others are far behind; double extensions are rationed along a line."""
    p = s.parameters
    if pv_node or margin <= p.double_extension_margin or frame.double_extensions >= p.double_extension_limit:
        return np.int64(1)
    frame.double_extensions += 1
    return np.int64(2)


@kernel
def restart_after_table_move(s, frame, table_move):
    """The singular search has used this node's frame: go on behind the table's move."""
    frame.quiets_tried = 0
    frame.captures_tried = 0
    start_picking(s, frame, table_move, np.int64(0))
    frame.stage = CAPTURES_INIT
