"""Standings: counts, data and tables."""

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ox88.apps.match.game import NO_WORK, FinishedGame, Fixture, Work
from ox88.apps.match.match import pairings, schedule
from ox88.apps.match.standings import Standings, elo_text, sprt_text, standings_table
from ox88.apps.match.statistics import GAME_SCORES, PAIR_SCORES, Sample, Sprt, elo_estimate
from ox88.rules import GameEnd

RESULTS = ["1-0", "1/2-1/2", "0-1"]
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


def finished(
    result: str, failure: str = "", failed: bool | None = None, work: tuple[Work, Work] = (NO_WORK, NO_WORK)
) -> FinishedGame:
    return FinishedGame(GameEnd(result, "because"), "", failure, failed, work)


def standings_of(results: list[str], names: tuple[str, ...] = ("a", "b")) -> Standings:
    """The standings after these results of a round robin, in order."""
    standings = Standings(names, pairings(len(names), "round-robin"))
    for fixture, result in zip(schedule(len(names), "round-robin", 1000), results, strict=False):
        standings.add(fixture, finished(result))
    return standings


def rendered(standings: Standings, sprt: Sprt | None = None, width: int = 120) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width).print(standings_table(standings, sprt, "heading"))
    return stream.getvalue()


@given(st.integers(2, 4), st.lists(st.sampled_from(RESULTS), max_size=60), st.randoms())
def test_against_counting_one_by_one(participants: int, results: list[str], chance: random.Random) -> None:
    """In any order of games, points and pairs equal a plain count, and the two sides mirror each other."""
    games = list(zip(schedule(participants, "round-robin", 1000), results, strict=False))
    chance.shuffle(games)
    standings = Standings("abcd"[:participants], pairings(participants, "round-robin"))
    for fixture, result in games:
        standings.add(fixture, finished(result))
    for (first, second), tally in standings.pairings.items():
        met = [(f, POINTS[r]) for f, r in games if (f.first, f.second) == (first, second)]
        own = [(f, points if f.white == first else 1 - points) for f, points in met]
        assert tally.points == sum(points for _, points in own)
        pairs = [[points for f, points in own if f.pair == pair] for pair in {f.pair for f, _ in own}]
        sums = [round(2 * sum(pair)) for pair in pairs if len(pair) == 2]
        assert tally.pairs == [sums.count(outcome) for outcome in range(5)]
    assert standings.played == len(games)
    assert sum(tally.points for tally in standings.totals) == len(games)
    if participants == 2:
        first_total, second_total = standings.totals
        assert first_total.pairs == second_total.pairs[::-1] == standings.pairings[0, 1].pairs
        assert first_total.games == second_total.games[::-1]


def test_faults_and_work_belong_to_their_side() -> None:
    standings = Standings(["a", "b"], [(0, 1)])
    work = (Work(3, 0.5, 100), Work(2, 0.25, 50))
    standings.add(Fixture(0, 1, 0, is_reversed=False), finished("0-1", "crash", True, work))
    standings.add(Fixture(0, 1, 0, is_reversed=True), finished("0-1", "time", True, work))
    standings.add(Fixture(0, 1, 1, is_reversed=False), finished("1-0", "hang", False, work))
    first, second = standings.totals
    assert dict(first.failures) == {"crash": 1}
    assert dict(second.failures) == {"time": 1, "hang": 1}
    assert first.work == Work(8, 1.25, 250)
    assert second.work == Work(7, 1.0, 200)
    assert standings.pairings[0, 1].failures == first.failures
    text = rendered(standings)
    assert "a lost 1 by crash\n" in text
    assert "b lost 1 by time, 1 by hang\n" in text


def test_errors_come_from_pairs_where_there_are_enough() -> None:
    few = standings_of(["1-0", "1-0"] * 7).pairings[0, 1]
    assert few.sample == Sample((7, 0, 7), GAME_SCORES)
    enough = standings_of(["1-0", "1-0"] * 8).pairings[0, 1]
    assert enough.sample == Sample((0, 0, 8, 0, 0), PAIR_SCORES)


def test_data() -> None:
    data = standings_of(["1-0", "1/2-1/2"] * 10, ("x", "y")).as_data()
    x, y = data["participants"]
    assert (x["name"], x["points"], y["points"]) == ("x", 15, 5)
    (pairing,) = data["pairings"]
    assert (pairing["first"], pairing["second"]) == ("x", "y")
    assert (pairing["wins"], pairing["draws"], pairing["losses"]) == (10, 10, 0)
    assert pairing["pentanomial"] == [0, 0, 0, 10, 0]
    elo = elo_estimate(Sample((0, 0, 0, 10, 0), PAIR_SCORES))
    assert pairing["elo"] == [elo.low, elo.value, elo.high]
    assert pairing["superiority"] == 1.0
    assert "elo" not in Standings(["x", "y"], [(0, 1)]).as_data()["pairings"][0]


def test_the_table_of_two() -> None:
    text = rendered(standings_of(["1-0", "1/2-1/2"] * 4 + ["0-1", "0-1", "1-0"]), Sprt(0, 5))
    heading, _, columns, _, row, *rest = text.splitlines()
    assert heading.strip() == "heading"
    assert " ".join(columns.split()) == "pairing games won drawn lost % Elo LOS % pairs 0 ½ 1 1½ 2"
    assert row.split()[:9] == ["a", ":", "b", "11", "6", "4", "1", "72.7", "±19.4"]
    assert row.split()[-5:] == ["0", "0", "1", "4", "0"]
    assert "SPRT [-5, 0]: LLR +0.00 of ±2.94" in rendered(standings_of([]), Sprt(-5, 0))  # Before the first game.
    assert any(line.startswith("SPRT [0, 5]: LLR +0.") and line.strip().endswith("of ±2.94") for line in rest)


def test_the_table_of_three_has_the_best_first() -> None:
    """A and b draw, both lose to c."""
    lines = rendered(standings_of((["1/2-1/2"] * 2 + ["0-1", "1-0"] * 2) * 3, ("a", "b", "c"))).splitlines()
    ranks = [line.split()[:4] for line in lines[4:7]]
    assert ranks == [["c", "12", "12", "100.0"], ["a", "12", "3", "25.0"], ["b", "12", "3", "25.0"]]
    assert [line.split()[:3] for line in lines if " : " in line] == [["a", ":", "b"], ["a", ":", "c"], ["b", ":", "c"]]


def test_a_narrow_table_keeps_its_numbers() -> None:
    """Long names are wrapped, and markup in names is printed as text."""
    standings = standings_of(["1-0", "1/2-1/2"] * 20, ("[bold]" + "long" * 10, "other" * 8))
    text = rendered(standings, width=100)
    assert max(map(len, text.splitlines())) <= 100
    assert "[bold]" in text
    assert "…" not in text
    assert "75.0 ±0.0" in text
    assert "Normalised" not in text  # Nothing to normalise by: all pairs have the same result.

    wide = rendered(standings, width=220)
    assert f"[bold]{'long' * 10} : {'other' * 8}" in wide
    assert "Normalised Elo: +" in rendered(standings_of(["1-0", "1/2-1/2"] * 20 + ["1-0", "0-1"] * 9))
    assert "Normalised" not in rendered(standings_of(["1-0", "1/2-1/2"] * 9, ("a", "b", "c")))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 0, 5), "all won"),
        ((5, 0, 0), "all lost"),
        ((0, 9, 0), "+0.0 ±0.0"),
        ((1, 0, 1), "+0 (-∞ to ∞)"),
        ((1, 0, 5), "+280 (+24 to ∞)"),
        ((5, 0, 1), "-280 (-∞ to -24)"),
        ((300, 400, 310), "+3.4 ±16.7"),
    ],
)
def test_elo_in_words(counts: tuple[float, ...], expected: str) -> None:
    assert elo_text(elo_estimate(Sample(counts, GAME_SCORES))) == expected


@pytest.mark.parametrize(("results", "accepted"), [(["1-0", "1/2-1/2"], "5"), (["0-1", "1/2-1/2"], "0")])
def test_the_end_of_a_sequential_test(results: list[str], accepted: str) -> None:
    tally = standings_of(results * 400).pairings[0, 1]
    assert sprt_text(tally, Sprt(0, 5)).endswith(f": {accepted} Elo accepted")
