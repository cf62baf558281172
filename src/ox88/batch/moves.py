"""Moves as arrays that a user hands in: one for each position."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows import RowError
from ox88.types import Ox88Error

_MAX_MOVE = 0xFFFF


def one_each(moves: Any, count: int) -> NDArray[np.uint16]:
    """uint16[count] of whatever holds as many whole numbers; raises TypeError, Ox88Error, RowError."""
    array = np.asarray(moves)
    if array.size == 0 and not isinstance(moves, np.ndarray):
        array = array.astype(np.uint16)
    if array.dtype.kind not in "iu":
        raise TypeError(f"moves of {array.dtype}: uint16 is expected, as legal_moves gives them")
    if array.shape != (count,):
        raise Ox88Error(f"moves of shape {array.shape}: one for each position is expected, ({count},)")
    if array.dtype != np.uint16:
        outside = (array < 0) | (array > _MAX_MOVE)
        if outside.any():
            row = int(np.argmax(outside))
            raise RowError(row, f"{array[row]} is no move: those are numbers from 0 to {_MAX_MOVE}")
    return np.require(array, np.uint16, ["C", "W"])
