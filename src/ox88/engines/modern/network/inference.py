"""The hidden neurons of a position, computed from all its pieces or from another position's, and the network's output.

Each side has neurons of its own and sees the board in its own way: its pieces come first, its first rank is the lowest,
and its king stands on files a to d. For this view the board is turned upside down for Black, and mirrored if the king
stands on files e to h.

The output is a weighted sum of the neurons' activations, as a value in centipawns. An endgame is judged in another way
than a full board, so there are eight sets of output weights, called buckets, by the number of pieces. (Stockfish has
had such buckets since 2021.) Each has a scale of its own, too.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.records import NOWHERE
from ox88.engines.modern.network.records import ACTIVATION_UNIT, HIDDEN, NO_VIEW, OUTPUT_UNIT
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import KING, PAWN

THEIRS = np.int64(384)  # The first input of the other side's pieces.
UPSIDE_DOWN = np.int64(56)
MIRRORED = np.int64(7)
NEURONS = np.int64(HIDDEN)
ZERO = np.int16(0)
FULL = np.int16(ACTIVATION_UNIT)
NOTHING = np.int32(0)


@kernel
def view_of(position, side):
    """How a side sees the board: square ^ view is a square as the side sees it."""
    king = lowest_bit(position.kinds[KING] & position.colours[side])
    view = UPSIDE_DOWN * side
    return view | MIRRORED if king & 4 != 0 else view


@kernel
def input_index(piece, square, side, view):
    """The number of the input that a piece on a square switches on for a side."""
    first = THEIRS if piece >> 3 != side else np.int64(0)
    return first + ((piece & 7) - 1) * 64 + (square ^ view)


@kernel
def input_of(position, square, side, view):
    """The number of the input that the piece on a square of a position switches on."""
    return input_index(np.int64(position.board[square]), square, side, view)


@kernel
def refresh(network, accumulator, position, side):
    """Compute the neurons of a side from all pieces, four at a time, so that neurons are seldom read and written."""
    view = view_of(position, side)
    accumulator.views[side] = view
    for i in range(NEURONS):
        accumulator.neurons[side, i] = network.input_bias[i]
    pieces = position.colours[0] | position.colours[1]
    for _ in range(popcount(pieces) >> 2):
        first, pieces = lowest_bit(pieces), without_lowest(pieces)
        second, pieces = lowest_bit(pieces), without_lowest(pieces)
        third, pieces = lowest_bit(pieces), without_lowest(pieces)
        fourth, pieces = lowest_bit(pieces), without_lowest(pieces)
        add_four(
            network,
            accumulator,
            side,
            input_of(position, first, side, view),
            input_of(position, second, side, view),
            input_of(position, third, side, view),
            input_of(position, fourth, side, view),
        )
    while pieces != NO_SQUARES:
        add_one(network, accumulator, side, input_of(position, lowest_bit(pieces), side, view))
        pieces = without_lowest(pieces)


@kernel
def refresh_by_cache(network, caches, accumulator, position, side):
    """`refresh` from the last position that the side saw with its king on this half: few pieces differ.

    caches: two REFRESH_CACHEs, the first for a king on files a to d. A cache is empty while it holds no king.
    (Stockfish calls them accumulator caches; Koivisto was the first engine that had them.)
    """
    view = view_of(position, side)
    cache = caches[np.int64(view & MIRRORED != 0)]
    kept = cache.accumulator
    if cache.pieces[side, KING] == NO_SQUARES:
        for i in range(NEURONS):
            kept.neurons[side, i] = network.input_bias[i]
    for colour in range(2):
        for kind in range(PAWN, KING + 1):
            piece = kind | colour << 3
            now = position.kinds[kind] & position.colours[colour]
            removed = cache.pieces[side, piece] & ~now
            added = now & ~cache.pieces[side, piece]
            cache.pieces[side, piece] = now
            change_pieces(network, kept, side, view, piece, removed, added)
    accumulator.views[side] = view
    for i in range(NEURONS):
        accumulator.neurons[side, i] = kept.neurons[side, i]


@kernel
def change_pieces(network, accumulator, side, view, piece, removed, added):
    """Take pieces of a kind from some squares, and put them on others."""
    while removed != NO_SQUARES and added != NO_SQUARES:
        from_index = input_index(piece, lowest_bit(removed), side, view)
        replace_one(network, accumulator, side, from_index, input_index(piece, lowest_bit(added), side, view))
        removed, added = without_lowest(removed), without_lowest(added)
    while added != NO_SQUARES:
        add_one(network, accumulator, side, input_index(piece, lowest_bit(added), side, view))
        added = without_lowest(added)
    while removed != NO_SQUARES:
        remove_one(network, accumulator, side, input_index(piece, lowest_bit(removed), side, view))
        removed = without_lowest(removed)


@kernel
def forget(accumulator):
    """Note that the neurons of both sides are not computed."""
    accumulator.views[0] = NO_VIEW
    accumulator.views[1] = NO_VIEW


@kernel
def update(network, accumulator, before, changes, side):
    """Compute the neurons of a side from its neurons before a move.

    changes: CHANGES of the move. One to three pieces have moved, entered or left the board. Each case has a loop of its
    own, so that the neurons are read and written once.
    """
    view = before.views[side]
    accumulator.views[side] = view
    count = changes.count
    if count == 0:  # A null move: one row is added and taken away, so the neurons are copied.
        add_one_remove_one(network, accumulator, before, side, THEIRS, THEIRS)
        return
    first, second = changes.list[0], changes.list[1]
    removed = input_index(np.int64(first.piece), np.int64(first.from_square), side, view)
    if count == 1:
        added = input_index(np.int64(first.piece), np.int64(first.to_square), side, view)
        add_one_remove_one(network, accumulator, before, side, added, removed)
        return
    last = changes.list[count - 1]
    if first.to_square != NOWHERE and second.to_square != NOWHERE:  # Castling.
        added = input_index(np.int64(first.piece), np.int64(first.to_square), side, view)
        also_added = input_index(np.int64(second.piece), np.int64(second.to_square), side, view)
        also_removed = input_index(np.int64(second.piece), np.int64(second.from_square), side, view)
        add_two_remove_two(network, accumulator, before, side, added, also_added, removed, also_removed)
        return
    # The piece that arrives: the last one if it is promoted, else the first.
    arrived = last if last.to_square != NOWHERE else first
    added = input_index(np.int64(arrived.piece), np.int64(arrived.to_square), side, view)
    if second.from_square == NOWHERE:  # A promotion without a capture.
        add_one_remove_one(network, accumulator, before, side, added, removed)
        return
    also_removed = input_index(np.int64(second.piece), np.int64(second.from_square), side, view)
    add_one_remove_two(network, accumulator, before, side, added, removed, also_removed)


@kernel
def add_one(network, accumulator, side, added):
    weights = network.input_weights
    for i in range(NEURONS):
        accumulator.neurons[side, i] = np.int16(accumulator.neurons[side, i] + weights[added, i])


@kernel
def add_four(network, accumulator, side, first, second, third, fourth):
    weights = network.input_weights
    for i in range(NEURONS):
        change = weights[first, i] + weights[second, i] + weights[third, i] + weights[fourth, i]
        accumulator.neurons[side, i] = np.int16(accumulator.neurons[side, i] + change)


@kernel
def remove_one(network, accumulator, side, removed):
    weights = network.input_weights
    for i in range(NEURONS):
        accumulator.neurons[side, i] = np.int16(accumulator.neurons[side, i] - weights[removed, i])


@kernel
def replace_one(network, accumulator, side, removed, added):
    """`add_one_remove_one` in place. With one array the compiler knows that nothing overlaps."""
    weights = network.input_weights
    for i in range(NEURONS):
        change = weights[added, i] - weights[removed, i]
        accumulator.neurons[side, i] = np.int16(accumulator.neurons[side, i] + change)


@kernel
def add_one_remove_one(network, accumulator, before, side, added, removed):
    weights = network.input_weights
    for i in range(NEURONS):
        accumulator.neurons[side, i] = np.int16(before.neurons[side, i] + weights[added, i] - weights[removed, i])


@kernel
def add_one_remove_two(network, accumulator, before, side, added, removed, also_removed):
    weights = network.input_weights
    for i in range(NEURONS):
        change = weights[added, i] - weights[removed, i] - weights[also_removed, i]
        accumulator.neurons[side, i] = np.int16(before.neurons[side, i] + change)


@kernel
def add_two_remove_two(network, accumulator, before, side, added, also_added, removed, also_removed):
    weights = network.input_weights
    for i in range(NEURONS):
        change = weights[added, i] + weights[also_added, i] - weights[removed, i] - weights[also_removed, i]
        accumulator.neurons[side, i] = np.int16(before.neurons[side, i] + change)


# --- The output -------------------------------------------------------------------------------------------------------


@kernel
def bucket_of(pieces):
    """The set of output weights for so many pieces: 0 for 1 to 4, 1 for 5 to 8, 7 for 29 to 32."""
    return (pieces - 1) >> 2


@kernel
def value_of(network, accumulator, position):
    """The value of a position for the side to move. accumulator: with the neurons of both sides."""
    pieces = popcount(position.colours[0] | position.colours[1])
    return output(network, accumulator, np.int64(position.turn), bucket_of(pieces))


@kernel
def output(network, accumulator, turn, bucket):
    """The output in centipawns for the side to move.

    The activation of a neuron is its square, after it was clipped to 0 to 1. It is multiplied in two steps: neuron x
    weight fits in 16 bits, and this product x neuron in 32, so that one instruction of the processor handles many
    neurons.
    """
    total = np.int64(0)
    for other in range(2):
        neurons = accumulator.neurons[turn ^ other]
        weights = network.output_weights[bucket, other]
        total_of_side = NOTHING
        for i in range(NEURONS):
            neuron = np.int16(min(max(neurons[i], ZERO), FULL))
            weighted = np.int16(neuron * weights[i])
            total_of_side = np.int32(total_of_side + np.int32(np.int32(weighted) * np.int32(neuron)))
        total += total_of_side
    value = total // ACTIVATION_UNIT + network.output_bias[bucket]
    return value * network.scale[bucket] // (ACTIVATION_UNIT * OUTPUT_UNIT)
