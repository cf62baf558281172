"""Time management: times within the clock, enough for a whole game with delays, and when a search stops earlier."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.base import Clock, Limit
from ox88.engines.time_management import (
    MAX_RESERVE,
    MINIMUM,
    SETTLED_DEPTHS,
    TURN,
    Budget,
    TimeManager,
    allot_time,
    move_budget,
)

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


@pytest.mark.parametrize(
    ("start", "increment", "overhead", "factor", "lag", "least"),
    [(0.5, 0.005, 0.02, 1.33, 0.002, 0.1), (1.0, 0.01, 0.01, 1.0, 0.005, 0.03)],
)
def test_in_a_long_game_the_clock_stays_above_the_delays_of_a_busy_machine(
    start: float, increment: float, overhead: float, factor: float, lag: float, least: float
) -> None:
    """300 moves. factor: by which a move takes longer than its soft limit. lag: seconds a move that the machine takes,
    all of them at every second move.
    """
    remaining = start
    for move in range(300):
        soft = allot_time(Clock(remaining, increment), overhead).soft
        remaining += increment - min(factor * soft, 0.9) - 2 * lag * (move % 2)
        assert remaining > least


# --- When a search stops ----------------------------------------------------------------------------------------------

MOVE, OTHER = 796, 731


def heard(*lines: tuple[int, int], soft: float = 1.0, last: int | None = None) -> float:
    """Seconds, to a hundredth, after which the search stops at the last of some depths, each (move, value)."""
    for hundredths in range(1000):
        manager = TimeManager(Budget(soft, 10.0), last)
        for depth, (move, value) in enumerate(lines, 1):
            is_enough = manager.is_enough(depth, value, move, hundredths / 100)
        if is_enough:
            return hundredths / 100
    return math.inf


STEADY = [(MOVE, 20)] * 12


def test_a_settled_search_ends_before_its_share_and_an_unsettled_one_later() -> None:
    assert heard(*STEADY) < heard(*STEADY[:8]) < 1.0
    assert heard(*STEADY[:-1], (OTHER, 20)) > 2 * heard(*STEADY)


def test_a_move_settles_at_once_after_so_many_depths() -> None:
    times = [heard(*[(OTHER, 20)] * 8, *[(MOVE, 20)] * count) for count in range(1, SETTLED_DEPTHS + 4)]
    assert times == sorted(times, reverse=True)
    assert times[0] > times[SETTLED_DEPTHS - 2] > times[SETTLED_DEPTHS - 1]
    assert times[-1] == pytest.approx(times[-2], abs=0.02)  # The change is forgotten.


def test_each_change_takes_time() -> None:
    one = heard(*[(OTHER, 20)] * 8, (MOVE, 20))
    assert heard(*[(OTHER, 20)] * 7, (MOVE, 20), (OTHER, 20)) > one > heard(*[(OTHER, 20)] * 9)


def test_a_falling_value_takes_time() -> None:
    def after(value: int) -> float:
        return heard(*STEADY, (MOVE, value))

    assert after(60) == after(20) < after(0) < after(-20) < after(-60) == after(-800)


def test_a_fall_since_the_last_move_takes_time() -> None:
    assert heard(*STEADY, last=20) == heard(*STEADY, last=-50) < heard(*STEADY, last=60) < heard(*STEADY, last=100)
    assert heard(*STEADY, last=1000) == heard(*STEADY, last=2000)


def test_the_first_depths_settle_nothing() -> None:
    assert heard(*STEADY[:4]) > heard(*STEADY[:12])
    assert heard(*STEADY[:4]) >= 1.0


@given(st.lists(st.tuples(st.sampled_from([MOVE, OTHER]), st.integers(-31000, 31000)), min_size=1, max_size=40))
def test_without_a_clock_nothing_is_enough_and_without_time_anything(lines: list[tuple[int, int]]) -> None:
    endless, spent = TimeManager(Budget(math.inf, 1.0)), TimeManager(Budget(MINIMUM, MINIMUM))
    assert (endless.has_clock, spent.has_clock) == (False, True)
    for depth, (move, value) in enumerate(lines, 1):
        assert not endless.is_enough(depth, value, move, 1e9)
        assert spent.is_enough(depth, value, move, 1.0)


@given(clock=clocks, overhead=st.floats(0.0, 10.0), time=st.none() | st.floats(0.0, 1e4), plies=st.integers(0, 10_000))
def test_no_time_is_lost(clock: Clock, overhead: float, time: float | None, plies: int) -> None:
    """No move takes longer than the clock less the overhead, or than its own time, but for a millisecond."""
    budget = move_budget(Limit(clock=clock, time=time), overhead, plies)
    assert budget is not None
    most = min(clock.remaining - overhead, math.inf if time is None else time)
    assert 0 < budget.hard <= max(most, MINIMUM)


@pytest.mark.parametrize(
    ("limit", "budget"),
    [
        (Limit(depth=3), None),
        (Limit(time=2.0), Budget(math.inf, 2.0)),
        (Limit(time=0.0), Budget(math.inf, MINIMUM)),
        (Limit(clock=Clock(0.019)), Budget(MINIMUM, MINIMUM)),
        (Limit(clock=Clock(-1.0), time=5.0), Budget(MINIMUM, MINIMUM)),
    ],
)
def test_the_time_for_a_move(limit: Limit, budget: Budget | None) -> None:
    assert move_budget(limit, 0.02) == budget
    assert allot_time(Clock(math.inf), 0.02).soft == math.inf
