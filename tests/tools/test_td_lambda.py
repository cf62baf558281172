"""Targets that look ahead in the game, against a slow twin that knows where the games begin."""

import math
from typing import Any, Final

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tools.packing import PACKED, Packed
from tools.train.data import Data
from tools.train.imitation import MOST_SCORE
from tools.train.td_lambda import begins_game, look_ahead

SCALE: Final = 250
MOST: Final = int(MOST_SCORE)

# A game: its result, and of each position the number of pieces and the score. Positions have fewer and fewer pieces.
GAMES: Final = st.tuples(
    st.integers(0, 2),
    st.lists(st.tuples(st.integers(2, 32), st.integers(-1500, 1500)), min_size=1, max_size=8).map(
        lambda positions: sorted(positions, reverse=True)
    ),
)
JOBS: Final = st.lists(st.lists(GAMES, min_size=1, max_size=4), min_size=1, max_size=3)


def make_data(jobs: Any) -> Data:
    """The positions of all games, one behind the other."""
    rows = [
        (number, result, pieces, score)
        for number, games in enumerate(jobs)
        for result, positions in games
        for pieces, score in positions
    ]
    records = np.zeros(len(rows), PACKED)
    records["occupied"] = [(1 << pieces) - 1 for _, _, pieces, _ in rows]
    records["result"] = [result for _, result, _, _ in rows]
    records["score"] = [score for _, _, _, score in rows]
    numbers = np.arange(len(rows), dtype=np.uint32)
    return Data(records.view(np.recarray), np.array([row[0] for row in rows], np.int32), numbers, numbers, SCALE, {})


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


def can_be_one(before: Any, game: Any) -> bool:
    """True if nothing tells where the first of two games ends."""
    return bool(before[0] == game[0] and before[1][-1][0] >= game[1][0][0])


@given(JOBS, st.sampled_from([0.0, 0.3, 0.8, 0.95, 1.0]))
def test_scores_are_those_of_the_twin(jobs: Any, td_lambda: float) -> None:
    whole = []
    for games in jobs:
        kept: list[Any] = []
        for game in games:
            if not kept or not can_be_one(kept[-1], game):
                kept.append(game)
        whole.append(kept)
    data = make_data(whole)
    look_ahead(data, td_lambda)
    expected = [
        score
        for games in whole
        for result, positions in games
        for score in twin(result, [score for _, score in positions], td_lambda)
    ]
    assert np.all(np.abs(data.records["score"] - expected) <= 1), "but for rounding"


def test_without_the_rest_of_the_game_a_score_stays() -> None:
    scores = [-1500, -301, -1, 0, 1, 77, 1500]
    data = make_data([[(2, [(30, score) for score in scores])]])
    look_ahead(data, 0.0)
    assert data.records["score"].tolist() == scores


def test_the_result_alone() -> None:
    data = make_data([[(2, [(30, -400), (20, 5)]), (0, [(25, 300)]), (1, [(31, 300), (4, -2)])]])
    look_ahead(data, 1.0)
    most = round(SCALE * math.log((1 - 1e-5) / 1e-5))
    assert data.records["score"].tolist() == [most, most, -most, 0, 0]


def test_games_of_datagen_are_found(jobs_done: list[Packed]) -> None:
    """A job has 32 games. Two that follow each other may be taken for one, but seldom."""
    found = 0
    for job in jobs_done:
        records = job.view(np.recarray)
        found += 1 + sum(bool(begins_game(records[row], records[row - 1])) for row in range(1, len(records)))
    games = 32 * len(jobs_done)
    assert games - 3 <= found <= games
