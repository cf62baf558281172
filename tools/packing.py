"""Positions in 32 bytes, as `Positions.pack` writes them, with the score of a search and the result of the game."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch import packed as batch
from ox88.bitboard.records import POSITION

PACKED: Final = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", 16),
        ("halfmove_clock", "<u2"),
        ("score", "<i2"),  # Centipawns, for White; in place of the number of full moves.
        ("turn", "u1"),
        ("en_passant", "u1"),
        ("result", "<u2"),  # White's half points.
    ]
)
Packed = NDArray[np.void]


def pack(positions: Sequence[Any], scores: Sequence[int], result: int) -> Packed:
    """PACKED[n] of POSITIONs of one game."""
    packed: Packed = batch.pack(np.array(positions, POSITION), threads=1).view(PACKED)
    packed["score"], packed["result"] = scores, result
    return packed


def unpack(packed: Packed) -> Any:
    """POSITION[n], with 1 as the number of full moves. Raises Ox88Error for positions that are not legal."""
    plain = packed.copy().view(batch.PACKED)
    plain["fullmove_number"], plain["unused"] = 1, 0
    return batch.unpack(plain, threads=None)
