"""A person's rating, by Glicko-2: each puzzle is an opponent, which wins if it is not solved."""

from dataclasses import dataclass
from typing import Final, NamedTuple, Self

PUZZLE_DEVIATION: Final = 80.0  # Of Lichess's puzzles that were played often.


class Result(NamedTuple):
    """A game against an opponent. score: 1 for a win."""

    rating: float
    deviation: float
    score: float


@dataclass(frozen=True, slots=True)
class Rating:
    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    def after(self, *results: Result) -> Self:
        """The rating after some games."""
        from glicko2 import Player  # Only who trains needs it.

        player = Player(self.value, self.deviation, self.volatility)
        player.update_player(*map(list, zip(*results, strict=True)))
        return type(self)(player.rating, player.rd, player.vol)

    def after_puzzle(self, rating: float, is_solved: bool) -> Self:
        return self.after(Result(rating, PUZZLE_DEVIATION, is_solved))
