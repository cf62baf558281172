"""Training, through the WebSocket."""

from typing import Any

from starlette.testclient import TestClient

from ox88.apps.train.drill import Drill
from tests.apps.web.conftest import OpenPage, Page


def learn(page: Page) -> Any:
    return page.ask("learn", "learnt")


def test_a_mistake_is_tried_hinted_and_solved(page: Page) -> None:
    (key,) = learn(page)["keys"]
    drill = page.ask("train", "drill", what="mistakes")
    puzzle = drill["puzzle"]
    assert (puzzle["key"], puzzle["played"]["san"], drill["session"]["length"]) == (key, "Qb3", 1)
    tried = page.ask("try", "tried", key=key, move="a3")
    assert (tried["verdict"], tried["move"]["uci"], tried["session"]["grades"]) == ("wrong", "a2a3", ["again"])
    assert page.ask("reveal", "revealed", key=key, what="hint")["hint"] == "f3"
    tried = page.ask("try", "tried", key=key, move="Qxf7")
    session = tried["session"]
    assert (tried["verdict"], tried["answer"]["grade"], session["wrong"]) == ("solved", "hard", 1)
    assert (session["grades"], session["back"]) == (["hard"], [tried["answer"]["due"]])
    assert page.ask("next", "drill", done=key)["puzzle"] is None
    assert page.ask("statistics", "statistics")["days"][:3] == [0, 1, 0]


def test_a_page_that_comes_back_goes_on(page: Page, open_page: OpenPage) -> None:
    puzzle = page.ask("train", "drill", what="open")["puzzle"]
    page.ask("reveal", "revealed", key=puzzle["key"], what="hint")
    again = open_page().ask("next", "drill")["puzzle"]
    assert again == puzzle | {"hint": again["hint"]}
    assert again["hint"]


def test_the_best_rush_is_kept(page: Page, client: TestClient) -> None:
    trainer = client.app.state.shared.training.trainer  # type: ignore[attr-defined]
    for right in (2, 1):
        key = page.ask("train", "drill", what="rush")["puzzle"]["key"]
        for _ in range(right):
            for move in trainer.drill.puzzle.moves[1::2]:
                page.ask("try", "tried", key=key, move=move)
            key = page.ask("next", "drill", done=key)["puzzle"]["key"]
        assert page.ask("try", "tried", key=key, move=wrong_move(trainer.drill))["session"]["right"] == right
    assert page.ask("statistics", "statistics")["best"] == 2


def wrong_move(drill: Drill) -> str:
    return next(str(move) for move in drill.board.legal_moves if move != drill.expected)
