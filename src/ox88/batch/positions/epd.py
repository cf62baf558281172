"""The operations of EPD lines as columns; `Positions.from_fens` reads the positions of the same lines."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import RowError
from ox88.errors import Ox88Error
from ox88.fen import parse_operations, read_fen


def epd_operations(lines: Iterable[str]) -> dict[str, NDArray[np.object_]]:
    """The operations of EPD lines by their opcodes, such as bm, am, id and c0.

    Args:
        lines: EPD lines, such as `4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "castles";`.

    Returns:
        For each opcode an array of str, object[n]: the operands without quotes around them; "" for a line without it.
        A backslash is a letter, as the standard has it; python-chess reads escapes.

    Raises:
        RowError: A line is no EPD.
        TypeError: `lines` is no list of texts.
    """
    if isinstance(lines, str):
        raise TypeError("lines is a text: a list of EPD lines is expected, such as text.splitlines()")
    rows = list(lines)
    columns: dict[str, NDArray[np.object_]] = {}
    for row, line in enumerate(rows):
        if not isinstance(line, str):
            raise TypeError(f"row {row} is of type {type(line).__name__}: an EPD line is expected")
        try:
            for opcode, operand in parse_operations(read_fen(line)[1]):
                columns.setdefault(opcode, np.full(len(rows), "", np.object_))[row] = operand
        except Ox88Error as error:
            raise RowError(row, error) from None
    return columns
