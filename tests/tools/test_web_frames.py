"""What tools/web_frames.py reads in the browser's tracing."""

import pytest

from tests.conftest import MUST_RUN

if not MUST_RUN:
    pytest.importorskip("playwright", reason="no frames are counted: Playwright is not installed")

from tools.web_frames import describe


def test_frames_are_counted_and_timed() -> None:
    drawn = [{"name": "DrawFrame", "ts": at} for at in (2_000_000, 1_000_000, 1_500_000, 1_750_000)]
    others = [{"name": "DroppedFrame", "ts": 1_600_000}, {"name": "Layout", "ts": 5_000_000}]
    assert describe(drawn + others) == "  3.0 frames/s, longest gap 500 ms, 1 of 5 dropped"


def test_a_page_that_draws_nothing() -> None:
    assert describe([{"name": "BeginFrame", "ts": 1}]) == "no frames were drawn"
