"""Measure how many frames a second Chromium draws while the page Think plays, by the browser's own tracing.

    python -m tools.web_frames --seconds 10

It starts a server on the loopback address. Tracing counts the frames that the compositor draws and those that it drops,
so it sees work outside of the page's scripts too: style, layout and painting.
"""

import json
import platform
from itertools import pairwise
from typing import Any, Final

import click

from tools.web_pictures import HEIGHT, ITALIAN, WIDTH, browsing

CATEGORIES: Final = ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame", "devtools.timeline"]
SPEEDS: Final = {"8": 3, "100": 6, "1000": 8}  # Steps a second, and their places on the page's slider.
MICROSECONDS: Final = 1e6


def trace(browser: Any, page: Any, seconds: float) -> list[dict[str, Any]]:
    """The events of the browser's tracing while the page plays."""
    page.locator("[data-step=play]").click()
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.wait_for_timeout(1000 * seconds)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    page.locator("[data-step=play]").click()
    return events


def describe(events: list[dict[str, Any]]) -> str:
    """Frames a second, the longest time between two, and how many were dropped."""
    drawn = sorted(event["ts"] for event in events if event["name"] == "DrawFrame")
    dropped = sum(event["name"] == "DroppedFrame" for event in events)
    if len(drawn) < 2:
        return "no frames were drawn"
    gaps = [after - before for before, after in pairwise(drawn)]
    rate = MICROSECONDS * len(gaps) / sum(gaps)
    return f"{rate:5.1f} frames/s, longest gap {max(gaps) / 1000:.0f} ms, {dropped} of {len(drawn) + dropped} dropped"


@click.command()
@click.option("--seconds", type=click.FloatRange(min=1), default=5, show_default=True, help="To play at each speed.")
def main(seconds: float) -> None:
    """Measure the frames a second of the page Think while it plays."""
    with browsing() as (browser, url):
        click.echo(f"Chromium {browser.version}, {platform.processor() or platform.machine()}")
        for speed, place in SPEEDS.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.goto(f"{url}#think/{ITALIAN}/30000")
            page.wait_for_selector(".track .marks i", state="attached")
            page.get_by_role("slider", name="Steps a second").fill(str(place))
            click.echo(f"{speed:>5} steps/s: {describe(trace(browser, page, seconds))}")
            page.close()


if __name__ == "__main__":
    main()
