"""My games, and the addresses of games, in a browser."""

import re
from pathlib import Path

from tests.apps.web.browser.conftest import OpenTab, Tab, serving

GAME = re.compile(r"#play/[\w-]{16}$")


def test_games_are_listed_searched_opened_and_deleted(open_tab: OpenTab, data: Path) -> None:
    with serving(data) as url:
        tab = open_tab(url=url)
        page = tab.page
        tab.go("Games")
        page.wait_for_selector("text=No games yet.")
        for move in ("d4", "e4"):
            tab.go("Play")
            if page.locator("#game").is_visible():
                tab.press("New game")
            tab.new_game()
            tab.type_move(move)
            tab.wait_for_moves(2)
        tab.resign()
        tab.go("Games")
        tab.wait_for_count(".library li", 2)
        assert page.locator(".library li b").all_inner_texts() == ["Lost 0-1", "Unfinished"]
        page.get_by_role("searchbox", name="Search games").fill("unfinished")
        tab.wait_for_count(".library li", 1)
        with page.expect_download() as download:
            tab.press("Export")
        assert Path(download.value.path()).read_text().count("[Event ") == 1
        assert download.value.suggested_filename == "games.pgn"
        page.reload()
        page.get_by_role("radio", name="Lost").check()
        tab.wait_for_count(".library li", 1)
        page.get_by_role("radio", name="micro-Max").check()
        page.wait_for_selector("text=No game fits.")
        page.reload()
        tab.wait_for_count(".library li", 2)
        page.locator(".library a").nth(1).click()
        assert tab.wait_for_moves(2)[0] == "d4"
        page.go_back()
        tab.wait_for_count(".library li", 2)
        page.locator(".library li").nth(0).get_by_role("button", name="Delete").click()
        tab.wait_for_count(".library li", 1)
        assert page.evaluate("document.activeElement.closest('.library') !== null")
        assert page.locator(".library li b").inner_text() == "Unfinished"


def test_a_game_in_the_list_has_white_first_and_goes_on_while_it_is_unfinished(tab: Tab) -> None:
    page = tab.page
    tab.new_game(side="Black")
    tab.wait_for_moves(1)
    address = page.url
    tab.go("Games")
    row = page.locator(f".library li:has(a[href='#{address.partition('#')[2]}'])")
    assert row.locator(".title").inner_text().startswith("Ox88 (")
    row.get_by_role("link", name="Go on", exact=True).click()
    tab.wait_for_count(".cg-wrap.orientation-black", 1)
    tab.resign()
    tab.go("Games")
    row.locator("b", has_text="Lost 1-0").wait_for()
    assert row.get_by_role("link", name="Go on", exact=True).count() == 0


def test_the_address_of_a_game_is_enough_until_it_is_deleted_elsewhere(tab: Tab) -> None:
    tab.new_game()
    tab.click("d2", "d4")
    moves = tab.wait_for_moves(2)
    address = tab.page.url
    assert GAME.search(address)
    other = tab.beside(address)
    assert other.wait_for_moves(2) == moves
    other.go("Analyse")
    other.go("Play")
    other.wait_for_address(address)
    assert other.wait_for_moves(2) == moves
    server, _, game = address.partition("#")
    other.page.goto(f"{server}#games")
    item = other.page.locator(f".library li:has(a[href='#{game}'])")
    item.get_by_role("button", name="Delete").click()
    tab.notice("The game has been deleted.")
    tab.page.wait_for_selector("#level")
    other.notice("The game is deleted.")
    other.press("Undo")
    item.wait_for()
    assert not other.page.locator("#notice").is_visible()
    tab.page.goto(address)  # The page that had it meets the other one there.
    other.page.goto(address)
    tab.type_move("a4")
    assert tab.wait_for_moves(4)[:2] == other.wait_for_moves(4)[:2] == moves


def test_two_tabs_keep_their_own_games(tab: Tab, server: str) -> None:
    other = tab.beside(server)
    for one, move in ((tab, "d4"), (other, "e4")):
        one.new_game()
        one.type_move(move)
        one.wait_for_moves(2)
    for one, move in ((tab, "d4"), (other, "e4")):
        one.page.reload()
        assert one.wait_for_moves(2)[0] == move


def test_back_and_forward_go_through_games(tab: Tab) -> None:
    tab.new_game()
    tab.press("New game")
    tab.page.wait_for_selector("#level")
    tab.new_game(side="Black")
    tab.wait_for_moves(1)
    tab.page.go_back()
    tab.page.wait_for_selector("#level")
    tab.page.go_back()
    tab.page.wait_for_selector("#move")
    tab.wait_for_moves(0)
    tab.wait_for_count(".cg-wrap.orientation-white", 1)
    tab.page.go_forward()
    tab.press("Back to the game")
    tab.page.wait_for_selector("#move")


def test_an_address_without_a_game(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(url=f"{server}#play/none")
    tab.notice("There is no game")
    tab.page.wait_for_selector("#level")
    tab.wait_for_address(f"{server}#play")


def test_a_row_shows_the_last_position_and_opens_the_analysis(tab: Tab) -> None:
    tab.new_game("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", side="Black")
    tab.type_move("Kf7")
    tab.wait_for_moves(2)
    tab.go("Games")
    item = tab.page.locator(".library li").first
    item.locator(".diagram use[href$='#piece-k'][x='90']").wait_for()  # On f7 as Black sees it.
    year = tab.page.evaluate("String(new Date().getFullYear())")
    assert re.search(rf"{year}.* \d+:\d\d", item.inner_text())
    item.get_by_role("button", name="Analyse").click()
    assert tab.wait_for_moves(2)[0] == "Kf7"
    tab.wait_for_count(".cg-wrap.orientation-black", 1)
