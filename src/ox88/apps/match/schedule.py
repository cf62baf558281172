"""Who meets whom, from which opening, with which colour, in which order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Form = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played: contenders by number, and the pair of games it belongs to, which share an opening.

    pair: counts from 0 in each pairing. first, second: the pairing; first has White in a pair's first game.
    """

    first: int
    second: int
    pair: int
    is_reversed: bool

    @property
    def white(self) -> int:
        return self.second if self.is_reversed else self.first

    @property
    def black(self) -> int:
        return self.first if self.is_reversed else self.second

    @property
    def round(self) -> str:
        """The game's name among those of its pairing, as PGN's tag has it: 17.2 is the second of the 17th pair."""
        return f"{self.pair + 1}.{2 if self.is_reversed else 1}"


def pairings(contenders: int, form: Form) -> Sequence[tuple[int, int]]:
    """All against all, or the first against each other one."""
    if form == "gauntlet":
        return [(0, other) for other in range(1, contenders)]
    return list(combinations(range(contenders), 2))


def schedule(contenders: int, form: Form, games: int) -> Iterator[Fixture]:
    """All games in order: a pair for each pairing, then the next. games: for each pairing."""
    for pair in range((games + 1) // 2):
        for first, second in pairings(contenders, form):
            yield Fixture(first, second, pair, is_reversed=False)
            if 2 * pair + 1 < games:
                yield Fixture(first, second, pair, is_reversed=True)
