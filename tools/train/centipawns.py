"""The scale of a network: how many centipawns an output of 1.0 is.

The margins of the search are made for the handcrafted evaluation, so the network's values must be of the same size.
The scores that it learns from are larger, since a search sees what an advantage leads to.
"""

from typing import Any

import numpy as np

from ox88.batch.engine import evaluate
from ox88.jit import kernel
from tools.packing import unpack
from tools.train.data import Data
from tools.train.gradient import forward, list_inputs, scratch_type

SAMPLE = 100_000
FARTHEST = 4  # A network that has learnt nothing has a unit too: between a quarter and four times that of the scores.
LEAST = 1e-9  # So that nothing is divided by 0.


def centipawns_of(parameters: Any, data: Data) -> int:
    """Centipawns of an output of 1, by which the network's values come nearest to the handcrafted evaluation's.

    parameters: the record of the network. The positions are a sample of those held out.
    """
    rows = data.held_out[:: len(data.held_out) // SAMPLE + 1]
    outputs = np.zeros(len(rows), np.float64)
    scratch = np.zeros(1, scratch_type(len(parameters.input_bias))).view(np.recarray)[0]
    fill_outputs(data.records, rows, parameters, scratch, outputs)
    by_hand = evaluate(unpack(np.asarray(data.records)[rows]), "mover", None).astype(np.float64)
    best = float(by_hand @ outputs) / max(float(outputs @ outputs), LEAST)
    return round(min(max(best, data.scale / FARTHEST), data.scale * FARTHEST))


@kernel
def fill_outputs(records, order, parameters, scratch, outputs):
    """Write the output for the side to move in each of the PACKED records whose numbers are in uint32[n]."""
    for number in range(len(order)):
        forward(parameters, scratch, list_inputs(records[order[number]], scratch.inputs))
        outputs[number] = scratch.output
