"""A POSITION from a Setup and back. The bitboards are filled from the piece on each square."""

from typing import Any

import numpy as np

from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.bitboard.en_passant import en_passant_pawns
from ox88.bitboard.records import POSITION, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel, lowest_bit
from ox88.setup import Setup
from ox88.types import BLACK, EMPTY


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
    rooks = int(position.castling)
    return Setup(
        board=tuple(position.board.tolist()),
        turn=int(position.turn),
        castling=frozenset(square for square in range(64) if rooks >> square & 1),
        en_passant=int(position.en_passant) or None,
        halfmove_clock=int(position.halfmove_clock),
        fullmove_number=int(position.fullmove_number),
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
