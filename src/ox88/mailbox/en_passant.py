"""Which captures en passant are legal."""

from ox88.jit import kernel
from ox88.mailbox.attacks import could_reach, has, king_square, piece_on, square_of, step_between
from ox88.mailbox.records import SLOTS
from ox88.mailbox.steps import OFF_BOARD, forward
from ox88.types import EMPTY, PAWN


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
