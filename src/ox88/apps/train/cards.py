"""When a puzzle comes back, by FSRS. Whoever calls says what time it is: seconds since 1970."""

import datetime
from collections.abc import Iterable
from typing import Final, Literal

Grade = Literal["good", "hard", "again"]
_DAY: Final = datetime.timedelta(days=1)


def due_after(answers: Iterable[tuple[float, Grade]]) -> float:
    """When a puzzle comes back after some answers: their times and grades, the first one first."""
    from fsrs import Card, Rating, Scheduler  # Only who trains needs it.

    # Steps of minutes would let a puzzle come back within a session; what was missed is due tomorrow.
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card = Card(0)
    for time, grade in answers:
        card, _ = scheduler.review_card(
            card, Rating[grade.capitalize()], datetime.datetime.fromtimestamp(time, datetime.UTC)
        )
    return card.due.timestamp()


def end_of_day(now: float, days: int = 0) -> float:
    """The next midnight here, or the one some days later. What is due before it can be trained all day."""
    return datetime.datetime.combine(day_of(now) + (days + 1) * _DAY, datetime.time()).timestamp()


def day_of(time: float) -> datetime.date:
    return datetime.date.fromtimestamp(time)
