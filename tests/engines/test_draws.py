"""When an engine accepts a draw."""

import pytest

from ox88.engines.base import Score
from ox88.engines.draws import accepts_draw

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
