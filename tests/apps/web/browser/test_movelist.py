"""The list of moves: keyboard, and what the pointer does."""

from typing import Any

import pytest

from tests.apps.web.browser.axe import violations
from tests.apps.web.browser.conftest import Tab

GAME = "1. e4 e5 ( 1... c5 2. Nf3 d6 ) 2. Nc3 Nc6 3. Bc4 *"


@pytest.fixture
def listed(study: Tab) -> Tab:
    study.open_pgn(GAME, moves=5)
    return study


def move(tab: Tab, name: str) -> Any:
    """A move in the list."""
    return tab.page.get_by_role("group", name="Moves").get_by_role("button", name=name, exact=True)


def focused(tab: Tab) -> str:
    return str(tab.page.evaluate("document.activeElement.innerText"))


def test_the_moves_are_one_stop_of_the_keyboard(listed: Tab) -> None:
    keys = listed.page.keyboard
    assert listed.page.locator("#panel-analyse .moves [tabindex='0']").all_inner_texts() == ["e4"]
    listed.keys("Tab")
    while focused(listed) != "e4":
        keys.press("Tab")
    steps = ["Right e5", "Right 1… c5", "Down Nc3", "Up d6", "Left 2. Nf3", "Left 1… c5"]
    for step in steps:
        key, words = step.split(" ", 1)
        keys.press(f"Arrow{key}")
        assert focused(listed) == words
    for key, words in (("End", "Bc4"), ("ArrowRight", "Bc4"), ("Home", "e4"), ("ArrowUp", "e4"), ("ArrowRight", "e5")):
        keys.press(key)
        assert focused(listed) == words
    listed.wait_for_square("e4", "empty")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    keys.press("Enter")
    listed.wait_for_square("f3", "white knight")
    assert listed.page.locator("#panel-analyse .moves [tabindex='0']").all_inner_texts() == ["2. Nf3"]
    assert focused(listed) == "2. Nf3"


def test_the_position_of_a_move_under_the_pointer_is_shown(listed: Tab) -> None:
    page = listed.page
    move(listed, "2. Nf3").hover()
    page.wait_for_selector(".preview .square-trace")
    picture, moves = page.locator(".preview").bounding_box(), page.locator("#panel-analyse .moves").bounding_box()
    assert picture["y"] + picture["height"] <= moves["y"] or picture["y"] >= moves["y"] + moves["height"]
    assert picture["y"] >= 0
    assert page.locator(".preview use[href$=piece-N]").count() == 2
    listed.wait_for_square("f3", "empty")
    page.locator("h1").hover()
    page.wait_for_selector(".preview", state="hidden")
    move(listed, "2. Nf3").hover()
    page.wait_for_selector(".preview .square-trace")
    page.keyboard.press("ArrowRight")  # Another position is shown.
    page.wait_for_selector(".preview", state="hidden")
    move(listed, "Nc3").click()
    page.keyboard.press("ArrowRight")  # After a click the arrows go through the game.
    listed.wait_for_square("c6", "black knight")


def choose(tab: Tab, name: str, action: str) -> None:
    move(tab, name).click(button="right")
    tab.page.get_by_role("menuitem", name=action).click()


def variations(tab: Tab) -> list[str]:
    return [" ".join(text.split()) for text in tab.page.locator("#panel-analyse .side").all_inner_texts()]


def test_a_menu_changes_a_variation(listed: Tab) -> None:
    move(listed, "2. Nf3").click(button="right")
    assert listed.page.get_by_role("menu").get_by_role("menuitem").all_inner_texts() == [
        "Promote variation", "Make main line", "Comment", "Copy line as PGN", "Delete from here",
    ]  # fmt: skip
    assert violations(listed.page) == []
    listed.page.keyboard.press("Escape")
    choose(listed, "2. Nf3", "Promote variation")
    assert listed.wait_for_moves(4) == ["e4", "c5", "Nf3", "d6"]
    choose(listed, "2. Nc3", "Make main line")
    assert listed.wait_for_moves(5) == ["e4", "e5", "Nc3", "Nc6", "Bc4"]
    choose(listed, "Nc6", "Delete from here")
    assert listed.wait_for_moves(3) == ["e4", "e5", "Nc3"]
    listed.wait_for_square("e4", "empty")
    choose(listed, "1… c5", "Delete from here")
    listed.wait_for_count("#panel-analyse .side", 0)


def test_the_keyboard_deletes_and_stays_in_the_list(listed: Tab) -> None:
    listed.keys("Tab")  # After a click, keys would be the page's.
    move(listed, "2. Nf3").focus()
    for key in ("Enter", "Shift+F10", "End", "Enter"):
        listed.page.keyboard.press(key)
    listed.page.wait_for_function("() => document.activeElement.innerText === '1… c5'")
    assert variations(listed) == ["1… c5"]


def test_a_comment_is_asked_for_and_a_line_copied(listed: Tab) -> None:
    choose(listed, "1… c5", "Comment")
    listed.wait_for_square("c5", "black pawn")
    listed.page.keyboard.type("Sicilian")
    listed.page.wait_for_selector(".moves .comment:text-is('Sicilian')")
    listed.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    choose(listed, "2. Nf3", "Copy line as PGN")
    listed.notice("Copied.")
    assert listed.page.evaluate("navigator.clipboard.readText()").split("\n\n")[1] == "1. e4 c5 2. Nf3 d6 *\n"
