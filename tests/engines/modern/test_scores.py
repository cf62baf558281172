"""What values mean to people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.base import Score
from ox88.engines.modern.records import MATE, MATE_BOUND
from ox88.engines.modern.scores import moves_to_mate, outcomes, score

VALUES = st.integers(-MATE, MATE)


@pytest.mark.parametrize(
    ("value", "mate"),
    [
        (MATE - 1, 1),  # I mate with my next move.
        (MATE - 3, 2),
        (MATE - 2, 1),  # A bound says so.
        (MATE_BOUND + 1, 128),
        (-MATE, 0),  # I am mated.
        (-MATE + 2, -1),
        (-MATE + 4, -2),
        (-MATE_BOUND - 1, -128),
    ],
)
def test_mates_are_counted_in_moves(value: int, mate: int) -> None:
    assert score(value) == Score(mate=mate)
    assert moves_to_mate(value) == mate


@given(st.integers(-MATE_BOUND, MATE_BOUND))
def test_anything_else_is_in_centipawns(value: int) -> None:
    assert score(value) == Score(centipawns=value)
    assert moves_to_mate(value) == 0


@given(VALUES)
def test_outcomes_add_up_and_both_sides_agree(value: int) -> None:
    win, draw, loss = outcomes(value)
    assert win + draw + loss == 1000
    assert min(win, draw, loss) >= 0
    assert outcomes(-value) == (loss, draw, win)


@given(VALUES, VALUES)
def test_the_better_the_value_the_likelier_a_win(value: int, other: int) -> None:
    assert (value <= other) == (outcomes(value)[0] <= outcomes(other)[0]) or outcomes(value)[0] == outcomes(other)[0]


def test_outcomes_that_are_sure() -> None:
    assert outcomes(MATE - 5) == (1000, 0, 0)
    assert outcomes(MATE - 4 - 2 * MATE) == (0, 0, 1000)
    assert outcomes(0)[1] > 500
