"""The position: made of a Setup and turned back into one, and moves done and undone on it, key and piece list included.

A square's slot lies beside it, so no edit of the list searches: a piece that moves keeps its slot, a piece that goes
leaves it to the last one of its list, and comes back by the same steps in reverse.
"""

from typing import Any

import numpy as np

from ox88 import types
from ox88.jit import kernel
from ox88.mailbox.attacks import SQUARE_MASK, is_beside, piece_on, slot_of, square_of
from ox88.mailbox.records import POSITION, SLOT, SLOTS
from ox88.mailbox.steps import NO_SQUARE, RANK, from_0x88, is_last_rank, to_0x88
from ox88.types import (
    BLACK,
    BLACK_BIT,
    CASTLING_FLAG,
    EMPTY,
    KING,
    PAWN,
    ROOK,
    WHITE,
    Setup,
    piece_colour,
    piece_kind,
)
from ox88.zobrist import can_capture_en_passant, key_of

DOUBLE_STEP = 0x20  # What a double step changes in a square, from rank 2 to 4 or 7 to 5; no other pawn move does.


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
    _set_en_passant(position, setup)
    position.turn = setup.turn
    position.halfmove_clock = setup.halfmove_clock
    position.fullmove_number = setup.fullmove_number
    position.key = np.uint64(key_of(setup))


def _set_men(position: Any, setup: Setup, colour: int) -> None:
    """The men of a colour, the king first, on the board and in the list."""
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


def _set_en_passant(position: Any, setup: Setup) -> None:
    position.en_passant = NO_SQUARE if setup.en_passant is None else types.to_0x88(setup.en_passant)
    position.en_passant_target = position.en_passant if can_capture_en_passant(setup) else NO_SQUARE


def to_setup(position: Any) -> Setup:
    """The Setup that a POSITION stands for."""
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
    """A piece onto an empty square, and the square into its slot."""
    position.board[square & SQUARE_MASK] = piece
    position.board[square & SQUARE_MASK | SLOT] = slot
    position.squares[np.uint64(slot)] = square


@kernel
def clear(position, square):
    position.board[square & SQUARE_MASK] = EMPTY
    position.board[square & SQUARE_MASK | SLOT] = 0


@kernel
def step_to(position, from_square, to_square, piece):
    """A man from its square to an empty one, where it stands as `piece`."""
    slot = slot_of(position, from_square)
    clear(position, from_square)
    put(position, to_square, piece, slot)


@kernel
def list_of(piece):
    """The index of a man's count: 0 White's pieces, 1 White's pawns, 2 Black's pieces, 3 Black's pawns."""
    return (piece >> 3) * 2 + np.int64(piece & 7 == PAWN)


@kernel
def last_slot(position, piece):
    """The last slot in use among a man's likes: pieces fill the list from the front, pawns from the back."""
    count = np.int64(position.counts[list_of(piece)])
    first = (piece >> 3) * SLOTS
    return first + SLOTS - count if piece & 7 == PAWN else first + count - 1


@kernel
def add_piece(position, square, piece):
    """A new man onto an empty square, behind the last of its likes."""
    position.counts[list_of(piece)] += 1
    put(position, square, piece, last_slot(position, piece))


@kernel
def remove_piece(position, square, piece):
    """A man off the board. The last of its likes moves into its slot."""
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
    """A man back onto the board and into its slot; the one that has stood in for it becomes the last again."""
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
    """Castling rights go when the king moves, or the rook moves or is taken. Returns the change of the key."""
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
    """Where a castling king arrives: on the g-file or the c-file."""
    return (king & 0x70) + (6 if rook > king else 2)


@kernel
def rook_target(king, rook):
    """Where a castling rook arrives: on the f-file or the d-file."""
    return (king & 0x70) + (5 if rook > king else 3)


@kernel
def remember(position, undo, move):
    """Note what a move destroys and no reverse step can tell."""
    undo.key = position.key
    undo.move = move
    undo.halfmove_clock = position.halfmove_clock
    undo.rights = position.rights
    undo.en_passant = position.en_passant
    undo.en_passant_target = position.en_passant_target


@kernel
def do_move(position, tables, undo, move):
    """Play a legal move. position: POSITION. undo: the UNDO to note in what undo_move needs. move: 16 bits, int64."""
    remember(position, undo, move)
    turn = np.int64(position.turn)
    from_square = to_0x88(move & 63)
    to_square = to_0x88(move >> 6 & 63)
    piece = piece_on(position, from_square)
    undo.piece = piece
    key = position.key ^ tables.black_key
    position.halfmove_clock += 1

    # Step 1. The right to take en passant lasts one move.
    target = np.int64(position.en_passant_target)
    if target != NO_SQUARE:
        key ^= tables.en_passant_keys[target & 7]
    position.en_passant = NO_SQUARE
    position.en_passant_target = NO_SQUARE

    # Step 2. Castling rights: only moves from or to a back rank, the pawns' last rank, can end one.
    if position.rights != 0 and (is_last_rank(from_square) or is_last_rank(to_square)):
        key ^= lose_rights(position, tables, piece, from_square, to_square)

    # Step 3. Castling moves two pieces and takes none.
    if move & CASTLING_FLAG != 0:
        undo.captured = EMPTY
        key ^= castle(position, tables, from_square, to_square)

    # Step 4. Any other move takes what it captures off the board first.
    else:
        key ^= take(position, tables, undo, piece, to_square, target)
        key ^= piece_key(tables, piece, from_square)
        placed = piece
        if move >> 12 != 0:
            placed = promote(position, undo, move, from_square, to_square)
        else:
            step_to(position, from_square, to_square, piece)
        key ^= piece_key(tables, placed, to_square)

    # Step 5. Pawns set the clock back, and may be taken in passing after a double step.
    if piece & 7 == PAWN:
        position.halfmove_clock = 0
        if from_square ^ to_square == DOUBLE_STEP:
            key ^= pass_square(position, tables, from_square, to_square)

    # Step 6. The other side's turn.
    position.key = key
    position.fullmove_number += turn
    position.turn = 1 - turn


@kernel
def take(position, tables, undo, piece, to_square, target):
    """Take what a move captures off the board, and note it. Returns the change of the key."""
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
    """A pawn off the board, and the piece that it becomes onto it: it changes lists. Returns that piece."""
    pawn = piece_on(position, from_square)
    undo.slot = slot_of(position, from_square)
    remove_piece(position, from_square, pawn)
    placed = move >> 12 | pawn & BLACK_BIT
    add_piece(position, to_square, placed)
    return placed


@kernel
def pass_square(position, tables, from_square, to_square):
    """Note the square that a double step has passed. Returns the change of the key: none if no pawn can take there."""
    passed = (from_square + to_square) >> 1
    position.en_passant = passed
    if not is_beside(position, to_square, piece_on(position, to_square) ^ BLACK_BIT):
        return np.uint64(0)
    position.en_passant_target = passed
    return tables.en_passant_keys[passed & 7]


@kernel
def castle(position, tables, king, rook):
    """King and rook to their squares, which may be each other's, or their own. Returns the change of the key."""
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
    """Both castling men off the board, then both onto it."""
    king_slot = slot_of(position, king)
    rook_slot = slot_of(position, rook)
    clear(position, king)
    clear(position, rook)
    put(position, king_to, king_piece, king_slot)
    put(position, rook_to, rook_piece, rook_slot)


@kernel
def undo_move(position, undo):
    """Take back the move that an UNDO notes: the position is as before, byte for byte."""
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
