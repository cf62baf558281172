"""Where the parts of Analyse and Play stand, on desktops and phones."""

import pytest

from tests.apps.web.browser.conftest import OpenTab

SCROLL = "[scrollX, scrollY]"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_a_reload_leaves_the_board_in_sight(open_tab: OpenTab, server: str, width: int, height: int) -> None:
    """An address that is an element's id too would be scrolled to."""
    tab = open_tab(width, height, f"{server}#analyse")
    for address in ("#analyse", "#games", "#think", "#play"):
        tab.page.goto(f"{server}{address}")
        tab.page.reload()
        tab.page.wait_for_selector(f"nav [aria-current=page][href^='{address}']")
        assert tab.page.evaluate(SCROLL) == [0, 0], address
