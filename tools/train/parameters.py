"""The parameters of a network while it is trained: one record of float32, for weights, gradients and moments alike."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.engines.modern.network.file import Network
from ox88.engines.modern.network.records import (
    ACTIVATION_UNIT,
    BUCKETS,
    INPUTS,
    MOST_INPUT_WEIGHT,
    MOST_OUTPUT_WEIGHT,
    OUTPUT_UNIT,
)
from tools.train.adamw import SECTION

LANES: Final = 8  # The number of neurons is a multiple of this.
# How far the first random weights are from 0. With larger ones, more of what is learnt holds for known positions alone.
INPUT_WIDTH: Final = INPUTS**-0.5
BIAS_WIDTH: Final = 0.1
OUTPUT_WIDTH: Final = 0.2
NEW_WIDTH: Final = 0.04  # Of the output weights of neurons that are added to a network.

INPUT_SECTIONS: Final = 1  # Of `sections`, the first ones: what the neurons are computed with.

Floats = NDArray[np.float32]


def parameters_type(hidden: int) -> np.dtype[np.void]:
    """The record of a network with so many neurons a side. It holds float32 alone, so it can be seen as an array."""
    return np.dtype(
        [
            ("input_weights", np.float32, (INPUTS, hidden)),
            ("input_bias", np.float32, hidden),
            ("output_weights", np.float32, (BUCKETS, 2, hidden)),
            ("output_bias", np.float32, BUCKETS),
        ]
    )


def initial_parameters(hidden: int, seed: int) -> Any:
    """A record of small random weights, with which the neurons begin near 0, and most of them above it.

    The output weights are the same for any number of pieces.
    """
    chance = np.random.default_rng(seed)
    found = np.zeros(1, parameters_type(hidden)).view(np.recarray)[0]
    found.input_weights[:] = chance.uniform(-INPUT_WIDTH, INPUT_WIDTH, (INPUTS, hidden))
    found.input_bias[:] = chance.uniform(0, BIAS_WIDTH, hidden)
    found.output_weights[:] = chance.uniform(-OUTPUT_WIDTH, OUTPUT_WIDTH, (2, hidden))
    return found


def parameters_of(network: Network) -> Any:
    """The record of a network in whole numbers."""
    found = np.zeros(1, parameters_type(network.hidden)).view(np.recarray)[0]
    found.input_weights[:] = network.input_weights / ACTIVATION_UNIT
    found.input_bias[:] = network.input_bias / ACTIVATION_UNIT
    found.output_weights[:] = network.output_weights / OUTPUT_UNIT
    found.output_bias[:] = network.output_bias / (ACTIVATION_UNIT * OUTPUT_UNIT)
    return found


def widened(parameters: Any, hidden: int, seed: int) -> Any:
    """The record of a network with more neurons. The new ones have small random weights, so that they change little."""
    few = len(parameters.input_bias)
    found = initial_parameters(hidden, seed)
    found.output_weights *= NEW_WIDTH / OUTPUT_WIDTH
    found.input_weights[:, :few] = parameters.input_weights
    found.input_bias[:few] = parameters.input_bias
    found.output_weights[:, :, :few] = parameters.output_weights
    found.output_bias[:] = parameters.output_bias
    return found


def sections(hidden: int) -> Any:
    """SECTION[3]: the input weights and biases, the output weights, the output biases.

    The parameters of a section have the same unit, and a limit with which no sum of whole numbers overflows.
    """
    inputs, outputs = (INPUTS + 1) * hidden, BUCKETS * 2 * hidden
    edges = [
        (0, inputs, MOST_INPUT_WEIGHT / ACTIVATION_UNIT, ACTIVATION_UNIT),
        (inputs, inputs + outputs, MOST_OUTPUT_WEIGHT / OUTPUT_UNIT, OUTPUT_UNIT),
        (inputs + outputs, inputs + outputs + BUCKETS, np.inf, ACTIVATION_UNIT * OUTPUT_UNIT),
    ]
    return np.array(edges, SECTION).view(np.recarray)


def as_floats(records: Any) -> Floats:
    """Records as float32[all their parameters], of the same memory."""
    return np.asarray(records).reshape(-1).view(np.float32)


def quantised(parameters: Any, scale: NDArray[np.int64], about: dict[str, Any]) -> Network:
    """The network in whole numbers, as the engine takes it."""
    return Network(
        _whole(parameters.input_weights, ACTIVATION_UNIT),
        _whole(parameters.input_bias, ACTIVATION_UNIT),
        _whole(parameters.output_weights, OUTPUT_UNIT),
        np.rint(parameters.output_bias.astype(np.float64) * (ACTIVATION_UNIT * OUTPUT_UNIT)).astype(np.int64),
        scale,
        about,
    )


def _whole(values: Floats, unit: int) -> NDArray[np.int16]:
    return np.rint(values * unit).astype(np.int16)
