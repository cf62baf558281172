"""Checks of arguments: rows, moves, numbers and views; and the errors that name a row."""

from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.position import to_setup
from ox88.fen import format_fen
from ox88.types import Ox88Error, to_uci

View = Literal["white", "mover"]
_VIEWS: Final = ("white", "mover")
_MAX_MOVE: Final = 0xFFFF


class RowError(Ox88Error):
    """An error in one row of the input.

    Attributes:
        row: The row, from 0.
        reason: A description of the error.
    """

    def __init__(self, row: int, reason: object) -> None:
        super().__init__(f"row {row}: {reason}")
        self.row = row
        self.reason = str(reason)


class IllegalMoveError(RowError):
    """A move that is not legal in the position of its row.

    Attributes:
        row: The row, from 0.
        reason: A description of the error.
        move: The move, as `ox88.to_uci` takes it.
    """

    def __init__(self, row: int, move: int, record: Any) -> None:
        setup = to_setup(record)
        text = to_uci(move, setup.is_chess960())
        super().__init__(row, f"{text} (move {move}) is not legal in {format_fen(setup)}")
        self.move = move


def check_number(name: str, value: Any, low: int, high: int | None = None) -> None:
    """Raises TypeError if a value is not a whole number, Ox88Error if it is not from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} is {value!r}: a whole number is expected")
    if value < low or (high is not None and value > high):
        expected = f"at least {low}" if high is None else f"{low} to {high}"
        raise Ox88Error(f"{name} is {value}: {expected} is expected")


def is_row(rows: Any) -> bool:
    """True if an index is one whole number, not a slice, an array of rows or a mask."""
    return isinstance(rows, (int, np.integer)) and not isinstance(rows, bool)


def as_rows(rows: Any) -> slice | NDArray[Any]:
    """A slice, an array of rows or a mask, for indexing an array. Raises TypeError, Ox88Error for anything else."""
    if isinstance(rows, slice):
        return rows
    array = np.asarray(rows)
    if array.size == 0 and not isinstance(rows, np.ndarray):
        array = array.astype(np.intp)
    if array.dtype.kind not in "iub":
        raise TypeError(f"rows of {array.dtype}: a slice, whole numbers or a mask of bools are expected")
    if array.ndim != 1:
        raise Ox88Error(f"rows of shape {array.shape}: one dimension is expected")
    return array


def as_numbers(name: str, values: Any, count: int, expected: str) -> NDArray[Any]:
    """Whole numbers, one for each position, as an array of shape (count,). Raises TypeError, Ox88Error."""
    array = np.asarray(values)
    if array.size == 0 and not isinstance(values, np.ndarray):
        array = array.astype(np.uint16)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} of {array.dtype}: {expected}")
    if array.shape != (count,):
        raise Ox88Error(f"{name} of shape {array.shape}: one for each position is expected, ({count},)")
    return array


def as_moves(moves: Any, count: int) -> NDArray[np.uint16]:
    """Moves as uint16[count]. Raises TypeError, Ox88Error, RowError."""
    array = as_numbers("moves", moves, count, "uint16 is expected, as legal_moves returns them")
    if array.dtype != np.uint16:
        for row in np.flatnonzero((array < 0) | (array > _MAX_MOVE))[:1]:
            raise RowError(int(row), f"{array[row]} is not a move: a number from 0 to {_MAX_MOVE} is expected")
    return np.require(array, np.uint16, ["C", "W"])


def is_mover(view: str) -> bool:
    """True for "mover", False for "white". Raises Ox88Error for any other view."""
    if view not in _VIEWS:
        raise Ox88Error(f"view {view!r}: 'white', or 'mover' for the side to move, is expected")
    return view == "mover"
