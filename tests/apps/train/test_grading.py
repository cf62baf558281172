"""When puzzles come back, as py-fsrs says, with a clock that tests move; and ratings, as Glicko-2's paper says."""

import datetime
import math
import random

import fsrs
import pytest

from ox88.apps.train.grading import Grade, Rating, due_after, end_of_day
from ox88.apps.train.records import POINTS
from tests.apps.train.conftest import DAY, NOON

# Glickman, "Example of the Glicko-2 system" (2022): the opponents, and what a player of 1500 +- 200 gets.
EXAMPLE = [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)]


@pytest.mark.parametrize(("grade", "days"), [("again", 1), ("hard", 1), ("good", 2)])
def test_the_first_time_it_comes_back_after_days(grade: Grade, days: int) -> None:
    """They are FSRS's first stabilities, 0.212, 1.2931 and 2.3065 days, as whole days of which it is at least one."""
    assert due_after([(NOON, grade)]) == NOON + days * DAY


def test_each_success_makes_it_wait_longer_and_a_miss_begins_anew() -> None:
    answers: list[tuple[float, Grade]] = []
    waits, time = [], NOON
    for _ in range(4):
        answers.append((time, "good"))
        waits.append(due_after(answers) - time)
        time += waits[-1]
    assert waits == sorted(set(waits))
    assert waits[-1] > 30 * DAY
    missed = due_after([*answers, (time, "again")]) - time
    assert DAY <= missed < waits[1]


def test_it_is_the_library_s_interval() -> None:
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card, time = fsrs.Card(), NOON
    answers: list[tuple[float, Grade]] = [(NOON, "hard"), (NOON + 3 * DAY, "again"), (NOON + 9 * DAY, "good")]
    answers += [(NOON + 30 * DAY, "good"), (NOON + 90 * DAY, "good")]
    for time, grade in answers:
        moment = datetime.datetime.fromtimestamp(time, datetime.UTC)
        card, _ = scheduler.review_card(card, fsrs.Rating[grade.capitalize()], moment)
    assert due_after(answers) == card.due.timestamp() > time + 30 * DAY  # To the day, not about it.


def test_a_day_ends_at_midnight_here() -> None:
    end = datetime.datetime.fromtimestamp(end_of_day(NOON))
    assert (end.hour, end.minute, end.second) == (0, 0, 0)
    assert 0 < end.timestamp() - NOON <= DAY
    assert end_of_day(end_of_day(NOON)) == end_of_day(NOON, 1)


# --- The rating -------------------------------------------------------------------------------------------------------


def test_the_example_of_the_paper() -> None:
    """The paper rounds between its steps: 1464.06."""
    rating = Rating(1500, 200, 0.06).after(*EXAMPLE)
    assert rating.value == pytest.approx(1464.06, abs=0.02)
    assert rating.deviation == pytest.approx(151.52, abs=0.01)
    assert rating.volatility == pytest.approx(0.05999, abs=1e-5)


def test_who_is_new_rises_and_falls_fast() -> None:
    new, known = Rating(), Rating(deviation=60)
    for is_solved in (True, False):
        change = new.after_puzzle(1500, is_solved).value - 1500
        assert math.copysign(1, change) == (1 if is_solved else -1)
        assert abs(change) > 100 > 20 > abs(known.after_puzzle(1500, is_solved).value - 1500) > 5
    assert new.after_puzzle(1500, True).deviation < 300
    assert new.after_puzzle(1700, True) == new.after((1700, 80, 1))  # As Lichess's puzzles that were played often.


def test_it_finds_how_strong_somebody_is() -> None:
    """Somebody of strength 1900 answers 300 puzzles near the rating found so far, each by chance."""
    chance, rating = random.Random(3), Rating()
    for _ in range(300):
        puzzle = rating.value + chance.uniform(-100, 100)
        expected = 1 / (1 + 10 ** ((puzzle - 1900) / 400))
        rating = rating.after_puzzle(puzzle, chance.random() < expected)
    assert rating.value == pytest.approx(1900, abs=100)
    assert 40 < rating.deviation < 90


@pytest.mark.parametrize("value", POINTS)
@pytest.mark.parametrize("deviation", [1, 1000])
@pytest.mark.parametrize("puzzle", [400, 3000])  # The open set goes so far.
def test_ratings_that_a_file_may_have_can_change(value: float, deviation: float, puzzle: float) -> None:
    for volatility in (0.001, 1):
        for is_solved in (True, False):
            rating = Rating(value, deviation, volatility).after_puzzle(puzzle, is_solved)
            assert math.isfinite(rating.value)
            assert 0 < rating.deviation < 2000
