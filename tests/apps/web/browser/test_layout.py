"""Where the parts of Analyse and Play stand, on desktops and phones."""

import pytest

from tests.apps.web.browser.conftest import OpenTab, Tab
from tools.web_pictures import OPERA

SCROLL = "[scrollX, scrollY]"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_a_reload_leaves_the_board_in_sight(open_tab: OpenTab, server: str, width: int, height: int) -> None:
    """An address that is an element's id too would be scrolled to."""
    tab = open_tab(width, height, f"{server}#analyse")
    for address in ("#analyse", "#games", "#train", "#think", "#play"):
        tab.page.goto(f"{server}{address}")
        tab.reload(f"nav [aria-current=page][href^='{address}']")
        assert tab.page.evaluate(SCROLL) == [0, 0], address


TWO_GAMES = """[White "A player with a name that is rather long"]
[Black "Another player, whose name is no shorter"]

1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } 2. Qh5 { [%eval -0.1] } Nc6 { [%eval 0.2] } 3. Bc4 { [%eval 0] }
Nf6 $4 { [%eval #1] } 4. Qxf7# 1-0

[White "C"]

1. d4 *
"""
TABS = ("Moves", "Game", "Open & share", "Inside")


def test_nothing_pans_sideways(open_tab: OpenTab) -> None:
    tab = open_tab(320, 640)

    def is_not_panned(name: str) -> None:
        for width, _ in tab.sizes((360, 640), (320, 640)):
            assert tab.page.evaluate(PANNED) == 0, (name, width)

    for name in ("Play", "Games", "Train", "Analyse"):
        tab.go(name)
        is_not_panned(name)
    tab.press("Set up a position")
    is_not_panned("set up")
    tab.page.keyboard.press("Escape")
    tab.open_pgn(TWO_GAMES, moves=7)
    tab.page.locator("#engine").click()
    for name in TABS:
        tab.open(name)
        is_not_panned(name)


PANNED = "document.documentElement.scrollWidth - document.documentElement.getBoundingClientRect().width"


@pytest.mark.parametrize(
    ("width", "height", "sides", "bottom"), [(844, 390, 47, 21), (667, 375, 20, 21), (390, 844, 0, 34)]
)
def test_nothing_lies_below_the_edges_of_an_iphone(
    open_tab: OpenTab, width: int, height: int, sides: int, bottom: int
) -> None:
    tab = open_tab(width, height)
    insets = {"left": sides, "right": sides, "bottom": bottom}
    tab.page.context.new_cdp_session(tab.page).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    tab.page.wait_for_selector("#new-game")  # The server's welcome hides notices.
    tab.page.evaluate("document.querySelector('#notice').hidden = false")
    edges = "boxes => boxes.map((box) => box.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    for left, right in tab.page.eval_on_selector_all(".bar, .table, #panel-play", edges):
        assert left >= sides
        assert right <= width - sides
    box = tab.page.locator("#notice").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= height - bottom
    below = "getComputedStyle(document.querySelector('#drill .after')).paddingBottom"  # It stays at the lower edge.
    assert float(tab.page.evaluate(below).removesuffix("px")) >= bottom


@pytest.mark.parametrize(("width", "height"), [(844, 390), (740, 360), (667, 375)])
def test_on_a_phone_held_sideways_the_panel_is_beside_the_whole_board(
    open_tab: OpenTab, width: int, height: int
) -> None:
    tab = open_tab(width, height)
    tab.new_game()
    seen_beside(tab, "#panel-play")
    tab.go("Analyse")
    tab.open_pgn(TWO_GAMES, moves=7)
    seen_beside(tab, "#panel-analyse")
    assert rows_of_tabs(tab) == 1
    tab.open("Game")
    tab.press("Next mistake")
    tab.page.locator("#mistake").wait_for()
    tab.page.wait_for_function(f"() => {PANNED} === 0")


def rows_of_tabs(tab: Tab) -> int:
    """Of the tools in Analyse."""
    tops = "[...document.querySelectorAll('.tools [role=tab]')].map((tab) => tab.getBoundingClientRect().top)"
    return len(set(tab.page.evaluate(tops)))


def seen_beside(tab: Tab, panel: str) -> None:
    board = tab.place()
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= tab.page.viewport_size["height"]
    assert tab.place(panel)["x"] > board["x"] + board["width"]
    assert tab.place(panel)["width"] > 230
    assert board["width"] >= 280


def test_the_tabs_of_tools_stand_in_one_row(open_tab: OpenTab) -> None:
    tab = open_tab(mode="Analyse")
    tab.open_pgn(TWO_GAMES, moves=7)
    for size in tab.sizes((1440, 900), (1024, 768), (880, 700), (820, 1180), (390, 844), (360, 740)):
        assert rows_of_tabs(tab) == 1, size


def test_a_set_up_shows_nothing_of_the_game_before(open_tab: OpenTab) -> None:
    tab = open_tab(mode="Analyse")
    tab.open_pgn(TWO_GAMES, moves=7)
    tab.page.locator("#graph").wait_for()
    tab.press("Set up a position")
    assert tab.page.locator(".strip").all_inner_texts() == ["Black", "White"]
    assert tab.page.locator(".gauge").get_attribute("aria-label") == "No evaluation"
    assert tab.page.locator("#graph").is_hidden()
    assert tab.button("Back").is_hidden()
    tab.press("Cancel")
    tab.page.locator("#graph").wait_for()
    assert tab.page.locator(".strip .name").count() == 2


NESTED = "1. e4 e5 ( 1... c5 2. Nf3 ( 2. Nc3 Nc6 ( 2... d6 3. Nge2 ( 3. f4 g6 ) ) ) ( 2. c3 { Alapin } ) 2... d6 ) *"
BREAKS_BEFORE_BRACKETS = """() => {
    const side = document.querySelector("#panel-analyse .moves .side");
    const walker = document.createTreeWalker(side, NodeFilter.SHOW_TEXT);
    const found = [];
    let before = null;
    while (walker.nextNode()) {
        const { data } = walker.currentNode;
        [...data].forEach((letter, at) => {
            if (!letter.trim()) return;
            const range = document.createRange();
            range.setStart(walker.currentNode, at);
            range.setEnd(walker.currentNode, at + 1);
            const { bottom } = range.getBoundingClientRect();
            if (letter === ")") found.push(bottom - before > 8);
            before = bottom;
        });
    }
    return found;
}"""


def test_no_line_begins_with_the_bracket_that_ends_a_variation(open_tab: OpenTab) -> None:
    tab = open_tab(390, 844, mode="Analyse")
    tab.open_pgn(NESTED, moves=2)
    for size in tab.sizes(*((width, 844) for width in range(320, 424, 8))):
        assert tab.page.evaluate(BREAKS_BEFORE_BRACKETS) == [False] * 4, size


CASTLES = "1. e4 { Then 2. O-O-O or O-O or O-O-O or O-O or O-O-O or O-O-O. } e5 ( 1... c5 { So O-O-O or O-O-O. } ) *"
LINES_OF_CASTLING = """() => {
    const walker = document.createTreeWalker(document.querySelector("#panel-analyse .moves"), NodeFilter.SHOW_TEXT);
    const counts = [];
    while (walker.nextNode())
        for (const { index } of walker.currentNode.data.matchAll(/O-O-O/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, index);
            range.setEnd(walker.currentNode, index + 5);
            counts.push(range.getClientRects().length);
        }
    return counts;
}"""


def test_castling_stays_in_one_line(open_tab: OpenTab) -> None:
    tab = open_tab(390, 844, mode="Analyse")
    tab.open_pgn(CASTLES, moves=2)
    for size in tab.sizes(*((width, 844) for width in range(320, 400, 8))):
        assert tab.page.evaluate(LINES_OF_CASTLING) == [1] * 6, size


def test_the_board_is_in_sight_where_one_looks_at_a_game(open_tab: OpenTab) -> None:
    """On a desktop the list of moves too."""
    tab = open_tab(reduced_motion="reduce", mode="Analyse")
    for width, height in tab.sizes((1440, 900), (1024, 768), (820, 1180), (390, 844)):
        tab.open_pgn(TWO_GAMES, moves=7)
        in_sight(tab, "cg-board")
        tab.open("Game")
        tab.button("Next mistake").scroll_into_view_if_needed()
        tab.press("Next mistake")
        in_sight(tab, "cg-board")
        in_sight(tab, "#mistake")
        if width >= 860:
            in_sight(tab, "#panel-analyse .moves")
            in_sight(tab, "#panel-analyse .tools")
            in_sight(tab, ".graph")
            assert tab.place(".graph")["height"] >= 80
            assert tab.page.evaluate("document.documentElement.scrollHeight") <= height
        tab.press("Clear")
        tab.wait_for_moves(0)


def test_a_move_that_is_chosen_in_the_list_is_seen_on_the_board(open_tab: OpenTab) -> None:
    """A chosen move scrolls to the board if the board is above the list; beside it nothing scrolls."""
    tab = open_tab(reduced_motion="reduce", mode="Analyse")
    tab.open_pgn(TWO_GAMES, moves=7)
    for width, _ in tab.sizes((390, 844), (1280, 860)):
        tab.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        before = tab.page.evaluate("scrollY")
        tab.page.locator("#panel-analyse .moves button").nth(2).click()
        in_sight(tab, "cg-board")
        assert (tab.page.evaluate("scrollY") == before) == (width > 860)


def test_on_a_phone_the_review_is_in_sight_when_a_game_ends(open_tab: OpenTab) -> None:
    tab = open_tab(390, 844)
    tab.new_game()
    for move in ("e4", "d4", "c4"):
        tab.type_move(move)
    tab.resign()
    for _ in tab.sizes((390, 844), (844, 390)):
        in_sight(tab, "[data-do=review]")
        assert tab.place("[data-do=review]")["y"] < tab.place("#panel-play .moves")["y"]


def in_sight(tab: Tab, selector: str) -> None:
    box = tab.place(selector)
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= tab.page.viewport_size["height"] + 1


def test_the_current_move_stays_in_sight_where_the_engine_takes_room(open_tab: OpenTab) -> None:
    tab = open_tab(1280, 720, mode="Analyse")
    tab.open_pgn(OPERA, moves=33)
    tab.keys("ArrowDown", "ArrowLeft")
    current = "#panel-analyse .moves [aria-current=true]"
    tab.page.locator("#engine").click()
    tab.wait_for_count("#engine-lines .line", 3)
    below = (
        "name => { const move = document.querySelector(name); const list = move.closest('.moves'); "
        "return move.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom; }"
    )
    assert tab.page.evaluate(below, current) <= 0


@pytest.mark.parametrize(("width", "height"), [(1366, 720), (1366, 650), (1366, 600), (960, 540), (870, 900)])
def test_in_a_low_window_nothing_covers_the_board_or_has_no_room(open_tab: OpenTab, width: int, height: int) -> None:
    """A laptop's window, or one that is enlarged, with a mistake and the engine's lines above the moves."""
    tab = open_tab(width, height, mode="Analyse")
    tab.open_pgn("1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1", 14)
    tab.annotate()
    tab.keys(" ", "n")
    tab.wait_for_count("#engine-lines .line", 3)
    board, panel = tab.place("#board"), tab.place("#panel-analyse")
    assert board["x"] + board["width"] <= panel["x"]
    assert tab.place("#game-card .moves")["height"] >= 90
    assert tab.place(".tools")["height"] >= 180
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_undo_takes_no_room_from_what_is_in_a_tab(open_tab: OpenTab) -> None:
    tab = open_tab(1024, 768, mode="Analyse")
    tab.open_pgn("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", moves=7)
    tab.annotate()
    tab.page.locator("#engine").click()
    tab.wait_for_count("#engine-lines .line", 3)
    undo = tab.button("Undo: analyse the whole game")
    for size in tab.sizes((1024, 768), (860, 700), (1280, 800)):
        inside = tab.place("#tab-game")
        button = tab.button("Next mistake").bounding_box()
        assert button["y"] + button["height"] <= inside["y"] + inside["height"] + 1, size
        assert undo.bounding_box()["y"] + undo.bounding_box()["height"] <= inside["y"], size
        assert rows_of_tabs(tab) == 1, size
        last = tab.page.get_by_role("tab", name="Inside").bounding_box()
        assert last["x"] + last["width"] <= undo.bounding_box()["x"], size
    assert undo.get_attribute("title") == "Undo: analyse the whole game (Ctrl+Z)"
    undo.click()
    undo.wait_for(state="detached")


LINES_OF = "parts => parts.map((part) => part.getClientRects().length)"


def test_buttons_names_and_dates_of_games_stand_in_even_rows(open_tab: OpenTab) -> None:
    tab = open_tab(1280, 800)
    tab.new_game()
    tab.type_move("e4")
    tab.button("Take back").wait_for()
    tab.wait_for_moves(2)
    fill = "list => list.insertAdjacentHTML('beforeend', '<p>A long game</p>'.repeat(60))"
    tab.page.eval_on_selector("#panel-play .moves", fill)
    tops = "buttons => buttons.filter((each) => each.offsetParent).map((each) => Math.round(each.offsetTop))"
    for size in tab.sizes((1280, 800), (820, 1180), (390, 844), (360, 740)):
        rows = tab.page.eval_on_selector_all("#while-playing button", tops)
        assert [rows.count(top) for top in sorted(set(rows))] == [3, 2], size
        if size == (390, 844):
            in_sight(tab, "#while-playing [data-do=takeback]")
    tab.resign()
    for size in tab.sizes((1280, 800), (820, 1180), (390, 844), (360, 740)):
        rows = tab.page.eval_on_selector_all("#when-over button", tops)
        assert [rows.count(top) for top in sorted(set(rows))] == [1, 1, 3], size
    tab.press("New game")
    tab.new_game()
    tab.type_move("d4")
    tab.wait_for_moves(2)
    tab.go("Games")
    tab.page.locator(".library li", has_text="Unfinished").first.wait_for()
    for size in tab.sizes((390, 844), (360, 740), (320, 640)):
        assert tab.page.evaluate(PANNED) == 0, size
        assert set(tab.page.eval_on_selector_all("#tab-played .unbroken", LINES_OF)) == {1}, size
    tab.open("My analyses")
    for _ in tab.sizes((844, 390)):
        assert tab.place("#tab-analyses")["width"] > 600


def test_a_tablet_held_upright_has_a_large_board(open_tab: OpenTab) -> None:
    tab = open_tab(820, 1180)
    tab.page.wait_for_selector("#new-game")
    assert tab.place()["width"] > 720
    in_sight(tab, "#new-game .primary")


def test_the_settings_are_closed_by_a_button_in_sight(open_tab: OpenTab) -> None:
    tab = open_tab(360, 740)
    for name, size in zip(("Settings", "Keyboard shortcuts"), tab.sizes((360, 740), (844, 390)), strict=True):
        tab.press(name)
        close = tab.page.locator("dialog[open]").get_by_role("button", name="Close")
        box = close.bounding_box()
        assert box["y"] + box["height"] <= size[1]
        close.click()
