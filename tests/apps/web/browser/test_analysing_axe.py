"""Analyse, the set-up and Look inside by axe-core's rules, at three widths, light and dark."""

import pytest

from tests.apps.web.browser.axe import violations
from tests.apps.web.browser.conftest import OpenTab, Tab
from tests.apps.web.browser.test_analysing import SIZES, open_pgn
from tests.apps.web.browser.test_variations import VARIED, step


@pytest.fixture(params=SIZES, ids=lambda size: str(size[0]))
def study(request: pytest.FixtureRequest, open_tab: OpenTab, scheme: str) -> Tab:
    tab = open_tab(*request.param, color_scheme=scheme, reduced_motion="reduce")
    tab.analyse()
    return tab


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_game_and_the_engine(study: Tab) -> None:
    open_pgn(study, VARIED)
    study.wait_for_moves(3)
    step(study, "Right", "Right")
    study.page.locator("#engine").click()
    study.wait_for_count("#engine-lines .line", 3)
    assert violations(study.page) == []


def test_an_analysed_game(study: Tab) -> None:
    open_pgn(study, "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0")
    study.wait_for_moves(7)
    study.button("Analyse the whole game").click()
    study.page.wait_for_selector(".summary td:has-text('%')")
    assert violations(study.page) == []


def test_an_empty_board_and_an_error(study: Tab) -> None:
    study.page.locator("#fen").fill("hello")
    study.button("Set up").click()
    study.page.wait_for_selector("#fen-wrong:has-text('FEN')")
    assert violations(study.page) == []


def test_the_set_up(study: Tab) -> None:
    study.button("Place pieces").click()
    study.button("white queen").click()
    assert violations(study.page) == []


def test_looking_inside(study: Tab) -> None:
    study.page.locator("[data-go=inside]").click()
    study.page.wait_for_selector("#picture svg")
    assert violations(study.page) == []
