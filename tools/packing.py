"""Positions in 32 bytes: the board, the state of the game, a search's score and the game's result."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.position import fill_boards
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from ox88.types import ROOK

PACKED: Final = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", 16),  # Four bits each in the order of their squares, of two the lower ones first.
        ("score", "<i2"),  # Centipawns, for White.
        ("ply", "<u2"),  # Of the game, from its opening's first move.
        ("halfmove_clock", "u1"),  # At most 255.
        ("en_passant", "u1"),  # Square, or 0.
        ("turn", "u1"),
        ("result", "u1"),  # White's half points.
    ]
)
Packed = NDArray[np.void]

_CASTLING_ROOK: Final = 7  # A kind that pieces have not: a rook that may still castle.
_AT_A_TIME: Final = 1 << 14


def pack(position: Any, score: int, ply: int, result: int = 0) -> Packed:
    """A POSITION as an array of one PACKED record."""
    occupied = np.flatnonzero(position.board)
    may_castle = np.uint64(position.castling) >> occupied.astype(np.uint64) & np.uint64(1)
    pieces = np.zeros(32, np.uint8)
    pieces[: len(occupied)] = position.board[occupied] | may_castle.astype(np.uint8) * (_CASTLING_ROOK ^ ROOK)
    packed = np.zeros(1, PACKED)
    packed["occupied"] = sum(1 << int(square) for square in occupied)
    packed["pieces"] = pieces[0::2] | pieces[1::2] << 4
    packed["score"], packed["ply"], packed["result"] = score, ply, result
    packed["halfmove_clock"] = min(position.halfmove_clock, 255)
    packed["en_passant"], packed["turn"] = position.en_passant, position.turn
    return packed


def unpack(packed: Packed) -> Any:
    """An array of POSITIONs, which kernels can index. The numbers of full moves are lost, and 1."""
    positions = np.zeros(len(packed), POSITION).view(np.recarray)
    for start in range(0, len(packed), _AT_A_TIME):
        _fill(positions[start : start + _AT_A_TIME], packed[start : start + _AT_A_TIME])
    _fill_boards(positions, board_tables())
    return positions


def _fill(positions: Any, packed: Packed) -> None:
    """Write what the packed records hold."""
    boards = np.ascontiguousarray(packed["occupied"])[:, None].view(np.uint8)
    is_occupied = np.unpackbits(boards, axis=1, bitorder="little").astype(bool)
    pieces = np.stack((packed["pieces"] & 15, packed["pieces"] >> 4), axis=2).reshape(-1, 32)
    order = np.maximum(np.cumsum(is_occupied, axis=1) - 1, 0)
    board = np.where(is_occupied, np.take_along_axis(pieces, np.minimum(order, 31), axis=1), 0)
    may_castle = board & 7 == _CASTLING_ROOK
    positions["board"] = np.where(may_castle, board ^ _CASTLING_ROOK ^ ROOK, board)
    positions["castling"] = np.packbits(may_castle, axis=1, bitorder="little").view("<u8")[:, 0]
    positions["fullmove_number"] = 1
    for name in ("halfmove_clock", "en_passant", "turn"):
        positions[name] = packed[name]


@kernel
def _fill_boards(positions, tables):  # type: ignore[no-untyped-def]  # A kernel.
    for number in range(len(positions)):
        fill_boards(positions[number], tables)
