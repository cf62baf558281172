"""The records of the search: a FRAME for each ply of the current line, and the SEARCHER, all state of one thread."""

import math
from typing import Any, Final

import numpy as np

from ox88.bitboard.records import CHANGES, MAX_MOVES, MAX_PLY, MOVE_LIST, POSITION, UNDO, make_record
from ox88.engines.modern.evaluation.records import EVALUATION, fill_weights
from ox88.engines.modern.network.records import ACCUMULATOR, NETWORK, REFRESH_CACHE
from ox88.engines.modern.options import PARAMETERS as OPTION_PARAMETERS

# Values are centipawns for the side to move; a mate in n plies is MATE - n.
INFINITY: Final = 32000
MATE: Final = 31000
MATE_BOUND: Final = MATE - 2 * MAX_PLY  # Values beyond it are mates.
NO_VALUE: Final = 32100
LAST_PLY: Final = MAX_PLY - 2  # The search goes no deeper.

BEFORE_ROOT: Final = 4  # Empty frames before the root's, so that code may always look four plies back.
MAX_GAME: Final = 256  # Positions before the root that are kept to detect repetitions.
MAX_TRIED: Final = 64  # Tried moves that a node remembers.
PIECE_TO: Final = 1024  # Size of an index by piece and to square: piece << 6 | square.
CORRECTION_BITS: Final = 14
CORRECTIONS: Final = 1 << CORRECTION_BITS  # Of each side to move.

# Fields of a SEARCHER that a new game clears.
HISTORIES: Final = (
    "history", "capture_history", "continuation",
    "pawn_correction", "non_pawn_correction", "continuation_correction",
)  # fmt: skip

PARAMETERS = np.dtype([(option.name, np.int64) for option in OPTION_PARAMETERS], align=True)

FRAME = np.dtype(
    [
        ("undo", UNDO),
        ("accumulator", ACCUMULATOR),
        ("checkers", np.uint64),
        ("pinned", np.uint64),
        ("attacked", np.uint64),  # Squares that the opponent attacks, found before the moves are ordered.
        ("raw_eval", np.int64),  # Without the correction; NO_VALUE in check.
        ("static_eval", np.int64),  # With the correction; in check the static_eval of two plies ago.
        ("excluded_move", np.int64),  # Skipped by a singular search.
        ("killers", np.int64, 2),
        ("move", np.int64),  # Being searched.
        ("piece_to", np.int64),  # Index by piece and to square of `move`; 0 for a null move.
        ("is_check", np.int64),  # 1 if `move` gives check.
        ("is_losing_check", np.int64),  # 1 if `move` gives check and loses material (SEE).
        ("plies_since_irreversible", np.int64),  # How far back a repetition is possible.
        ("was_pv", np.int64),  # 1 if the node is on a principal variation, or once was, as the table says.
        ("double_extensions", np.int64),  # Moves on the line to this node that were extended by two or three plies.
        # The move picker.
        ("stage", np.int64),
        ("mode", np.int64),  # ALL_MOVES, CAPTURES_ONLY or GOOD_CAPTURES_ONLY.
        ("skip_quiets", np.int64),
        ("tt_move", np.int64),
        ("next", np.int64),  # Index of the next move in the list.
        ("bad_captures", np.int64),  # Number of losing captures, which are at the front of the list.
        ("list", MOVE_LIST),
        ("scores", np.int32, MAX_MOVES),
        # Moves tried so far.
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
        # Limits.
        ("stop", np.int64),  # Other threads may set it.
        ("node_limit", np.int64),
        ("node_pool", np.int64),  # The address of what all threads may still take (`NodePool`); 0 for no pool.
        ("nodes_at_once", np.int64),
        ("generation", np.int64),  # Of this search's table entries.
        ("root_depth", np.int64),
        ("root_move_count", np.int64),
        ("root_first_move", np.int64),  # Searched first; NO_MOVE for the table's move.
        ("root_moves", np.uint16, MAX_MOVES),  # The only moves to search; all moves if root_move_count is 0.
        # State of the search.
        ("nodes", np.int64),
        ("ply", np.int64),
        ("selective_depth", np.int64),
        ("no_null_move_before", np.int64),  # The ply until which a verification search forbids null moves.
        ("root_value", np.int64),  # Of the best move so far.
        ("root_move", np.int64),  # Being searched.
        ("root_move_number", np.int64),
        ("game_length", np.int64),
        ("keys", np.uint64, MAX_GAME + MAX_PLY + 1),
        ("frames", FRAME, MAX_PLY + BEFORE_ROOT + 1),
        ("parameters", PARAMETERS),
        ("reductions", np.int64, (64, 64)),  # By depth and number of the move, in 1,024ths of a ply.
        ("evaluation", EVALUATION),
        ("network", NETWORK),
        ("refresh_caches", REFRESH_CACHE, 2),  # By view: 1 if the side sees the board mirrored.
        ("unsafe_squares", np.uint64, 8),  # By kind: the squares where a lesser piece of the opponent attacks the kind.
        ("changes", CHANGES),  # Of the move whose neurons are being computed.
        # Histories.
        ("history", np.int16, 8 << 12),  # By whether from and to are attacked, side, from and to.
        ("capture_history", np.int16, PIECE_TO * 8),  # By piece, to and captured kind.
        ("continuation", np.int16, PIECE_TO * PIECE_TO),  # By PIECE_TO index of an earlier move and of this one.
        ("pawn_correction", np.int16, 2 * CORRECTIONS),
        ("non_pawn_correction", np.int16, 4 * CORRECTIONS),  # White's pieces, then Black's.
        ("continuation_correction", np.int16, 2 * CORRECTIONS),
    ],
    align=True,
)


def make_searcher() -> Any:
    """A SEARCHER with default parameters and weights, without a network, and with empty histories."""
    searcher = make_record(SEARCHER)
    fill_weights(searcher.evaluation)
    for option in OPTION_PARAMETERS:
        searcher.parameters[option.name] = option.default
    fill_reductions(searcher)
    return searcher


def fill_reductions(searcher: Any) -> None:
    """Base reductions of late moves: base + factor * ln(depth) * ln(move number), in 1,024ths of a ply."""
    base, factor = int(searcher.parameters.reduction_base), int(searcher.parameters.reduction_factor)
    logarithms = np.array([math.log(number) for number in range(1, 64)])
    searcher.reductions[1:, 1:] = base + np.outer(factor * logarithms, logarithms)
