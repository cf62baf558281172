"""Positions in 32 bytes, as `Positions.pack` writes them, with the score of a search and the result of the game."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.positions import packed as batch

PACKED: Final = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", 16),
        ("halfmove_clock", "<u2"),
        ("score", "<i2"),  # Centipawns, for White; in place of the number of full moves.
        ("turn", "u1"),
        ("en_passant", "u1"),
        ("result", "<u2"),  # White's half points; NO_RESULT for a position of no game.
    ]
)
NO_RESULT: Final = 3
Packed = NDArray[np.void]


def unpack(packed: Packed) -> Any:
    """POSITION[n], with 1 as the number of full moves. Raises Ox88Error for positions that are not legal."""
    plain = packed.copy().view(batch.PACKED)
    plain["fullmove_number"], plain["unused"] = 1, 0
    return batch.unpack(plain, threads=None)
