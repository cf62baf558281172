"""What goes in and out of all engines: limits, scores, draws, values of options."""

from typing import Any

import pytest

from ox88.engines.base import (
    MOST_CENTIPAWNS,
    EngineError,
    Limit,
    Option,
    OptionValue,
    Score,
    accepts_draw,
    find_option,
    fit,
)

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


# --- Options ----------------------------------------------------------------------------------------------------------

SPIN = Option("Hash", "spin", default=16, minimum=1, maximum=1024)
CHECK = Option("Ponder", "check", default=False)
COMBO = Option("Style", "combo", default="Solid", choices=("Solid", "Risky"))
STRING = Option("Book File", "string", default="")
BUTTON = Option("Clear Hash", "button")
HIDDEN = Option("Margin", "spin", default=3, maximum=9, expert=True)


@pytest.mark.parametrize(
    ("option", "value", "fitted"),
    [
        (SPIN, "32", 32),
        (SPIN, 1024, 1024),
        (SPIN, "+7", 7),
        (CHECK, "TRUE", True),
        (CHECK, False, False),
        (COMBO, "risky", "Risky"),
        (STRING, "my book.bin", "my book.bin"),
        (STRING, "<empty>", ""),
        (STRING, None, ""),
        (BUTTON, None, None),
        (BUTTON, "anything", None),
    ],
)
def test_what_fits(option: Option, value: OptionValue, fitted: OptionValue) -> None:
    assert fit(option, value) == (fitted, None)


@pytest.mark.parametrize(("value", "fitted"), [("0", 1), ("-5", 1), ("99999999", 1024)])
def test_a_number_out_of_range_is_clamped_and_spoken_of(value: str, fitted: int) -> None:
    assert fit(SPIN, value) == (fitted, f"Hash {value} is out of range 1 to 1024: it is {fitted} now")


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        (SPIN, "many", "Hash is a whole number from 1 to 1024, not 'many'"),
        (SPIN, None, "not None"),
        (SPIN, "1.5", "not '1.5'"),
        (SPIN, "9" * 5000, "not '9999"),
        (SPIN, "٣", "not '٣'"),
        (CHECK, "perhaps", "Ponder is one of false, true, not 'perhaps'"),
        (CHECK, None, "not None"),
        (COMBO, "", "Style is one of Solid, Risky, not ''"),
    ],
)
def test_what_does_not_fit(option: Option, value: OptionValue, says: str) -> None:
    with pytest.raises(EngineError, match=says) as raised:
        fit(option, value)
    assert len(str(raised.value)) < 200


def test_options_are_found_in_any_case() -> None:
    assert find_option((SPIN, STRING), "BOOK file") is STRING
    assert find_option((SPIN, HIDDEN), "margin") is HIDDEN
    with pytest.raises(EngineError, match=r"no option 'Depth'; there are: Hash$"):
        find_option((SPIN, HIDDEN), "Depth")
