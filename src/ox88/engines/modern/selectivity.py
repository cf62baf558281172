"""The conditions and depths of pruning, reductions and extensions: what is searched less deep, deeper or not at all."""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES, mask
from ox88.bitboard.legality import gives_check
from ox88.bitboard.see import see_ge
from ox88.engines.modern.history import non_pawn_pieces
from ox88.engines.modern.picker import ALL_MOVES, BAD_CAPTURES, CAPTURES_INIT, captured_value, is_killer, start_picking
from ox88.engines.modern.records import BEFORE_ROOT, MATE_BOUND
from ox88.engines.modern.table import LOWER, NO_ENTRY, UPPER, entry_bound, entry_depth
from ox88.jit import kernel, popcount
from ox88.types import KING, PAWN

SCALE = np.int64(10)  # Reductions are in 1,024ths of a ply.
SIXTH_RANK = np.int64(5)  # Ranks count from 0, from the first rank of the side to move.
SEVENTH_RANK = np.int64(6)


# --- Decided games ----------------------------------------------------------------------------------------------------


@kernel
def is_decided(p, value):
    """True if a value says that the game is won or lost.

    What is left to find is a mate, and its moves look bad in a shallow search. So razoring, ProbCut and singular
    extensions, which trust shallow searches, are for other values alone.
    """
    return abs(value) >= p.decided_value


# --- Razoring, reverse futility, ProbCut ------------------------------------------------------------------------------


@kernel
def can_razor(p, node_eval, alpha, depth):
    """True if the evaluation is too far below alpha for the remaining depth to make up for it."""
    margin = p.razoring_base + p.razoring_margin * depth * depth
    is_shallow = p.use_razoring != 0 and depth <= p.razoring_depth
    return is_shallow and node_eval + margin < alpha and not is_decided(p, alpha)


@kernel
def can_prune_by_reverse_futility(p, node_eval, beta, depth, improving):
    """True if the evaluation is too far above beta for the remaining depth to lose it again."""
    margin = p.reverse_futility_margin * (depth - improving)
    is_shallow = p.use_reverse_futility != 0 and depth <= p.reverse_futility_depth
    return is_shallow and node_eval - margin >= beta


@kernel
def can_try_probcut(p, entry, tt_value, probcut_beta, depth):
    """True unless the table already says that probcut_beta cannot be reached."""
    is_deep = p.use_probcut != 0 and depth >= p.probcut_depth
    return is_deep and (entry == NO_ENTRY or tt_value >= probcut_beta) and not is_decided(p, probcut_beta)


@kernel
def can_probcut_by_table(p, entry, tt_value, beta, depth):
    """True if the table's value is far above beta, and comes from a search that was only a few plies shallower."""
    is_deep = entry != NO_ENTRY and entry_depth(entry) >= depth - p.probcut_reduction
    is_above = is_deep and entry_bound(entry) == LOWER and tt_value >= beta + p.probcut_table_margin
    return p.use_probcut != 0 and is_above and tt_value < MATE_BOUND and not is_decided(p, beta)


# --- Null move --------------------------------------------------------------------------------------------------------


@kernel
def can_try_null_move(s, node_eval, beta, depth, cut_node):
    """True if passing may be tried: only where a cutoff is expected, not after a null move, not in a pawn ending."""
    p = s.parameters
    return (
        p.use_null_move != 0
        and cut_node != 0
        and depth >= p.null_move_depth
        and node_eval >= beta
        and s.frames[s.ply + BEFORE_ROOT - 1].piece_to != 0
        and s.ply >= s.no_null_move_before
        and non_pawn_pieces(s.position) != NO_SQUARES
    )


@kernel
def null_move_depth(s, node_eval, beta, depth):
    """Depth of the null move search: reduced more where depth and lead are large."""
    p = s.parameters
    lead = min((node_eval - beta) // p.null_move_value_divisor, p.null_move_value_limit)
    return depth - p.null_move_base - depth // p.null_move_depth_divisor - lead


@kernel
def can_trust_null_move(s, depth):
    """True if a null move cutoff needs no verification search.

    Deep searches verify, and so do positions with one piece left, where passing may really be best (zugzwang).
    """
    is_shallow = depth < s.parameters.null_move_verification_depth
    return s.no_null_move_before != 0 or (is_shallow and popcount(non_pawn_pieces(s.position)) > 1)


# --- Pruning of single moves ------------------------------------------------------------------------------------------


@kernel
def can_prune_move(s, tables, frame, move, quiet, history, alpha, depth, moves_tried, reduction, improving):
    """True if a move is unlikely to reach alpha and need not be searched. Never at the root or in pawn endings."""
    p = s.parameters
    if s.ply == 0 or non_pawn_pieces(s.position) == NO_SQUARES:
        return False
    reduced_depth = max(depth - 1 - (reduction >> SCALE), 0)
    if not quiet:
        return can_prune_capture(s, tables, frame, move, history, alpha, depth, reduced_depth)
    if can_prune_late_move(p, depth, moves_tried, improving):
        frame.skip_quiets = 1
    is_weak = (
        frame.skip_quiets != 0
        or can_prune_by_futility(p, frame, alpha, reduced_depth)
        or can_prune_by_history(p, history, reduced_depth)
    )
    if is_weak and not gives_check(s.position, tables, move):
        return True
    # SEE pruning: quiet moves that put a piece where it is lost.
    margin = -p.see_quiet_margin * reduced_depth * reduced_depth
    is_shallow = p.use_see_pruning != 0 and reduced_depth <= p.see_pruning_depth
    return is_shallow and not see_ge(s.position, tables, move, margin)


@kernel
def can_prune_capture(s, tables, frame, move, history, alpha, depth, reduced_depth):
    """True if a capture wins too little to reach alpha, or loses more material than the depth could win back (SEE)."""
    p = s.parameters
    # Futility pruning: the evaluation is so far below alpha that the captured piece cannot make up for it. A capture
    # that has often been good gets more credit.
    if p.use_futility != 0 and reduced_depth <= p.capture_futility_depth and frame.checkers == NO_SQUARES:
        gain = captured_value(s.position, tables, move) + history // p.capture_futility_history_divisor
        futility_value = frame.static_eval + gain + p.capture_futility_base + p.capture_futility_margin * reduced_depth
        if futility_value <= alpha and not gives_check(s.position, tables, move):
            return True
    if p.use_see_pruning == 0 or depth > p.see_pruning_depth or frame.stage < BAD_CAPTURES:
        return False
    return not see_ge(s.position, tables, move, -p.see_capture_margin * depth)


@kernel
def can_prune_late_move(p, depth, moves_tried, improving):
    """Late move pruning: True if so many moves have failed near the horizon that no quiet move will succeed."""
    limit = (p.late_move_pruning_base + depth * depth) // (2 - improving)
    return p.use_late_move_pruning != 0 and depth <= p.late_move_pruning_depth and moves_tried > limit


@kernel
def can_prune_by_futility(p, frame, alpha, reduced_depth):
    """Futility pruning: True if the evaluation is so far below alpha that a quiet move cannot make up for it."""
    futility_value = frame.static_eval + p.futility_base + p.futility_margin * reduced_depth
    is_shallow = p.use_futility != 0 and reduced_depth <= p.futility_depth
    return is_shallow and frame.checkers == NO_SQUARES and futility_value <= alpha


@kernel
def can_prune_by_history(p, history, reduced_depth):
    """History pruning: True if a quiet move has failed almost wherever it was tried."""
    is_shallow = p.use_history_pruning != 0 and reduced_depth <= p.history_pruning_depth
    return is_shallow and history < -p.history_pruning_margin * (reduced_depth + 1)


# --- Late move reductions ---------------------------------------------------------------------------------------------


@kernel
def late_move_depth(s, frame, move, history, new_depth, reduction, improving, pv_node, cut_node):
    """The reduced depth of a late move: at least one ply, at most new_depth. reduction: in 1,024ths of a ply."""
    p = s.parameters
    if p.use_late_move_reduction == 0:
        return new_depth
    reduction += p.reduction_cut_node * cut_node
    if not improving:
        reduction += p.reduction_not_improving
    if pv_node:
        reduction -= p.reduction_pv_node
    reduction -= p.reduction_was_pv * frame.was_pv
    if is_killer(frame, move):
        reduction -= p.reduction_killer
    reduction -= p.reduction_check * frame.is_check
    reduction -= history // p.reduction_history_divisor
    return min(max(new_depth - (reduction >> SCALE), 1), new_depth)


@kernel
def research_depth(s, new_depth, value, best_value):
    """The depth at which to search again after a reduced search: a ply less if its value hardly beats the best."""
    p = s.parameters
    is_hardly_better = p.use_late_move_reduction != 0 and s.ply > 0 and value < best_value + p.shallower_margin
    return new_depth - np.int64(is_hardly_better)


# --- Extensions by check, endgame and passed pawn ---------------------------------------------------------------------


@kernel
def can_extend_line(s):
    """True if the line is shorter than twice the depth of the iteration: no line is extended for ever."""
    return s.ply < 2 * s.root_depth


@kernel
def note_check(s, tables, frame, move):
    """Note whether a move gives check, and whether the move loses material (SEE)."""
    is_check = gives_check(s.position, tables, move)
    frame.is_check = np.int64(is_check)
    frame.is_losing_check = np.int64(is_check and not see_ge(s.position, tables, move, np.int64(0)))


@kernel
def can_extend_check(s):
    """True if the side in check is searched a ply deeper, since the check loses no material."""
    loses_nothing = s.frames[s.ply + BEFORE_ROOT - 1].is_losing_check == 0
    return s.parameters.use_check_extension != 0 and loses_nothing and can_extend_line(s)


@kernel
def can_extend_endgame(s):
    """True if the last move has captured a piece, not a pawn, and beside kings and pawns at most two pieces are left.

    Such an exchange often decides whether an endgame is won. (Stockfish 11 has this extension.)
    """
    position = s.position
    captured = np.int64(s.frames[s.ply + BEFORE_ROOT - 1].undo.captured) & 7
    pieces = (position.colours[0] | position.colours[1]) & ~(position.kinds[PAWN] | position.kinds[KING])
    is_exchange = captured > PAWN and popcount(pieces) <= 2
    return s.parameters.use_endgame_extension != 0 and is_exchange and s.ply > 0 and can_extend_line(s)


@kernel
def can_extend_passed_pawn(s, tables, frame, move, quiet):
    """True if a quiet move brings a passed pawn to the seventh rank, or to the sixth if the move is the first killer.

    The pawn may promote soon, beyond the horizon. (Stockfish 11 extends such a move if it is the first killer.)
    """
    position = s.position
    to_square = move >> 6 & 63
    turn = np.int64(position.turn)
    rank = (to_square ^ 56 * turn) >> 3
    is_advanced = rank == SEVENTH_RANK or (rank == SIXTH_RANK and move == frame.killers[0])
    is_pawn = np.int64(position.board[move & 63]) & 7 == PAWN
    if s.parameters.use_passed_pawn_extension == 0 or not (quiet and is_pawn and is_advanced) or not can_extend_line(s):
        return False
    # No pawn of the opponent can be on the eighth rank. So only its pawns on the seventh can stop a pawn on the sixth.
    stops = tables.pawn_attacks[turn, to_square] | mask(to_square + 8 - 16 * turn)
    return stops & position.kinds[PAWN] & position.colours[turn ^ 1] == NO_SQUARES


# --- Singular extension -----------------------------------------------------------------------------------------------


@kernel
def can_be_singular(s, entry, tt_value, depth):
    """True if the table's value is deep and good enough to test whether its move is the only good one."""
    p = s.parameters
    return (
        p.use_singular_extension != 0
        and depth >= p.singular_depth
        and s.ply > 0
        and can_extend_line(s)
        and entry != NO_ENTRY
        and entry_depth(entry) >= depth - 3
        and entry_bound(entry) != UPPER
        and abs(tt_value) < MATE_BOUND
        and not is_decided(p, tt_value)
    )


@kernel
def singular_extension(s, frame, pv_node, margin):
    """By how many plies to extend a singular move: 1, or 2 or 3 if all other moves are far worse.

    A line gets only a limited number of extensions by 2 or 3 plies.

    margin: by how much the other moves stay below the value that makes the move singular.
    """
    p = s.parameters
    if pv_node or margin <= p.double_extension_margin or frame.double_extensions >= p.double_extension_limit:
        return np.int64(1)
    return np.int64(2) + np.int64(margin > p.triple_extension_margin)


@kernel
def count_double_extensions(s, frame, extension):
    """Note how many extensions of more than a ply are on the line to a move. The node's other moves do not count."""
    before = s.frames[s.ply + BEFORE_ROOT - 1].double_extensions
    frame.double_extensions = before + 1 if extension > 1 else before


@kernel
def restart_after_tt_move(frame, tt_move):
    """Restart the picker behind the table's move: the singular search has used the same frame."""
    frame.quiets_tried = 0
    frame.captures_tried = 0
    start_picking(frame, tt_move, ALL_MOVES)
    frame.stage = CAPTURES_INIT
