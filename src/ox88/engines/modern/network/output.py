"""The output of the network: a weighted sum of the neurons' activations, as a value in centipawns.

An endgame is judged in another way than a full board, so there are eight sets of output weights, called buckets, by the
number of pieces. (Stockfish has had such buckets since 2021.) Each has a scale of its own, too.
"""

import numpy as np

from ox88.engines.modern.network.records import ACTIVATION_UNIT, HIDDEN, OUTPUT_UNIT
from ox88.jit import kernel, popcount

NEURONS = np.int64(HIDDEN)
ZERO = np.int16(0)
FULL = np.int16(ACTIVATION_UNIT)
NOTHING = np.int32(0)


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
