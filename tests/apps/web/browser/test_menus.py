"""Menus: of a button, and at a point."""

from typing import Any

import pytest

from tests.apps.web.browser.axe import violations
from tests.apps.web.browser.conftest import Tab

OFFER = """async () => {
    const { menuButton, onMenu, openMenu } = await import("/static/menu.js");
    const items = ["Copy", "Delete", "Cut"].map((words) => [words, () => (document.title = words)]);
    const button = document.createElement("button");
    button.textContent = "More";
    document.querySelector(".choices").prepend(button);
    menuButton(button, () => [...items, false]);
    onMenu(document.querySelector(".controls"), (target, at) => openMenu("Here", items, at) ?? true);
}"""


@pytest.fixture
def offered(study: Tab) -> Tab:
    study.page.evaluate(OFFER)
    return study


def focused(tab: Tab) -> str:
    return str(tab.page.evaluate("document.activeElement.textContent"))


def test_a_button_opens_a_menu_for_the_keyboard(offered: Tab) -> None:
    more, menu, keys = offered.button("More"), offered.page.get_by_role("menu", name="More"), offered.page.keyboard
    offered.keys("Tab")  # After a click, keys would be the page's.
    more.focus()
    keys.press("Enter")
    assert (menu.get_by_role("menuitem").count(), more.get_attribute("aria-expanded")) == (3, "true")
    for key, words in (("ArrowDown", "Delete"), ("End", "Cut"), ("ArrowDown", "Copy"), ("ArrowUp", "Cut"),
                       ("c", "Copy"), ("c", "Cut"), ("d", "Delete"), ("i", "Delete"), ("Home", "Copy")):  # fmt: skip
        keys.press(key)
        assert focused(offered) == words
    assert violations(offered.page) == []
    for key in ("Escape", "Tab"):
        keys.press(key)
        menu.wait_for(state="detached")
        assert (focused(offered), more.get_attribute("aria-expanded")) == ("More", "false")
        keys.press("Enter")
    keys.press("ArrowDown")
    keys.press("Enter")
    assert offered.page.title() == "Delete"
    assert focused(offered) == "More"
    assert not menu.count()


def by_right_click(tab: Tab) -> None:
    tab.button("Forward").click(button="right")


def by_key(tab: Tab) -> None:
    tab.button("Forward").focus()
    tab.page.keyboard.press("Shift+F10")


def by_long_press(tab: Tab) -> None:
    tab.button("Forward").dispatch_event(
        "pointerdown", {"pointerType": "touch", "bubbles": True, "clientX": 300, "clientY": 99}
    )


def test_a_menu_opens_at_a_point_in_the_window_and_closes_by_a_click_elsewhere(offered: Tab) -> None:
    menu = offered.page.get_by_role("menu", name="Here")
    for ask in (by_right_click, by_key, by_long_press):
        ask(offered)
        menu.wait_for()
        offered.page.locator("h1").click()
        menu.wait_for(state="detached")
        ask(offered)
        menu.get_by_role("menuitem", name="Cut").click()
        assert offered.page.title() == "Cut"
        assert not menu.count()
        offered.page.evaluate("document.title = ''")
    # A touch that moves or ends opens none.
    button: Any = offered.button("Forward")
    for ending in ("pointermove", "pointerup", "pointercancel"):
        by_long_press(offered)
        button.dispatch_event(ending, {"bubbles": True})
    offered.page.wait_for_timeout(700)
    assert not offered.page.get_by_role("menu").count()
    offered.page.evaluate(
        "async () => (await import('/static/menu.js')).openMenu('Far', [['A', () => {}]], { x: 9999, y: 9999 })"
    )
    box = offered.page.get_by_role("menu", name="Far").bounding_box()
    assert box["x"] + box["width"] <= 1280
    assert box["y"] + box["height"] <= 860
    for _ in offered.sizes((860, 1280)):  # What it is of may be elsewhere now.
        offered.page.get_by_role("menu", name="Far").wait_for(state="detached")


@pytest.mark.parametrize("name", ["study", "tab"])
def test_a_menu_does_not_lie_under_a_second_click_on_its_button(name: str, request: pytest.FixtureRequest) -> None:
    """In Analyse, and in a game, where the button stands at another height."""
    tab: Tab = request.getfixturevalue(name)
    if name == "tab":
        tab.new_game()
    button, menu = tab.button("This position"), tab.page.get_by_role("menu")
    for width, height in tab.sizes((1280, 800), (390, 844), (360, 740), (844, 390)):
        button.scroll_into_view_if_needed()
        button.click()
        box, of_menu = button.bounding_box(), menu.bounding_box()
        assert box is not None
        assert of_menu is not None
        apart = (
            of_menu["y"] >= box["y"] + box["height"]
            or of_menu["y"] + of_menu["height"] <= box["y"]
            or of_menu["x"] >= box["x"] + box["width"]
            or of_menu["x"] + of_menu["width"] <= box["x"]
        )
        assert apart, (width, height)
        assert 0 <= of_menu["x"] <= width - of_menu["width"]
        assert 0 <= of_menu["y"] <= height - of_menu["height"]
        button.click()
        menu.wait_for(state="detached")
