"""When a search on a clock stops."""

import math

from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.base import Clock, Limit
from ox88.engines.modern.thread import Line
from ox88.engines.modern.time_management import SETTLED_DEPTHS, TimeManager, move_budget
from ox88.engines.time_allotment import Budget

MOVE, OTHER = 796, 731


def heard(*lines: tuple[int, int], effort: float = 0.9, soft: float = 1.0) -> float:
    """Seconds, to a hundredth, after which the search stops at the last of some depths, each (move, value)."""
    for hundredths in range(1000):
        manager = TimeManager(Budget(soft, 10.0))
        for depth, (move, value) in enumerate(lines, 1):
            is_enough = manager.is_enough(Line(depth, value, (move,)), effort, hundredths / 100)
        if is_enough:
            return hundredths / 100
    return math.inf


STEADY = [(MOVE, 20)] * 12


def test_a_settled_search_ends_before_its_share_and_an_unsettled_one_after() -> None:
    assert heard(*STEADY) < 1.0
    assert heard(*STEADY[:-1], (OTHER, 20)) > 1.0


def test_each_depth_with_the_same_move_settles_it_further() -> None:
    times = [heard(*[(OTHER, 20)] * 8, *STEADY[:count]) for count in range(1, SETTLED_DEPTHS + 4)]
    assert times == sorted(times, reverse=True)
    assert times[0] > times[-1] == times[-2]


def test_a_falling_value_takes_time_and_a_rising_one_gives_some() -> None:
    def after(value: int) -> float:
        return heard(*STEADY, (MOVE, value))

    assert after(60) < after(20) < after(-20) < after(-60) == after(-400)


def test_a_move_that_takes_all_effort_is_obvious() -> None:
    assert heard(*STEADY, effort=0.98) < heard(*STEADY, effort=0.6) < heard(*STEADY, effort=0.2)


def test_the_first_depths_settle_nothing() -> None:
    assert heard(*STEADY[:4]) > heard(*STEADY[:12])
    assert heard(*STEADY[:4]) >= 1.0


@given(st.lists(st.tuples(st.sampled_from([MOVE, OTHER]), st.integers(-31000, 31000)), min_size=1, max_size=40))
def test_without_a_clock_nothing_is_enough(lines: list[tuple[int, int]]) -> None:
    manager = TimeManager(Budget(math.inf, 1.0))
    assert not manager.has_clock
    for depth, (move, value) in enumerate(lines, 1):
        assert not manager.is_enough(Line(depth, value, (move,)), 0.5, 1e9)


def test_no_time_is_always_enough() -> None:
    manager = TimeManager(Budget(0.001, 0.001))
    assert manager.has_clock
    assert all(manager.is_enough(Line(depth, 0, (MOVE,)), 0.0, 0.1) for depth in range(1, 30))


@given(
    st.floats(0.0, 1e5), st.floats(0.0, 1e3), st.one_of(st.none(), st.integers(1, 100)), st.floats(0.0, 10.0),
    st.one_of(st.none(), st.floats(0.0, 1e4)),
)  # fmt: skip
def test_no_time_is_lost(
    remaining: float, increment: float, moves_to_go: int | None, overhead: float, time: float | None
) -> None:
    """A move stays within the clock less the overhead, or takes next to nothing."""
    budget = move_budget(Limit(clock=Clock(remaining, increment, moves_to_go), time=time), overhead)
    assert budget is not None
    assert budget.hard <= max(remaining - overhead, 0.001)
    assert budget.hard <= (math.inf if time is None else time)


def test_without_clock_or_time_there_is_no_end() -> None:
    assert move_budget(Limit(depth=3), 0.0) is None
    assert move_budget(Limit(time=2.0), 0.0) == Budget(math.inf, 2.0)
