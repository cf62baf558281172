"""Kernels that write POSITION records as FENs, with the same result as `ox88.setup.format_fen`."""

import numpy as np
from numpy.typing import NDArray

from ox88.batch.text.fen_reader import highest_bit
from ox88.bitboard.attacks import en_passant_pawns, pawns_beside
from ox88.bitboard.bits import NO_SQUARES, RANK_1, RANK_8
from ox88.jit import kernel, lowest_bit
from ox88.types import KING, PIECE_SYMBOLS, ROOK, WHITE

# When the en passant square is written, as `ox88.setup.format_fen` has it: its EnPassant by name.
EN_PASSANT = {"fen": np.int64(0), "xfen": np.int64(1), "legal": np.int64(2)}
_AFTER_DOUBLE_STEP, _IF_LEGAL = EN_PASSANT["fen"], EN_PASSANT["legal"]

MAX_LENGTH = 96  # 71 for the board, 4 castling rights, two clocks of 5 digits, a newline; the rest is spare.

# Typed, so that a kernel that takes one has a single signature.
_SPACE, _DASH, _SLASH = (np.int64(ord(character)) for character in " -/")
_ZERO, _LOWER_A, _LOWER_W, _LOWER_B = (np.int64(ord(character)) for character in "0awb")
_TO_LOWER = 32


def piece_letters() -> NDArray[np.uint8]:
    """uint8[16]: the letter of each piece."""
    return np.frombuffer(PIECE_SYMBOLS.encode(), np.uint8).copy()


@kernel
def write_fens(positions, tables, letters, shredder, en_passant, separator, text, lengths):
    """Write each position's FEN to `text`; returns the number of bytes.

    shredder: True to write castling rights as files of rooks. en_passant: a value of EN_PASSANT.
    separator: a byte to write after each FEN, or 0. lengths: int64[n], set to the number of bytes of each position.
    """
    place = np.int64(0)
    for row in range(len(positions)):
        begin = place
        place = write_fen(positions[row], tables, letters, shredder, en_passant, text, place)
        if separator != 0:
            place = put(text, place, separator)
        lengths[row] = place - begin
    return place


@kernel
def write_fen(position, tables, letters, shredder, en_passant, text, place):
    """Write a FEN at a place; returns the place after it."""
    place = write_board(position, letters, text, place)
    place = put(text, place, _SPACE)
    place = put(text, place, _LOWER_W if position.turn == WHITE else _LOWER_B)
    place = put(text, place, _SPACE)
    place = write_castling(position, shredder, text, place)
    place = put(text, place, _SPACE)
    place = write_en_passant(position, tables, en_passant, text, place)
    place = put(text, place, _SPACE)
    place = write_number(np.int64(position.halfmove_clock), np.int64(1), text, place)
    place = put(text, place, _SPACE)
    return write_number(np.int64(position.fullmove_number), np.int64(1), text, place)


@kernel
def put(text, place, character):
    text[np.uint64(place)] = character
    return place + 1


@kernel
def write_board(position, letters, text, place):
    """Write the board without branches: each empty square overwrites the digit of the one before it."""
    for rank in range(7, -1, -1):
        empty = np.int64(0)
        for file in range(8):
            piece = np.uint64(position.board[np.uint64(rank * 8 + file)])
            is_piece = np.int64(piece != 0)
            place += is_piece & np.int64(empty != 0)
            empty = (empty + 1) * (1 - is_piece)
            text[np.uint64(place)] = letters[piece] if is_piece else _ZERO + empty
            place += is_piece
        place += np.int64(empty != 0)
        text[np.uint64(place)] = _SLASH
        place += 1
    return place - 1


@kernel
def write_castling(position, shredder, text, place):
    """Write White's rights first, king side before queen side: K and Q for outermost rooks, else a rook's file."""
    if position.castling == NO_SQUARES:
        return put(text, place, _DASH)
    for colour in range(2):
        back_rank = RANK_1 if colour == WHITE else RANK_8
        own = position.colours[colour]
        below = (position.kinds[KING] & own) - np.uint64(1)
        rooks = position.kinds[ROOK] & own & back_rank
        for side in range(2):
            wing = rooks & (below if side == 1 else ~below)
            right = wing & position.castling
            if right != NO_SQUARES:
                is_outermost = lowest_bit(right) == (lowest_bit(wing) if side == 1 else highest_bit(wing))
                letter = ord("K") if side == 0 else ord("Q")
                if shredder or not is_outermost:
                    letter = ord("A") + (lowest_bit(right) & 7)
                place = put(text, place, letter + colour * _TO_LOWER)
    return place


@kernel
def write_en_passant(position, tables, en_passant, text, place):
    square = np.int64(position.en_passant)
    if square == 0 or not shows_en_passant(position, tables, en_passant):
        return put(text, place, _DASH)
    place = put(text, place, _LOWER_A + (square & 7))
    return put(text, place, _ZERO + 1 + (square >> 3))


@kernel
def shows_en_passant(position, tables, en_passant):
    """True if the en passant square, which the position has, is written."""
    if en_passant == _AFTER_DOUBLE_STEP:
        return True
    if en_passant == _IF_LEGAL:
        return en_passant_pawns(position, tables) != NO_SQUARES
    return pawns_beside(position, tables) != NO_SQUARES


@kernel
def write_number(number, digits, text, place):
    """Write a number, with zeros before it if it has fewer than `digits` digits; returns the place after it."""
    unit = np.int64(1)
    for _ in range(digits - 1):
        unit *= 10
    while unit * 10 <= number:
        unit *= 10
    while unit > 0:
        place = put(text, place, _ZERO + number // unit % 10)
        unit //= 10
    return place
