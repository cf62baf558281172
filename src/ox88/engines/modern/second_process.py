"""Compile parts of the engine and store them in the cache. `ox88.jit.compile_beside` runs this in a second process.

The first process compiles the generation of moves, and then `search` in the order of its calls: the evaluation comes
early, pruning and histories late. So this process compiles the handcrafted evaluation first, while the first process
compiles the network, and then what the first process needs next. At the end it makes a move, as `get_ready` does.
"""

import numpy as np

from ox88.bitboard.tables import board_tables
from ox88.engines.modern.driver import PositionHistory
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.history import judge_last_move, reward_last_move, update_correction, update_histories
from ox88.engines.modern.nodes import make_move, make_null_move, unmake_move
from ox88.engines.modern.picker import next_move
from ox88.engines.modern.records import BEFORE_ROOT, make_searcher
from ox88.engines.modern.selectivity import (
    can_extend_passed_pawn,
    can_prune_move,
    can_trust_null_move,
    late_move_depth,
    note_check,
)
from ox88.engines.modern.table import make_table
from ox88.jit import prepare


def main() -> None:
    s, tables, table, number = make_searcher(), board_tables(), make_table(1), np.int64(0)
    frame = s.frames[BEFORE_ROOT]
    prepare(evaluate, s.position, tables, s.evaluation)
    prepare(next_move, s, tables, frame)
    prepare(make_move, s, tables, frame, number)
    prepare(unmake_move, s, frame)
    prepare(judge_last_move, s, frame)
    prepare(make_null_move, s, tables, table, frame)
    prepare(can_trust_null_move, s, number)
    prepare(can_prune_move, s, tables, frame, number, True, number, number, number, number, number, True)
    prepare(can_extend_passed_pawn, s, tables, frame, number, True)
    prepare(note_check, s, tables, frame, number)
    prepare(late_move_depth, s, frame, number, number, number, number, True, True, number)
    prepare(update_histories, s, frame, number, number)
    prepare(reward_last_move, s, number)
    prepare(update_correction, s, number, number, number, number)
    history = PositionHistory()
    history.push(history.legal_moves()[0])
    history.pop()


if __name__ == "__main__":
    main()
