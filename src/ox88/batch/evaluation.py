"""What the strong engine's evaluation says of positions, without a search."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import share
from ox88.batch.views import is_movers
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import evaluate as evaluate_one
from ox88.engines.modern.evaluation.records import make_evaluation
from ox88.jit import kernel
from ox88.types import WHITE

CHUNK = 4 * 4096  # Positions: a record for the evaluation is made for each chunk.


def evaluate(records: NDArray[Any], view: str, threads: int | None) -> NDArray[np.int16]:
    """int16[n]: centipawns."""
    values, movers = np.empty(len(records), np.int16), np.int64(is_movers(view))

    def work(rows: slice) -> None:
        evaluate_all(records[rows], board_tables(), make_evaluation(), movers, values[rows])

    share(work, len(records), threads, CHUNK)
    return values


@kernel
def evaluate_all(positions, tables, evaluation, is_movers_view, values):
    """Write what each position is worth to the side to move, or to White."""
    for row in range(len(positions)):
        position = positions[row]
        value = evaluate_one(position, tables, evaluation)
        values[row] = value if is_movers_view != 0 or position.turn == WHITE else -value
