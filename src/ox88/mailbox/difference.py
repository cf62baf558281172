"""The table of differences: which pieces could move from one square to another on an empty board, and by which step.

The index is to - from + 128, with 257 entries from -128 to +128. Squares with the same difference always lie to each
other in the same way, because the unused half of the board keeps the edges apart. (+1: king, queen and rook; +17: king,
queen, bishop and white pawn; -17: king, queen, bishop and black pawn.) Of pawns the table has the captures.

The idea is from Bruce Moreland's page "0x88 Move Generation". That page is not consistent about the sign of the
difference. Here it is always to - from: +1 is a step to the right, +16 one upwards.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.mailbox.steps import steps_of
from ox88.types import BISHOP, BLACK, KING, QUEEN, ROOK, WHITE, make_piece, piece_kind

CENTRE: Final = 128  # The index of difference 0.
SIZE: Final = 2 * CENTRE + 1
SLIDERS: Final = (BISHOP, ROOK, QUEEN)

_PIECES: Final = tuple(make_piece(kind, colour) for colour in (WHITE, BLACK) for kind in range(1, KING + 1))


def build() -> tuple[NDArray[np.uint16], NDArray[np.int8]]:
    """Two arrays of SIZE entries: the pieces as bits 1 << piece, and the step, 0 if there is none."""
    pieces = np.zeros(SIZE, np.uint16)
    steps = np.zeros(SIZE, np.int8)
    for piece in _PIECES:
        for step, difference in _differences(piece):
            pieces[CENTRE + difference] |= 1 << piece
            steps[CENTRE + difference] = step
    return pieces, steps


def _differences(piece: int) -> Iterator[tuple[int, int]]:
    """Every (step, difference) of a piece: one to seven steps for a slider, one for the others."""
    length = 7 if piece_kind(piece) in SLIDERS else 1
    return ((step, step * count) for step in steps_of(piece) for count in range(1, length + 1))
