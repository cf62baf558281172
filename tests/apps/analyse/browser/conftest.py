"""A real Chromium that opens the page of `ox88 analyse`. Where it is missing the tests are skipped."""

from pathlib import Path

import pytest

from tests.apps.browser import chromium, missing_browser, skip_pages

__all__ = ["chromium"]  # A fixture.


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip_pages(items, Path(__file__).parent, missing_browser())
