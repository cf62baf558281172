"""Time allotment: positive, within the clock, and enough for a whole game on a machine with delays."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.base import Clock
from ox88.engines.time_allotment import MAX_RESERVE, MINIMUM, TURN, Budget, allot_time

seconds = st.floats(-10.0, 1e6)
clocks = st.builds(Clock, seconds, st.floats(0.0, 1e4), st.one_of(st.none(), st.integers(-1, 10**6)))


@given(clock=clocks, overhead=st.floats(0.0, 10.0))
def test_a_budget_lies_within_the_clock(clock: Clock, overhead: float) -> None:
    shares = allot_time(clock, overhead)
    assert 0 < shares.soft <= shares.hard
    assert shares.hard <= max(clock.remaining - overhead, MINIMUM)


@given(clock=clocks, overhead=st.floats(0.0, 1.0), more=st.floats(0.0, 1000.0))
def test_more_time_is_never_less_budget(clock: Clock, overhead: float, more: float) -> None:
    richer = allot_time(Clock(clock.remaining + more, clock.increment, clock.moves_to_go), overhead)
    poorer = allot_time(clock, overhead)
    assert richer.soft >= poorer.soft - 1e-9
    assert richer.hard >= poorer.hard - 1e-9


@pytest.mark.parametrize("remaining", [0.0, -1.0, 0.01, 0.019])
def test_a_clock_that_has_run_down_leaves_the_minimum(remaining: float) -> None:
    assert allot_time(Clock(remaining), 0.02) == Budget(MINIMUM, MINIMUM)


def test_the_last_move_before_a_time_control_may_take_most_of_it() -> None:
    last, many = allot_time(Clock(10.0, 0.0, 1), 0.02), allot_time(Clock(10.0, 0.0, 30), 0.02)
    assert last.soft > 8
    assert many.soft < 10 / 30


@pytest.mark.parametrize("moves", range(3, 21))
def test_the_last_increment_comes_too_late(moves: int) -> None:
    """Equal shares use up the time to the last move before a time control, after which there is no increment to use."""
    left = 60.0 - MAX_RESERVE
    share = allot_time(Clock(60.0, 1.0, moves), 0.0).soft
    for _ in range(moves - 1):
        left += 1.0 - TURN - share
    assert left == pytest.approx(share)


def test_endless_time() -> None:
    assert allot_time(Clock(math.inf), 0.02).soft == math.inf


@pytest.mark.parametrize(
    ("start", "increment", "control"),
    [(1.0, 0.01, None), (0.1, 0.0, None), (60.0, 0.6, None), (5.0, 0.0, 40), (1.0, 0.0, 1)],
)
@pytest.mark.parametrize("lag", [0.001, 0.015])
def test_a_game_is_not_lost_on_time(start: float, increment: float, control: int | None, lag: float) -> None:
    """Every move takes its hard limit and the lag that the overhead allows for."""
    remaining = start
    for move in range(60):
        to_go = None if control is None else control - move % control
        taken = allot_time(Clock(remaining, increment, to_go), 0.02).hard
        if taken == MINIMUM:
            break  # Nothing is left to share out: lag alone decides.
        remaining -= taken + lag
        assert remaining > 0
        remaining += increment + (start if to_go == 1 else 0)


def test_in_a_long_game_the_clock_stays_above_the_delays_of_a_busy_machine() -> None:
    """Half a second and 5 ms a move: moves take a third more than their soft limits, and the machine 2 ms."""
    remaining = 0.5
    for _ in range(300):
        remaining += 0.005 - min(1.33 * allot_time(Clock(remaining, 0.005), 0.02).soft, 0.9) - 0.002
        assert remaining > 0.1


def test_at_one_second_and_a_hundredth_the_clock_never_runs_down() -> None:
    """300 moves at soft limits, every second one late by the whole overhead."""
    remaining = 1.0
    for move in range(300):
        remaining += 0.01 - allot_time(Clock(remaining, 0.01), 0.01).soft - 0.01 * (move % 2)
        assert remaining > 0.03
