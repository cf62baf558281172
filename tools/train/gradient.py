"""The loss of a network on packed positions, and its gradient: the forward and the backward pass, in kernels.

    neurons of a side = input bias + the input weights' rows of all pieces, as the side sees them
    activation        = neuron, clipped to 0 to 1, squared
    output            = output bias + activations . output weights, of the side to move and of the other side;
                        weights and bias depend on the number of pieces
    loss              = |sigmoid(output) - target| ** power

All sums are taken in a fixed order, and all numbers are float32, so the same data give the same bits.
"""

import math
from typing import Any

import numpy as np

from ox88.bitboard.bits import without_lowest
from ox88.engines.modern.network.inference import MIRRORED, UPSIDE_DOWN, bucket_of, input_index
from ox88.jit import kernel, lowest_bit, popcount, prefetch
from ox88.types import EMPTY, KING, ROOK
from tools.packing import NO_RESULT
from tools.train.parameters import LANES

MAX_PIECES = 32
CASTLING_ROOK = 7
AHEAD = 8  # So many positions are loaded in advance, since they lie anywhere in memory.

ZERO = np.float32(0)
HALF = np.float32(0.5)
ONE = np.float32(1)
TWO = np.float32(2)

# What the targets and the loss depend on.
AIMS = np.dtype([("scale", np.float32), ("results", np.float32), ("power", np.float32)], align=True)


def scratch_type(hidden: int) -> Any:
    """The record of a thread's working memory. Its arrays have the side to move first, then the other side."""
    return np.dtype(
        [
            ("inputs", np.int64, (2, MAX_PIECES)),  # The rows of the input weights.
            ("neurons", np.float32, (2, hidden)),
            ("products", np.float32, hidden),
            ("slopes", np.float32, (2, hidden)),  # Of the loss, by neuron.
            ("output", np.float32),
        ],
        align=True,
    )


@kernel
def list_inputs(record, inputs):
    """Write the rows of a PACKED record's pieces to int64[2, 32]. Returns their number, or -1 if it is malformed."""
    squares = np.uint64(record.occupied)
    turn = np.int64(record.turn)
    count = popcount(squares)
    if count > MAX_PIECES or turn > 1:
        return np.int64(-1)
    own, other = np.int64(-1), np.int64(-1)
    for number in range(count):
        piece = np.int64(record.pieces[number >> 1]) >> 4 * (number & 1) & 15
        if piece & 7 == CASTLING_ROOK:
            piece -= CASTLING_ROOK - ROOK
        if piece & 7 == EMPTY:
            return np.int64(-1)
        square = lowest_bit(squares)
        squares = without_lowest(squares)
        inputs[0, number] = piece
        inputs[1, number] = square
        if piece & 7 == KING:
            view = (piece >> 3) * UPSIDE_DOWN | (MIRRORED if square & 4 != 0 else np.int64(0))
            if piece >> 3 == turn:
                own = view
            else:
                other = view
    if own < 0 or other < 0:
        return np.int64(-1)
    for number in range(count):
        piece = inputs[0, number]
        square = inputs[1, number]
        inputs[0, number] = input_index(piece, square, turn, own)
        inputs[1, number] = input_index(piece, square, turn ^ 1, other)
    return count


@kernel
def target_of(record, aims):
    """The expected result for the side to move, 0 to 1: a blend of the search's score and the game's result."""
    score = np.float32(record.score)
    result = np.float32(np.float32(record.result) * HALF)
    if record.turn != 0:
        score = np.float32(-score)
        result = np.float32(ONE - result)
    expected = np.float32(ONE / (ONE + math.exp(np.float32(-score / aims.scale))))
    if record.result == NO_RESULT:
        return expected
    return np.float32((ONE - aims.results) * expected + aims.results * result)


@kernel
def forward(parameters, scratch, count):
    """Compute neurons and output of listed inputs. count: of the pieces."""
    weights = parameters.input_weights
    output_weights = parameters.output_weights[bucket_of(count)]
    hidden = len(parameters.input_bias)
    products = scratch.products
    for i in range(hidden):
        products[i] = ZERO
    for side in range(2):
        neurons = scratch.neurons[side]
        for i in range(hidden):
            neurons[i] = parameters.input_bias[i]
        for number in range(count):
            row = scratch.inputs[side, number]
            for i in range(hidden):
                neurons[i] += weights[row, i]
        for i in range(hidden):
            active = min(max(neurons[i], ZERO), ONE)
            products[i] += np.float32(np.float32(active * active) * output_weights[side, i])
    for first in range(LANES, hidden, LANES):
        for lane in range(LANES):
            products[lane] += products[first + lane]
    output = parameters.output_bias[bucket_of(count)]
    for lane in range(LANES):
        output = np.float32(output + products[lane])
    scratch.output = output


@kernel
def backward(parameters, scratch, count, slope, gradient):
    """Add to the gradient. slope: of the loss, by output."""
    hidden = len(parameters.input_bias)
    bucket = bucket_of(count)
    rows = gradient.input_weights
    output_weights = parameters.output_weights[bucket]
    output_slopes = gradient.output_weights[bucket]
    gradient.output_bias[bucket] += slope
    for side in range(2):
        neurons = scratch.neurons[side]
        slopes = scratch.slopes[side]
        for i in range(hidden):
            neuron = neurons[i]
            active = min(max(neuron, ZERO), ONE)
            doubled = np.float32(active * TWO) if active == neuron else ZERO
            output_slopes[side, i] += np.float32(slope * np.float32(active * active))
            slopes[i] = np.float32(np.float32(slope * output_weights[side, i]) * doubled)
            gradient.input_bias[i] += slopes[i]
        for number in range(count):
            row = scratch.inputs[side, number]
            for i in range(hidden):
                rows[row, i] += slopes[i]


@kernel
def error_of(record, scratch, aims):
    """The expected result by the last output, less the target."""
    expected = np.float32(ONE / (ONE + math.exp(np.float32(-scratch.output))))
    return expected, np.float32(expected - target_of(record, aims))


@kernel
def add_gradients(records, order, parameters, scratch, aims, gradient):
    """Add the gradients of the PACKED records whose numbers are in uint32[n]. Returns the sum of their losses."""
    total = 0.0
    for number in range(len(order)):
        prefetch(records, np.int64(order[min(number + AHEAD, len(order) - 1)]))
        record = records[order[number]]
        count = list_inputs(record, scratch.inputs)
        forward(parameters, scratch, count)
        expected, error = error_of(record, scratch, aims)
        size = abs(error)
        steep = size if aims.power == TWO else np.float32(math.pow(size, aims.power - ONE))
        total += size * steep
        slope = np.float32(aims.power * steep * expected * np.float32(ONE - expected))
        backward(parameters, scratch, count, slope if error > ZERO else np.float32(-slope), gradient)
    return total


@kernel
def sum_losses(records, order, parameters, scratch, aims):
    """The sum of the losses of the PACKED records whose numbers are in uint32[n]."""
    total = 0.0
    for number in range(len(order)):
        record = records[order[number]]
        count = list_inputs(record, scratch.inputs)
        forward(parameters, scratch, count)
        _, error = error_of(record, scratch, aims)
        total += math.pow(abs(error), aims.power)
    return total
