"""Going through the mistakes of a game."""

import pytest

from tests.apps.web.browser.conftest import OpenTab, Tab
from tests.apps.web.browser.test_contents import wait_for_drawn

GAME = """1. e4 { [%eval 0.3] } e5 { [%eval 0.4] } 2. Qh5 $6 { [%eval -0.3] } 2... Nc6 { [%eval -0.3] }
3. Bc4 { [%eval -0.3] } Nf6 $4 { Blunder: g6 is better. Allows mate: 4. Qxf7#. [%eval #1] }
( 3... Qe7 ) ( 3... g6 { [%eval -0.31] } 4. Qf3 )
4. h3 $2 { [%eval -0.5] } ( 4. Qxf7# { [%eval #1] } ) 4... Nxh5 { [%eval -9.9] } *"""
RED, GREEN = "line#882020", "line#15781B"


@pytest.fixture
def mistakes(study: Tab) -> Tab:
    study.open_pgn(GAME, moves=8)
    study.open("Game")
    return study


def words(tab: Tab) -> str:
    return " ".join(tab.page.get_by_role("region", name="Mistake").locator("p").inner_text().split())


def test_the_position_before_a_mistake_is_shown(mistakes: Tab) -> None:
    page = mistakes.page
    mistakes.press("Next mistake")
    mistakes.wait_for_square("f6", "empty")
    wait_for_drawn(mistakes, RED, GREEN)
    assert (
        words(mistakes)
        == "3… Nf6?? Blunder: -0.30 before it, #1 after it. Allows mate: 4. Qxf7#. Better: 3… g6 4. Qf3 (-0.31)"
    )
    page.wait_for_selector("#spoken:has-text('Nf6?? Blunder')", state="attached")
    mistakes.keys("n")
    mistakes.wait_for_square("h3", "empty")
    mistakes.wait_for_square("f6", "black knight")
    assert words(mistakes) == "4. h3? Mistake: #1 before it, -0.50 after it. Better: 4. Qxf7#"
    mistakes.keys("n")
    mistakes.wait_for_square("f6", "empty")
    page.get_by_role("region", name="Mistake").get_by_role("button", name="4. Qf3").click()
    mistakes.wait_for_square("f3", "white queen")
    assert not page.get_by_role("region", name="Mistake").count()
    wait_for_drawn(mistakes)
    mistakes.page.get_by_label("Whose mistakes").select_option("White's")
    mistakes.keys("n")  # Of one side.
    mistakes.wait_for_square("f6", "black knight")
    assert words(mistakes).startswith("4. h3?")
    assert "There is no other" not in words(mistakes)
    for _ in range(2):
        mistakes.keys("n")
        page.wait_for_selector("#mistake p:has-text('There is no other mistake.')")
        assert words(mistakes).startswith("4. h3?")
        assert words(mistakes).count("no other") == 1


SLOW = """WebSocket = class extends WebSocket {
    addEventListener(type, act) {
        super.addEventListener(type, type === "message" ? (event) => setTimeout(() => act(event), 400) : act);
    }
}"""


def test_no_line_on_its_way_is_drawn_on_the_board_of_play(open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.page.add_init_script(SLOW)
    tab.page.reload()
    tab.go("Analyse")
    tab.open_pgn(GAME, moves=8)
    tab.keys("n")
    wait_for_drawn(tab, RED, GREEN)
    tab.keys("Space")
    tab.wait_for_count("#engine-lines .line", 3)
    tab.go("Play")
    tab.page.wait_for_timeout(1000)
    assert tab.page.locator("cg-board").is_visible()
    wait_for_drawn(tab)


def test_inaccuracies_count_where_there_is_nothing_worse(study: Tab) -> None:
    study.open_pgn("1. e4 e5 2. Qh5 $6 { [%eval -0.3] } *", moves=3)
    study.keys("n")
    study.wait_for_square("h5", "empty")
    assert words(study) == "2. Qh5?! Inaccuracy. A better move is not in the game: Analyse the game"
    study.keys("Space")  # The engine shows one as long as no variation does.
    study.page.wait_for_selector('.cg-shapes line[stroke="#1d8f6d"]', state="attached")
    study.keys("Space")
    study.page.get_by_role("region", name="Mistake").get_by_role("button", name="Analyse the game").click()
    study.page.wait_for_selector(".summary", state="attached")
    assert "not in the game" not in words(study)


def test_an_analysis_looks_as_before_when_it_is_opened_again(study: Tab) -> None:
    study.open_pgn('[White "A"]\n[BlackElo "1900"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0', moves=7)
    study.open("Game")
    study.annotate()
    seen = looks(study)
    study.open("Open & share")
    text = study.download_pgn()
    study.press("Clear")
    study.wait_for_moves(0)
    study.open_pgn(text, moves=7)
    study.open("Game")
    assert looks(study) == seen


def looks(tab: Tab) -> list[str]:
    """The table of accuracies, the graph with its marks, and the evaluation of the first position."""
    tab.page.wait_for_selector(".evaluation b:text-matches('[0-9]')")
    parts = [tab.page.locator(selector) for selector in (".summary", ".evaluation b", ".panel .moves")]
    shapes = tab.page.locator(".graph path").evaluate_all("all => all.map((each) => each.getAttribute('d'))")
    return [*(part.first.inner_text() for part in parts), *shapes]
