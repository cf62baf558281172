"""The scale of a network: how many centipawns an output of 1.0 is, by the number of pieces.

The margins of the search are made for the handcrafted evaluation, so the network's values must be of the same size.
The scores that it learns from are larger, since a search sees what an advantage leads to. In endgames they are too
large even beside those of full boards: small searches often lose endgames that large searches draw. So each bucket, a
range of the number of pieces, has a scale of its own.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.positions.positions import Positions
from ox88.engines.modern.network.file import Network
from ox88.engines.modern.network.inference import bucket_of
from ox88.engines.modern.network.records import BUCKETS
from ox88.jit import kernel
from tools.packing import unpack
from tools.train.data import Data
from tools.train.gradient import forward, list_inputs, scratch_type

SAMPLE = 100_000
FARTHEST = 4  # A network that has learnt nothing has a unit too: between a quarter and four times that of the scores.
LEAST = 1e-9  # So that nothing is divided by 0.
# A bucket with few positions cannot tell its scale. So the scale of the network that the training began with, or else
# that of all positions, counts as much as positions of the bucket whose squared outputs add up to this.
PRIOR = 100.0


def centipawns_of(parameters: Any, data: Data, start: Network | None = None) -> NDArray[np.int64]:
    """int64[8], centipawns of an output of 1, by which the values come nearest to the handcrafted evaluation's.

    parameters: the record of the network. The positions are a sample of those held out. start: what the training began
    with.
    """
    rows = data.held_out[:: len(data.held_out) // SAMPLE + 1]
    outputs, buckets = np.zeros(len(rows), np.float64), np.zeros(len(rows), np.int64)
    scratch = np.zeros(1, scratch_type(len(parameters.input_bias))).view(np.recarray)[0]
    fill_outputs(data.records, rows, parameters, scratch, outputs, buckets)
    positions = Positions._of(unpack(np.asarray(data.records)[rows]))
    by_hand = positions.evaluate(by="handcrafted", view="mover").astype(np.float64)
    products, squares = (np.bincount(buckets, outputs * factor, BUCKETS) for factor in (by_hand, outputs))
    before = start.scale if start is not None else products.sum() / max(squares.sum(), LEAST)
    best = (products + PRIOR * before) / (squares + PRIOR)
    found: NDArray[np.int64] = np.rint(best.clip(data.scale / FARTHEST, data.scale * FARTHEST)).astype(np.int64)
    return found


@kernel
def fill_outputs(records, order, parameters, scratch, outputs, buckets):
    """Write the outputs, for the side to move, and the buckets of some positions.

    records: PACKED. order: uint32[n], the numbers of the records. outputs: float64[n]. buckets: int64[n].
    """
    for number in range(len(order)):
        count = list_inputs(records[order[number]], scratch.inputs)
        forward(parameters, scratch, count)
        outputs[number] = scratch.output
        buckets[number] = bucket_of(count)
