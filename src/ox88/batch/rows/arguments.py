"""Checks of arguments: rows, numbers, colours and views; and the errors that name a row."""

from collections.abc import Callable, Sequence
from functools import cached_property
from numbers import Real
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.position import to_setup
from ox88.errors import Ox88Error
from ox88.setup import Setup, format_fen
from ox88.types import as_colour, format_uci

Row = int | np.integer[Any]
Rows = slice | Sequence[int] | Sequence[np.integer[Any]] | NDArray[np.integer[Any] | np.bool_]
Colours = int | np.integer[Any] | Sequence[int] | Sequence[np.integer[Any]] | NDArray[np.integer[Any]]
View = Literal["white", "mover"]
_VIEWS: Final = ("white", "mover")


class RowError(Ox88Error):
    """An error in one row of the input.

    Attributes:
        row: The row, from 0.
        reason: A description of the error.
    """

    def __init__(self, row: int, reason: object) -> None:
        """reason: a function that is called with the row finds it when it is shown."""
        super().__init__(row, reason)
        self.row = row

    @cached_property
    def reason(self) -> str:
        reason = self.args[1]
        return str(reason(self.row) if callable(reason) else reason)

    def __str__(self) -> str:
        return f"row {self.row}: {self.reason}"

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild, (kind, row, _), state = super().__reduce__()
        return rebuild, (kind, row, self.reason), state


class IllegalMoveError(RowError):
    """A move that is not legal in the position of its row.

    Attributes:
        row: The row, from 0.
        reason: A description of the error.
        move: The move that was given: a number, as `ox88.format_uci` takes it, or a text.
    """

    def __init__(self, row: int, move: int | str, record: Any, why: str = "") -> None:
        setup = to_setup(record)
        text = move if isinstance(move, str) else format_uci(move, setup.is_chess960())
        name = repr(move) if isinstance(move, str) else f"{text} (move {move})"
        super().__init__(row, f"{name} is not legal in {format_fen(setup)}{why or _why_illegal(text, setup)}")
        self.move = move


def _why_illegal(text: str, setup: Setup) -> str:
    """After a colon the rule that a move breaks, or what is meant: e7e8q by e7e8. Empty if neither is known."""
    from ox88.convert import to_chess_board
    from ox88.rules import MoveError, parse_move

    try:
        meant = parse_move(text, to_chess_board(setup))
    except MoveError as error:
        reason = str(error)
        return reason.removeprefix(text) if reason.startswith(f"{text}: ") else f": {reason}"
    return f": {meant.uci()} is expected" if meant.uci() != text else ""


# What to do with a row that is not a legal position: raise its RowError, skip it, or call a function with the error.
Errors = Literal["raise", "skip"] | Callable[[RowError], object]


def check_errors(errors: Errors) -> None:
    """Raises Ox88Error for anything but Errors."""
    if not callable(errors) and errors not in ("raise", "skip"):
        raise Ox88Error(f'errors is {errors!r}: "raise", "skip" or a function is expected')


def report(errors: Errors, rows: NDArray[np.intp], explain: Callable[[int], str]) -> None:
    """Do with the rows that are no legal positions what `errors` says. explain: called for errors that are shown."""
    if errors == "skip":
        return
    for row in rows.tolist():
        error = RowError(row, explain)
        if errors == "raise":
            raise error
        errors(error)


def check_number(name: str, value: Any, low: int, high: int | None = None) -> None:
    """Raises TypeError if a value is not a whole number, Ox88Error if it is not from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} is {value!r}: a whole number is expected")
    if value < low or (high is not None and value > high):
        expected = f"at least {low}" if high is None else f"{low} to {high}"
        raise Ox88Error(f"{name} is {value}: {expected} is expected")


def check_real(name: str, value: Any, low: float, high: float) -> None:
    """Raises TypeError if a value is no number, Ox88Error if it is not from `low` to `high`."""
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}: a number is expected")
    if not low <= float(value) <= high:
        raise Ox88Error(f"{name} is {value}: a number from {low} to {high} is expected")


def check_out(out: NDArray[Any], dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """The array of an argument `out`. Raises TypeError, Ox88Error if results of a type and shape do not fit in."""
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        raise TypeError(f"out is {getattr(out, 'dtype', type(out).__name__)}: an array of {dtype} is expected")
    if out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
        raise Ox88Error(f"out has the shape {out.shape}: a writable array of {shape} without gaps is expected")
    return out


def is_row(rows: Any) -> bool:
    """True if an index is one whole number, not a slice, an array of rows or a mask."""
    return isinstance(rows, (int, np.integer)) and not isinstance(rows, bool)


def as_rows(rows: Any) -> slice | NDArray[Any]:
    """A slice, an array of rows or a mask, for indexing an array.

    Raises IndexError for a tuple, TypeError, Ox88Error for anything else.
    """
    if isinstance(rows, slice):
        return rows
    if isinstance(rows, tuple):
        raise IndexError(f"{len(rows)} indices for one axis: a list of rows, such as [0, 1], is expected")
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


def as_colours(colours: Any, count: int) -> NDArray[np.uint8]:
    """Colours, one for all positions or one for each, as uint8[count]. Raises TypeError, Ox88Error.

    A bool of Python is python-chess's colour, of which True is White; an integer is Ox88's, of which 0 is White. Bools
    of NumPy, and lists of both kinds, are refused, since they may have been meant either way.
    """
    expected = "ox88.WHITE = 0, ox88.BLACK = 1, or a list of python-chess's colours is expected"
    if isinstance(colours, (list, tuple)):
        kinds = {isinstance(colour, (bool, np.bool_)) for colour in colours}
        if len(kinds) == 2:
            raise TypeError(f"colours as bools and integers together: {expected}")
        if kinds == {True}:
            colours = [as_colour(colour) for colour in colours]
    array = np.asarray(as_colour(colours) if isinstance(colours, bool) else colours)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"colours of {array.dtype}: {expected}")
    if array.ndim and array.shape != (count,):
        raise Ox88Error(f"colours of shape {array.shape}: one for all or one for each position is expected, ({count},)")
    if array.size and not 0 <= array.min() <= array.max() <= 1:
        raise Ox88Error("colours other than 0 and 1: 0 for White and 1 for Black are expected")
    return np.ascontiguousarray(np.broadcast_to(array, count)).astype(np.uint8)


def is_mover(view: str) -> bool:
    """True for "mover", False for "white". Raises Ox88Error for any other view."""
    if view not in _VIEWS:
        raise Ox88Error(f"view {view!r}: 'white', or 'mover' for the side to move, is expected")
    return view == "mover"
