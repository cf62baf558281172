"""Who attacks what, in every position: checkers, in_check, attacks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import share
from ox88.bitboard import attacks as board_attacks
from ox88.bitboard.attacks import attacked_by, occupied_squares
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from ox88.types import BLACK, WHITE, Ox88Error


def checkers(records: NDArray[Any], threads: int | None) -> NDArray[np.uint64]:
    found = np.empty(len(records), np.uint64)
    share(lambda rows: find_checkers(records[rows], board_tables(), found[rows]), len(records), threads)
    return found


def attacks(records: NDArray[Any], colour: Any, threads: int | None) -> NDArray[np.uint64]:
    """colour: of the side whose attacks are asked for, in all positions or in each."""
    colours = _one_each(colour, len(records))
    found = np.empty(len(records), np.uint64)
    share(lambda rows: find_attacks(records[rows], board_tables(), colours[rows], found[rows]), len(records), threads)
    return found


def _one_each(colour: Any, count: int) -> NDArray[np.uint8]:
    array = np.asarray(colour)
    if array.dtype.kind not in "iub":
        raise TypeError(f"colours of {array.dtype}: 0 for White or 1 for Black is expected, or an array of these")
    if array.ndim and array.shape != (count,):
        raise Ox88Error(f"colours of shape {array.shape}: one for all or one for each position is expected, ({count},)")
    if not np.isin(array, (WHITE, BLACK)).all():
        raise Ox88Error("colours other than 0 for White and 1 for Black")
    return np.ascontiguousarray(np.broadcast_to(array, count)).astype(np.uint8)


@kernel
def find_checkers(positions, tables, found):
    for row in range(len(positions)):
        found[row] = board_attacks.checkers(positions[row], tables)


@kernel
def find_attacks(positions, tables, colours, found):
    for row in range(len(positions)):
        position = positions[row]
        found[row] = attacked_by(position, tables, np.int64(colours[row]), occupied_squares(position))
