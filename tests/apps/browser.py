"""A real Chromium, for the tests that open pages. Where it is missing they are skipped, and say why."""

import shutil
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MUST_RUN

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 120_000  # Milliseconds: a page on a busy machine; a wrong selector fails after this time.


def skip_pages(items: Iterable[pytest.Item], folder: Path, reason: str | None) -> None:
    """Skip all tests of a folder for one reason, if there is one, which is then told once for each file."""
    if reason is None or MUST_RUN:  # Without a browser they fail.
        return
    for item in items:
        if folder in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=f"no page was opened: {reason}"))


def missing_browser() -> str | None:
    if find_spec("playwright") is None:
        return "Playwright is not installed"
    if chromium_path() is None:
        return "Chromium is not installed"
    return None


def chromium_path() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Playwright's event loop runs until it ends, and would be in the way of other modules' tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        yield browser
        browser.close()


class WatchedPage:
    """A page of the browser that notes what it complains of and asks for."""

    def __init__(self, page: Any, url: str) -> None:
        self.page = page
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.loading: set[Any] = set()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._hear)
        page.on("request", self._ask)
        for ending in ("requestfinished", "requestfailed"):
            page.on(ending, lambda request: self.loading.discard(request))
        page.goto(url)

    def _ask(self, request: Any) -> None:
        self.requests.append(request.url)
        self.loading.add(request)

    def finish_loading(self) -> None:
        """Wait until all that the page has asked for is there."""
        while self.loading and not self.page.is_closed():
            self.page.wait_for_timeout(20)

    def _hear(self, message: Any) -> None:
        text, address = message.text, message.location["url"]
        # Chromium asks for the icon when it likes, without an event: also after a server that a test has killed.
        # The connection is refused, or reset if the server dies meanwhile.
        is_late_icon = "ERR_CONNECTION_RE" in text and address.endswith("/static/icon.svg")
        if message.type in ("error", "warning") and "WebSocket" not in text and not is_late_icon:
            self.faults.append(f"{text} {address}")
