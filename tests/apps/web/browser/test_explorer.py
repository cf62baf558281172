"""The tab Explorer of Analyse in a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apps.web.browser.axe import violations
from tests.apps.web.browser.conftest import SIZES, OpenTab, Tab, serving

GAMES = """
[White "Ann"]
[Black "Bob <b>"]
[WhiteElo "2400"]
[BlackElo "2300"]
[Date "2024.05.12"]
[Result "1-0"]

1. e4 {best by test} e5 2. Nf3 (2. f4) 1-0

[White "Cem"]
[Result "1/2-1/2"]

1. e4 c5 1/2-1/2

1. -- e5 2. d4 *
"""
UNKNOWN = """
[Event "?"]
[White "?"]
[Black "?"]
[Result "*"]

1. h3 *

[Event "Club"]
[Round "1"]

1. h3 *

[Black "Dan"]

1. h3 *
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, chessground: Path) -> Iterator[str]:
    """The address of a server with a library."""
    data = tmp_path_factory.mktemp("library")
    (data / "chessground").symlink_to(chessground)
    (data / "my.pgn").write_text(GAMES)
    with serving(data, 0, "--explore", data / "my.pgn") as url:
        yield url


def explore(tab: Tab) -> None:
    tab.go("Analyse")
    tab.open("Explorer")


def rows(tab: Tab) -> list[str]:
    return [" ".join(text.split()) for text in tab.page.locator("#tab-explorer tbody tr").all_inner_texts()]


def test_moves_are_played_and_games_opened(open_tab: OpenTab, library: str) -> None:
    tab = open_tab(url=library)
    explore(tab)
    page = tab.page
    page.wait_for_selector("#tab-explorer [role=status]:has-text('3 of 3 games (my.pgn)')")
    assert rows(tab) == ["e4 2 50% 50% 2400"]  # Nobody can play the null move here.
    assert page.locator(".results").get_attribute("aria-label") == "White 50 %, draws 50 %, Black 0 %"
    page.get_by_role("button", name="e4").hover()
    tab.wait_for_count(".cg-shapes line", 1)
    page.locator("h1").hover()
    tab.wait_for_count(".cg-shapes line", 0)
    page.keyboard.press("Tab")  # From the tab that was clicked.
    page.keyboard.press("Enter")
    page.wait_for_selector("#tab-explorer tbody tr:first-child button[aria-label=c5]:focus")
    tab.wait_for_count(".cg-shapes line", 1)
    assert rows(tab) == ["c5 1 100% \u2013", "e5 1 100% 2300"]
    page.locator("#tab-explorer tr", has=page.get_by_role("button", name="e5")).locator("td").first.click()
    assert tab.wait_for_moves(2) == ["e4", "e5"]
    page.wait_for_selector("#tab-explorer [role=status]:has-text('1 of 3 games')")
    page.locator("#tab-explorer .games button", has_text="Bob <b>").click()
    page.wait_for_selector(".moves .comment:text-is('best by test')")
    assert page.locator(".moves .side").count() == 1
    tab.play("h2h3")
    page.wait_for_selector("#tab-explorer [role=status]:has-text('0 of 3 games')")
    assert not page.locator("#tab-explorer table").is_visible()
    page.reload()
    page.wait_for_selector("#tab-explorer [role=status]:has-text('0 of 3 games')")


def test_a_game_without_players_is_named_by_what_is_known(open_tab: OpenTab, tmp_path: Path, chessground: Path) -> None:
    (tmp_path / "chessground").symlink_to(chessground)
    (tmp_path / "my.pgn").write_text(UNKNOWN)
    with serving(tmp_path, 0, "--explore", tmp_path / "my.pgn") as url:
        tab = open_tab(url=url)
        explore(tab)
        games = tab.page.locator("#tab-explorer .games button")
        games.nth(2).wait_for()
        assert [text.split("\n") for text in games.all_inner_texts()] == [
            ["my.pgn, game 1"],
            ["Club", "my.pgn, game 2"],
            ["? \u2013 Dan", "my.pgn, game 3"],
        ]


def test_it_fits_and_is_accessible_and_says_how_games_are_named(open_tab: OpenTab, library: str) -> None:
    tab = open_tab(url=library)
    explore(tab)
    tab.page.wait_for_selector("#tab-explorer .games button")
    for width, _ in tab.sizes(*SIZES, (320, 640)):
        assert tab.page.evaluate("document.querySelector('.tools').scrollWidth") <= width
    tab.check_access(*SIZES, (320, 640))
    without = open_tab()
    explore(without)
    without.page.wait_for_selector("#tab-explorer .none:has-text('ox88 serve --explore games.pgn')")
    assert violations(without.page) == []
