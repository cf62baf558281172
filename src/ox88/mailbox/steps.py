"""The squares of the 0x88 board, and the steps of the pieces as numbers to add to a square.

All steps are in one array. Each piece's list ends with a zero. The bishop's list is the second half of the queen's. A
pawn's list has its captures; `forward` is its step straight ahead.
"""

from typing import Any, Final

from ox88 import types
from ox88.jit import kernel
from ox88.types import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, make_piece

OFF_BOARD: Final = 0x88  # These bits are 0 in every square of the chess board.
NO_SQUARE: Final = 0x88
RANK: Final = 0x10  # One step up the board.
BOARD_SIZE: Final = 0x80

KNIGHT_STEPS: Final = (33, 31, 18, 14, -14, -18, -31, -33)
ROOK_STEPS: Final = (1, -1, 16, -16)
BISHOP_STEPS: Final = (17, 15, -15, -17)
KING_STEPS: Final = ROOK_STEPS + BISHOP_STEPS
PAWN_CAPTURES: Final = ((15, 17), (-17, -15))  # By colour.

STEPS: Final = (
    *(*KNIGHT_STEPS, 0),
    *(*ROOK_STEPS, 0),
    *(*KING_STEPS, 0),
    *(*PAWN_CAPTURES[WHITE], 0),
    *(*PAWN_CAPTURES[BLACK], 0),
)
_KNIGHT_START: Final = 0
_ROOK_START: Final = _KNIGHT_START + len(KNIGHT_STEPS) + 1
_KING_START: Final = _ROOK_START + len(ROOK_STEPS) + 1
_BISHOP_START: Final = _KING_START + len(ROOK_STEPS)
_PAWN_START: Final = _KING_START + len(KING_STEPS) + 1
_BLACK_PAWN_START: Final = _PAWN_START + 3
_STARTS: Final = {
    PAWN: _PAWN_START,
    KNIGHT: _KNIGHT_START,
    BISHOP: _BISHOP_START,
    ROOK: _ROOK_START,
    QUEEN: _KING_START,
    KING: _KING_START,
}

ZERO: Final = len(STEPS) - 1  # The empty list, for an empty square.


def first_step(piece: int) -> int:
    """The index of a piece's list in STEPS; an empty list for other numbers."""
    if piece == make_piece(PAWN, BLACK):
        return _BLACK_PAWN_START
    return _STARTS.get(piece & 7, ZERO)


def steps_of(piece: int) -> list[int]:
    """The list of a piece, without its zero."""
    first = first_step(piece)
    return list(STEPS[first : STEPS.index(0, first)])


def move_step(step: int) -> int:
    """What a step adds to a 16-bit move. So along a ray no square has to be converted."""
    files_to_the_right = (step + 8) % RANK - 8
    return (step + files_to_the_right) // 2 * 64


to_0x88: Any = kernel(types.to_0x88)
from_0x88: Any = kernel(types.from_0x88)


@kernel
def forward(colour):
    """The step of a colour's pawns: a rank up for White, down for Black."""
    return RANK - 2 * RANK * colour


@kernel
def is_at_start(square, step):
    """True if a pawn has not moved yet: two steps back is off the board."""
    return (square - 2 * step) & OFF_BOARD != 0


@kernel
def is_last_rank(square):
    """True for the first rank and the eighth, where pawns promote."""
    return (square + RANK) & 0x60 == 0
