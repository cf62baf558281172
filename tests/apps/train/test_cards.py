"""When puzzles come back: FSRS itself, with a clock that the tests move."""

import datetime

import fsrs
import pytest

from ox88.apps.train.grading import Grade, due_after, end_of_day
from tests.apps.train.conftest import DAY, NOON


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
