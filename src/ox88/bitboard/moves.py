"""do_move and undo_move: boards change by the XOR of from | to, a captured piece goes by the XOR of its square.

Both take any legal move as types.py writes it; what they get is not checked. An UNDO record holds what a move
destroys, and notes which pieces changed where.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES, RANK_1, RANK_8, mask, without_lowest
from ox88.bitboard.position import en_passant_key
from ox88.bitboard.records import NOWHERE
from ox88.jit import kernel, lowest_bit
from ox88.types import CASTLING_FLAG, EMPTY, KING, PAWN, ROOK, WHITE


@kernel
def do_move(position, tables, undo, move):
    """Play a legal move. undo: the UNDO record that takes it back."""
    from_square = move & 63
    to_square = move >> 6 & 63
    turn = np.int64(position.turn)
    piece = np.int64(position.board[from_square])
    _keep(position, undo, move)
    key = _key_without_en_passant(position, tables) ^ tables.black_key
    position.en_passant = 0
    position.halfmove_clock += 1
    position.fullmove_number += turn
    position.turn = turn ^ 1
    position.key = key
    if move & CASTLING_FLAG != 0:
        _castle(position, tables, undo, turn, from_square, to_square)
        _lose_castling(position, tables, _back_rank(turn))
        return
    capture_square = to_square
    if piece & 7 == PAWN:
        position.halfmove_clock = 0
        # A pawn that comes to the passed square has captured: straight ahead of it stands the pawn that passed.
        if to_square == undo.en_passant and to_square != 0:
            capture_square = to_square ^ 8
    _capture(position, tables, undo, capture_square)
    _move_piece(position, tables, undo, piece, from_square, to_square)
    if position.castling != NO_SQUARES:
        touched = mask(from_square) | mask(to_square)
        _lose_castling(position, tables, touched | _back_rank(turn) if piece & 7 == KING else touched)
    if move >> 12 != 0:
        _promote(position, tables, undo, piece, move >> 12 | turn << 3, to_square)
    elif piece & 7 == PAWN and from_square ^ to_square == 16:
        position.en_passant = (from_square + to_square) >> 1
        position.key ^= en_passant_key(position, tables)


@kernel
def undo_move(position, undo):
    """Take back the move of an UNDO record, to the byte."""
    move = np.int64(undo.move)
    from_square = move & 63
    to_square = move >> 6 & 63
    turn = np.int64(position.turn) ^ 1
    _restore(position, undo)
    position.turn = turn
    position.fullmove_number -= turn
    if move & CASTLING_FLAG != 0:
        _uncastle(position, turn, from_square, to_square)
        return
    if move >> 12 != 0:
        _unpromote(position, turn, to_square)
    piece = np.int64(position.board[to_square])
    captured = np.int64(undo.captured)
    _toggle(position, piece, mask(from_square) | mask(to_square))
    position.board[from_square] = piece
    position.board[to_square] = EMPTY
    square = np.int64(undo.capture_square)
    position.board[square] = captured
    _toggle(position, captured, np.uint64(captured != EMPTY) << np.uint64(square))


@kernel
def do_null_move(position, tables, undo):
    """Let the other side move: for a search that asks what a threat is worth. The side to move is not in check."""
    turn = np.int64(position.turn)
    _keep(position, undo, np.int64(0))
    position.key = _key_without_en_passant(position, tables) ^ tables.black_key
    position.en_passant = 0
    position.halfmove_clock += 1
    position.fullmove_number += turn
    position.turn = turn ^ 1


@kernel
def undo_null_move(position, undo):
    turn = np.int64(position.turn) ^ 1
    _restore(position, undo)
    position.turn = turn
    position.fullmove_number -= turn


@kernel
def _keep(position, undo, move):
    undo.key = position.key
    undo.castling = position.castling
    undo.material = position.material
    undo.halfmove_clock = position.halfmove_clock
    undo.en_passant = position.en_passant
    undo.move = move
    undo.captured = EMPTY
    undo.change_count = 0


@kernel
def _restore(position, undo):
    position.key = undo.key
    position.castling = undo.castling
    position.material = undo.material
    position.halfmove_clock = undo.halfmove_clock
    position.en_passant = undo.en_passant


@kernel
def _note(undo, piece, from_square, to_square):
    """Note that a piece changed its place; what leaves or enters the board goes to or comes from NOWHERE."""
    count = np.int64(undo.change_count)
    change = undo.changes[count]
    change.piece = piece
    change.from_square = from_square
    change.to_square = to_square
    undo.change_count = count + 1


@kernel
def _toggle(position, piece, squares):
    position.kinds[piece & 7] ^= squares
    position.colours[piece >> 3] ^= squares


@kernel
def _key_without_en_passant(position, tables):
    return position.key if position.en_passant == 0 else position.key ^ en_passant_key(position, tables)


@kernel
def _move_piece(position, tables, undo, piece, from_square, to_square):
    """Move a piece to an empty square."""
    _toggle(position, piece, mask(from_square) | mask(to_square))
    position.board[from_square] = EMPTY
    position.board[to_square] = piece
    position.key ^= tables.piece_keys[piece, from_square] ^ tables.piece_keys[piece, to_square]
    _note(undo, piece, from_square, to_square)


@kernel
def _capture(position, tables, undo, square):
    """Take away what stands on a square, if anything: without a branch, which the processor could not foresee."""
    captured = np.int64(position.board[square])
    is_capture = np.int64(captured != EMPTY)
    _toggle(position, captured, np.uint64(is_capture) << np.uint64(square))
    position.board[square] = EMPTY
    position.key ^= tables.piece_keys[captured, square]
    position.material -= tables.values[captured]
    position.halfmove_clock *= 1 - is_capture
    undo.captured = captured
    undo.capture_square = square
    _note(undo, captured, square, NOWHERE)
    undo.change_count = is_capture


@kernel
def _remove(position, tables, piece, square):
    _toggle(position, piece, mask(square))
    position.board[square] = EMPTY
    position.key ^= tables.piece_keys[piece, square]
    position.material -= tables.values[piece]


@kernel
def _place(position, tables, piece, square):
    _toggle(position, piece, mask(square))
    position.board[square] = piece
    position.key ^= tables.piece_keys[piece, square]
    position.material += tables.values[piece]


@kernel
def _promote(position, tables, undo, pawn, piece, square):
    _remove(position, tables, pawn, square)
    _note(undo, pawn, square, NOWHERE)
    _place(position, tables, piece, square)
    _note(undo, piece, NOWHERE, square)


@kernel
def _back_rank(colour):
    return RANK_1 if colour == WHITE else RANK_8


@kernel
def _lose_castling(position, tables, squares):
    """The rooks on these squares castle no more."""
    lost = position.castling & squares
    position.castling ^= lost
    while lost != NO_SQUARES:
        position.key ^= tables.castling_keys[lowest_bit(lost)]
        lost = without_lowest(lost)


@kernel
def castling_targets(king_square, rook_square):
    """(king's square, rook's square) after castling: the g- and f-file, or the c- and d-file."""
    back_rank = king_square & 56
    return (back_rank + 6, back_rank + 5) if rook_square > king_square else (back_rank + 2, back_rank + 3)


@kernel
def _castle(position, tables, undo, turn, king_from, rook_from):
    """Either piece may arrive where the other one stood: first both leave."""
    king_to, rook_to = castling_targets(king_from, rook_from)
    king, rook = KING | turn << 3, ROOK | turn << 3
    _remove(position, tables, rook, rook_from)
    _move_piece(position, tables, undo, king, king_from, king_to)
    _place(position, tables, rook, rook_to)
    _note(undo, rook, rook_from, rook_to)


@kernel
def _uncastle(position, turn, king_from, rook_from):
    king_to, rook_to = castling_targets(king_from, rook_from)
    position.board[king_to] = EMPTY
    position.board[rook_to] = EMPTY
    position.board[king_from] = KING | turn << 3
    position.board[rook_from] = ROOK | turn << 3
    _toggle(position, np.int64(KING) | turn << 3, mask(king_from) ^ mask(king_to))
    _toggle(position, np.int64(ROOK) | turn << 3, mask(rook_from) ^ mask(rook_to))


@kernel
def _unpromote(position, turn, square):
    pawn = PAWN | turn << 3
    _toggle(position, np.int64(position.board[square]), mask(square))
    _toggle(position, pawn, mask(square))
    position.board[square] = pawn
