"""Targets that look ahead in the game, against a slow twin."""

import math
from typing import Final

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tools.packing import PACKED
from tools.train.data import Data
from tools.train.imitation import MOST_SCORE
from tools.train.td_lambda import look_ahead

SCALE: Final = 250
MOST: Final = int(MOST_SCORE)

# A game: its result, and the scores of its positions.
GAMES: Final = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.integers(-1500, 1500), min_size=1, max_size=8)), min_size=1
)


def make_data(games: list[tuple[int, list[int]]]) -> Data:
    """The positions of all games, one behind the other."""
    rows = [(number, *game) for number, game in enumerate(games)]
    records = np.zeros(sum(len(scores) for _, _, scores in rows), PACKED)
    records["result"] = [result for _, result, scores in rows for _ in scores]
    records["score"] = [score for _, _, scores in rows for score in scores]
    numbers = np.arange(len(records), dtype=np.uint32)
    game = np.array([number for number, _, scores in rows for _ in scores], np.int32)
    return Data(records.view(np.recarray), game, numbers, numbers, SCALE, {})


def twin(result: int, scores: list[int], td_lambda: float) -> list[int]:
    """The new scores of a game. Each target is a weighted mean of the expected results that follow, and the result."""
    targets = []
    for first in range(len(scores)):
        expected = [1 / (1 + math.exp(-score / SCALE)) for score in scores[first:]]
        weights = [(1 - td_lambda) * td_lambda**n for n in range(len(expected))]
        targets.append(
            sum(w * e for w, e in zip(weights, expected, strict=True)) + td_lambda ** len(expected) * result / 2
        )
    return [score_of(target) for target in targets]


def score_of(target: float) -> int:
    """Its logit. An expected result of 0 or 1 has none, so all stay a little away from these."""
    bounded = min(max(target, 0.00001), 0.99999)
    return min(max(round(SCALE * math.log(bounded / (1 - bounded))), -MOST), MOST)


@given(GAMES, st.sampled_from([0.0, 0.3, 0.8, 0.95, 1.0]))
def test_scores_are_those_of_the_twin(games: list[tuple[int, list[int]]], td_lambda: float) -> None:
    data = make_data(games)
    look_ahead(data, td_lambda)
    expected = [score for result, scores in games for score in twin(result, scores, td_lambda)]
    assert np.all(np.abs(data.records["score"] - expected) <= 1), "but for rounding"


def test_without_the_rest_of_the_game_and_by_the_result_alone() -> None:
    scores = [-1500, -301, -1, 0, 1, 77, 1500]
    data = make_data([(2, scores)])
    look_ahead(data, 0.0)
    assert data.records["score"].tolist() == scores
    data = make_data([(2, [-400, 5]), (2, [3]), (0, [300]), (1, [300, -2])])
    look_ahead(data, 1.0)
    most = round(SCALE * math.log((1 - 1e-5) / 1e-5))
    assert data.records["score"].tolist() == [most, most, most, -most, 0, 0]
