"""A POSITION from a Setup and back, its key, whether it is valid, and whether its material can mate.

The bitboards are filled from the piece on each square.
"""

from typing import Any

import numpy as np

from ox88.bitboard.attacks import en_passant_pawns, is_attacked, king_square, occupied_squares
from ox88.bitboard.bits import (
    BACK_RANKS,
    DARK_SQUARES,
    NO_SQUARES,
    RANK_1,
    RANK_8,
    mask,
    more_than_one,
    without_lowest,
)
from ox88.bitboard.records import POSITION, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel, lowest_bit, popcount
from ox88.setup import Setup
from ox88.types import BISHOP, BLACK, EMPTY, KING, KNIGHT, MAX_PAWNS, MAX_PIECES, PAWN, QUEEN, ROOK, WHITE


def make_position(setup: Setup) -> Any:
    """A POSITION record of a setup. Raises IllegalPositionError."""
    position = make_record(POSITION)
    set_position(position, setup)
    return position


def set_position(position: Any, setup: Setup) -> None:
    """Set all fields of a POSITION. Raises IllegalPositionError."""
    setup.check()
    position.board[:] = setup.board
    position.turn = setup.turn
    position.castling = sum(1 << rook for rook in setup.castling)
    position.en_passant = setup.en_passant or 0
    position.halfmove_clock = setup.halfmove_clock
    position.fullmove_number = setup.fullmove_number
    fill_boards(position, board_tables())


def to_setup(position: Any) -> Setup:
    """The Setup of a POSITION, whose fields are not checked."""
    fields = dict(zip(POSITION.names or (), position.item(), strict=True))
    rooks, squares = fields["castling"], list[int]()
    while rooks:
        squares.append((rooks & -rooks).bit_length() - 1)
        rooks &= rooks - 1
    return Setup._of(
        tuple(fields["board"].tobytes()),
        fields["turn"],
        frozenset(squares),
        fields["en_passant"] or None,
        fields["halfmove_clock"],
        fields["fullmove_number"],
    )


@kernel
def copy_position(source, target):
    """Copy all fields. Numba cannot assign to a record inside another one."""
    for square in range(64):
        target.board[square] = source.board[square]
    for kind in range(7):
        target.kinds[kind] = source.kinds[kind]
    for colour in range(2):
        target.colours[colour] = source.colours[colour]
    target.castling = source.castling
    target.key = source.key
    target.material = source.material
    target.halfmove_clock = source.halfmove_clock
    target.fullmove_number = source.fullmove_number
    target.turn = source.turn
    target.en_passant = source.en_passant


@kernel
def fill_boards(position, tables):
    """Fill bitboards, material and key from board, turn, castling and en_passant."""
    for kind in range(7):
        position.kinds[kind] = NO_SQUARES
    for colour in range(2):
        position.colours[colour] = NO_SQUARES
    material = np.int64(0)
    for square in range(64):
        piece = np.int64(position.board[square])
        if piece != EMPTY:
            position.kinds[piece & 7] |= mask(square)
            position.colours[piece >> 3] |= mask(square)
            material += tables.values[piece]
    position.material = material
    position.key = key_of(position, tables)


@kernel
def key_of(position, tables):
    """The key from scratch, by the rules of zobrist.py."""
    key = en_passant_key(position, tables)
    for square in range(64):
        piece = np.int64(position.board[square])
        if piece != EMPTY:
            key ^= tables.piece_keys[piece, square]
    rooks = position.castling
    while rooks != NO_SQUARES:
        key ^= tables.castling_keys[lowest_bit(rooks)]
        rooks = without_lowest(rooks)
    if position.turn == BLACK:
        key ^= tables.black_key
    return key


@kernel
def en_passant_key(position, tables):
    """The part of the key for en passant: 0 unless a pawn may legally capture."""
    if en_passant_pawns(position, tables) == NO_SQUARES:
        return NO_SQUARES
    return tables.en_passant_keys[np.int64(position.en_passant) & 7]


# --- The rules of Setup.check as kernels; Setup.broken_rules explains in words what is wrong --------------------------


@kernel
def is_valid(position, tables):
    """True if a filled POSITION breaks no rule. Its fields may have any values."""
    turn = np.int64(position.turn)
    if turn > 1 or not has_valid_counts(position):
        return False
    if position.kinds[PAWN] & BACK_RANKS != NO_SQUARES:
        return False
    if position.castling != NO_SQUARES and not has_valid_castling(position):
        return False
    if position.en_passant != 0 and not has_valid_en_passant(position, turn):
        return False
    return not is_attacked(position, tables, king_square(position, turn ^ 1), turn)


@kernel
def has_valid_counts(position):
    for colour in range(2):
        own = position.colours[colour]
        if popcount(own & position.kinds[KING]) != 1 or popcount(own) > MAX_PIECES:
            return False
        if popcount(own & position.kinds[PAWN]) > MAX_PAWNS:
            return False
    return True


@kernel
def has_valid_castling(position):
    """True if each king has at most one castling rook on each side, all on its back rank."""
    seen = NO_SQUARES
    for colour in range(2):
        back_rank = RANK_1 if colour == WHITE else RANK_8
        rooks = position.castling & back_rank & position.colours[colour] & position.kinds[ROOK]
        king = position.kinds[KING] & position.colours[colour]
        below = king - np.uint64(1)
        if rooks != NO_SQUARES and king & back_rank == NO_SQUARES:
            return False
        if more_than_one(rooks & below) or more_than_one(rooks & ~below):
            return False
        seen |= rooks
    return seen == position.castling


@kernel
def has_valid_en_passant(position, turn):
    """True if a pawn of the other side can have just passed the square."""
    square = np.int64(position.en_passant)
    if square >> 3 != (5 if turn == WHITE else 2):
        return False
    forward = 8 if turn == WHITE else -8
    pawn = mask(square - forward) & position.kinds[PAWN] & position.colours[turn ^ 1]
    return pawn != NO_SQUARES and occupied_squares(position) & (mask(square) | mask(square + forward)) == NO_SQUARES


# --- Material ---------------------------------------------------------------------------------------------------------


@kernel
def is_insufficient(position):
    """True if no sequence of moves can mate: bare kings, one minor piece, or only bishops on squares of one colour."""
    kinds = position.kinds
    if (kinds[PAWN] | kinds[ROOK] | kinds[QUEEN]) != NO_SQUARES:
        return False
    if popcount(occupied_squares(position)) <= 3:
        return True
    bishops = kinds[BISHOP]
    same_colour = bishops & DARK_SQUARES == NO_SQUARES or bishops & ~DARK_SQUARES == NO_SQUARES
    return kinds[KNIGHT] == NO_SQUARES and same_colour
