"""How the training goes: by theme, by day."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ox88.apps.train.cards import day_of, end_of_day
from ox88.apps.train.records import Answer, Records

_DAYS = 14  # For which what is due is counted.


@dataclass(frozen=True, slots=True)
class Statistics:
    """How the training goes.

    Attributes:
        themes: How many puzzles of each theme were seen, and solved at once; what was seen most comes first.
        ratings: The rating at the end of each day with an answer, the first day first.
        days: How many puzzles are due today, tomorrow, and on the days after.
        fresh: Mistakes that were never tried.
        today: Answers of today.
        streak: Days in a row with an answer, up to today, or up to yesterday if today has none yet.

    """

    themes: list[tuple[str, int, int]]
    ratings: list[tuple[str, int]]
    days: list[int]
    fresh: int
    today: int
    streak: int


def gather(records: Records, now: float) -> Statistics:
    answers = list(records.answers())
    seen = Counter(theme for answer in answers for theme in answer.themes)
    right = Counter(theme for answer in answers if answer.grade == "good" for theme in answer.themes)
    ends = [0.0, *(end_of_day(now, day) for day in range(_DAYS))]
    due = [len(records.due(end)) for end in ends]
    return Statistics(
        themes=[(theme, count, right[theme]) for theme, count in seen.most_common()],
        ratings=list({day_of(answer.time).isoformat(): round(answer.rating) for answer in answers}.items()),
        days=[after - before for before, after in pairwise(due)],
        fresh=len(records.fresh()),
        today=sum(day_of(answer.time) == day_of(now) for answer in answers),
        streak=_streak(answers, now),
    )


def _streak(answers: Sequence[Answer], now: float) -> int:
    days = {day_of(answer.time).toordinal() for answer in answers}
    last = day_of(now).toordinal()
    last -= last not in days
    length = 0
    while last - length in days:
        length += 1
    return length
