"""The keys of positions in Polyglot's opening books.

A key is an XOR of some of 781 random numbers, which python-chess has: 64 for each kind of piece, Black's before
White's; 4 for castling rights; 8 for the file of an en passant square, if a pawn stands next to the pawn that it could
capture; and one for White to move. (Michel Van den Bergh, http://hgm.nubati.net/book_format.html)
"""

from __future__ import annotations

import numpy as np
from chess.polyglot import POLYGLOT_RANDOM_ARRAY
from numpy.typing import NDArray

from ox88.batch.learning.planes import castling_number
from ox88.batch.rules.fields import Fields
from ox88.bitboard.attacks import pawns_beside
from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel, lowest_bit
from ox88.types import WHITE

CASTLING = np.int64(768)  # White's h-file side and a-file side, then Black's.
EN_PASSANT = np.int64(772)
WHITE_TO_MOVE = np.int64(780)


class WithPolyglotKeys(Fields):
    """Positions with the keys of Polyglot's books."""

    __slots__ = ()

    def polyglot_key(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: the keys of Polyglot opening books, as chess.polyglot.zobrist_hash computes them."""
        numbers = np.array(POLYGLOT_RANDOM_ARRAY, np.uint64)

        def write(rows: slice, keys: NDArray[np.uint64]) -> None:
            fill_polyglot(self._records[rows], board_tables(), numbers, keys)

        return self._each(write, np.uint64, threads)


@kernel
def fill_polyglot(positions, tables, numbers, keys):
    for row in range(len(positions)):
        position = positions[row]
        key = polyglot_castling(position, numbers)
        squares = position.colours[0] | position.colours[1]
        while squares != NO_SQUARES:
            square = lowest_bit(squares)
            squares = without_lowest(squares)
            piece = np.int64(position.board[square])
            pair = ((piece & 7) - 1) * 2 + (piece >> 3 ^ 1)
            key ^= numbers[pair * 64 + square]
        if pawns_beside(position, tables) != NO_SQUARES:
            key ^= numbers[EN_PASSANT + (np.int64(position.en_passant) & 7)]
        if position.turn == WHITE:
            key ^= numbers[WHITE_TO_MOVE]
        keys[row] = key


@kernel
def polyglot_castling(position, numbers):
    key = NO_SQUARES
    rooks = position.castling
    while rooks != NO_SQUARES:
        key ^= numbers[CASTLING + castling_number(position, lowest_bit(rooks), np.uint64(WHITE))]
        rooks = without_lowest(rooks)
    return key
