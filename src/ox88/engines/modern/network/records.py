"""The records of the network: its weights, and the accumulator, which holds the hidden neurons of a position.

Weights and neurons are whole numbers. A neuron of 1.0 is ACTIVATION_UNIT, and an output weight of 1.0 is OUTPUT_UNIT.
"""

from typing import Final

import numpy as np

INPUTS: Final = 768  # 2 sides x 6 kinds x 64 squares.
HIDDEN: Final = 256  # Neurons of each side; networks of other sizes need another value here.
BUCKETS: Final = 8  # Sets of output weights and scales, by the number of pieces on the board.
ACTIVATION_UNIT: Final = 255
OUTPUT_UNIT: Final = 64
# With these limits no product leaves int16 and no sum leaves int16 or int32, up to 260 neurons a side.
MOST_INPUT_WEIGHT: Final = 505  # 1.98 in the trainer. Up to 992 the sum of a neuron's 33 terms would still fit.
MOST_OUTPUT_WEIGHT: Final = 127  # 1.98 too.

NO_VIEW: Final = 1  # Of neurons that have not been computed. No side has this view: see `view_of`.

NETWORK = np.dtype(
    [
        ("input_weights", np.int16, (INPUTS, HIDDEN)),
        ("input_bias", np.int16, HIDDEN),
        ("output_weights", np.int16, (BUCKETS, 2, HIDDEN)),  # For the side to move, then for the other side.
        ("output_bias", np.int64, BUCKETS),
        ("scale", np.int64, BUCKETS),  # Centipawns of an output of 1.0. 0: the record holds no network.
    ],
    align=True,
)

ACCUMULATOR = np.dtype(
    [
        ("neurons", np.int16, (2, HIDDEN)),  # By side, before their activation.
        ("views", np.int64, 2),  # How each side saw the board when its neurons were computed; NO_VIEW: never.
    ],
    align=True,
)

# The last position whose neurons a side could not compute from the position before.
REFRESH_CACHE = np.dtype(
    [
        ("accumulator", ACCUMULATOR),
        ("pieces", np.uint64, (2, 16)),  # By side, which has its own last position, and by piece.
    ],
    align=True,
)
