"""The static evaluation of the position that is searched: by the network, or by the handcrafted evaluation.

The network's accumulator of a ply is computed only when that ply is evaluated. Most often the ply before it was
evaluated too, and a few rows of weights make the difference. (Stockfish computes its accumulators like this.)
"""

from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.moves import list_changes
from ox88.engines.modern.evaluation.endgames import is_queen_against_piece
from ox88.engines.modern.evaluation.evaluate import damped, evaluate
from ox88.engines.modern.network.inference import refresh_by_cache, update, value_of, view_of
from ox88.engines.modern.network.records import NO_VIEW
from ox88.engines.modern.records import BEFORE_ROOT
from ox88.jit import kernel
from ox88.types import BLACK, WHITE


@kernel
def evaluate_position(s, tables):
    """The value of the position for the side to move, in centipawns, from -MAX_VALUE to MAX_VALUE."""
    position = s.position
    if not evaluates_by_network(s):
        return evaluate(position, tables, s.evaluation)
    for side in range(2):
        compute_neurons(s, side)
    value = value_of(s.network, s.frames[s.ply + BEFORE_ROOT].accumulator, position)
    return damped(position, value)


@kernel
def evaluates_by_network(s):
    """True if there is a network, and the position is not one to be judged by hand."""
    return s.network.scale[0] != 0 and not is_judged_by_hand(s.position)


@kernel
def is_judged_by_hand(position):
    """True if a side has nothing but its king, or if a queen plays against one piece.

    The handcrafted evaluation knows how to mate there. The network does not: few training positions are like that.
    """
    white, black = without_lowest(position.colours[WHITE]), without_lowest(position.colours[BLACK])
    if without_lowest(white) != NO_SQUARES and without_lowest(black) != NO_SQUARES:
        return False
    return white == NO_SQUARES or black == NO_SQUARES or is_queen_against_piece(position)


@kernel
def compute_neurons(s, side):
    """Bring the neurons of a side up to date: by the changes since a ply that has them, unless the view has changed."""
    frames = s.frames
    last = s.ply + BEFORE_ROOT
    view = view_of(s.position, side)
    first = last
    while first > BEFORE_ROOT and frames[first].accumulator.views[side] == NO_VIEW:
        first -= 1
    if frames[first].accumulator.views[side] != view:
        refresh_by_cache(s.network, s.refresh_caches, frames[last].accumulator, s.position, side)
        return
    for ply in range(first, last):
        list_changes(frames[ply].undo, s.changes)
        update(s.network, frames[ply + 1].accumulator, frames[ply].accumulator, s.changes, side)
