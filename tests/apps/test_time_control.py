"""Time controls, and the time that is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.time_control import RemainingTime, TimeControl, is_time_filter, parse_time_control, time_class
from ox88.errors import Ox88Error


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5+0.05", TimeControl(5, 0.05)),
        ("40/300+3", TimeControl(300, 3, 40)),
        ("40/60", TimeControl(60, 0, 40)),
        ("1:30+1", TimeControl(90, 1)),
        ("40/1:30.5+.25", TimeControl(90.5, 0.25, 40)),
        ("0:01", TimeControl(1)),
        (".1", TimeControl(0.1)),
        (" 10 ", TimeControl(10)),
    ],
)
def test_time_controls(text: str, expected: TimeControl) -> None:
    assert parse_time_control(text) == expected


@pytest.mark.parametrize(
    "text", ["", "x", "5+", "+1", "5+-1", "-5", "40/", "/5", "0/5", "0", "0+1", "1:2:3", "5,5", "1e3", "5\n+1", "٣"]
)
def test_malformed_time_controls(text: str) -> None:
    with pytest.raises(Ox88Error, match=r"^the time control '.*SECONDS\+INCREMENT, such as 5\+0.05"):
        parse_time_control(text)


@given(st.text("0123456789:/+. xe-", max_size=12) | st.text(max_size=12))
def test_any_text_is_a_time_control_with_time_or_refused(text: str) -> None:
    try:
        control = parse_time_control(text)
    except Ox88Error:
        return
    assert control.seconds > 0
    assert control.increment >= 0
    if control.seconds < 1e6:
        assert parse_time_control(str(control)) == control


def test_a_clock_runs_down() -> None:
    clock = RemainingTime(TimeControl(10, 0.5))
    assert clock.spend(4, 0)
    assert clock.seconds == 6.5
    assert clock.spend(6.5, 0)
    assert clock.seconds == 0.5
    assert not clock.spend(0.75, 0)
    assert clock.seconds == -0.25


def test_a_margin_is_forgiven_but_not_given() -> None:
    clock = RemainingTime(TimeControl(1, 0.5))
    assert clock.spend(1.01, 0.02)
    assert clock.seconds == 0.5
    assert not clock.spend(0.53, 0.02)
    assert not RemainingTime(TimeControl(1, 0, 1)).spend(1.5, 0)  # The next period comes too late.


def test_time_is_renewed_after_so_many_moves() -> None:
    clock = RemainingTime(TimeControl(10, 0, 3))
    left = []
    for _ in range(4):
        left.append((clock.moves_to_go, clock.seconds))
        assert clock.spend(2, 0)
    assert left == [(3, 10), (2, 8), (1, 6), (3, 14)]


def test_an_engine_is_never_told_that_it_has_no_time() -> None:
    clock = RemainingTime(TimeControl(1))
    assert clock.spend(1, 0)
    assert clock.sent_seconds == 0.001


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("ultrabullet", ["15+0", "10+0.1"]),
        ("bullet", ["0+1", "60", "179+0", "60.0+0.6"]),
        ("blitz", ["180+0", "300+4", "120+1.5"]),
        ("rapid", ["300+5", "1499+0"]),
        ("classical", ["1500", "40/7200:20/3600:900+30"]),
        ("correspondence", ["1/86400", "-"]),
        (None, ["?", "", "*60", "10+.1", "10+0.1s", "²+0"]),
    ],
)
def test_classes_of_time_controls(name: str | None, tags: list[str]) -> None:
    for tag in tags:
        assert time_class(tag) == name, tag
        assert is_time_filter(tag) == (name is not None or tag == "?"), tag


@given(st.text())
def test_any_text_is_a_time_control_or_none(text: str) -> None:
    assert time_class(text) is None or is_time_filter(text)
