"""Numbers of games and plies, as somebody gives them: whole numbers, slices, arrays, masks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def find_rows(rows: Any, count: int, name: str) -> NDArray[np.int64]:
    """int64[m]: the rows meant, each from 0 to count - 1. Raises IndexError or TypeError."""
    if isinstance(rows, slice):
        return np.arange(count)[rows]
    numbers = whole_numbers(rows, name)
    if numbers.dtype == np.bool_:
        if numbers.shape != (count,):
            raise IndexError(f"a mask of shape {numbers.shape} for {count} {name}s: ({count},) is expected")
        return np.flatnonzero(numbers)
    if numbers.ndim > 1:
        raise IndexError(f"{name}s as an array of {numbers.ndim} dimensions: one is expected")
    numbers = np.atleast_1d(numbers).astype(np.int64)
    wrong = numbers[(numbers < -count) | (numbers >= count)]
    if len(wrong):
        raise IndexError(f"there is no {name} {wrong[0]}: there are {count}")
    return numbers % max(count, 1)


def whole_numbers(values: Any, name: str) -> NDArray[Any]:
    """An array of whole numbers or of truth values. Raises TypeError."""
    array = np.asarray(values)
    if array.size == 0 and not isinstance(values, np.ndarray):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iub" or (array.dtype.kind == "b" and array.ndim == 0):
        raise TypeError(f"a {name} as {array.dtype}: whole numbers, a slice or a mask is expected")
    return array
