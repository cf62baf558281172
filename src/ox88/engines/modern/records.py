"""The records of the search: FRAME, what a ply of the line being searched knows; SEARCHER, all that a thread owns."""

import math
from typing import Any, Final

import numpy as np

from ox88.bitboard.records import MAX_MOVES, MAX_PLY, MOVE_LIST, POSITION, UNDO, make_record
from ox88.engines.modern.evaluation.records import EVALUATION, fill_weights
from ox88.engines.modern.options import PARAMETERS as OPTION_PARAMETERS

# Values are centipawns from the mover's view; a mate in n plies is MATE - n.
INFINITY: Final = 32000
MATE: Final = 31000
MATE_BOUND: Final = MATE - 2 * MAX_PLY  # Beyond it lie mates alone.
NO_VALUE: Final = 32100
LAST_PLY: Final = MAX_PLY - 2  # Here a search must end.

BEFORE_ROOT: Final = 4  # Frames before the root's, so that two moves back can always be asked for.
MAX_GAME: Final = 256  # Positions before the root that may be repeated.
MAX_TRIED: Final = 64  # Moves of a node that are remembered as tried.
PIECE_TO: Final = 1024  # A piece and the square it goes to, as piece << 6 | square.
CORRECTIONS: Final = 1 << 14

PARAMETERS = np.dtype([(parameter.name, np.int64) for parameter in OPTION_PARAMETERS], align=True)

FRAME = np.dtype(
    [
        ("undo", UNDO),
        ("checkers", np.uint64),
        ("pinned", np.uint64),
        ("raw_eval", np.int64),  # What evaluate says; NO_VALUE in check.
        ("static_eval", np.int64),  # The same, corrected; in check that of two plies ago.
        ("excluded_move", np.int64),  # Left out by a singular search.
        ("killers", np.int64, 2),
        ("move", np.int64),  # The one being searched.
        ("piece_to", np.int64),  # Of that move; 0 for a null move.
        ("reversible", np.int64),  # Plies that could be repetitions' first.
        ("double_extensions", np.int64),
        # The move picker.
        ("stage", np.int64),
        ("wanted", np.int64),  # ALL_MOVES or captures.
        ("skip_quiets", np.int64),
        ("table_move", np.int64),
        ("counter_move", np.int64),
        ("next", np.int64),  # Index of the next move in the list.
        ("bad_captures", np.int64),  # How many there are, at the front of the list.
        ("list", MOVE_LIST),
        ("scores", np.int32, MAX_MOVES),
        # What was tried before the best move.
        ("quiets_tried", np.int64),
        ("quiets", np.uint16, MAX_TRIED),
        ("captures_tried", np.int64),
        ("captures", np.uint16, MAX_TRIED),
        # The principal variation from here.
        ("pv_length", np.int64),
        ("pv", np.uint16, MAX_PLY),
    ],
    align=True,
)

SEARCHER = np.dtype(
    [
        ("position", POSITION),
        # Orders and limits.
        ("stop", np.int64),  # Set from another thread, too.
        ("node_limit", np.int64),
        ("generation", np.int64),  # Of the hash table's entries.
        ("root_depth", np.int64),
        ("root_count", np.int64),
        ("root_best", np.int64),  # The move to begin with; NO_MOVE for what the table knows.
        ("root_moves", np.uint16, MAX_MOVES),  # The moves to look at in the root; none for all.
        # Where the search stands.
        ("nodes", np.int64),
        ("ply", np.int64),
        ("selective_depth", np.int64),
        ("no_null_move_before", np.int64),  # A ply; while a null move is being verified.
        ("root_value", np.int64),  # Of the best move so far.
        ("root_move", np.int64),  # The one being searched.
        ("root_move_number", np.int64),
        ("effort", np.int64, 1 << 12),  # Nodes spent on each root move, by its squares.
        ("game_length", np.int64),
        ("keys", np.uint64, MAX_GAME + MAX_PLY + 1),
        ("frames", FRAME, MAX_PLY + BEFORE_ROOT + 1),
        ("parameters", PARAMETERS),
        ("reductions", np.int64, (64, 64)),  # By depth and number of the move, in 1,024ths of a ply.
        ("evaluation", EVALUATION),
        # What was learnt.
        ("history", np.int16, 2 << 12),  # By side, from and to.
        ("capture_history", np.int16, PIECE_TO * 8),  # By piece, to and captured kind.
        ("counter_moves", np.uint16, PIECE_TO),
        ("continuation", np.int16, PIECE_TO * PIECE_TO),  # By an earlier piece and square, and these.
        ("correction", np.int32, 2 * CORRECTIONS),
    ],
    align=True,
)


def make_searcher() -> Any:
    """A SEARCHER with default parameters and weights, and nothing learnt."""
    searcher = make_record(SEARCHER)
    fill_weights(searcher.evaluation)
    for parameter in OPTION_PARAMETERS:
        searcher.parameters[parameter.name] = parameter.default
    fill_reductions(searcher)
    return searcher


def fill_reductions(searcher: Any) -> None:
    """Late moves are reduced by the logarithms of depth and number: base + factor * ln(depth) * ln(number)."""
    base, factor = int(searcher.parameters.reduction_base), int(searcher.parameters.reduction_factor)
    logarithms = np.array([math.log(number) for number in range(1, 64)])
    searcher.reductions[1:, 1:] = base + np.outer(factor * logarithms, logarithms)


def forget(searcher: Any) -> None:
    """Forget all that was learnt from earlier positions."""
    for name in ("history", "capture_history", "counter_moves", "continuation", "correction"):
        searcher[name].fill(0)
    searcher.frames["killers"].fill(0)
