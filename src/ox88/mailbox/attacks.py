"""Attacks, checkers, pins and legal captures en passant by the table of differences.

A ray is walked only where the table allows an attack. A walk from an attacker towards a target always ends at the
target, so it never reaches the edge and needs no test for it. Kings, knights and pawns are walked too, without a test
of their own: their first step is already the target.
"""

import numpy as np

from ox88.jit import kernel
from ox88.mailbox.difference import CENTRE
from ox88.mailbox.records import SLOT, SLOTS
from ox88.mailbox.steps import NO_SQUARE, OFF_BOARD, forward
from ox88.types import BLACK_BIT, EMPTY, PAWN

SQUARE_MASK = 0x7F  # Changes no square, but shows the compiler that an index is not negative.


@kernel
def piece_on(position, square):
    return np.int64(position.board[square & SQUARE_MASK])


@kernel
def slot_of(position, square):
    """The slot of the piece list that belongs to the piece on a square."""
    return np.int64(position.board[square & SQUARE_MASK | SLOT])


@kernel
def square_of(position, slot):
    return np.int64(position.squares[np.uint64(slot)])


@kernel
def king_square(position, colour):
    return square_of(position, colour * SLOTS)


@kernel
def could_reach(tables, piece, from_square, to_square):
    """True if a piece could move, or a pawn capture, from one square to another on an empty board."""
    return np.int64(tables.could_reach[np.uint64(to_square - from_square + CENTRE)]) >> piece & 1 != 0


@kernel
def step_between(tables, from_square, to_square):
    """The step that leads from one square to another, or 0."""
    return np.int64(tables.step_between[np.uint64(to_square - from_square + CENTRE)])


@kernel
def first_occupied(position, square, step):
    """The first occupied square that is reached from a square by a step. There must be one."""
    square += step
    while piece_on(position, square) == 0:
        square += step
    return square


@kernel
def is_clear(position, square, target, step, hole):
    """True if the squares between two are empty; `hole` counts as empty."""
    square += step
    while square != target:
        if piece_on(position, square) != 0 and square != hole:
            return False
        square += step
    return True


@kernel
def has(position, square, piece):
    """True if a piece stands on a square, which may be off the board."""
    return square & OFF_BOARD == 0 and piece_on(position, square) == piece


@kernel
def is_beside(position, square, piece):
    """True if a piece stands to the left or right of a square."""
    return has(position, square - 1, piece) or has(position, square + 1, piece)


@kernel
def is_attacked_through(position, tables, square, by_colour, hole):
    """True if a colour attacks a square when `hole` is empty: a king does not shield the squares behind it.

    Pawns are looked up on the board, the other pieces in the list.
    """
    if is_beside(position, square - forward(by_colour), PAWN | by_colour << 3):
        return True
    first = by_colour * SLOTS
    for slot in range(first, first + np.int64(position.counts[2 * by_colour])):
        from_square = square_of(position, slot)
        piece = piece_on(position, from_square)
        if could_reach(tables, piece, from_square, square):
            step = step_between(tables, from_square, square)
            if is_clear(position, from_square, square, step, hole):
                return True
    return False


@kernel
def is_attacked(position, tables, square, by_colour):
    """True if a colour attacks a square. position: POSITION. square: 0x88."""
    return is_attacked_through(position, tables, square, by_colour, np.int64(NO_SQUARE))


@kernel
def is_check(position, tables):
    turn = np.int64(position.turn)
    return is_attacked(position, tables, king_square(position, turn), 1 - turn)


@kernel
def pawn_checkers(position, king, by_colour):
    """(number of pawns that check a king, the square of the pawn if there is one)."""
    pawn = PAWN | by_colour << 3
    behind = king - forward(by_colour)
    left = np.int64(has(position, behind - 1, pawn))
    right = np.int64(has(position, behind + 1, pawn))
    checker = behind - left + right if left != right else np.int64(NO_SQUARE)
    return left + right, checker


@kernel
def checkers_and_pins(position, tables):
    """(number of checkers, square of the checker if there is one, slots of pinned pieces as bits)."""
    turn = np.int64(position.turn)
    king = king_square(position, turn)
    pinned = np.int64(0)
    checker_count, checker = pawn_checkers(position, king, 1 - turn)
    first = (1 - turn) * SLOTS
    for slot in range(first + 1, first + np.int64(position.counts[2 * (1 - turn)])):
        from_square = square_of(position, slot)
        piece = piece_on(position, from_square)
        if not could_reach(tables, piece, from_square, king):
            continue
        step = step_between(tables, from_square, king)
        blocker = first_occupied(position, from_square, step)
        if blocker == king:
            checker = from_square
            checker_count += 1
        elif piece_on(position, blocker) & BLACK_BIT == turn << 3 and first_occupied(position, blocker, step) == king:
            pinned |= 1 << slot_of(position, blocker)
    return checker_count, checker, pinned


# --- En passant -------------------------------------------------------------------------------------------------------


@kernel
def has_legal_en_passant(position, tables, turn, to_square):
    """True if a pawn of a side may capture the pawn that has just passed a square."""
    passed = to_square - forward(turn)
    for from_square in range(passed - 1, passed + 2, 2):
        if has(position, from_square, PAWN | turn << 3) and is_safe_en_passant(
            position, tables, turn, from_square, to_square
        ):
            return True
    return False


@kernel
def is_safe_en_passant(position, tables, turn, from_square, to_square):
    """True if a side's king is safe after the side's capture en passant. turn: the side.

    Two squares become empty at once and one is filled. Pins and checkers do not cover this case, so test all pieces of
    the other side.
    """
    king = king_square(position, turn)
    passed = to_square - forward(turn)
    first = (1 - turn) * SLOTS
    for slot in range(first, first + SLOTS):
        square = square_of(position, slot)
        if square & OFF_BOARD != 0 or square == passed:
            continue
        piece = piece_on(position, square)
        if could_reach(tables, piece, square, king) and is_clear_after(
            position, tables, square, king, from_square, to_square, passed
        ):
            return False
    return True


@kernel
def is_clear_after(position, tables, square, target, from_square, to_square, passed):
    """True if the squares between two are empty after an en passant capture."""
    step = step_between(tables, square, target)
    square += step
    while square != target:
        is_emptied = square in (from_square, passed)
        if square == to_square or (piece_on(position, square) != EMPTY and not is_emptied):
            return False
        square += step
    return True
