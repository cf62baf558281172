"""The position: made of a Setup and turned back into one, and moves done and undone on it, key and piece list included.

A square's slot lies beside it, so no edit of the list searches: a piece that moves keeps its slot, a piece that goes
leaves it to the last one of its list, and comes back by the same steps in reverse.
"""

from typing import Any

import numpy as np

from ox88.jit import kernel
from ox88.mailbox.attacks import SQUARE_MASK, king_square, piece_on, slot_of, square_of
from ox88.mailbox.records import POSITION, SEARCHER, SLOT, SLOTS
from ox88.mailbox.steps import NO_SQUARE, OFF_BOARD, RANK, forward, from_0x88, is_last_rank, to_0x88
from ox88.types import BLACK, BLACK_BIT, CASTLING_FLAG, EMPTY, KING, PAWN, ROOK, WHITE, Setup, make_piece, piece_colour
from ox88.zobrist import key_of

DOUBLE_STEP = 2 * RANK


# --- Setup and back ---------------------------------------------------------------------------------------------------


def new_position(setup: Setup) -> Any:
    """An array of one POSITION; its element 0 is the record. Raises IllegalPositionError."""
    positions = np.zeros(1, POSITION).view(np.recarray)
    set_position(positions[0], setup)
    return positions


def new_searcher(setup: Setup) -> Any:
    """An array of one SEARCHER with the position; its element 0 is the record. Raises IllegalPositionError."""
    searchers = np.zeros(1, SEARCHER).view(np.recarray)
    set_position(searchers[0].position, setup)
    return searchers


def set_position(position: Any, setup: Setup) -> None:
    """Fill a POSITION. Raises IllegalPositionError."""
    setup.check()
    position.board[:] = EMPTY
    position.squares[:] = NO_SQUARE
    position.counts[:] = 0
    for square, piece in _by_rank_of_piece(setup):
        add_piece(position, to_0x88(square), piece)
    position.key = np.uint64(key_of(setup))
    position.turn = setup.turn
    position.en_passant = NO_SQUARE if setup.en_passant is None else to_0x88(setup.en_passant)
    position.halfmove_clock = setup.halfmove_clock
    position.fullmove_number = setup.fullmove_number
    _set_castling(position, setup)


def _by_rank_of_piece(setup: Setup) -> list[tuple[int, int]]:
    """(square, piece) of every piece, each colour's king first, which is where the list has it, then queens and so on."""
    men = [(square, piece) for square, piece in enumerate(setup.board) if piece != EMPTY]
    return sorted(men, key=lambda man: -man[1])


def _set_castling(position: Any, setup: Setup) -> None:
    position.rooks[:] = NO_SQUARE
    position.rights = 0
    for rook in setup.castling:
        colour = piece_colour(setup.board[rook])
        is_left = rook < (setup.king_square(colour) or 0)
        index = 2 * colour + is_left
        position.rooks[index] = to_0x88(rook)
        position.rights |= 1 << index


def to_setup(position: Any) -> Setup:
    """The Setup that a POSITION stands for."""
    return Setup(
        board=tuple(int(position.board[to_0x88(square)]) for square in range(64)),
        turn=int(position.turn),
        castling=frozenset(from_0x88(int(position.rooks[index])) for index in range(4) if position.rights >> index & 1),
        en_passant=None if position.en_passant == NO_SQUARE else from_0x88(int(position.en_passant)),
        halfmove_clock=int(position.halfmove_clock),
        fullmove_number=int(position.fullmove_number),
    )


# --- The piece list and the board -------------------------------------------------------------------------------------


@kernel
def put(position, square, piece, slot):
    """A piece onto an empty square, and the square into its slot."""
    position.board[square & SQUARE_MASK] = piece
    position.board[square & SQUARE_MASK | SLOT] = slot
    position.squares[slot & 2 * SLOTS - 1] = square


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
    position.squares[slot & 2 * SLOTS - 1] = last_square
    position.squares[last & 2 * SLOTS - 1] = NO_SQUARE
    clear(position, square)
    position.counts[list_of(piece)] -= 1


@kernel
def restore_piece(position, square, piece, slot):
    """A man back onto the board and into its slot; the one that has stood in for it becomes the last again."""
    position.counts[list_of(piece)] += 1
    last = last_slot(position, piece)
    if last != slot:
        last_square = square_of(position, slot)
        position.squares[last & 2 * SLOTS - 1] = last_square
        position.board[last_square & SQUARE_MASK | SLOT] = last
    put(position, square, piece, slot)


# --- Keys -------------------------------------------------------------------------------------------------------------


@kernel
def piece_key(tables, piece, square):
    return tables.piece_keys[piece, from_0x88(square)]


@kernel
def is_beside(position, square, piece):
    """Whether a piece stands to the left or right of a square."""
    left = square - 1
    right = square + 1
    return (left & OFF_BOARD == 0 and piece_on(position, left) == piece) or (
        right & OFF_BOARD == 0 and piece_on(position, right) == piece
    )


@kernel
def en_passant_key(position, tables, square, by_colour):
    """The part of the key for a square that has just been passed: 0 unless a pawn stands ready to take there."""
    if is_beside(position, square - forward(by_colour), PAWN | by_colour << 3):
        return tables.en_passant_keys[square & 7]
    return np.uint64(0)


@kernel
def lose_rights(position, tables, piece, from_square, to_square):
    """Castling rights go when the king moves, or the rook moves or is taken. Returns the change of the key."""
    change = np.uint64(0)
    for index in range(4):
        rook = np.int64(position.rooks[index])
        is_lost = rook == from_square or rook == to_square or piece == KING | (index >> 1) << 3
        if is_lost and np.int64(position.rights) >> index & 1 != 0:
            position.rights ^= 1 << index
            change ^= tables.castling_keys[from_0x88(rook)]
    return change


# --- Moves ------------------------------------------------------------------------------------------------------------


@kernel
def from_square_of(move):
    return to_0x88(move & 63)


@kernel
def to_square_of(move):
    return to_0x88(move >> 6 & 63)


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


@kernel
def do_move(position, tables, undo, move):
    """Play a legal move. position: POSITION. undo: the UNDO to note in what undo_move needs. move: 16 bits, int64."""
    remember(position, undo, move)
    turn = np.int64(position.turn)
    from_square = from_square_of(move)
    to_square = to_square_of(move)
    piece = piece_on(position, from_square)
    undo.piece = piece
    undo.slot = slot_of(position, from_square)
    key = position.key ^ tables.black_key

    # Step 1. The right to take en passant lasts one move.
    passed = np.int64(position.en_passant)
    if passed != NO_SQUARE:
        key ^= en_passant_key(position, tables, passed, turn)
        position.en_passant = NO_SQUARE

    # Step 2. Castling rights: only moves from or to a back rank, the pawns' last rank, can end one.
    if position.rights != 0 and (is_last_rank(from_square) or is_last_rank(to_square)):
        key ^= lose_rights(position, tables, piece, from_square, to_square)

    # Step 3. Pieces.
    position.halfmove_clock += 1
    if move & CASTLING_FLAG != 0:
        key ^= castle(position, tables, from_square, to_square)
        undo.captured = EMPTY
    else:
        key ^= take(position, tables, undo, piece, to_square, passed)
        key ^= piece_key(tables, piece, from_square)
        placed = place(position, undo, move, piece, from_square, to_square)
        key ^= piece_key(tables, placed, to_square)

    # Step 4. Pawns set the clock back, and may be taken in passing after a double step.
    if piece & 7 == PAWN:
        position.halfmove_clock = 0
        if abs(to_square - from_square) == DOUBLE_STEP:
            position.en_passant = (from_square + to_square) >> 1
            key ^= en_passant_key(position, tables, (from_square + to_square) >> 1, 1 - turn)

    # Step 5. The other side's turn.
    position.key = key
    position.fullmove_number += turn
    position.turn = 1 - turn


@kernel
def take(position, tables, undo, piece, to_square, passed):
    """Take what a move captures off the board, and note it. Returns the change of the key."""
    is_en_passant = to_square == passed and piece & 7 == PAWN
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
def place(position, undo, move, piece, from_square, to_square):
    """Move a man to its square, or promote it there, in which case it changes lists. Returns what now stands there."""
    promotion = move >> 12 & 7
    if promotion == 0:
        step_to(position, from_square, to_square, piece)
        return piece
    remove_piece(position, from_square, piece)
    placed = promotion | piece & BLACK_BIT
    add_piece(position, to_square, placed)
    return placed


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
    from_square = from_square_of(move)
    to_square = to_square_of(move)
    piece = np.int64(undo.piece)
    if move & CASTLING_FLAG != 0:
        king_to = king_target(from_square, to_square)
        rook_to = rook_target(from_square, to_square)
        exchange(position, king_to, from_square, piece, rook_to, to_square, ROOK | turn << 3)
    else:
        take_back(position, undo, move, piece, from_square, to_square)
    position.key = undo.key
    position.halfmove_clock = undo.halfmove_clock
    position.rights = undo.rights
    position.en_passant = undo.en_passant
    position.fullmove_number -= turn
    position.turn = turn


@kernel
def take_back(position, undo, move, piece, from_square, to_square):
    """The man back to where it came from, and what it took back onto the board."""
    if move >> 12 & 7 != 0:
        remove_piece(position, to_square, piece_on(position, to_square))
        restore_piece(position, from_square, piece, np.int64(undo.slot))
    else:
        step_to(position, to_square, from_square, piece)
    captured = np.int64(undo.captured)
    if captured != EMPTY:
        restore_piece(position, np.int64(undo.capture_square), captured, np.int64(undo.captured_slot))
