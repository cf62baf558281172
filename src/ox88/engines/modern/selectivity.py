"""Which moves the search looks at less deep, deeper, or not at all."""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.legality import gives_check
from ox88.bitboard.see import see_ge
from ox88.engines.modern.history import has_pieces
from ox88.engines.modern.picker import BAD_CAPTURES, CAPTURES_INIT, EVASIONS, is_refutation, start_picking
from ox88.engines.modern.records import BEFORE_ROOT, MATE_BOUND
from ox88.engines.modern.table import NO_ENTRY, UPPER, entry_bound, entry_depth
from ox88.jit import kernel, popcount
from ox88.types import KING, PAWN

SCALE = np.int64(10)  # Reductions are in 1,024ths of a ply.
FULL_SCALE = np.int64(1 << 10)


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
    return s.no_null_move_before > s.ply or (is_shallow and popcount(pieces) > 1)


# --- Pruning of single moves ------------------------------------------------------------------------------------------


@kernel
def is_prunable(s, tables, frame, move, quiet, history, alpha, depth, moves_tried, reduction, improving):
    """Whether a move is too unlikely to reach alpha to be searched at all."""
    p = s.parameters
    in_check = frame.checkers != NO_SQUARES
    reduced = max(depth - 1 - (reduction >> SCALE), 0)
    if not quiet:
        if frame.stage < BAD_CAPTURES and frame.stage != EVASIONS:
            return False
        # Captures that lose more than the depth could bring back.
        return (
            p.use_see_pruning != 0
            and depth <= p.see_pruning_depth
            and not see_ge(s.position, tables, move, -p.see_capture_margin * depth)
        )

    # Late move pruning: behind so many moves, near the horizon, none comes that is better.
    if p.use_late_move_pruning != 0 and depth <= p.late_move_pruning_depth:
        if moves_tried > (p.late_move_pruning_base + depth * depth) // (2 - improving):
            frame.skip_quiets = 1

    # Futility: a quiet move does not make up for what is missing to alpha.
    if p.use_futility != 0 and not in_check and reduced <= p.futility_depth:
        if frame.static_eval + p.futility_base + p.futility_margin * reduced <= alpha:
            frame.skip_quiets = 1

    # History pruning: moves that have failed wherever they were tried.
    if p.use_history_pruning != 0 and reduced <= p.history_pruning_depth:
        if history < -p.history_pruning_margin * (reduced + 1):
            return True

    # SEE pruning: quiet moves onto squares where they are lost.
    if p.use_see_pruning != 0 and reduced <= p.see_pruning_depth:
        if not see_ge(s.position, tables, move, -p.see_quiet_margin * reduced * reduced):
            return True
    return frame.skip_quiets != 0 and not gives_check(s.position, tables, move)


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
