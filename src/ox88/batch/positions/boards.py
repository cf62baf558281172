"""Converts python-chess boards to POSITION records and back, in bulk."""

from collections.abc import Iterable
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import RowError
from ox88.batch.rows.chunks import in_chunks
from ox88.bitboard.bits import mask
from ox88.bitboard.position import en_passant_key, fill_boards, has_valid_en_passant, is_valid, to_setup
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_BITBOARDS = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
_MAX_CLOCK = 0xFFFF


def from_boards(boards: Iterable[chess.Board], threads: int | None) -> NDArray[Any]:
    """POSITION[n] of boards, without their move stacks and impossible rights. Raises TypeError, RowError."""
    if not isinstance(boards, Iterable):
        raise TypeError(f"boards of type {type(boards).__name__}: a list of chess.Boards is expected, such as [board]")
    rows = list(boards)
    for row, board in enumerate(rows):
        if not isinstance(board, chess.Board):
            raise TypeError(f"row {row} is of type {type(board).__name__}: a chess.Board is expected")
        if board.uci_variant != "chess":
            raise RowError(row, f"a board of {board.uci_variant}: one of chess or Chess960 is expected")
    records = np.zeros(len(rows), POSITION).view(np.recarray)
    if not rows:
        return records
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
    return records


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


def to_boards(records: NDArray[Any]) -> list[chess.Board]:
    kinds = records["kinds"][:, 1:].tolist()
    colours = records["colours"].tolist()
    fields = ("castling", "turn", "en_passant", "halfmove_clock", "fullmove_number")
    return [_to_board(*row) for row in zip(kinds, colours, *(records[name].tolist() for name in fields), strict=True)]


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
