"""TD(λ): a position learns from what becomes of it in its game, not only from what its own search sees.

A small search sees little more than the network that evaluates its leaves. But the positions that follow in the game
are searched too, so their scores tell more; the result tells most, but one game says little about each of its
positions. So scores and result are blended, and what comes sooner has the larger share. (Richard Sutton, "Learning to
Predict by the Methods of Temporal Differences", 1988.)
"""

import math

import numpy as np

from ox88.jit import kernel
from tools.train.data import Data
from tools.train.imitation import MOST_SCORE

HALF = 0.5
LEAST = 1e-5  # The least expected result, and the most is as near to 1: its logarithm is finite.


def look_ahead(data: Data, td_lambda: float) -> None:
    """Blend the scores of the positions with what comes later in their games, in place.

    An expected result, e = sigmoid(score / scale), becomes (1 - td_lambda) e + td_lambda n, where n is what the next
    position of the game has become, or behind the last one the result.
    """
    blend_scores(data.records, data.games, data.scale, td_lambda)


@kernel
def blend_scores(records, games, scale, td_lambda):
    """See `look_ahead`. records: PACKED[n], one game after the other. games: int32[n], the game of each record."""
    later = 0.0
    for number in range(len(records) - 1, -1, -1):
        record = records[number]
        if number == len(records) - 1 or games[number] != games[number + 1]:
            later = record.result * HALF
        expected = 1 / (1 + math.exp(-record.score / scale))
        later = (1 - td_lambda) * expected + td_lambda * later
        bounded = min(max(later, LEAST), 1 - LEAST)
        score = np.int64(np.rint(scale * math.log(bounded / (1 - bounded))))
        record.score = min(max(score, -MOST_SCORE), MOST_SCORE)
