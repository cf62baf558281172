"""python-chess's boards in bulk, and the keys of Polyglot's opening books.

A key is an XOR of some of 781 random numbers, which python-chess has: 64 for each kind of piece, Black's before
White's; 4 for castling rights; 8 for the file of an en passant square, if a pawn stands next to the pawn that it could
capture; and one for White to move. (Michel Van den Bergh, http://hgm.nubati.net/book_format.html)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import chess
import numpy as np
from chess.polyglot import POLYGLOT_RANDOM_ARRAY
from numpy.typing import NDArray

from ox88.batch.learning.planes import castling_number
from ox88.batch.rows.arguments import RowError
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rules.fields import Fields
from ox88.bitboard.attacks import pawns_beside
from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.bitboard.position import en_passant_key, fill_boards, has_valid_en_passant, is_valid, to_setup
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel, lowest_bit
from ox88.types import WHITE

_BITBOARDS = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
_MAX_CLOCK = 0xFFFF

# Places among the random numbers of Polyglot.
CASTLING = np.int64(768)  # White's h-file side and a-file side, then Black's.
EN_PASSANT = np.int64(772)
WHITE_TO_MOVE = np.int64(780)


class WithBoards(Fields):
    """Positions that are made of python-chess's boards, and made into them."""

    __slots__ = ()

    @classmethod
    def from_boards(cls, boards: Iterable[chess.Board], *, threads: int | None = None) -> Self:
        """Convert python-chess boards, without their move stacks.

        Raises:
            RowError: A board is of a variant, or not a legal position, or a clock is more than 65,535.
            TypeError: An item is not a chess.Board.
        """
        if not isinstance(boards, Iterable):
            raise TypeError(
                f"boards of type {type(boards).__name__}: a list of chess.Boards is expected, such as [board]"
            )
        rows = list(boards)
        for row, board in enumerate(rows):
            if not isinstance(board, chess.Board):
                raise TypeError(f"row {row} is of type {type(board).__name__}: a chess.Board is expected")
            if board.uci_variant != "chess":
                raise RowError(row, f"a board of {board.uci_variant}: one of chess or Chess960 is expected")
        records = np.zeros(len(rows), POSITION).view(np.recarray)
        if not rows:
            return cls._of(records)
        kinds = np.array([[getattr(board, name) for name in _BITBOARDS] for board in rows], np.uint64)
        black = np.array([board.occupied_co[chess.BLACK] for board in rows], np.uint64)
        records["castling"] = np.array([board.clean_castling_rights() for board in rows], np.uint64)
        records["turn"] = [board.turn == chess.BLACK for board in rows]
        records["en_passant"] = [board.ep_square or 0 for board in rows]
        for name in ("halfmove_clock", "fullmove_number"):
            clocks = [getattr(board, name) for board in rows]
            for row, clock in enumerate(clocks):
                if not 0 <= clock <= _MAX_CLOCK:
                    raise RowError(row, f"the {name.replace('_', ' ')} is {clock}, not 0 to {_MAX_CLOCK}")
            records[name] = clocks
        valid = np.empty(len(rows), np.bool_)
        in_chunks(
            lambda some: fill_from_kinds(kinds[some], black[some], board_tables(), records[some], valid[some]),
            len(rows),
            threads,
        )
        if not valid.all():
            row = int(np.argmin(valid))
            rules = "; ".join(to_setup(records[row]).broken_rules())
            raise RowError(row, f"illegal position: {rules}")
        return cls._of(records)

    def boards(self) -> list[chess.Board]:
        """python-chess boards, in Chess960 mode where castling rights need it."""
        names = ("colours", "castling", "turn", "en_passant", "halfmove_clock", "fullmove_number")
        fields = (self._records[name].tolist() for name in names)
        return [_to_board(*row) for row in zip(self._records["kinds"][:, 1:].tolist(), *fields, strict=True)]

    def polyglot_key(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: the keys of Polyglot opening books, as chess.polyglot.zobrist_hash computes them."""
        numbers = np.array(POLYGLOT_RANDOM_ARRAY, np.uint64)
        return self._each(lambda some, _, keys: fill_polyglot(some, board_tables(), numbers, keys), np.uint64, threads)


@kernel
def fill_from_kinds(kinds, black, tables, positions, valid):
    """Set positions from bitboards. kinds: uint64[n, 6]. valid: bool[n], set to True for a legal position.

    An en passant square that no pawn has just passed is dropped, as it is from a FEN.
    """
    for row in range(len(positions)):
        position = positions[row]
        for square in range(64):
            piece = np.int64(0)
            for number in range(6):
                if kinds[row, number] & mask(square) != 0:
                    piece = number + 1
            if piece != 0 and black[row] & mask(square) != 0:
                piece += 8
            position.board[square] = piece
        fill_boards(position, tables)
        if position.en_passant != 0 and not has_valid_en_passant(position, np.int64(position.turn)):
            position.key ^= en_passant_key(position, tables)
            position.en_passant = 0
        valid[row] = is_valid(position, tables)


def _to_board(
    kinds: list[int], colours: list[int], castling: int, turn: int, en_passant: int, halfmoves: int, fullmoves: int
) -> chess.Board:
    board = chess.Board(None)
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = kinds
    white, black = colours
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = white, black
    board.occupied = white | black
    board.castling_rights = castling
    board.turn = not turn
    board.ep_square = en_passant or None
    board.halfmove_clock, board.fullmove_number = halfmoves, fullmoves
    board.chess960 = board.has_chess960_castling_rights()
    return board


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
