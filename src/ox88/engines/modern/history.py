"""Histories: which moves have caused cutoffs before, and how far static evaluations were from what searches found.

An update pulls a value towards plus or minus HISTORY_LIMIT, the less the nearer it is ("gravity"). So values stay
within the limit, and old experience fades.

- The butterfly history is indexed by side, from and to square, and by whether the opponent attacks these squares: a
  move may be good because it saves a piece.
- The capture history is indexed by piece, to square and captured kind.
- The continuation history is indexed by piece and to square of this move and of the move one, two or four plies before.

The side that has just moved learns too, if its move was quiet: from the evaluation at once (`judge_last_move`), and
from a search in which no answer reached alpha (`reward_last_move`).

The correction history tells how far static evaluations were from what searches found, in positions that are alike: with
the same pawns, the same other pieces of one side, or the same last two moves. For each of these features there is a
table of average errors. If the evaluation misjudges a pawn structure, the average error corrects it in every position
with that structure. (Caissa and Stockfish use the same features; the weights are Ox88's.) A feature's index into its
table is a hash. Two features with the same hash share an average. The tables are small, so that they stay in the cache
of the processor.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.engines.modern.records import BEFORE_ROOT, CORRECTION_BITS, CORRECTIONS, MATE_BOUND, PIECE_TO
from ox88.engines.modern.table import LOWER, UPPER
from ox88.jit import kernel
from ox88.types import BISHOP, CASTLING_FLAG, KING, KNIGHT, NO_MOVE, PAWN, QUEEN, ROOK

HISTORY_LIMIT = np.int64(16384)
ONE = np.uint64(1)


@kernel
def gravity(value, bonus):
    """A history value after a bonus; it stays within HISTORY_LIMIT."""
    return value + bonus - value * abs(bonus) // HISTORY_LIMIT


@kernel
def piece_to(position, move):
    return np.int64(position.board[move & 63]) << 6 | move >> 6 & 63


@kernel
def is_quiet(position, move):
    """True if a move neither captures nor promotes."""
    if move & CASTLING_FLAG != 0:
        return True
    to_square = move >> 6 & 63
    if position.board[to_square] != 0 or move >> 12 != 0:
        return False
    is_en_passant = to_square == position.en_passant and to_square != 0 and position.board[move & 63] & 7 == PAWN
    return not is_en_passant


@kernel
def quiet_index(position, frame, move):
    """Index into the butterfly history."""
    return attacked_index(frame.attacked, move, np.int64(position.turn))


@kernel
def attacked_index(attacked, move, turn):
    """Index into the butterfly history, from the squares that the opponent attacks and the side to move."""
    is_from_attacked = np.int64(attacked >> np.uint64(move & 63) & ONE)
    is_to_attacked = np.int64(attacked >> np.uint64(move >> 6 & 63) & ONE)
    return (is_from_attacked << 2 | is_to_attacked << 1 | turn) << 12 | move & 4095


@kernel
def continuation_rows(s):
    """Where the continuation history of the moves one, two and four plies back begins."""
    ply = s.ply + BEFORE_ROOT
    return (
        s.frames[ply - 1].piece_to * PIECE_TO,
        s.frames[ply - 2].piece_to * PIECE_TO,
        s.frames[ply - 4].piece_to * PIECE_TO,
    )


@kernel
def history_sum(s, frame, move, one_back, two_back, four_back):
    """A quiet move's butterfly and continuation histories, added up; the history of four plies back counts half."""
    this = piece_to(s.position, move)
    return (
        np.int64(s.history[quiet_index(s.position, frame, move)])
        + np.int64(s.continuation[one_back + this])
        + np.int64(s.continuation[two_back + this])
        + np.int64(s.continuation[four_back + this]) // 2
    )


@kernel
def quiet_history(s, frame, move):
    """`history_sum` of one move."""
    one_back, two_back, four_back = continuation_rows(s)
    return history_sum(s, frame, move, one_back, two_back, four_back)


@kernel
def capture_index(position, move):
    """Index into the capture history. En passant, and promotion without capture, have captured kind 0."""
    return piece_to(position, move) << 3 | np.int64(position.board[move >> 6 & 63]) & 7


@kernel
def capture_history(s, move):
    return np.int64(s.capture_history[capture_index(s.position, move)])


@kernel
def update_quiet(s, ply, move, bonus):
    position = s.position
    this = piece_to(position, move)
    index = quiet_index(position, s.frames[ply + BEFORE_ROOT], move)
    s.history[index] = gravity(np.int64(s.history[index]), bonus)
    for back in (1, 2, 4):
        index = s.frames[ply + BEFORE_ROOT - back].piece_to * PIECE_TO + this
        s.continuation[index] = gravity(np.int64(s.continuation[index]), bonus)


@kernel
def update_histories(s, frame, best_move, depth):
    """After a cutoff: a bonus for the best move, a malus for the moves tried before it."""
    p = s.parameters
    position = s.position
    ply = s.ply
    bonus = min(p.history_bonus_factor * depth, p.history_bonus_limit) * p.use_history
    malus = min(p.history_malus_factor * depth, p.history_malus_limit) * p.use_history
    if is_quiet(position, best_move):
        if p.use_killers != 0 and frame.killers[0] != best_move:
            frame.killers[1] = frame.killers[0]
            frame.killers[0] = best_move
        update_quiet(s, ply, best_move, bonus)
        for tried in range(frame.quiets_tried):
            update_quiet(s, ply, np.int64(frame.quiets[tried]), -malus)
    else:
        index = capture_index(position, best_move)
        s.capture_history[index] = gravity(np.int64(s.capture_history[index]), bonus)
    for tried in range(frame.captures_tried):
        index = capture_index(position, np.int64(frame.captures[tried]))
        s.capture_history[index] = gravity(np.int64(s.capture_history[index]), -malus)


@kernel
def is_last_move_quiet(s):
    """True if the move that led to this node is known and quiet. Castling does not count: it is too rare to matter."""
    before = s.frames[s.ply + BEFORE_ROOT - 1]
    return s.ply > 0 and before.move != NO_MOVE and before.move >> 12 == 0 and before.undo.captured == 0


@kernel
def update_last_move(s, bonus):
    """Update the butterfly history of the move that led to this node."""
    before = s.frames[s.ply + BEFORE_ROOT - 1]
    index = attacked_index(before.attacked, before.move, np.int64(s.position.turn) ^ 1)
    s.history[index] = gravity(np.int64(s.history[index]), bonus)


@kernel
def reward_last_move(s, depth):
    """Where no move reaches alpha, the opponent's last move was good: a bonus for it, if it is quiet."""
    p = s.parameters
    bonus = min(p.last_move_bonus_factor * depth, p.history_bonus_limit) * p.use_history
    if bonus == 0 or not is_last_move_quiet(s):
        return
    update_last_move(s, bonus)
    ply = s.ply + BEFORE_ROOT
    for back in (2, 3):
        index = s.frames[ply - back].piece_to * PIECE_TO + s.frames[ply - 1].piece_to
        s.continuation[index] = gravity(np.int64(s.continuation[index]), bonus)


@kernel
def judge_last_move(s, frame):
    """A bonus or malus for the opponent's last move, if quiet: by how much it has raised the opponent's evaluation."""
    p = s.parameters
    before = s.frames[s.ply + BEFORE_ROOT - 1]
    factor = p.eval_bonus_factor * p.use_history
    is_known = before.checkers == NO_SQUARES and frame.checkers == NO_SQUARES
    if factor == 0 or not is_known or not is_last_move_quiet(s):
        return
    bonus = -factor * (frame.static_eval + before.static_eval)
    update_last_move(s, min(max(bonus, -p.eval_bonus_limit), p.eval_bonus_limit))


@kernel
def note_tried_move(frame, move, quiet):
    """Note a move that was searched without a cutoff."""
    if quiet:
        if frame.quiets_tried < len(frame.quiets):
            frame.quiets[frame.quiets_tried] = move
            frame.quiets_tried += 1
    elif frame.captures_tried < len(frame.captures):
        frame.captures[frame.captures_tried] = move
        frame.captures_tried += 1


@kernel
def non_pawn_pieces(position):
    """The pieces of the side to move without king and pawns. If there are none, zugzwang is likely."""
    return position.colours[np.int64(position.turn)] & ~(position.kinds[PAWN] | position.kinds[KING])


# --- Correction history -----------------------------------------------------------------------------------------------

GRAIN = np.int64(256)  # The tables hold errors in units of 1/256 centipawn.
LIMIT = np.int64(64 * 256)
WEIGHT_UNIT = np.int64(128)
SHIFT = np.uint64(64 - CORRECTION_BITS)
SHIFT_BY_MOVES = np.uint64(64 - CORRECTION_BITS - 1)  # The pieces that moved tell the side to move.

# Each bitboard is multiplied by a large odd number of its own. The highest bits of the product depend on all squares.
FACTOR_1 = np.uint64(0x9E3779B97F4A7C15)
FACTOR_2 = np.uint64(0xC2B2AE3D27D4EB4F)
FACTOR_3 = np.uint64(0x165667B19E3779F9)
FACTOR_4 = np.uint64(0xD6E8FEB86659FD93)
FACTOR_5 = np.uint64(0xA0761D6478BD642F)


@kernel
def table_index(position, hashed):
    """Index by the side to move and the highest bits of a hash."""
    return np.int64(position.turn) * CORRECTIONS + np.int64(hashed >> SHIFT)


@kernel
def pawn_index(position):
    """Index by the pawns of both sides."""
    pawns = position.kinds[PAWN]
    return table_index(position, (pawns & position.colours[0]) * FACTOR_1 ^ (pawns & position.colours[1]) * FACTOR_2)


@kernel
def non_pawn_index(position, colour):
    """Index by a side's king and pieces."""
    own = position.colours[colour]
    kinds = position.kinds
    hashed = (
        (own & kinds[KNIGHT]) * FACTOR_1
        ^ (own & kinds[BISHOP]) * FACTOR_2
        ^ (own & kinds[ROOK]) * FACTOR_3
        ^ (own & kinds[QUEEN]) * FACTOR_4
        ^ (own & kinds[KING]) * FACTOR_5
    )
    return colour * 2 * CORRECTIONS + table_index(position, hashed)


@kernel
def continuation_index(s):
    """Index by the pieces of the last two moves and their targets."""
    ply = s.ply + BEFORE_ROOT
    last_two = s.frames[ply - 2].piece_to * PIECE_TO + s.frames[ply - 1].piece_to
    return np.int64(np.uint64(last_two) * FACTOR_1 >> SHIFT_BY_MOVES)


@kernel
def corrected_eval(s, static_eval):
    """A static evaluation plus the weighted average errors of the position's features."""
    p = s.parameters
    if p.use_correction == 0:
        return static_eval
    position = s.position
    non_pawns = np.int64(0)
    for colour in range(2):
        non_pawns += np.int64(s.non_pawn_correction[non_pawn_index(position, colour)])
    error = (
        p.pawn_correction_weight * np.int64(s.pawn_correction[pawn_index(position)])
        + p.non_pawn_correction_weight * non_pawns
        + p.continuation_correction_weight * np.int64(s.continuation_correction[continuation_index(s)])
    )
    value = static_eval + error // (WEIGHT_UNIT * GRAIN)
    return min(max(value, -MATE_BOUND + 1), MATE_BOUND - 1)


@kernel
def update_correction(s, static_eval, value, bound, depth):
    """Let the error of a static evaluation count in the average of each feature. value, bound: what the search found.

    If the static evaluation lies within the bound, its error is not known, and nothing changes.
    """
    p = s.parameters
    says_nothing = (bound == LOWER and value <= static_eval) or (bound == UPPER and value >= static_eval)
    if p.use_correction == 0 or says_nothing or abs(value) >= MATE_BOUND:
        return
    position = s.position
    weight = min(depth + 1, p.correction_weight_limit)
    error = min(max((value - static_eval) * GRAIN, -LIMIT), LIMIT)
    index = pawn_index(position)
    s.pawn_correction[index] = averaged(np.int64(s.pawn_correction[index]), error, weight)
    for colour in range(2):
        index = non_pawn_index(position, colour)
        s.non_pawn_correction[index] = averaged(np.int64(s.non_pawn_correction[index]), error, weight)
    index = continuation_index(s)
    s.continuation_correction[index] = averaged(np.int64(s.continuation_correction[index]), error, weight)


@kernel
def averaged(average, error, weight):
    """An average after one more error, which counts with a weight in 1/256."""
    return (average * (GRAIN - weight) + error * weight) // GRAIN
