"""What goes in and out of all engines: limits, scores, draws."""

from typing import Any

import pytest

from ox88.engines.base import MOST_CENTIPAWNS, EngineError, Limit, Score, accepts_draw

EVEN, WORSE, BETTER = Score(centipawns=0), Score(centipawns=-300), Score(centipawns=1)
MATED, MATES = Score(mate=-3), Score(mate=2)
CHECKMATED = Score(mate=0)


@pytest.mark.parametrize(
    ("scores", "accepted"),
    [
        ([], False),
        ([EVEN, EVEN], False),
        ([EVEN, EVEN, EVEN], True),
        ([EVEN, WORSE, MATED], True),
        ([BETTER, EVEN, WORSE, CHECKMATED], True),
        ([EVEN, EVEN, EVEN, BETTER], False),
        ([WORSE, WORSE, MATES], False),
        ([Score(centipawns=9_999, tablebase=True), EVEN, EVEN], False),
    ],
)
def test_a_draw_is_accepted_when_nothing_better_was_seen(scores: list[Score], accepted: bool) -> None:
    assert accepts_draw(scores) is accepted


@pytest.mark.parametrize("limits", [{"nodes": -1}, {"time": -0.5}, {"time": float("nan")}, {"depth": -3}])
def test_what_is_no_limit(limits: dict[str, Any]) -> None:
    with pytest.raises(EngineError, match="not a number from 0 on"):
        Limit(**limits)


def test_scores_in_words() -> None:
    known = [Score(centipawns=sign * MOST_CENTIPAWNS, tablebase=True) for sign in (1, 0, -1)]
    assert [str(score) for score in known] == ["tablebase win", "tablebase draw", "tablebase loss"]
    assert [str(score) for score in (Score(centipawns=-5), Score(mate=-3), Score())] == ["-0.05", "#-3", "+0.00"]
