"""A POSITION from a Setup and back; do_move and undo_move, which keep key and piece list up to date.

A square's slot in the piece list lies beside it on the board, so the list is never searched. A piece that moves keeps
its slot. When a piece is captured, the last piece of its list takes over the slot; undoing gives it back.
"""

from typing import Any

import numpy as np

from ox88 import types
from ox88.jit import kernel
from ox88.mailbox.attacks import SQUARE_MASK, has_legal_en_passant, piece_on, slot_of, square_of
from ox88.mailbox.records import POSITION, SLOT, SLOTS
from ox88.mailbox.steps import NO_SQUARE, RANK, from_0x88, is_last_rank, to_0x88
from ox88.setup import Setup
from ox88.types import BLACK, BLACK_BIT, CASTLING_FLAG, EMPTY, KING, PAWN, ROOK, WHITE, piece_colour, piece_kind
from ox88.zobrist import key_of

DOUBLE_STEP = 0x20  # from ^ to of a double step, and of no other pawn move.


# --- Setup and back ---------------------------------------------------------------------------------------------------


def make_position(setup: Setup) -> Any:
    """A POSITION record of a setup. Raises IllegalPositionError."""
    position = np.zeros(1, POSITION).view(np.recarray)[0]
    set_position(position, setup)
    return position


def set_position(position: Any, setup: Setup) -> None:
    """Fill a POSITION. Raises IllegalPositionError."""
    setup.check()
    position.board[:] = EMPTY
    position.squares[:] = NO_SQUARE
    for colour in (WHITE, BLACK):
        _set_men(position, setup, colour)
    _set_castling(position, setup)
    position.en_passant = NO_SQUARE if setup.en_passant is None else types.to_0x88(setup.en_passant)
    position.en_passant_target = position.en_passant if setup.has_legal_en_passant() else NO_SQUARE
    position.turn = setup.turn
    position.halfmove_clock = setup.halfmove_clock
    position.fullmove_number = setup.fullmove_number
    position.key = np.uint64(key_of(setup))


def _set_men(position: Any, setup: Setup, colour: int) -> None:
    """Put the pieces of a colour, the king first, on the board and into the list."""
    squares = [square for square, piece in enumerate(setup.board) if piece and piece_colour(piece) == colour]
    pawns = [square for square in squares if piece_kind(setup.board[square]) == PAWN]
    pieces = sorted(set(squares) - set(pawns), key=lambda square: (-setup.board[square], square))
    position.counts[2 * colour : 2 * colour + 2] = len(pieces), len(pawns)
    first = colour * SLOTS
    slots = (*range(first, first + len(pieces)), *range(first + SLOTS - len(pawns), first + SLOTS))
    for slot, square in zip(slots, (*pieces, *pawns), strict=True):
        position.squares[slot] = types.to_0x88(square)
        position.board[types.to_0x88(square)] = setup.board[square]
        position.board[types.to_0x88(square) | SLOT] = slot


def _set_castling(position: Any, setup: Setup) -> None:
    position.rooks[:] = NO_SQUARE
    position.rights = 0
    for rook in setup.castling:
        colour = piece_colour(setup.board[rook])
        is_left = rook < (setup.king_square(colour) or 0)
        index = 2 * colour + is_left
        position.rooks[index] = types.to_0x88(rook)
        position.rights |= 1 << index


def to_setup(position: Any) -> Setup:
    return Setup(
        board=tuple(int(position.board[types.to_0x88(square)]) for square in range(64)),
        turn=int(position.turn),
        castling=frozenset(_from_0x88(position.rooks[index]) for index in range(4) if position.rights >> index & 1),
        en_passant=None if position.en_passant == NO_SQUARE else _from_0x88(position.en_passant),
        halfmove_clock=int(position.halfmove_clock),
        fullmove_number=int(position.fullmove_number),
    )


def _from_0x88(square: Any) -> int:
    return types.from_0x88(int(square))


# --- The piece list and the board -------------------------------------------------------------------------------------


@kernel
def put(position, square, piece, slot):
    """Put a piece on an empty square, and the square into a slot."""
    position.board[square & SQUARE_MASK] = piece
    position.board[square & SQUARE_MASK | SLOT] = slot
    position.squares[np.uint64(slot)] = square


@kernel
def clear(position, square):
    position.board[square & SQUARE_MASK] = EMPTY
    position.board[square & SQUARE_MASK | SLOT] = 0


@kernel
def step_to(position, from_square, to_square, piece):
    """Move a piece to an empty square, where it stands as `piece`."""
    slot = slot_of(position, from_square)
    clear(position, from_square)
    put(position, to_square, piece, slot)


@kernel
def list_of(piece):
    """The index in `counts` for a piece."""
    return (piece >> 3) * 2 + np.int64(piece & 7 == PAWN)


@kernel
def last_slot(position, piece):
    """The last used slot of pieces, or of pawns. Pieces fill the list from the front, pawns from the back."""
    count = np.int64(position.counts[list_of(piece)])
    first = (piece >> 3) * SLOTS
    return first + SLOTS - count if piece & 7 == PAWN else first + count - 1


@kernel
def remove_piece(position, square, piece):
    """Remove a piece. The last piece, or pawn, of its list takes over the slot."""
    slot = slot_of(position, square)
    last = last_slot(position, piece)
    last_square = square_of(position, last)
    position.board[last_square & SQUARE_MASK | SLOT] = slot
    position.squares[np.uint64(slot)] = last_square
    position.squares[np.uint64(last)] = NO_SQUARE
    clear(position, square)
    position.counts[list_of(piece)] -= 1


@kernel
def restore_piece(position, square, piece, slot):
    """Reverse remove_piece."""
    position.counts[list_of(piece)] += 1
    last = last_slot(position, piece)
    if last != slot:
        last_square = square_of(position, slot)
        position.squares[np.uint64(last)] = last_square
        position.board[last_square & SQUARE_MASK | SLOT] = last
    put(position, square, piece, slot)


# --- Keys -------------------------------------------------------------------------------------------------------------


@kernel
def piece_key(tables, piece, square):
    return tables.piece_keys[piece, from_0x88(square)]


@kernel
def lose_rights(position, tables, piece, from_square, to_square):
    """End castling rights if the king or a rook moves, or a rook is captured. Returns the change of the key."""
    change = np.uint64(0)
    for index in range(4):
        rook = np.int64(position.rooks[index])
        is_lost = rook in (from_square, to_square) or piece == KING | (index >> 1) << 3
        if is_lost and np.int64(position.rights) >> index & 1 != 0:
            position.rights ^= 1 << index
            change ^= tables.castling_keys[from_0x88(rook)]
    return change


# --- Moves ------------------------------------------------------------------------------------------------------------


@kernel
def king_target(king, rook):
    """The king's square after castling, on the g-file or the c-file."""
    return (king & 0x70) + (6 if rook > king else 2)


@kernel
def rook_target(king, rook):
    """The rook's square after castling, on the f-file or the d-file."""
    return (king & 0x70) + (5 if rook > king else 3)


@kernel
def remember(position, undo, move):
    """Keep what a move destroys."""
    undo.key = position.key
    undo.move = move
    undo.halfmove_clock = position.halfmove_clock
    undo.rights = position.rights
    undo.en_passant = position.en_passant
    undo.en_passant_target = position.en_passant_target


@kernel
def do_move(position, tables, undo, move):
    """Play a legal move. position: POSITION. undo: the UNDO record for undo_move. move: int64."""
    remember(position, undo, move)
    turn = np.int64(position.turn)
    from_square = to_0x88(move & 63)
    to_square = to_0x88(move >> 6 & 63)
    piece = piece_on(position, from_square)
    undo.piece = piece
    key = position.key ^ tables.black_key
    position.halfmove_clock += 1

    # Step 1. En passant is possible for one move only.
    target = np.int64(position.en_passant_target)
    if target != NO_SQUARE:
        key ^= tables.en_passant_keys[target & 7]
    position.en_passant = NO_SQUARE
    position.en_passant_target = NO_SQUARE

    # Step 2. Castling rights. Only moves from or to a back rank can end one.
    if position.rights != 0 and (is_last_rank(from_square) or is_last_rank(to_square)):
        key ^= lose_rights(position, tables, piece, from_square, to_square)

    # Step 3. Castling moves two pieces.
    if move & CASTLING_FLAG != 0:
        undo.captured = EMPTY
        key ^= castle(position, tables, from_square, to_square)

    # Step 4. Any other move removes the captured piece first.
    else:
        key ^= take(position, tables, undo, piece, to_square, target)
        key ^= piece_key(tables, piece, from_square)
        placed = piece
        if move >> 12 != 0:
            placed = promote(position, undo, move, from_square, to_square)
        else:
            step_to(position, from_square, to_square, piece)
        key ^= piece_key(tables, placed, to_square)

    # Step 5. Pawn moves reset the clock; a double step allows en passant.
    if piece & 7 == PAWN:
        position.halfmove_clock = 0
        if from_square ^ to_square == DOUBLE_STEP:
            key ^= pass_square(position, tables, turn, from_square, to_square)

    # Step 6. Change the side to move.
    position.key = key
    position.fullmove_number += turn
    position.turn = 1 - turn


@kernel
def take(position, tables, undo, piece, to_square, target):
    """Remove the captured piece, if any, and keep it in `undo`. Returns the change of the key."""
    is_en_passant = to_square == target and piece & 7 == PAWN
    capture_square = to_square ^ RANK if is_en_passant else to_square
    captured = piece_on(position, capture_square)
    undo.captured = captured
    if captured == EMPTY:
        return np.uint64(0)
    undo.capture_square = capture_square
    undo.captured_slot = slot_of(position, capture_square)
    remove_piece(position, capture_square, captured)
    position.halfmove_clock = 0
    return piece_key(tables, captured, capture_square)


@kernel
def promote(position, undo, move, from_square, to_square):
    """Replace a pawn by the new piece, which stands in the other list. Returns the new piece."""
    pawn = piece_on(position, from_square)
    undo.slot = slot_of(position, from_square)
    remove_piece(position, from_square, pawn)
    placed = move >> 12 | pawn & BLACK_BIT
    position.counts[list_of(placed)] += 1
    put(position, to_square, placed, last_slot(position, placed))
    return placed


@kernel
def pass_square(position, tables, turn, from_square, to_square):
    """Set the en passant square after a side's double step. Returns the change of the key: 0 if no pawn can capture."""
    passed = (from_square + to_square) >> 1
    position.en_passant = passed
    if not has_legal_en_passant(position, tables, 1 - turn, passed):
        return np.uint64(0)
    position.en_passant_target = passed
    return tables.en_passant_keys[passed & 7]


@kernel
def castle(position, tables, king, rook):
    """Move king and rook; in Chess960 either may land on the other's square. Returns the change of the key."""
    king_to = king_target(king, rook)
    rook_to = rook_target(king, rook)
    king_piece = piece_on(position, king)
    rook_piece = piece_on(position, rook)
    exchange(position, king, king_to, king_piece, rook, rook_to, rook_piece)
    return (
        piece_key(tables, king_piece, king)
        ^ piece_key(tables, king_piece, king_to)
        ^ piece_key(tables, rook_piece, rook)
        ^ piece_key(tables, rook_piece, rook_to)
    )


@kernel
def exchange(position, king, king_to, king_piece, rook, rook_to, rook_piece):
    """Remove king and rook from the board, then put both on their new squares."""
    king_slot = slot_of(position, king)
    rook_slot = slot_of(position, rook)
    clear(position, king)
    clear(position, rook)
    put(position, king_to, king_piece, king_slot)
    put(position, rook_to, rook_piece, rook_slot)


@kernel
def undo_move(position, undo):
    """Undo the move of an UNDO record. The position is as before, byte for byte."""
    move = np.int64(undo.move)
    turn = 1 - np.int64(position.turn)
    from_square = to_0x88(move & 63)
    to_square = to_0x88(move >> 6 & 63)
    piece = np.int64(undo.piece)
    if move & CASTLING_FLAG != 0:
        king_to = king_target(from_square, to_square)
        rook_to = rook_target(from_square, to_square)
        exchange(position, king_to, from_square, piece, rook_to, to_square, ROOK | turn << 3)
    else:
        if move >> 12 != 0:
            remove_piece(position, to_square, piece_on(position, to_square))
            restore_piece(position, from_square, piece, np.int64(undo.slot))
        else:
            step_to(position, to_square, from_square, piece)
        captured = np.int64(undo.captured)
        if captured != EMPTY:
            restore_piece(position, np.int64(undo.capture_square), captured, np.int64(undo.captured_slot))
    position.key = undo.key
    position.halfmove_clock = undo.halfmove_clock
    position.rights = undo.rights
    position.en_passant = undo.en_passant
    position.en_passant_target = undo.en_passant_target
    position.fullmove_number -= turn
    position.turn = turn
