"""All legal moves, written to a list. Checkers and pins are found first, so that no move has to be tried.

Three nested loops, as in Bruce Moreland's "0x88 Move Generation": over the piece list; over a piece's steps, to the
zero that ends them; over the squares of a ray, to the edge or a blocker. Along a ray the 16-bit move grows by equal
steps, as the square does.
"""

import numpy as np

from ox88.jit import kernel
from ox88.mailbox.attacks import (
    checkers_and_pins,
    could_reach,
    has,
    is_attacked_through,
    is_clear,
    is_safe_en_passant,
    king_square,
    piece_on,
    slot_of,
    square_of,
    step_between,
)
from ox88.mailbox.position import king_target, rook_target
from ox88.mailbox.records import SLOTS
from ox88.mailbox.steps import (
    NO_SQUARE,
    OFF_BOARD,
    forward,
    from_0x88,
    is_at_start,
    is_last_rank,
)
from ox88.types import BLACK_BIT, CASTLING_FLAG, EMPTY, KNIGHT, PAWN, QUEEN

FILE_OF_MOVE = 1 << 6  # What a step to the right adds to a move.


@kernel
def legal_moves(position, tables, moves):
    """Write all legal moves and return how many there are. moves: uint16[MAX_MOVES], or longer."""
    checker_count, checker, pinned = checkers_and_pins(position, tables)
    count = king_moves(position, tables, moves)
    if checker_count == 0:
        count = castling_moves(position, tables, moves, count, pinned)
        count = piece_moves(position, tables, moves, count, pinned)
        count = pawn_moves(position, tables, moves, count, pinned)
    elif checker_count == 1:
        count = evasions(position, tables, moves, count, pinned, checker)
    if position.en_passant_target != NO_SQUARE:
        count = en_passant_moves(position, tables, moves, count)
    return count


@kernel
def is_enemy(piece, own):
    """True if a piece is the other side's. own: the colour bit of this side. False for an empty square."""
    return piece ^ own > BLACK_BIT


@kernel
def is_friend(piece, own):
    return (piece ^ own) & BLACK_BIT == 0 and piece != EMPTY


@kernel
def move_between(from_square, to_square):
    return from_0x88(from_square) | from_0x88(to_square) << 6


@kernel
def write(moves, index, move):
    """Write a move to the list. An unsigned index spares Numba's test for negative ones."""
    moves[np.uint64(index)] = move


@kernel
def king_moves(position, tables, moves):
    """Write the king's steps to squares that are not attacked, as the first moves of the list; returns the count."""
    turn = np.int64(position.turn)
    own = turn << 3
    king = king_square(position, turn)
    count = np.int64(0)
    index = np.int64(tables.first_step[QUEEN])
    step = np.int64(tables.steps[index])
    while step != 0:
        to_square = king + step
        if (
            to_square & OFF_BOARD == 0
            and not is_friend(piece_on(position, to_square), own)
            and not is_attacked_through(position, tables, to_square, 1 - turn, king)
        ):
            write(moves, count, move_between(king, to_square))
            count += 1
        index += 1
        step = np.int64(tables.steps[index])
    return count


@kernel
def castling_moves(position, tables, moves, count, pinned):
    """Castling. The king is not in check."""
    turn = np.int64(position.turn)
    king = king_square(position, turn)
    for index in range(2 * turn, 2 * turn + 2):
        if np.int64(position.rights) >> index & 1 != 0:
            rook = np.int64(position.rooks[index])
            if can_castle(position, tables, king, rook, pinned):
                write(moves, count, move_between(king, rook) | CASTLING_FLAG)
                count += 1
    return count


@kernel
def can_castle(position, tables, king, rook, pinned):
    """True if nothing is in the way of king and rook, the king's way is not attacked, and the rook is not pinned."""
    king_to = king_target(king, rook)
    rook_to = rook_target(king, rook)
    if pinned >> slot_of(position, rook) & 1 != 0:
        return False
    if not is_free_way(position, tables, king, rook, king_to) or not is_free_way(position, tables, rook, king, rook_to):
        return False
    square = king_to
    step = step_between(tables, king_to, king)
    while square != king:
        if is_attacked_through(position, tables, square, 1 - np.int64(position.turn), king):
            return False
        square += step
    return True


@kernel
def is_free_way(position, tables, from_square, other, to_square):
    """True if the way to a square, which is included, is empty but for the other castling piece."""
    step = step_between(tables, from_square, to_square)
    square = from_square
    while square != to_square:
        square += step
        if piece_on(position, square) != EMPTY and square != other:
            return False
    return True


@kernel
def piece_moves(position, tables, moves, count, pinned):
    turn = np.int64(position.turn)
    king = king_square(position, turn)
    first = turn * SLOTS
    for slot in range(first + 1, first + np.int64(position.counts[2 * turn])):
        from_square = square_of(position, slot)
        piece = piece_on(position, from_square)
        pin = pin_of(tables, slot, pinned, king, from_square)
        if piece & 7 != KNIGHT:
            count = slider_moves(position, tables, moves, count, piece, from_square, pin)
        elif pin == 0:
            count = knight_moves(position, tables, moves, count, from_square)
    return count


@kernel
def pin_of(tables, slot, pinned, king, from_square):
    """The step of the line on which a piece is pinned; 0 if it is not pinned."""
    return step_between(tables, king, from_square) if pinned >> slot & 1 != 0 else np.int64(0)


@kernel
def is_along(pin, step):
    """True if a step stays on the line of a pin. pin: its step, or 0 for none."""
    return pin == 0 or pin == step or pin == -step


@kernel
def knight_moves(position, tables, moves, count, from_square):
    """The eight jumps. Each is written and counted if legal, since mispredicted branches cost more."""
    own = np.int64(position.turn) << 3
    move = move_between(from_square, from_square)
    index = np.int64(tables.first_step[KNIGHT])
    step = np.int64(tables.steps[index])
    while step != 0:
        to_square = from_square + step
        piece = piece_on(position, to_square)
        write(moves, count, move + np.int64(tables.move_steps[index]))
        count += np.int64(to_square & OFF_BOARD == 0) & np.int64(not is_friend(piece, own))
        index += 1
        step = np.int64(tables.steps[index])
    return count


@kernel
def slider_moves(position, tables, moves, count, piece, from_square, pin):
    index = np.int64(tables.first_step[piece])
    step = np.int64(tables.steps[index])
    while step != 0:
        if is_along(pin, step):
            count = ray_moves(position, tables, moves, count, from_square, index)
        index += 1
        step = np.int64(tables.steps[index])
    return count


@kernel
def ray_moves(position, tables, moves, count, from_square, index):
    """One ray to the edge or to a blocker, which may be captured. index: of the step in STEPS."""
    own = np.int64(position.turn) << 3
    step = np.int64(tables.steps[index])
    move_step = np.int64(tables.move_steps[index])
    to_square = from_square + step
    move = move_between(from_square, from_square) + move_step
    while to_square & OFF_BOARD | piece_on(position, to_square) == 0:
        write(moves, count, move)
        count += 1
        to_square += step
        move += move_step
    write(moves, count, move)
    return count + is_capture(position, to_square, own)


@kernel
def pawn_moves(position, tables, moves, count, pinned):
    """Moves of pawns, without en passant. Of most pawns each move is written, and counted if legal."""
    turn = np.int64(position.turn)
    own = turn << 3
    step = forward(turn)
    king = king_square(position, turn)
    last = (turn + 1) * SLOTS
    for slot in range(last - np.int64(position.counts[2 * turn + 1]), last):
        from_square = square_of(position, slot)
        to_square = from_square + step
        if pinned >> slot & 1 != 0 or is_last_rank(to_square):
            pin = pin_of(tables, slot, pinned, king, from_square)
            count = special_pawn_moves(position, moves, count, from_square, pin)
            continue
        move = move_between(from_square, to_square)
        may_step = np.int64(piece_on(position, to_square) == EMPTY)
        write(moves, count, move)
        count += may_step
        write(moves, count, move_between(from_square, to_square + step))
        may_step &= np.int64(is_at_start(from_square, step))
        count += may_step & np.int64(piece_on(position, to_square + step) == EMPTY)
        write(moves, count, move - FILE_OF_MOVE)
        count += is_capture(position, to_square - 1, own)
        write(moves, count, move + FILE_OF_MOVE)
        count += is_capture(position, to_square + 1, own)
    return count


@kernel
def is_capture(position, square, own):
    """1 if a piece of the other side stands on a square, which may be off the board; else 0."""
    return np.int64(square & OFF_BOARD == 0) & np.int64(is_enemy(piece_on(position, square), own))


@kernel
def special_pawn_moves(position, moves, count, from_square, pin):
    """Moves of a pawn that is pinned or promotes."""
    turn = np.int64(position.turn)
    step = forward(turn)
    if is_along(pin, step) and piece_on(position, from_square + step) == EMPTY:
        count = add_pawn_move(moves, count, from_square, from_square + step)
        start = np.int64(is_at_start(from_square, step))
        write(moves, count, move_between(from_square, from_square + 2 * step))
        count += start & np.int64(piece_on(position, from_square + 2 * step) == EMPTY)
    for capture in range(step - 1, step + 2, 2):
        if is_along(pin, capture) and is_capture(position, from_square + capture, turn << 3) != 0:
            count = add_pawn_move(moves, count, from_square, from_square + capture)
    return count


@kernel
def add_pawn_move(moves, count, from_square, to_square):
    """A pawn's move, or its four promotions."""
    move = move_between(from_square, to_square)
    if not is_last_rank(to_square):
        write(moves, count, move)
        return count + 1
    for kind in range(KNIGHT, QUEEN + 1):
        write(moves, count, move | kind << 12)
        count += 1
    return count


@kernel
def evasions(position, tables, moves, count, pinned, checker):
    """Answers to a single check by other pieces than the king: capture the checker or block."""
    turn = np.int64(position.turn)
    king = king_square(position, turn)
    step = step_between(tables, checker, king)
    square = checker
    while square != king:
        count = moves_to(position, tables, moves, count, pinned, square)
        square += step
    return count


@kernel
def moves_to(position, tables, moves, count, pinned, to_square):
    """Moves to one square, of all pieces but the king and pinned ones. A pinned piece cannot answer a check."""
    turn = np.int64(position.turn)
    first = turn * SLOTS
    for slot in range(first + 1, first + np.int64(position.counts[2 * turn])):
        from_square = square_of(position, slot)
        piece = piece_on(position, from_square)
        if pinned >> slot & 1 != 0 or not could_reach(tables, piece, from_square, to_square):
            continue
        step = step_between(tables, from_square, to_square)
        if is_clear(position, from_square, to_square, step, from_square):
            write(moves, count, move_between(from_square, to_square))
            count += 1
    if piece_on(position, to_square) == EMPTY:
        return pawn_steps_to(position, moves, count, pinned, to_square)
    return pawn_captures_on(position, moves, count, pinned, to_square)


@kernel
def is_free_pawn(position, pinned, square, pawn):
    """True if a pawn that is not pinned stands on a square."""
    return has(position, square, pawn) and pinned >> slot_of(position, square) & 1 == 0


@kernel
def pawn_captures_on(position, moves, count, pinned, to_square):
    turn = np.int64(position.turn)
    pawn = PAWN | turn << 3
    behind = to_square - forward(turn)
    for from_square in range(behind - 1, behind + 2, 2):
        if is_free_pawn(position, pinned, from_square, pawn):
            count = add_pawn_move(moves, count, from_square, to_square)
    return count


@kernel
def pawn_steps_to(position, moves, count, pinned, to_square):
    turn = np.int64(position.turn)
    pawn = PAWN | turn << 3
    behind = to_square - forward(turn)
    if is_free_pawn(position, pinned, behind, pawn):
        return add_pawn_move(moves, count, behind, to_square)
    start = behind - forward(turn)
    if (
        is_at_start(start, forward(turn))
        and piece_on(position, behind) == EMPTY
        and is_free_pawn(position, pinned, start, pawn)
    ):
        write(moves, count, move_between(start, to_square))
        count += 1
    return count


@kernel
def en_passant_moves(position, tables, moves, count):
    turn = np.int64(position.turn)
    to_square = np.int64(position.en_passant_target)
    passed = to_square - forward(turn)
    for from_square in range(passed - 1, passed + 2, 2):
        if has(position, from_square, PAWN | turn << 3) and is_safe_en_passant(
            position, tables, turn, from_square, to_square
        ):
            write(moves, count, move_between(from_square, to_square))
            count += 1
    return count
