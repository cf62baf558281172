"""Compile parts of the search and store them in the cache. `ox88.jit.compile_beside` runs this in a second process.

The first process compiles the generation of moves, and then `search` in the order of its calls: the evaluation comes
early, pruning and histories late. So this process compiles the evaluation first, and then what the other needs late.
"""

import numpy as np

from ox88.bitboard.tables import board_tables
from ox88.engines.modern.correction import update_correction
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.history import update_histories
from ox88.engines.modern.picker import next_move
from ox88.engines.modern.records import BEFORE_ROOT, make_searcher
from ox88.engines.modern.selectivity import can_prune_move, late_move_depth
from ox88.jit import prepare


def main() -> None:
    s, tables, number = make_searcher(), board_tables(), np.int64(0)
    frame = s.frames[BEFORE_ROOT]
    prepare(evaluate, s.position, tables, s.evaluation)
    prepare(can_prune_move, s, tables, frame, number, True, number, number, number, number, number, True)
    prepare(late_move_depth, s, frame, number, number, number, number, True, True, number)
    prepare(update_histories, s, frame, number, number)
    prepare(update_correction, s, number, number, number, number)
    prepare(next_move, s, tables, frame)


if __name__ == "__main__":
    main()
