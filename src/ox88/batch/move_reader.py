"""Kernels that read moves: in UCI's notation, which need not be legal, and in all that python-chess's parse_san takes.

A result is the move or, if it is negative, NO_MOVE_TEXT or minus one of the errors of ox88.batch.pgn.errors.
"""

import numpy as np

from ox88.batch.pgn.errors import NULL_MOVE_IN_CHECK, UNKNOWN_DROP
from ox88.batch.pgn.movetext_reader import read_move
from ox88.batch.pgn.text import begins_with, byte_at
from ox88.bitboard.bits import NO_SQUARES, RANK_1, mask
from ox88.jit import kernel, lowest_bit
from ox88.types import BISHOP, BLACK_BIT, CASTLING_FLAG, KING, KNIGHT, NO_MOVE, QUEEN, ROOK

NO_MOVE_TEXT = np.int64(-99)  # The text is not a move in any notation.

_PLUS, _HASH, _ONE, _LOWER_A = map(ord, "+#1a")
_ZEROS = np.frombuffer(b"0000", np.uint8)
_QUEEN, _ROOK, _BISHOP, _KNIGHT = map(ord, "qrbn")


# --- SAN --------------------------------------------------------------------------------------------------------------


@kernel
def read_sans(text, starts, ends, positions, tables, characters, moves):
    """Read the move text[starts[i]:ends[i]] in position i. moves: int64[n]. PADDING bytes follow the text."""
    for row in range(len(positions)):
        moves[row] = read_san_at(text, starts[row], ends[row], positions[row], tables, characters)


@kernel
def read_san_at(text, at, end, position, tables, characters):
    """The legal move or null move that is the whole text from `at` to `end`."""
    begins = np.int64(characters.begins[byte_at(text, at)])
    move, length = read_move(text, at, begins, position, tables, characters)
    is_null = move == NO_MOVE or move == -NULL_MOVE_IN_CHECK
    place = at + length
    if place < end and not is_null and (byte_at(text, place) == _PLUS or byte_at(text, place) == _HASH):
        place += 1
    if length == 0 or place != end or move == -UNKNOWN_DROP:
        return NO_MOVE_TEXT
    return np.int64(NO_MOVE) if is_null else np.int64(move)


# --- UCI --------------------------------------------------------------------------------------------------------------


@kernel
def read_ucis(text, starts, ends, positions, moves):
    """The same for UCI's notation; the moves need not be legal."""
    for row in range(len(positions)):
        moves[row] = read_uci_at(text, starts[row], ends[row], positions[row])


@kernel
def read_uci_at(text, at, end, position):
    """The move that is the whole text from `at` to `end`: as ox88.setup.parse_uci reads it."""
    from_square, to_square = read_square(text, at), read_square(text, at + 2)
    if end - at == 4 and begins_with(text, at, _ZEROS):
        return np.int64(NO_MOVE)
    if from_square < 0 or to_square < 0 or from_square == to_square or end - at < 4 or end - at > 5:
        return NO_MOVE_TEXT
    if end - at == 5:
        promotion = read_promotion(np.int64(byte_at(text, at + 4)))
        return from_square | to_square << 6 | promotion << 12 if promotion != 0 else NO_MOVE_TEXT
    rook = rook_to_castle(position, from_square, to_square)
    return from_square | rook << 6 | CASTLING_FLAG if rook >= 0 else from_square | to_square << 6


@kernel
def read_square(text, at):
    """The square, or -1."""
    file = np.int64(byte_at(text, at)) - _LOWER_A
    rank = np.int64(byte_at(text, at + 1)) - _ONE
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else np.int64(-1)


@kernel
def read_promotion(letter):
    """The kind that a letter stands for, or 0."""
    if letter == _QUEEN:
        return np.int64(QUEEN)
    if letter == _ROOK:
        return np.int64(ROOK)
    if letter == _BISHOP:
        return np.int64(BISHOP)
    return np.int64(KNIGHT) if letter == _KNIGHT else np.int64(0)


@kernel
def rook_to_castle(position, from_square, to_square):
    """The square of the rook if a move is castling, written as e1g1 or as e1h1; else -1."""
    piece = np.int64(position.board[from_square])
    if piece & 7 != KING or from_square >> 3 != to_square >> 3:
        return np.int64(-1)
    if np.int64(position.board[to_square]) == (piece & BLACK_BIT) | ROOK:
        return to_square
    file = to_square & 7
    if -2 < to_square - from_square < 2 or (file != 2 and file != 6):
        return np.int64(-1)
    rank = RANK_1 << np.uint64(from_square & 56)
    below = mask(from_square) - np.uint64(1)
    rooks = position.castling & rank & (~below if to_square > from_square else below)
    return lowest_bit(rooks) if rooks != NO_SQUARES else np.int64(-1)
