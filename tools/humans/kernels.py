"""Gradients of the ranker's weights, as a kernel."""

import numpy as np

from ox88.engines.modern.human.features import OFFSETS, SLOTS
from ox88.engines.modern.human.ranker import HIDDEN
from ox88.jit import kernel

NEURONS, GROUP_COUNT, FIRST_FEATURE = np.int64(HIDDEN), np.int64(SLOTS), OFFSETS
MOST_PIECES = np.int64(32)
SMALL = np.float32(1e-4)  # What is less wrong changes nothing.
LEAST_CHANCE = np.float32(1e-12)
NOTHING, ONE = np.float32(0), np.float32(1)


@kernel
def add(row, sums):
    """Add a row of weights. (LLVM turns a loop into vectors if its length is not known beforehand.)"""
    for neuron in range(len(sums)):
        sums[neuron] += row[neuron]


@kernel
def sum_neurons(neurons, features, bias, sums):
    """The neurons of a move before their activation."""
    sums[:] = NOTHING
    add(bias, sums)
    for slot in range(GROUP_COUNT):
        add(neurons[FIRST_FEATURE[slot] + features[slot]], sums)


@kernel
def score_of(scores, outputs, features, sums, slope):
    score = NOTHING
    for slot in range(GROUP_COUNT):
        feature = FIRST_FEATURE[slot] + features[slot]
        score += scores[feature, 0] + slope * scores[feature, 1]
    for neuron in range(NEURONS):
        score += max(sums[neuron], NOTHING) * (outputs[0, neuron] + slope * outputs[1, neuron])
    return score


@kernel
def add_gradients(rows, features, offsets, played, pieces, slopes, bias, weights, changes, bias_changes, sums, chances):
    """Add the gradients of some positions to `changes`. Returns the sum of their losses.

    rows: int64[k]. features: uint16[m, SLOTS]. offsets: int64[n + 1]. played: int64[n], places of the moves played.
    pieces: uint16[n, 32], inputs of the position; the last input of all stands for none. slopes: float32[n], the
    ratings. bias: float32[k, HIDDEN], of the ratings of the rows. weights, changes: neurons, squares, scores and
    outputs, and their gradients. sums: float32[512, HIDDEN]. chances: float32[512].
    """
    neurons, squares, scores, outputs = weights
    d_neurons, d_squares, d_scores, d_outputs = changes
    loss = 0.0
    for number in range(len(rows)):
        row = rows[number]
        slope = slopes[row]
        first = offsets[row]
        count = offsets[row + 1] - first
        for piece in range(MOST_PIECES):
            add(squares[pieces[row, piece]], bias[number])
        highest = np.float32(-1e30)
        for move in range(count):
            sum_neurons(neurons, features[first + move], bias[number], sums[move])
            chances[move] = score_of(scores, outputs, features[first + move], sums[move], slope)
            highest = max(highest, chances[move])
        whole = NOTHING
        for move in range(count):
            chances[move] = np.exp(chances[move] - highest)
            whole += chances[move]
        target = played[row] - first
        loss -= np.log(max(chances[target] / whole, LEAST_CHANCE))
        for move in range(count):
            wrong = chances[move] / whole - (ONE if move == target else NOTHING)
            if abs(wrong) < SMALL:
                continue
            change = sums[move]
            for neuron in range(NEURONS):
                active = wrong if change[neuron] > 0 else NOTHING
                d_outputs[0, neuron] += active * change[neuron]
                d_outputs[1, neuron] += active * change[neuron] * slope
                change[neuron] = active * (outputs[0, neuron] + slope * outputs[1, neuron])
            add(change, bias_changes[number])
            for slot in range(GROUP_COUNT):
                feature = FIRST_FEATURE[slot] + features[first + move, slot]
                add(change, d_neurons[feature])
                d_scores[feature, 0] += wrong
                d_scores[feature, 1] += wrong * slope
        for piece in range(MOST_PIECES):
            add(bias_changes[number], d_squares[pieces[row, piece]])
    return loss
