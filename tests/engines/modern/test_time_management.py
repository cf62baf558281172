"""When a search on a clock stops."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.base import Clock, Limit
from ox88.engines.modern.thread import Line
from ox88.engines.modern.time_management import SETTLED_DEPTHS, TimeManager, move_budget
from ox88.engines.time_allotment import Budget

MOVE, OTHER = 796, 731


def heard(*lines: tuple[int, int], soft: float = 1.0, last: int | None = None) -> float:
    """Seconds, to a hundredth, after which the search stops at the last of some depths, each (move, value)."""
    for hundredths in range(1000):
        manager = TimeManager(Budget(soft, 10.0), last)
        for depth, (move, value) in enumerate(lines, 1):
            is_enough = manager.is_enough(Line(depth, value, (move,)), hundredths / 100)
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
def test_without_a_clock_nothing_is_enough(lines: list[tuple[int, int]]) -> None:
    manager = TimeManager(Budget(math.inf, 1.0))
    assert not manager.has_clock
    for depth, (move, value) in enumerate(lines, 1):
        assert not manager.is_enough(Line(depth, value, (move,)), 1e9)


def test_no_time_is_always_enough() -> None:
    manager = TimeManager(Budget(0.001, 0.001))
    assert manager.has_clock
    assert all(manager.is_enough(Line(depth, 0, (MOVE,)), 0.1) for depth in range(1, 30))


@given(
    st.floats(0.0, 1e5), st.floats(0.0, 1e3), st.one_of(st.none(), st.integers(1, 100)), st.floats(0.0, 10.0),
    st.one_of(st.none(), st.floats(0.0, 1e4)), st.integers(0, 10_000),
)  # fmt: skip
def test_no_time_is_lost(
    remaining: float,
    increment: float,
    moves_to_go: int | None,
    overhead: float,
    time: float | None,
    plies: int,
) -> None:
    """A move stays within the clock less the overhead, or takes next to nothing."""
    budget = move_budget(Limit(clock=Clock(remaining, increment, moves_to_go), time=time), overhead, plies)
    assert budget is not None
    assert budget.hard <= max(remaining - overhead, 0.001)
    assert budget.hard <= (math.inf if time is None else max(time, 0.001))


def test_without_clock_or_time_there_is_no_end() -> None:
    assert move_budget(Limit(depth=3), 0.0) is None
    assert move_budget(Limit(time=2.0), 0.0) == Budget(math.inf, 2.0)
    assert move_budget(Limit(time=0.0), 0.0) == Budget(math.inf, 0.001)
