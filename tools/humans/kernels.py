"""Gradients of the ranker's weights, as a kernel."""

import numpy as np

from ox88.engines.modern.human.features import OFFSETS, SLOTS
from ox88.engines.modern.human.ranker import FIRST
from ox88.jit import kernel

GROUP_COUNT, FIRST_FEATURE = np.int64(SLOTS), OFFSETS
MOST_PIECES, NO_PIECE = np.int64(32), np.int64(768)
SMALL = np.float32(1e-4)  # What is less wrong changes nothing.
LEAST_CHANCE = np.float32(1e-12)
NOTHING, ONE = np.float32(0), np.float32(1)
ZERO = np.int64(0)


@kernel
def add(factor, row, sums):
    """Add a row of weights, times a factor. (LLVM turns a loop into vectors if its length is not known beforehand.)"""
    for neuron in range(len(sums)):
        sums[neuron] += factor * row[neuron]


@kernel
def fill_neurons(neurons, second, features, bias, found):
    """Write the neurons of a move into `found`: the first layer, then the second one."""
    first = found[:FIRST]
    found[:] = NOTHING
    add(ONE, bias, found)
    for slot in range(GROUP_COUNT):
        add(ONE, neurons[FIRST_FEATURE[slot] + features[slot]], first)
    for neuron in range(len(first)):
        if first[neuron] > 0:
            add(first[neuron], second[neuron], found[FIRST:])
    for neuron in range(len(found)):
        found[neuron] = max(found[neuron], NOTHING)


@kernel
def score_of(scores, outputs, features, found, slope):
    score = NOTHING
    for slot in range(GROUP_COUNT):
        feature = FIRST_FEATURE[slot] + features[slot]
        score += scores[feature, 0] + slope * scores[feature, 1]
    for neuron in range(len(found)):
        score += found[neuron] * (outputs[0, neuron] + slope * outputs[1, neuron])
    return score


@kernel
def backpropagate(wrong, slope, second, outputs, found, d_second, d_outputs, errors):
    """Add a move's gradients of the second layer and the outputs, and write into `errors` the gradients of its neurons.

    wrong: the move's chance, less 1 if it was played. found: the neurons. errors: float32[HIDDEN], before activation.
    """
    for neuron in range(len(found)):
        active = wrong if found[neuron] > 0 else NOTHING
        d_outputs[0, neuron] += active * found[neuron]
        d_outputs[1, neuron] += active * found[neuron] * slope
        errors[neuron] = active * (outputs[0, neuron] + slope * outputs[1, neuron])
    later = errors[FIRST:]
    for neuron in range(FIRST):
        if found[neuron] > 0:
            add(found[neuron], later, d_second[neuron])
            for each in range(len(later)):
                errors[neuron] += second[neuron, each] * later[each]


@kernel
def add_gradients(
    rows, features, offsets, played, pieces, slopes, bias, weights, changes, bias_changes, found, chances
):
    """Add the gradients of some positions to `changes`. Returns the sum of their losses.

    rows: int64[k]. features: uint16[m, SLOTS]. offsets: int64[n + 1]. played: int64[n], places of the moves played.
    pieces: uint16[n, 32], inputs of the position, then NO_PIECE. slopes: float32[n], the ratings. bias: float32[k,
    HIDDEN], of the ratings of the rows. weights, changes: neurons, squares, second, scores and outputs, and their
    gradients. found: float32[513, HIDDEN], the neurons of the moves; the last row holds errors. chances: float32[512].
    """
    neurons, squares, second, scores, outputs = weights
    d_neurons, d_squares, d_second, d_scores, d_outputs = changes
    errors = found[len(found) - 1]
    loss = 0.0
    for number in range(len(rows)):
        row = rows[number]
        slope = slopes[row]
        first = offsets[row]
        count = offsets[row + 1] - first
        men = ZERO
        while men < MOST_PIECES and pieces[row, men] != NO_PIECE:
            add(ONE, squares[pieces[row, men]], bias[number, :FIRST])
            men += 1
        highest = np.float32(-1e30)
        for move in range(count):
            fill_neurons(neurons, second, features[first + move], bias[number], found[move])
            chances[move] = score_of(scores, outputs, features[first + move], found[move], slope)
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
            backpropagate(wrong, slope, second, outputs, found[move], d_second, d_outputs, errors)
            add(ONE, errors, bias_changes[number])
            for slot in range(GROUP_COUNT):
                feature = FIRST_FEATURE[slot] + features[first + move, slot]
                add(ONE, errors[:FIRST], d_neurons[feature])
                d_scores[feature, 0] += wrong
                d_scores[feature, 1] += wrong * slope
        for man in range(men):
            add(ONE, bias_changes[number, :FIRST], d_squares[pieces[row, man]])
    return loss
