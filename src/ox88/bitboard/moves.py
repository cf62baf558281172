"""do_move and undo_move: one XOR with from | to moves a piece, one with its square removes a captured piece.

They take legal moves, as in types.py, and do not check them. An UNDO record keeps what a move destroys. `list_changes`
derives from it which pieces have moved.

A capture is made without a branch: captures are hard to predict, and a mispredicted branch is costly.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES, RANK_1, RANK_8, mask, without_lowest
from ox88.bitboard.position import en_passant_key
from ox88.bitboard.records import NOWHERE
from ox88.jit import kernel, lowest_bit
from ox88.types import BLACK_BIT, CASTLING_FLAG, EMPTY, KING, PAWN, ROOK, WHITE


@kernel
def do_move(position, tables, undo, move):
    """Play a legal move. undo: the UNDO record for undo_move."""
    from_square = move & 63
    to_square = move >> 6 & 63
    turn = np.int64(position.turn)
    piece = np.int64(position.board[from_square])
    en_passant = np.int64(position.en_passant)
    _keep(position, undo, move)
    key = _pass_turn(position, tables, turn)

    # Step 1. Castling moves two pieces.
    if move & CASTLING_FLAG != 0:
        position.key = key ^ _castle(position, tables, undo, turn, from_square, to_square)
        return

    # Step 2. Remove the captured piece, if any. En passant captures the pawn beside the target.
    is_pawn = piece & 7 == PAWN
    capture_square = to_square ^ 8 if is_pawn and en_passant != 0 and to_square == en_passant else to_square
    captured = np.int64(position.board[capture_square])
    is_capture = np.int64(captured != EMPTY)
    _toggle(position, turn ^ 1, captured, np.uint64(is_capture) << np.uint64(capture_square))
    position.board[capture_square] = EMPTY
    position.material -= tables.values[captured]
    undo.piece = piece
    undo.captured = captured
    undo.capture_square = capture_square
    if is_pawn or is_capture != 0:
        position.halfmove_clock = 0

    # Step 3. Move the piece.
    _toggle(position, turn, piece, mask(from_square) | mask(to_square))
    position.board[from_square] = EMPTY
    position.board[to_square] = piece
    key ^= tables.piece_keys[captured, capture_square]
    key ^= tables.piece_keys[piece, from_square] ^ tables.piece_keys[piece, to_square]

    # Step 4. Castling rights end when the king moves, or a rook moves or is captured.
    if position.castling != NO_SQUARES:
        touched = mask(from_square) | mask(to_square)
        key ^= _lose_castling(position, tables, touched | _back_rank(turn) if piece & 7 == KING else touched)

    # Step 5. Pawns promote. A double step allows en passant.
    if is_pawn:
        if move >> 12 != 0:
            key ^= _promote(position, tables, piece, move >> 12 | turn << 3, to_square)
        elif from_square ^ to_square == 16:
            position.en_passant = (from_square + to_square) >> 1
            key ^= en_passant_key(position, tables)
    position.key = key


@kernel
def undo_move(position, undo):
    """Undo the move of an UNDO record. The position is as before, byte for byte."""
    move = np.int64(undo.move)
    from_square = move & 63
    to_square = move >> 6 & 63
    turn = np.int64(position.turn) ^ 1
    _restore(position, undo, turn)
    if move & CASTLING_FLAG != 0:
        king_to, rook_to = castling_targets(from_square, to_square)
        _move_two(position, turn, king_to, from_square, rook_to, to_square)
        return
    if move >> 12 != 0:
        _unpromote(position, turn, to_square)
    piece = np.int64(position.board[to_square])
    captured = np.int64(undo.captured)
    capture_square = np.int64(undo.capture_square)
    _toggle(position, turn, piece, mask(from_square) | mask(to_square))
    _toggle(position, turn ^ 1, captured, np.uint64(captured != EMPTY) << np.uint64(capture_square))
    position.board[from_square] = piece
    position.board[to_square] = EMPTY
    position.board[capture_square] = captured


@kernel
def do_null_move(position, tables, undo):
    """Pass: for null-move pruning. The side to move must not be in check."""
    _keep(position, undo, np.int64(0))
    undo.piece = EMPTY
    undo.captured = EMPTY
    position.key = _pass_turn(position, tables, np.int64(position.turn))


@kernel
def undo_null_move(position, undo):
    _restore(position, undo, np.int64(position.turn) ^ 1)


@kernel
def _keep(position, undo, move):
    key, castling, material = position.key, position.castling, position.material
    halfmove_clock, en_passant = position.halfmove_clock, position.en_passant
    undo.key = key
    undo.castling = castling
    undo.material = material
    undo.halfmove_clock = halfmove_clock
    undo.en_passant = en_passant
    undo.move = move


@kernel
def _restore(position, undo, turn):
    position.key = undo.key
    position.castling = undo.castling
    position.material = undo.material
    position.halfmove_clock = undo.halfmove_clock
    position.en_passant = undo.en_passant
    position.fullmove_number -= turn
    position.turn = turn


@kernel
def _pass_turn(position, tables, turn):
    """Change the side to move and clear the en passant square; returns the key."""
    key = position.key ^ tables.black_key
    if position.en_passant != 0:
        key ^= en_passant_key(position, tables)
        position.en_passant = 0
    position.halfmove_clock += 1
    position.fullmove_number += turn
    position.turn = turn ^ 1
    return key


@kernel
def _toggle(position, colour, piece, squares):
    position.kinds[piece & 7] ^= squares
    position.colours[colour] ^= squares


# --- What a move has changed ------------------------------------------------------------------------------------------


@kernel
def list_changes(undo, changes):
    """List in a CHANGES record the pieces that a move has moved, removed or added.

    The list serves data that is kept beside the position, such as rotated boards or a neural network's inputs.
    """
    move = np.int64(undo.move)
    piece = np.int64(undo.piece)
    from_square = move & 63
    to_square = move >> 6 & 63
    promotion = move >> 12 & 7
    changes.count = 0
    if piece == EMPTY:  # A null move.
        return
    if move & CASTLING_FLAG != 0:
        king_to, rook_to = castling_targets(from_square, to_square)
        _note(changes, piece, from_square, king_to)
        _note(changes, ROOK | piece & BLACK_BIT, to_square, rook_to)
        return
    _note(changes, piece, from_square, NOWHERE if promotion != 0 else to_square)
    if undo.captured != EMPTY:
        _note(changes, np.int64(undo.captured), np.int64(undo.capture_square), NOWHERE)
    if promotion != 0:
        _note(changes, promotion | piece & BLACK_BIT, NOWHERE, to_square)


@kernel
def _note(changes, piece, from_square, to_square):
    """Add a change. A piece that leaves the board goes to NOWHERE; one that enters comes from there."""
    change = changes.list[changes.count]
    change.piece = piece
    change.from_square = from_square
    change.to_square = to_square
    changes.count += 1


# --- Promotion --------------------------------------------------------------------------------------------------------


@kernel
def _promote(position, tables, pawn, piece, square):
    """Turn a pawn into a piece; returns the change of the key."""
    position.kinds[PAWN] ^= mask(square)
    position.kinds[piece & 7] ^= mask(square)
    position.board[square] = piece
    position.material += tables.values[piece] - tables.values[pawn]
    return tables.piece_keys[pawn, square] ^ tables.piece_keys[piece, square]


@kernel
def _unpromote(position, turn, square):
    position.kinds[np.int64(position.board[square]) & 7] ^= mask(square)
    position.kinds[PAWN] ^= mask(square)
    position.board[square] = PAWN | turn << 3


# --- Castling ---------------------------------------------------------------------------------------------------------


@kernel
def _back_rank(colour):
    return RANK_1 if colour == WHITE else RANK_8


@kernel
def _lose_castling(position, tables, squares):
    """Remove the castling rights of rooks on these squares; returns the change of the key."""
    change = NO_SQUARES
    lost = position.castling & squares
    position.castling ^= lost
    while lost != NO_SQUARES:
        change ^= tables.castling_keys[lowest_bit(lost)]
        lost = without_lowest(lost)
    return change


@kernel
def castling_targets(king_square, rook_square):
    """(king's square, rook's square) after castling: on the g- and f-file, or on the c- and d-file."""
    back_rank = king_square & 56
    return (back_rank + 6, back_rank + 5) if rook_square > king_square else (back_rank + 2, back_rank + 3)


@kernel
def _castle(position, tables, undo, turn, king_from, rook_from):
    """Move king and rook. Returns the change of the key."""
    king_to, rook_to = castling_targets(king_from, rook_from)
    king, rook = KING | turn << 3, ROOK | turn << 3
    _move_two(position, turn, king_from, king_to, rook_from, rook_to)
    undo.piece = king
    undo.captured = EMPTY
    keys = tables.piece_keys
    change = keys[king, king_from] ^ keys[king, king_to] ^ keys[rook, rook_from] ^ keys[rook, rook_to]
    return change ^ _lose_castling(position, tables, _back_rank(turn))


@kernel
def _move_two(position, turn, king_from, king_to, rook_from, rook_to):
    """Move king and rook of a colour; in Chess960 either may land on the other's square."""
    king, rook = KING | turn << 3, ROOK | turn << 3
    _toggle(position, turn, king, mask(king_from) ^ mask(king_to))
    _toggle(position, turn, rook, mask(rook_from) ^ mask(rook_to))
    position.board[king_from] = EMPTY
    position.board[rook_from] = EMPTY
    position.board[king_to] = king
    position.board[rook_to] = rook
