"""What answers lead to: when a puzzle comes back, by FSRS, and the person's rating, by Glicko-2.

Whoever calls says what time it is: seconds since 1970.
"""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, Self

Grade = Literal["good", "hard", "again"]
_DAY: Final = datetime.timedelta(days=1)
_PUZZLE_DEVIATION: Final = 80.0  # The rating deviation of a puzzle of Lichess that was played often.


def due_after(answers: Iterable[tuple[float, Grade]]) -> float:
    """When a puzzle comes back after some answers: their times and grades, the first one first."""
    from fsrs import Card, Rating, Scheduler  # Only who trains needs it.

    # Steps of minutes would let a puzzle come back within a session; what was missed is due tomorrow.
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card = Card(0)
    for time, grade in answers:
        moment = datetime.datetime.fromtimestamp(time, datetime.UTC)
        card, _ = scheduler.review_card(card, Rating[grade.capitalize()], moment)
    return card.due.timestamp()


def end_of_day(now: float, days: int = 0) -> float:
    """The next midnight here, or the one some days later. What is due before it can be trained all day."""
    return datetime.datetime.combine(day_of(now) + (days + 1) * _DAY, datetime.time()).timestamp()


def day_of(time: float) -> datetime.date:
    return datetime.date.fromtimestamp(time)


@dataclass(frozen=True, slots=True)
class Rating:
    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    def after(self, *games: tuple[float, float, float]) -> Self:
        """The rating after some games: the opponents' ratings, their deviations, and 1 for a win, 0 for a loss."""
        from glicko2 import Player  # Only who trains needs it.

        player = Player(self.value, self.deviation, self.volatility)
        player.update_player(*map(list, zip(*games, strict=True)))
        return type(self)(player.rating, player.rd, player.vol)

    def after_puzzle(self, rating: float, is_solved: bool) -> Self:
        """A puzzle is an opponent, which wins if it is not solved."""
        return self.after((rating, _PUZZLE_DEVIATION, is_solved))
