"""When a puzzle comes back, by FSRS. Whoever calls says what time it is: seconds since 1970."""

import datetime
from typing import Any, Final, Literal

Grade = Literal["good", "hard", "again"]
State = dict[str, Any]  # Of a card of FSRS, as plain data.
_DAY: Final = datetime.timedelta(days=1)


def review(state: State | None, grade: Grade, now: float) -> State:
    """The state after an answer. state: before it; None for a puzzle that was never answered."""
    from fsrs import Card, Rating, Scheduler  # Only who trains needs it.

    # Steps of minutes would let a puzzle come back within a session; what was missed is due tomorrow.
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    time = datetime.datetime.fromtimestamp(now, datetime.UTC)
    card = Card(0, due=time) if state is None else Card.from_dict(state)  # type: ignore[arg-type]
    return dict(scheduler.review_card(card, Rating[grade.capitalize()], time)[0].to_dict())


def due_time(state: State) -> float:
    return datetime.datetime.fromisoformat(state["due"]).timestamp()


def end_of_day(now: float, days: int = 0) -> float:
    """The next midnight here, or the one some days later. What is due before it can be trained all day."""
    return datetime.datetime.combine(day_of(now) + (days + 1) * _DAY, datetime.time()).timestamp()


def day_of(time: float) -> datetime.date:
    return datetime.date.fromtimestamp(time)
