"""Histories: which moves have caused cutoffs before; and correction history: by how much evaluations were wrong.

An update pulls a value towards plus or minus HISTORY_LIMIT, the less the nearer it is ("gravity"). So values stay
within the limit, and old experience fades. The butterfly history is indexed by side, from and to square; the capture
history by piece, to square and captured kind; the continuation history by piece and to square of this and an earlier
move.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.engines.modern.records import BEFORE_ROOT, CORRECTIONS, MATE_BOUND, PIECE_TO
from ox88.engines.modern.table import LOWER, UPPER
from ox88.jit import kernel
from ox88.types import CASTLING_FLAG, KING, PAWN

HISTORY_LIMIT = np.int64(16384)
CORRECTION_GRAIN = np.int64(256)  # A correction is kept in 1/256 of a centipawn.
CORRECTION_LIMIT = np.int64(64 * 256)


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
def quiet_index(position, move):
    return np.int64(position.turn) << 12 | move & 4095


@kernel
def quiet_history(s, ply, move):
    """Sum of a quiet move's butterfly history and its continuation histories one and two plies back."""
    position = s.position
    this = piece_to(position, move)
    return (
        np.int64(s.history[quiet_index(position, move)])
        + np.int64(s.continuation[s.frames[ply + BEFORE_ROOT - 1].piece_to * PIECE_TO + this])
        + np.int64(s.continuation[s.frames[ply + BEFORE_ROOT - 2].piece_to * PIECE_TO + this])
    )


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
    index = quiet_index(position, move)
    s.history[index] = gravity(np.int64(s.history[index]), bonus)
    for back in range(1, 3):
        index = s.frames[ply + BEFORE_ROOT - back].piece_to * PIECE_TO + this
        s.continuation[index] = gravity(np.int64(s.continuation[index]), bonus)


@kernel
def update_histories(s, frame, best_move, depth):
    """After a cutoff: a bonus for the best move, a malus for the moves tried before it."""
    p = s.parameters
    position = s.position
    ply = s.ply
    bonus = min(p.history_bonus_factor * depth, p.history_bonus_limit) * p.use_history
    if is_quiet(position, best_move):
        if p.use_killers != 0 and frame.killers[0] != best_move:
            frame.killers[1] = frame.killers[0]
            frame.killers[0] = best_move
        if p.use_counter_move != 0:
            s.counter_moves[s.frames[ply + BEFORE_ROOT - 1].piece_to] = best_move
        update_quiet(s, ply, best_move, bonus)
        for tried in range(frame.quiets_tried):
            update_quiet(s, ply, np.int64(frame.quiets[tried]), -bonus)
    else:
        index = capture_index(position, best_move)
        s.capture_history[index] = gravity(np.int64(s.capture_history[index]), bonus)
    for tried in range(frame.captures_tried):
        index = capture_index(position, np.int64(frame.captures[tried]))
        s.capture_history[index] = gravity(np.int64(s.capture_history[index]), -bonus)


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


# --- Correction of the static evaluation ------------------------------------------------------------------------------


@kernel
def correction_index(position):
    """Index by the pawns of both sides and the side to move. The factors are large odd numbers that mix well."""
    pawns = position.kinds[PAWN]
    mixed = (pawns & position.colours[0]) * np.uint64(0x9E3779B97F4A7C15) ^ (pawns & position.colours[1]) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    return np.int64(position.turn) * CORRECTIONS + np.int64(mixed >> np.uint64(50))


@kernel
def corrected_eval(s, static_eval):
    """A static evaluation plus the average error that searches found in positions with the same pawns."""
    if s.parameters.use_correction == 0:
        return static_eval
    value = static_eval + np.int64(s.correction[correction_index(s.position)]) // CORRECTION_GRAIN
    return min(max(value, -MATE_BOUND + 1), MATE_BOUND - 1)


@kernel
def update_correction(s, static_eval, value, bound, depth):
    """Move the correction towards the difference between a search's value and the static evaluation.

    A bound that the static evaluation satisfies says nothing about its error.
    """
    says_nothing = (bound == LOWER and value <= static_eval) or (bound == UPPER and value >= static_eval)
    if s.parameters.use_correction == 0 or says_nothing or abs(value) >= MATE_BOUND:
        return
    index = correction_index(s.position)
    weight = min(depth + 1, s.parameters.correction_weight_limit)
    error = min(max(value - static_eval, -CORRECTION_LIMIT // 256), CORRECTION_LIMIT // 256)
    old = np.int64(s.correction[index])
    s.correction[index] = (old * (CORRECTION_GRAIN - weight) + error * CORRECTION_GRAIN * weight) // CORRECTION_GRAIN


@kernel
def has_non_pawn_material(position):
    """True if the side to move has more than king and pawns. If not, zugzwang is likely."""
    pieces = position.colours[np.int64(position.turn)] & ~(position.kinds[PAWN] | position.kinds[KING])
    return pieces != NO_SQUARES
