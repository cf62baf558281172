"""Histories: how often moves have cut off, or have not, where they were searched; and what evaluations missed.

Each update pulls a value towards its end, the less the nearer it is (gravity), so that values stay within LIMIT and old
experience fades. Butterfly history knows a move by side and squares; capture history by piece, square and victim;
continuation history by the piece and square of an earlier move as well.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.engines.modern.records import BEFORE_ROOT, CORRECTIONS, MATE_BOUND, PIECE_TO
from ox88.engines.modern.table import LOWER, UPPER
from ox88.jit import kernel
from ox88.types import CASTLING_FLAG, KING, PAWN

LIMIT = np.int64(16384)
CORRECTION_GRAIN = np.int64(256)
CORRECTION_LIMIT = np.int64(64 * 256)


@kernel
def gravity(value, bonus):
    """A history value after a bonus, within LIMIT."""
    return value + bonus - value * abs(bonus) // LIMIT


@kernel
def piece_to(position, move):
    return np.int64(position.board[move & 63]) << 6 | move >> 6 & 63


@kernel
def is_quiet(position, move):
    """Whether a move neither captures nor promotes."""
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
    """What is known of a quiet move: butterfly and continuation history together."""
    position = s.position
    here = piece_to(position, move)
    return (
        np.int64(s.history[quiet_index(position, move)])
        + np.int64(s.continuation[s.frames[ply + BEFORE_ROOT - 1].piece_to * PIECE_TO + here])
        + np.int64(s.continuation[s.frames[ply + BEFORE_ROOT - 2].piece_to * PIECE_TO + here])
    )


@kernel
def capture_index(position, move):
    """En passant counts as the capture of nothing, promotion without capture too."""
    return piece_to(position, move) << 3 | np.int64(position.board[move >> 6 & 63]) & 7


@kernel
def update_quiet(s, ply, move, bonus):
    position = s.position
    here = piece_to(position, move)
    index = quiet_index(position, move)
    s.history[index] = gravity(np.int64(s.history[index]), bonus)
    for back in range(1, 3):
        index = s.frames[ply + BEFORE_ROOT - back].piece_to * PIECE_TO + here
        s.continuation[index] = gravity(np.int64(s.continuation[index]), bonus)


@kernel
def update_histories(s, frame, best_move, depth):
    """After a cut-off: the best move gains, what was tried before it loses."""
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
def remember_tried(frame, move, quiet):
    """Note a move that was searched and did not cut off."""
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
    """By the pawns of both sides and who is to move. The factor is the golden ratio's, a good mixer."""
    pawns = position.kinds[PAWN]
    mixed = (pawns & position.colours[0]) * np.uint64(0x9E3779B97F4A7C15) ^ (pawns & position.colours[1]) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    return np.int64(position.turn) * CORRECTIONS + np.int64(mixed >> np.uint64(50))


@kernel
def corrected(s, static_eval):
    """A static evaluation with what searches of positions with the same pawns found it to miss."""
    if s.parameters.use_correction == 0:
        return static_eval
    value = static_eval + np.int64(s.correction[correction_index(s.position)]) // CORRECTION_GRAIN
    return min(max(value, -MATE_BOUND + 1), MATE_BOUND - 1)


@kernel
def update_correction(s, static_eval, value, bound, depth):
    """Move the correction towards what a search of some depth found beyond the static evaluation.

    A bound on the side of the static evaluation says nothing of it.
    """
    says_nothing = (bound == LOWER and value <= static_eval) or (bound == UPPER and value >= static_eval)
    if s.parameters.use_correction == 0 or says_nothing or abs(value) >= MATE_BOUND:
        return
    index = correction_index(s.position)
    weight = min(depth + 1, s.parameters.correction_weight_limit)
    missed = min(max(value - static_eval, -CORRECTION_LIMIT // 256), CORRECTION_LIMIT // 256)
    old = np.int64(s.correction[index])
    s.correction[index] = (old * (CORRECTION_GRAIN - weight) + missed * CORRECTION_GRAIN * weight) // CORRECTION_GRAIN


@kernel
def has_pieces(position):
    """Whether the side to move has anything but king and pawns: without, passing may be the best move there is."""
    pieces = position.colours[np.int64(position.turn)] & ~(position.kinds[PAWN] | position.kinds[KING])
    return pieces != NO_SQUARES
