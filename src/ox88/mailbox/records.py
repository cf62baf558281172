"""The records of the 0x88 board. Fields are narrow; kernels read them as int64.

The unused half of the board holds the slot of each piece, at `square | SLOT`. Each colour has 16 slots in the piece
list: the king first, then the other pieces, and the pawns from the last slot down. Pieces and pawns never meet, since a
colour has at most 16 men. Empty squares are 0 on the board, empty slots NO_SQUARE in the list.
"""

import functools
from typing import Any, Final

import numpy as np

from ox88 import zobrist
from ox88.mailbox import difference
from ox88.mailbox.steps import BOARD_SIZE, STEPS, first_step, move_step

SLOT: Final = 0x08  # square | SLOT is the byte with the slot of the piece on the square.
SLOTS: Final = 16  # Of each colour.
MAX_MOVES: Final = 16 * 27 + 1  # No piece has more than the 27 moves of a queen; one more is written but not kept.

POSITION: Final = np.dtype(
    [
        ("key", np.uint64),
        ("board", np.uint8, BOARD_SIZE),  # Pieces and their slots.
        ("squares", np.uint8, 2 * SLOTS),  # The piece list: White's slots, then Black's.
        ("counts", np.uint8, 4),  # Filled slots: White's pieces and pawns, Black's pieces and pawns.
        ("rooks", np.uint8, 4),  # Castling rooks: White's on the king's right and left, then Black's.
        ("rights", np.uint8),  # Bits: which of the four castling rooks may still castle.
        ("en_passant", np.uint8),  # The square that a double step has just passed, or NO_SQUARE, ...
        ("en_passant_target", np.uint8),  # ... and this square only if a pawn may capture there, as in the key.
        ("turn", np.uint8),
        ("halfmove_clock", np.uint16),
        ("fullmove_number", np.uint16),
    ],
    align=True,
)

UNDO: Final = np.dtype(
    [
        ("key", np.uint64),
        ("move", np.uint16),
        ("halfmove_clock", np.uint16),
        ("piece", np.uint8),  # The piece that moved; for a promotion the pawn, for castling the king.
        ("captured", np.uint8),  # The captured piece, or 0, ...
        ("capture_square", np.uint8),  # ... its square ...
        ("captured_slot", np.uint8),  # ... and its slot.
        ("slot", np.uint8),  # The slot of a pawn that promotes.
        ("rights", np.uint8),
        ("en_passant", np.uint8),
        ("en_passant_target", np.uint8),
    ],
    align=True,
)

TABLES: Final = np.dtype(
    [
        ("piece_keys", np.uint64, (16, 64)),
        ("castling_keys", np.uint64, 64),
        ("en_passant_keys", np.uint64, 8),
        ("black_key", np.uint64),
        ("could_reach", np.uint16, difference.SIZE),  # By to - from + CENTRE: pieces as bits 1 << piece.
        ("step_between", np.int8, difference.SIZE),  # Likewise.
        ("steps", np.int8, len(STEPS)),
        ("move_steps", np.int16, len(STEPS)),  # What each step adds to a move.
        ("first_step", np.uint8, 16),  # By piece.
    ],
    align=True,
)


@functools.cache
def tables() -> Any:
    """The TABLES record, filled once a process. No kernel writes to it."""
    record = np.zeros(1, TABLES).view(np.recarray)[0]
    record.piece_keys[:] = zobrist.PIECE_KEYS
    record.castling_keys[:] = zobrist.CASTLING_KEYS
    record.en_passant_keys[:] = zobrist.EN_PASSANT_KEYS
    record.black_key = zobrist.BLACK_KEY
    record.could_reach[:], record.step_between[:] = difference.build()
    record.steps[:] = STEPS
    record.move_steps[:] = [move_step(step) for step in STEPS]
    record.first_step[:] = [first_step(piece) for piece in range(16)]
    return record
