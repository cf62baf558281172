"""What people of a rating play, beside the engine's lines and the mistakes of a game, and how long levels take."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.apps.web.browser.conftest import OpenTab, Tab, serving
from tests.apps.web.browser.test_mistakes import GAME

HANGING = "rnbqkb1r/pppppppp/8/3n4/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1"
MOVE = r"\S+\xa0\d+\xa0%( \(a (mistake|blunder) that (most make|few make|every \w+ makes)\))?"


def people(tab: Tab) -> Any:
    return tab.page.get_by_role("group", name="What people play")


def switch_on(tab: Tab) -> str:
    """The engine, and what people play then."""
    tab.keys("Space")
    tab.page.wait_for_selector(".people button")
    return str(people(tab).locator("> span").inner_text())


def test_what_people_play_stands_under_the_lines(study: Tab) -> None:
    assert not people(study).is_visible()
    study.set_position(HANGING, shows="d5, black knight")
    said = switch_on(study)
    assert re.fullmatch(f"{MOVE}(, {MOVE})*", said), said
    assert said.startswith("Nxd5\xa0")
    study.check_access()
    people(study).get_by_role("button", name="Nxd5").click()
    assert study.wait_for_moves(1) == ["Nxd5"]
    study.page.wait_for_selector(".people span:not([inert]) button:not(:text('Nxd5'))")
    study.keys("Space")
    people(study).wait_for(state="hidden")


def test_mistakes_are_named_but_not_what_the_engine_plays(study: Tab) -> None:
    study.set_position(HANGING, shows="d5, black knight")
    study.page.get_by_label("Rating on Lichess").evaluate("choice => (choice.value = '400')")
    switch_on(study)
    study.page.wait_for_selector(".people .blunder")
    said = people(study).locator("> span").inner_text()
    assert re.fullmatch(f"{MOVE}(, {MOVE})*", said), said
    assert re.search(r"Nxd5\xa0\d+\xa0%,", said), said
    assert re.search(r"e4\xa0\d+\xa0% \(a blunder that (few make|every \w+ makes)\)", said), said
    study.check_access()


JUDGED = """
const said = JSON.parse(text);
return said.type === "judged" ? JSON.stringify({...said, errors: {c3d5: "blunder", e2e4: "blunder"}}) : text;
"""


def test_what_the_lines_show_to_be_good_is_no_mistake(open_tab: OpenTab) -> None:
    """They look deeper than the search for mistakes."""
    tab = open_tab()
    lie = f"text => {{ {JUDGED} }}"
    tab.page.add_init_script(
        f"WebSocket = class extends WebSocket {{ addEventListener(type, act) {{ super.addEventListener(type, "
        f"type === 'message' ? event => act({{data: ({lie})(event.data)}}) : act); }} }}"
    )
    tab.page.reload()
    tab.go("Analyse")
    tab.set_position(HANGING, shows="d5, black knight")
    switch_on(tab)
    tab.page.wait_for_selector(".people .blunder")
    said = people(tab).locator("> span").inner_text()
    assert re.search(r"Nxd5\xa0\d+\xa0%,", said), said


def test_a_rating_is_chosen_and_stays(study: Tab) -> None:
    """The page asks for it at each step, and tells what it asks for."""
    study.set_position(HANGING, shows="d5, black knight")
    expert = switch_on(study)
    study.page.get_by_label("Rating on Lichess").select_option("400")
    study.page.wait_for_function("was => document.querySelector('.people span').innerText !== was", arg=expert)
    study.reload(".people button")
    assert study.page.get_by_label("Rating on Lichess").input_value() == "400"


def test_without_a_connection_it_says_so(open_tab: OpenTab, data: Path) -> None:
    with serving(data) as url:
        tab = open_tab(url=url, mode="Analyse")
        switch_on(tab)
    tab.notice("The connection to the server is lost")
    tab.page.get_by_label("Rating on Lichess").select_option("800")
    tab.page.wait_for_selector(".people span:has-text('The connection is lost.')")


@pytest.mark.parametrize(("tags", "rating"), [("", 1500), ('[BlackElo "1234"]\n', 1234), ('[BlackElo "2851"]\n', 2200)])
def test_how_many_find_a_better_move(study: Tab, tags: str, rating: int) -> None:
    study.open_pgn(f"{tags}\n{GAME}", moves=8)
    study.keys("n")
    found = study.page.locator("#mistake .found", has_text=re.compile("."))
    found.wait_for()
    share = r"(\d+|fewer than 1)\xa0%"
    assert re.fullmatch(rf"At {rating}, {share} find g6, {share} play Nf6\.", found.inner_text())
    study.keys("n")
    study.page.wait_for_selector("#mistake .found:has-text('find Qxf7#')")


def test_levels_take_as_long_as_people_unless_they_shall_not(open_tab: OpenTab) -> None:
    tab = open_tab(pace=None)
    said: list[Any] = []
    tab.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: said.append(json.loads(frame))))
    tab.reload("#new-game")
    tab.press("Settings")
    tab.page.get_by_role("radio", name="Move at once").check()
    tab.page.get_by_role("radio", name="Think as long as people").check()
    tab.page.get_by_role("radio", name="Move at once").check()
    tab.page.keyboard.press("Escape")
    tab.new_game()
    paces = [message["mode"] for message in said if message["type"] == "pace"]
    assert paces[-4:] == ["human", "quick", "human", "quick"]  # The first page may have told it before.
    tab.click("e2", "e4")
    tab.wait_for_moves(2)
