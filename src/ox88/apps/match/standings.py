"""The standings of a match: results of each pairing and participant, as numbers, as data and as tables."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ox88.apps.live import results_table
from ox88.apps.match import statistics as stats
from ox88.apps.match.game import NO_WORK, FinishedGame, Fixture, Work
from ox88.rules import POINTS

_MIN_PAIRS: Final = 8  # With fewer pairs, errors are estimated from single games.
_MAX_ELO: Final = 1999.0  # Beyond this only a bound is known.


@dataclass(slots=True)
class SideResults:
    """Results from one side's view. games: losses, draws, wins. pairs: pairs with 0, 1/2, 1, 3/2 and 2 points."""

    games: list[int] = field(default_factory=lambda: [0] * 3)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    failures: Counter[str] = field(default_factory=Counter)
    work: Work = NO_WORK
    _half_pairs: dict[tuple[int, int], float] = field(default_factory=dict)

    def add(self, points: float, pair: tuple[int, int], failure: str, work: Work) -> None:
        """Add a game. pair: its pair, which two games have in common."""
        self.games[round(2 * points)] += 1
        self.work += work
        if failure:
            self.failures[failure] += 1
        other = self._half_pairs.pop(pair, None)
        if other is None:
            self._half_pairs[pair] = points
        else:
            self.pairs[round(2 * (points + other))] += 1

    @property
    def played(self) -> int:
        return sum(self.games)

    @property
    def points(self) -> float:
        return self.games[2] + self.games[1] / 2

    @property
    def share(self) -> float:
        """Points per game; one half before the first game."""
        return self.points / self.played if self.played else 0.5

    @property
    def pair_sample(self) -> stats.Sample:
        return stats.Sample(tuple(self.pairs), stats.PAIR_SCORES)

    @property
    def sample(self) -> stats.Sample:
        """The outcomes that errors are computed from: finished pairs if there are enough of them, else single games."""
        if sum(self.pairs) >= _MIN_PAIRS:
            return self.pair_sample
        return stats.Sample(tuple(self.games), stats.GAME_SCORES)

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"games": self.played, "points": self.points, "failures": dict(self.failures)}
        data |= dict(zip(("losses", "draws", "wins"), self.games, strict=True)) | {"pentanomial": list(self.pairs)}
        data |= {"moves": self.work.moves, "seconds": self.work.seconds, "nodes": self.work.nodes}
        if self.played:
            elo = stats.elo_estimate(self.sample)
            normalised = stats.normalised_elo_estimate(self.sample)
            data |= {"elo": [elo.low, elo.value, elo.high]}
            data |= {"normalised_elo": [normalised.low, normalised.value, normalised.high]}
            data |= {"superiority": stats.superiority(self.sample)}
        return data


class Standings:
    """The results of a match so far."""

    def __init__(self, names: Sequence[str], pairings: Sequence[tuple[int, int]]) -> None:
        self.names = tuple(names)
        self.totals = [SideResults() for _ in names]
        self.pairings = {pairing: SideResults() for pairing in pairings}

    @property
    def played(self) -> int:
        return sum(results.played for results in self.pairings.values())

    @property
    def first_pairing(self) -> SideResults:
        """The pairing of a match of two."""
        return next(iter(self.pairings.values()))

    def add(self, fixture: Fixture, game: FinishedGame) -> None:
        white_points = POINTS[game.end.result]
        sides = ((fixture.white, fixture.black, True), (fixture.black, fixture.white, False))
        for (side, opponent, is_white), work in zip(sides, game.work, strict=True):
            points = white_points if is_white else 1 - white_points
            failure = game.failure if game.failed is is_white else ""
            self.totals[side].add(points, (opponent, fixture.pair), failure, work)
            if side == fixture.first:
                self.pairings[side, opponent].add(points, (opponent, fixture.pair), failure, work)

    def as_data(self) -> dict[str, Any]:
        """The standings for JSON."""
        totals = zip(self.names, self.totals, strict=True)
        pairings = [
            {"first": self.names[first], "second": self.names[second]} | results.as_data()
            for (first, second), results in self.pairings.items()
        ]
        return {"participants": [{"name": name} | results.as_data() for name, results in totals], "pairings": pairings}


def standings_table(standings: Standings, sprt: stats.Sprt | None, heading: str) -> RenderableType:
    """A row for each participant if there are more than two, one for each pairing, and the state of the test."""
    parts: list[RenderableType] = [Text(heading)]
    if len(standings.names) > 2:
        parts.append(_participants_table(standings))
    parts.append(_pairings_table(standings))
    if len(standings.names) == 2 and standings.first_pairing.played:
        sample = standings.first_pairing.sample
        if sample.variance > 0:
            parts.append(Text(f"Normalised Elo: {elo_text(stats.normalised_elo_estimate(sample))}"))
    if sprt is not None:
        parts.append(Text(sprt_text(standings.first_pairing, sprt)))
    for name, results in zip(standings.names, standings.totals, strict=True):
        if results.failures:
            kinds = ", ".join(f"{count} by {kind}" for kind, count in results.failures.most_common())
            parts.append(Text(f"{name} lost {kinds}"))
    return Group(*parts)


def _participants_table(standings: Standings) -> Table:
    table = results_table("participant", "games", "points", "%", "Elo", "LOS %")
    ranking = sorted(zip(standings.names, standings.totals, strict=True), key=lambda row: -row[1].share)
    for name, results in ranking:
        if results.played:
            counts = [str(results.played), f"{results.points:g}", f"{100 * results.share:.1f}"]
            elo, superiority = stats.elo_estimate(results.sample), stats.superiority(results.sample)
            table.add_row(Text(name), *counts, elo_text(elo), f"{100 * superiority:.1f}")
    return table


def _pairings_table(standings: Standings) -> Table:
    table = results_table("pairing", "games", "won", "drawn", "lost", "%", "Elo", "LOS %", "pairs 0  ½  1  1½  2")
    for (first, second), results in standings.pairings.items():
        names = Text(f"{standings.names[first]} : {standings.names[second]}")
        lost, drawn, won = results.games
        cells = [str(results.played), str(won), str(drawn), str(lost)]
        if results.played:
            score, sample = stats.score_estimate(results.sample), results.sample
            cells.append(f"{100 * results.share:.1f} ±{50 * (score.high - score.low):.1f}")
            cells.append(elo_text(stats.elo_estimate(sample)))
            cells += [f"{100 * stats.superiority(sample):.1f}", "  ".join(map(str, results.pairs))]
        table.add_row(names, *cells)
    return table


def elo_text(elo: stats.Estimate) -> str:
    """An Elo difference with half its interval, or with the interval's ends if one of them has no bound."""
    if abs(elo.value) > _MAX_ELO:
        return "all won" if elo.value > 0 else "all lost"
    if elo.high > _MAX_ELO or elo.low < -_MAX_ELO:
        low = "-∞" if elo.low < -_MAX_ELO else f"{elo.low:+z.0f}"  # The z prints no -0.
        high = "∞" if elo.high > _MAX_ELO else f"{elo.high:+z.0f}"
        return f"{elo.value:+z.0f} ({low} to {high})"
    return f"{elo.value:+z.1f} ±{(elo.high - elo.low) / 2:.1f}"


def sprt_text(results: SideResults, sprt: stats.Sprt) -> str:
    """The state of the sequential test, in a line."""
    pairs = results.pair_sample
    accepted = sprt.accepted(pairs)
    text = f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}]: LLR {sprt.ratio(pairs):+.2f} of ±{sprt.bound:.2f}"
    return text if accepted is None else f"{text}: {accepted:g} Elo accepted"
