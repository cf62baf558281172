"""What the games come to: results of each pairing and of each contender, as counts and as data."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ox88.apps.match import statistics as stats
from ox88.apps.match.game import NO_WORK, Work
from ox88.apps.match.schedule import Fixture

_POINTS: Final = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}  # White's.
_FEWEST_PAIRS: Final = 8  # From so many on errors are taken from pairs, before from single games.


@dataclass(slots=True)
class Tally:
    """Results from one side's view. games: losses, draws, wins; pairs: by points of both games, in halves."""

    games: list[int] = field(default_factory=lambda: [0] * 3)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    faults: Counter[str] = field(default_factory=Counter)
    work: Work = NO_WORK
    _halves: dict[tuple[int, int], float] = field(default_factory=dict)

    def add(self, points: float, pair: tuple[int, int], fault: str, work: Work) -> None:
        """A game's points for this side. pair: names the two games that share an opening."""
        self.games[round(2 * points)] += 1
        self.work += work
        if fault:
            self.faults[fault] += 1
        other = self._halves.pop(pair, None)
        if other is None:
            self._halves[pair] = points
        else:
            self.pairs[round(2 * (points + other))] += 1

    @property
    def played(self) -> int:
        return sum(self.games)

    @property
    def points(self) -> float:
        return self.games[2] + self.games[1] / 2

    @property
    def pair_sample(self) -> stats.Sample:
        return stats.Sample(tuple(self.pairs), stats.PAIR_SCORES)

    @property
    def sample(self) -> stats.Sample:
        """What errors are taken from. The mean may leave out a game whose twin is not over yet."""
        if sum(self.pairs) >= _FEWEST_PAIRS:
            return self.pair_sample
        return stats.Sample(tuple(self.games), stats.GAME_SCORES)

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"games": self.played, "points": self.points, "faults": dict(self.faults)}
        data |= dict(zip(("losses", "draws", "wins"), self.games, strict=True)) | {"pentanomial": list(self.pairs)}
        data |= {"moves": self.work.moves, "seconds": self.work.seconds, "nodes": self.work.nodes}
        if self.played:
            elo = stats.elo_estimate(self.sample)
            data |= {"elo": [elo.low, elo.value, elo.high], "superiority": stats.superiority(self.sample)}
        return data


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game's result as the standings want it.

    fault: kind of failure that ended it, if one did. failed: whose it was, White's (True) or Black's. work: of both.
    """

    fixture: Fixture
    result: str
    fault: str = ""
    failed: bool | None = None
    work: tuple[Work, Work] = (NO_WORK, NO_WORK)


class Standings:
    """The results of a match as they come in."""

    def __init__(self, names: Sequence[str], pairings: Sequence[tuple[int, int]]) -> None:
        self.names = tuple(names)
        self.totals = [Tally() for _ in names]
        self.pairings = {pairing: Tally() for pairing in pairings}

    @property
    def played(self) -> int:
        return sum(tally.played for tally in self.pairings.values())

    def add(self, outcome: Outcome) -> None:
        fixture, points = outcome.fixture, _POINTS[outcome.result]
        self._add_side(outcome, fixture.white, fixture.black, points, 0)
        self._add_side(outcome, fixture.black, fixture.white, 1 - points, 1)

    def _add_side(self, outcome: Outcome, side: int, rival: int, points: float, number: int) -> None:
        fixture, work = outcome.fixture, outcome.work[number]
        fault = outcome.fault if outcome.failed is (number == 0) else ""
        self.totals[side].add(points, (rival, fixture.pair), fault, work)
        if side == fixture.first:
            self.pairings[side, rival].add(points, (rival, fixture.pair), fault, work)

    def ranking(self) -> list[int]:
        """The contenders by score, the best first."""
        return sorted(range(len(self.names)), key=lambda side: -self._share(self.totals[side]))

    @staticmethod
    def _share(tally: Tally) -> float:
        return tally.points / tally.played if tally.played else 0.5

    def as_data(self) -> dict[str, Any]:
        contenders = [{"name": name} | tally.as_data() for name, tally in zip(self.names, self.totals, strict=True)]
        pairings = [
            {"first": self.names[first], "second": self.names[second]} | tally.as_data()
            for (first, second), tally in self.pairings.items()
        ]
        return {"contenders": contenders, "pairings": pairings}
