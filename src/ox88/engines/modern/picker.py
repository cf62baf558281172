"""The staged move picker: the moves most likely to cut off first, each stage generated only when it is reached.

The stages: the table's move, captures that lose nothing by SEE (static exchange evaluation), killers, quiet moves by
history and safety, losing captures. In check there is one stage of all evasions: captures first, then quiet moves by
history. The picker's state lies in the FRAME, so a node needs no memory of its own.
"""

import numpy as np

from ox88.bitboard.attacks import occupied_squares, pawns_attack
from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.legality import keeps_king_safe, pseudo_legal
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.bitboard.movegen import generate_captures, generate_quiets
from ox88.bitboard.see import see_ge
from ox88.engines.modern.history import capture_history, continuation_rows, history_sum, is_quiet
from ox88.jit import kernel, lowest_bit
from ox88.types import BISHOP, KNIGHT, NO_MOVE, PAWN, QUEEN, ROOK

TT_MOVE = np.int64(0)
CAPTURES_INIT = np.int64(1)
GOOD_CAPTURES = np.int64(2)
FIRST_KILLER = np.int64(3)
SECOND_KILLER = np.int64(4)
QUIETS_INIT = np.int64(5)
QUIETS = np.int64(6)
BAD_CAPTURES = np.int64(7)
EVASIONS = np.int64(8)
NO_MORE = np.int64(9)

# Modes: which moves a node wants.
ALL_MOVES = np.int64(0)
GOOD_CAPTURES_ONLY = np.int64(1)
CAPTURES_ONLY = np.int64(2)

VICTIM_WEIGHT = np.int64(64)  # Of the captured piece's value; the capture history has weight 1.
EVASIVE_CAPTURE = np.int64(1 << 20)  # Bonus that puts captures before all quiet evasions.
NOTHING = np.int64(NO_MOVE)
ONE = np.uint64(1)


@kernel
def start_picking(frame, tt_move, mode):
    """Start with the first move of a node. mode: ALL_MOVES, GOOD_CAPTURES_ONLY or CAPTURES_ONLY."""
    frame.stage = TT_MOVE
    frame.mode = mode
    frame.skip_quiets = 0
    frame.tt_move = tt_move
    frame.bad_captures = 0


@kernel
def next_move(s, tables, frame):
    """The next legal move, or NO_MOVE after the last."""
    # Step 1. The table's move, before anything is generated.
    if frame.stage == TT_MOVE:
        frame.stage = CAPTURES_INIT
        if frame.tt_move != NO_MOVE:
            return frame.tt_move

    # Step 2. Captures, best first; losing ones are put aside, at the front of the list.
    if frame.stage == CAPTURES_INIT:
        generate_first_moves(s, tables, frame)
    while frame.stage == GOOD_CAPTURES:
        if frame.next == frame.list.length:
            frame.next = 0
            frame.stage = FIRST_KILLER
            if frame.mode == CAPTURES_ONLY:
                frame.stage = BAD_CAPTURES
            elif frame.mode == GOOD_CAPTURES_ONLY:
                frame.stage = NO_MORE
            break
        move = best_of_rest(frame)
        if see_ge(s.position, tables, move, np.int64(0)):
            return move
        frame.list.moves[frame.bad_captures] = move
        frame.bad_captures += 1

    # Step 3. Killers: quiet moves that caused cutoffs at this ply.
    while frame.stage == FIRST_KILLER or frame.stage == SECOND_KILLER:
        move = frame.killers[frame.stage - FIRST_KILLER]
        frame.stage += 1
        if move != NO_MOVE and frame.skip_quiets == 0 and is_playable_quiet(s, tables, frame, move):
            return move

    # Step 4. Quiet moves by history; in check, all evasions.
    if frame.stage == QUIETS_INIT:
        generate_quiet_moves(s, tables, frame)
    while frame.stage == EVASIONS or frame.stage == QUIETS:
        if frame.next == frame.list.length or (frame.skip_quiets != 0 and frame.stage == QUIETS):
            if frame.stage == EVASIONS:
                return NOTHING
            frame.stage = BAD_CAPTURES
            frame.next = 0
            break
        move = best_of_rest(frame)
        if frame.stage == EVASIONS or not is_killer(frame, move):
            return move

    # Step 5. Losing captures.
    if frame.stage == BAD_CAPTURES and frame.next < frame.bad_captures:
        frame.next += 1
        return np.int64(frame.list.moves[frame.next - 1])
    return NOTHING


@kernel
def generate_first_moves(s, tables, frame):
    """Generate and score the captures, or in check all evasions."""
    frame.list.length = 0
    frame.next = 0
    generate_captures(s.position, tables, frame.list, frame.checkers, frame.pinned)
    frame.stage = GOOD_CAPTURES
    if frame.checkers != NO_SQUARES:
        frame.stage = EVASIONS
        generate_quiets(s.position, tables, frame.list, frame.checkers, frame.pinned)
    score_moves(s, tables, frame)


@kernel
def generate_quiet_moves(s, tables, frame):
    """Generate and score the quiet moves, after the losing captures in the list."""
    frame.stage = QUIETS
    frame.list.length = frame.bad_captures
    frame.next = frame.bad_captures
    if frame.skip_quiets == 0:
        generate_quiets(s.position, tables, frame.list, frame.checkers, frame.pinned)
        note_unsafe_squares(s, tables)
        score_moves(s, tables, frame)


@kernel
def is_killer(frame, move):
    """True if a quiet move is a killer, and so was picked already."""
    return move == frame.killers[0] or move == frame.killers[1]


@kernel
def is_losing_capture(s, tables, frame, move):
    """True if a capture that was picked loses material. Out of check the stage tells; evasions have a single stage."""
    if frame.stage != EVASIONS:
        return frame.stage == BAD_CAPTURES
    return not see_ge(s.position, tables, move, np.int64(0))


@kernel
def is_playable_quiet(s, tables, frame, move):
    """True if a killer is quiet and legal in this position, and is not the table's move, which was picked before."""
    position = s.position
    return (
        move != frame.tt_move
        and pseudo_legal(position, tables, move)
        and is_quiet(position, move)
        and keeps_king_safe(position, tables, move, frame.checkers, frame.pinned)
    )


@kernel
def score_moves(s, tables, frame):
    """Score the moves of the list from `next` on, and drop the table's move. A score's last byte is 255 - index."""
    position = s.position
    one_back, two_back, four_back = continuation_rows(s)
    is_evasion = frame.stage == EVASIONS
    kept = frame.next
    for index in range(frame.next, frame.list.length):
        move = np.int64(frame.list.moves[index])
        if move == frame.tt_move:
            continue
        if frame.stage == QUIETS:
            score = history_sum(s, frame, move, one_back, two_back, four_back) + safety_bonus(s, move)
        elif is_evasion and is_quiet(position, move):
            score = history_sum(s, frame, move, one_back, two_back, four_back)
        else:
            score = captured_value(position, tables, move) * VICTIM_WEIGHT + capture_history(s, move)
            if is_evasion:
                score += EVASIVE_CAPTURE
        frame.list.moves[kept] = move
        frame.scores[kept] = score << 8 | 255 - kept
        kept += 1
    frame.list.length = kept


@kernel
def note_unsafe_squares(s, tables):
    """Note for each kind of piece the squares that a lesser piece of the opponent attacks.

    The order is pawn, minor piece, rook, queen. (Stockfish orders quiet moves by the same sets of squares.)
    """
    position = s.position
    them = np.int64(position.turn) ^ 1
    theirs = position.colours[them]
    occupied = occupied_squares(position)
    unsafe = pawns_attack(theirs & position.kinds[PAWN], them)
    s.unsafe_squares[KNIGHT] = unsafe
    s.unsafe_squares[BISHOP] = unsafe
    pieces = theirs & position.kinds[KNIGHT]
    while pieces != NO_SQUARES:
        unsafe |= tables.knight_attacks[lowest_bit(pieces)]
        pieces = without_lowest(pieces)
    pieces = theirs & position.kinds[BISHOP]
    while pieces != NO_SQUARES:
        unsafe |= bishop_attacks(tables, lowest_bit(pieces), occupied)
        pieces = without_lowest(pieces)
    s.unsafe_squares[ROOK] = unsafe
    pieces = theirs & position.kinds[ROOK]
    while pieces != NO_SQUARES:
        unsafe |= rook_attacks(tables, lowest_bit(pieces), occupied)
        pieces = without_lowest(pieces)
    s.unsafe_squares[QUEEN] = unsafe


@kernel
def safety_bonus(s, move):
    """A bonus if a quiet move takes its piece out of the attack of a lesser piece; a malus if it exposes its piece."""
    kind = np.int64(s.position.board[move & 63]) & 7
    unsafe = s.unsafe_squares[kind]
    saved = np.int64(unsafe >> np.uint64(move & 63) & ONE) - np.int64(unsafe >> np.uint64(move >> 6 & 63) & ONE)
    weight = 3 if kind == QUEEN else (2 if kind == ROOK else 1)
    return saved * weight * s.parameters.safety_bonus


@kernel
def captured_value(position, tables, move):
    """Value of the captured piece and of a promotion. En passant counts as 0: it is too rare to matter."""
    victim = tables.values[np.int64(position.board[move >> 6 & 63]) & 7]
    return victim + tables.values[move >> 12 & 7]


@kernel
def best_of_rest(frame):
    """Pick the move with the highest score from the rest of the list, the first of equals (a step of a selection sort).

    The index is in the score, so the loop only looks for a maximum, which the compiler does for many scores at once.
    """
    first = frame.next
    highest = frame.scores[first]
    for index in range(first + 1, frame.list.length):
        highest = max(highest, frame.scores[np.uint64(index)])
    best = 255 - (np.int64(highest) & 255)
    move = np.int64(frame.list.moves[best])
    frame.list.moves[best] = frame.list.moves[first]
    frame.scores[best] = np.int64(frame.scores[first]) & ~255 | 255 - best
    frame.next = first + 1
    return move
