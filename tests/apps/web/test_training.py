"""Training, through the WebSocket."""

from typing import Any

from tests.apps.web.conftest import OpenPage, Page


def learn(page: Page) -> Any:
    return page.ask("learn", "learnt")


def test_a_mistake_is_tried_hinted_and_solved(page: Page) -> None:
    (key,) = learn(page)["keys"]
    drill = page.ask("train", "drill", what="mistakes")
    assert (drill["puzzle"]["key"], drill["puzzle"]["played"], drill["session"]["length"]) == (key, "Qb3", 1)
    assert page.ask("try", "tried", key=key, move="a3")["verdict"] == "wrong"
    assert page.ask("reveal", "revealed", key=key, what="hint")["hint"] == "f3"
    tried = page.ask("try", "tried", key=key, move="Qxf7")
    assert (tried["verdict"], tried["answer"]["grade"], tried["session"]["wrong"]) == ("solved", "hard", 1)
    assert page.ask("next", "drill", done=key)["puzzle"] is None
    assert page.ask("statistics", "statistics")["days"][:3] == [0, 1, 0]


def test_a_page_that_comes_back_goes_on(page: Page, open_page: OpenPage) -> None:
    puzzle = page.ask("train", "drill", what="open")["puzzle"]
    page.ask("reveal", "revealed", key=puzzle["key"], what="hint")
    again = open_page().ask("next", "drill")["puzzle"]
    assert again == puzzle | {"hint": again["hint"]}
    assert again["hint"]
