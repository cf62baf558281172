"""Tests of one move, such as one from a hash table: pseudo_legal, is_legal, is_capture, is_en_passant, gives_check."""

import numpy as np

from ox88.bitboard.attacks import (
    aligned_sliders,
    attackers_to,
    checkers_and_pinned,
    en_passant_pawns,
    is_attacked,
    king_square,
    occupied_squares,
    piece_attacks,
    sees_slider,
)
from ox88.bitboard.bits import BACK_RANKS, NO_SQUARES, mask, without_lowest
from ox88.bitboard.movegen import castling_path, check_answers, pawn_pushes, sides
from ox88.bitboard.moves import castling_targets
from ox88.jit import kernel, lowest_bit
from ox88.types import CASTLING_FLAG, EMPTY, KNIGHT, PAWN, QUEEN, ROOK


@kernel
def is_legal(position, tables, move):
    """True if a move, which may be any 16-bit integer, is legal."""
    if not pseudo_legal(position, tables, move):
        return False
    checkers, pinned = checkers_and_pinned(position, tables, np.int64(position.turn))
    return keeps_king_safe(position, tables, move, checkers, pinned)


@kernel
def pseudo_legal(position, tables, move):
    """True if a move, which may be any 16-bit integer, is legal but for leaving the king attacked.

    Castling needs the right to it and empty squares between king and rook.
    """
    own, theirs, king = sides(position)
    from_square = move & 63
    to_square = move >> 6 & 63
    promotion = move >> 12 & 7
    if move & CASTLING_FLAG != 0:
        if from_square != king or promotion != 0 or position.castling & own & mask(to_square) == NO_SQUARES:
            return False
        return castling_path(tables, king, to_square)[1] & (own | theirs) == NO_SQUARES
    if own & mask(from_square) == NO_SQUARES or own & mask(to_square) != NO_SQUARES:
        return False
    kind = np.int64(position.board[from_square]) & 7
    if kind == PAWN:
        return _pawn_can_go(position, tables, from_square, to_square, promotion)
    return promotion == 0 and piece_attacks(tables, kind, from_square, own | theirs) & mask(to_square) != NO_SQUARES


@kernel
def _pawn_can_go(position, tables, from_square, to_square, promotion):
    own, theirs, _ = sides(position)
    turn = np.int64(position.turn)
    passed = mask(np.int64(position.en_passant)) if position.en_passant != 0 else NO_SQUARES
    single, double = pawn_pushes(mask(from_square), ~(own | theirs), turn)
    targets = single | double | tables.pawn_attacks[turn, from_square] & (theirs | passed)
    if targets & mask(to_square) == NO_SQUARES:
        return False
    if mask(to_square) & BACK_RANKS == NO_SQUARES:
        return promotion == 0
    return KNIGHT <= promotion <= QUEEN


@kernel
def keeps_king_safe(position, tables, move, checkers, pinned):
    """True if a pseudo-legal move is legal. checkers, pinned: of the side to move."""
    own, theirs, king = sides(position)
    from_square = move & 63
    to_square = move >> 6 & 63
    if move & CASTLING_FLAG != 0:
        return (
            checkers == NO_SQUARES
            and pinned & mask(to_square) == NO_SQUARES
            and _king_way_is_safe(position, tables, king, to_square)
        )
    if from_square == king:
        return attackers_to(position, tables, to_square, (own | theirs) ^ mask(king)) & theirs == NO_SQUARES
    if to_square == position.en_passant and to_square != 0 and position.board[from_square] & 7 == PAWN:
        return en_passant_pawns(position, tables) & mask(from_square) != NO_SQUARES
    if check_answers(tables, king, checkers) & mask(to_square) == NO_SQUARES:
        return False
    return pinned & mask(from_square) == NO_SQUARES or tables.line[king, from_square] & mask(to_square) != NO_SQUARES


@kernel
def _king_way_is_safe(position, tables, king, rook):
    """True if nothing attacks the squares that a castling king crosses or reaches."""
    way = castling_path(tables, king, rook)[0]
    them = np.int64(position.turn) ^ 1
    while way != NO_SQUARES:
        if is_attacked(position, tables, lowest_bit(way), them):
            return False
        way = without_lowest(way)
    return True


@kernel
def is_capture(position, move):
    """True if a legal move captures, perhaps en passant."""
    if move & CASTLING_FLAG != 0:
        return False
    return np.int64(position.board[move >> 6 & 63]) != EMPTY or is_en_passant(position, move)


@kernel
def is_en_passant(position, move):
    """True if a legal move captures en passant."""
    en_passant = np.int64(position.en_passant)
    is_pawn = np.int64(position.board[move & 63]) & 7 == PAWN
    return en_passant != 0 and is_pawn and move >> 6 & 63 == en_passant


@kernel
def gives_check(position, tables, move):
    """True if a legal move gives check, by the piece that moves or by a slider behind it."""
    from_square = move & 63
    to_square = move >> 6 & 63
    turn = np.int64(position.turn)
    king = king_square(position, turn ^ 1)
    piece_kind = np.int64(position.board[from_square]) & 7
    left = mask(from_square)
    if move & CASTLING_FLAG != 0:
        king_to, to_square = castling_targets(from_square, to_square)
        left |= mask(move >> 6 & 63)
        piece_kind = np.int64(ROOK)
        occupied = occupied_squares(position) & ~left | mask(king_to) | mask(to_square)
    else:
        occupied = occupied_squares(position) & ~left | mask(to_square)
        if piece_kind == PAWN and to_square == position.en_passant and to_square != 0:
            occupied ^= mask(to_square ^ 8)
        if move >> 12 != 0:
            piece_kind = move >> 12
    if piece_kind == PAWN:
        attacks = tables.pawn_attacks[turn, to_square]
    else:
        attacks = piece_attacks(tables, piece_kind, to_square, occupied)
    if attacks & mask(king) != NO_SQUARES:
        return True
    return sees_slider(tables, king, aligned_sliders(position, tables, king, turn) & ~left, occupied)
