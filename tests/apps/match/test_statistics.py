"""Elo, likelihoods and tests, compared with published results.

Published are results of Fishtest (in Stockfish's pull requests, by number) and of fast-chess. The formulas are those
of https://www.chessprogramming.org/Match_Statistics and of M. Van den Bergh's notes, https://www.cantate.be/Fishtest/.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.match.statistics import (
    GAME_SCORES,
    PAIR_SCORES,
    Sample,
    Sprt,
    elo_estimate,
    elo_of_score,
    expected_score,
    log_likelihood_ratio,
    normalised_elo_estimate,
    score_estimate,
    superiority,
)

# Pairs of 0, 1/2, 1, 3/2, 2 points; the bounds, in logistic Elo; the ratio as it was told.
FISHTEST_RATIOS = {
    "3209 STC": ((253, 4282, 17604, 4431, 286), (-0.25, 1.25), 2.94),
    "3209 LTC": ((58, 3302, 33130, 3518, 84), (0.25, 1.25), 2.97),
    "2971 STC": ((17, 253, 1042, 337, 39), (-0.5, 1.5), 2.96),
    "2971 LTC": ((11, 407, 3238, 513, 11), (0.25, 1.75), 2.93),
    "2493 STC": ((424, 2948, 5832, 3045, 460), (-1.0, 3.0), 2.94),
    "2493 LTC": ((1284, 17437, 55536, 18085, 1292), (0.0, 2.0), 2.94),
    "2951 STC": ((59, 754, 2467, 865, 75), (-0.5, 1.5), 2.95),
}
# The pairs; Elo, half of its 95 % interval, likelihood of superiority in %, and their decimal places, as told.
PUBLISHED_ELO = {
    "fast-chess": ((4, 3, 34, 42, 117), (277.00, 2), (40.90, 2), (100.0, 2)),
    "Stockfish 6255": ((1, 137, 4659, 203, 0), (2.22, 2), (1.3, 1), (100.0, 1)),
    "Stockfish 4160": ((39, 5335, 18992, 5622, 12), (1.35, 2), (1.2, 1), (98.6, 1)),
}


def pairs(*counts: float) -> Sample:
    return Sample(counts, PAIR_SCORES)


@pytest.mark.parametrize("name", FISHTEST_RATIOS)
def test_ratios_that_fishtest_told(name: str) -> None:
    counts, (elo0, elo1), told = FISHTEST_RATIOS[name]
    assert round(log_likelihood_ratio(pairs(*counts), elo0, elo1), 2) == pytest.approx(told, abs=0.011)


@pytest.mark.parametrize("name", PUBLISHED_ELO)
def test_elo_that_was_published(name: str) -> None:
    counts, (value, value_places), (reach, reach_places), (likelihood, places) = PUBLISHED_ELO[name]
    elo = elo_estimate(pairs(*counts))
    assert round(elo.value, value_places) == value
    assert round((elo.high - elo.low) / 2, reach_places) == reach
    assert round(100 * superiority(pairs(*counts)), places) == likelihood


def test_the_logistic_curve_and_its_ends() -> None:
    """An advantage of 400 is ten points to one."""
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(-400) == pytest.approx(1 / 11)
    assert elo_of_score(0.75) == pytest.approx(400 * math.log10(3))
    assert (elo_of_score(0.0), elo_of_score(1.0)) == pytest.approx((-2000, 2000))
    for counts, expected in (((0, 0, 9), 1.0), ((0, 9, 0), 0.5), ((9, 0, 0), 0.0)):
        assert superiority(Sample(counts, GAME_SCORES)) == expected


def test_normalised_elo_is_the_lead_in_standard_deviations_of_a_game() -> None:
    """Single games score 60 %, with a deviation of 0.4; pairs of independent games have the same Elo."""
    games = Sample((20, 40, 60), GAME_SCORES)
    expected = (games.mean - 0.5) / math.sqrt(games.variance) * 800 / math.log(10)
    assert normalised_elo_estimate(games).value == pytest.approx(expected)
    loss, draw, win = (count / games.size for count in games.counts)
    independent = (loss * loss, 2 * loss * draw, draw * draw + 2 * loss * win, 2 * draw * win, win * win)
    assert normalised_elo_estimate(pairs(*independent)).value == pytest.approx(expected)


def test_normalised_elo_near_elo_without_draws_and_bounded() -> None:
    decided = Sample((480, 0, 520), GAME_SCORES)
    assert normalised_elo_estimate(decided).value == pytest.approx(elo_estimate(decided).value, rel=0.01)
    assert normalised_elo_estimate(Sample((0, 0, 5), GAME_SCORES)).value == 2000
    assert normalised_elo_estimate(Sample((0, 5, 0), GAME_SCORES)).value == 0


def test_intervals() -> None:
    """They end with the possible. If White wins every opening, pairs give the score exactly; games seem to vary."""
    score = score_estimate(Sample((0, 1, 9), GAME_SCORES))
    assert 0 < score.low < score.value < score.high == 1
    assert elo_estimate(Sample((0, 0, 5), GAME_SCORES)).low == pytest.approx(2000)
    from_pairs = elo_estimate(pairs(0, 0, 100, 0, 0))
    from_games = elo_estimate(Sample((100, 0, 100), GAME_SCORES))
    assert from_pairs.high - from_pairs.low == 0 < from_games.high - from_games.low


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5))
def test_the_ratio_of_few_pairs(counts: list[int]) -> None:
    """It is finite although some outcomes were never seen, and changes its sign with the sides."""
    ratio = log_likelihood_ratio(pairs(*counts), -5, 5)
    assert math.isfinite(ratio)
    assert log_likelihood_ratio(pairs(*counts[::-1]), -5, 5) == pytest.approx(-ratio, abs=1e-6)


def test_a_decision_takes_games() -> None:
    test = Sprt(0, 5)
    assert test.bound == pytest.approx(math.log(0.95 / 0.05))
    assert test.accepted(pairs(0, 0, 0, 0, 0)) is None
    assert test.accepted(pairs(0, 0, 0, 0, 20)) is None
    assert test.accepted(pairs(0, 0, 50, 0, 0)) is None
    assert test.accepted(pairs(100, 100, 100, 400, 400)) == 5
    assert test.accepted(pairs(400, 400, 100, 100, 100)) == 0
