"""The schedule of a match: who plays whom, with which colours and openings, in which order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Form = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game between two participants, by their numbers. `first` has White unless the game is reversed.

    Two games with the same opening and reversed colours are a pair. Pairs count from 0 between each two participants.
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
        """The PGN tag `Round`: 17.2 is the second game of the 17th pair."""
        return f"{self.pair + 1}.{2 if self.is_reversed else 1}"


def pairings(participants: int, form: Form) -> Sequence[tuple[int, int]]:
    """Who plays whom: all against all, or the first against each of the others."""
    if form == "gauntlet":
        return [(0, other) for other in range(1, participants)]
    return list(combinations(range(participants), 2))


def schedule(participants: int, form: Form, games: int) -> Iterator[Fixture]:
    """All games in order: one pair of games for each pairing, then the next pair. games: for each pairing."""
    for pair in range((games + 1) // 2):
        for first, second in pairings(participants, form):
            yield Fixture(first, second, pair, is_reversed=False)
            if 2 * pair + 1 < games:
                yield Fixture(first, second, pair, is_reversed=True)
