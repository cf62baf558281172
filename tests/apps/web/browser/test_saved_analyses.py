"""Saved analyses in a browser: chapters, addresses, changes of two pages, lost connections, export and import."""

import io
import re
from pathlib import Path

import chess.pgn
import pytest

from tests.apps.web.browser.axe import violations
from tests.apps.web.browser.conftest import OpenTab, Tab, port_of, serving
from tests.processes import wait_until

ADDRESS = re.compile(r"#analyse/[\w-]{16}(/\d+)?$")
OPERA = (
    '[Event "Opera"]\n[White "Morphy"]\n[Black "Allies"]\n\n'
    "1. e4 e5 2. Nf3 d6 $6 { [%clk 0:01:00] Philidor } ( 2... Nc6 3. Bb5 ) 1-0"
)
SPANISH = '[White "Lasker"]\n[Black "Capablanca"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *'
ENDING = '[SetUp "1"]\n[FEN "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"]\n\n{ Opposition } 1. Kd3 Kd5 *'
HOLD = """() => {  // What the page says waits for `release`.
    const { send } = WebSocket.prototype, said = [];
    WebSocket.prototype.send = function (text) { said.push([this, text]); };
    window.release = () => {
        WebSocket.prototype.send = send;
        for (const [socket, text] of said) socket.send(text);
    };
}"""
THREE = "\n\n".join((OPERA, SPANISH, ENDING))


def save(tab: Tab, name: str = "Mine") -> str:
    tab.open("Open & share")
    tab.page.get_by_label("Name of the analysis").fill(name)
    tab.press("Save")
    state(tab, "Saved")
    tab.page.wait_for_url(ADDRESS)
    return str(tab.page.url)


def state(tab: Tab, words: str) -> None:
    """Wait until the page says whether the analysis is saved."""
    tab.page.locator("#kept [role=status]", has_text=re.compile(f"^{words}")).wait_for()


def chapters(tab: Tab) -> list[str]:
    return [text.replace("\u2013", "-") for text in tab.page.locator("#chapters .names span").all_inner_texts()]


def games_of(text: str) -> list[str]:
    """The games of a PGN as python-chess reads them."""
    pgn = io.StringIO(text)
    return [str(game) for game in iter(lambda: chess.pgn.read_game(pgn), None)]


def comment(tab: Tab, words: str) -> None:
    tab.open("Moves")
    tab.page.get_by_label("Comment", exact=True).fill(words)


@pytest.fixture
def three(study: Tab) -> Tab:
    study.open_pgn(THREE)
    study.wait_for_count("#chapters li", 3)
    study.wait_for_moves(4)
    return study


@pytest.fixture
def own(open_tab: OpenTab, data: Path) -> tuple[Tab, Path, int]:
    """A page of a server of its own, the folder and the port of the server, which is killed when it is taken."""
    with serving(data) as url:
        tab = open_tab(url=url, mode="Analyse")
        tab.play("e2e4")
        save(tab)
    return tab, data, port_of(url)


def test_an_analysis_survives_reloads_and_tabs(three: Tab) -> None:
    address = save(three)
    three.page.locator("#chapters button").nth(1).click()
    three.wait_for_moves(6)
    three.wait_for_address(re.sub(r"/1$", "/2", address))
    three.keys("End")
    three.play("b5a4")
    state(three, "Saved")
    comment(three, "Taken")
    comment(three, "")
    state(three, "Saved")
    three.page.reload()
    assert three.wait_for_moves(7)[-1] == "Ba4"
    three.wait_for_square("a4", "white bishop")  # The place is kept.
    other = three.beside()
    assert other.wait_for_moves(7)[-1] == "Ba4"
    other.open("Open & share")
    assert chapters(other) == ["Morphy - Allies", "Lasker - Capablanca", "Chapter 3"]
    third = three.beside(re.sub(r"/1$", "/3", address))
    third.wait_for_square("e3", "white king")
    third.go("Play")
    third.go("Analyse")
    third.wait_for_address("/3")


def test_each_tab_of_tools_leads_to_the_other_chapters(three: Tab) -> None:
    head = three.page.locator("#game-card > header")
    three.open("Game")
    for button, place, title in (
        ("Next chapter", "2 of 3", "Lasker \u2013 Capablanca"),
        ("Next chapter", "3 of 3", ""),
        ("Next chapter", "1 of 3", "Morphy \u2013 Allies"),
        ("Previous chapter", "3 of 3", ""),
    ):
        three.press(button)
        three.button(place).wait_for()
        head.locator(f"h2:text-is('{title}')").wait_for(state="attached")
    three.press("3 of 3")
    assert three.page.evaluate("document.activeElement.ariaCurrent") == "true"
    three.press("Delete the chapter")
    three.press("2 of 2")
    three.press("Delete the chapter")
    head.locator("h2:text-is('Morphy \u2013 Allies')").wait_for()
    assert not head.get_by_role("group", name="Chapters").is_visible()


def test_the_address_is_written_only_when_it_changes(three: Tab) -> None:
    """Safari refuses more than a hundred times in half a minute."""
    save(three)
    three.page.evaluate("() => { history.replaceState = (...given) => (window.addressed = given); }")
    three.open("Moves")
    three.page.get_by_label("Comment", exact=True).press_sequentially("A long remark")
    state(three, "Not saved yet")
    state(three, "Saved")
    assert three.page.evaluate("window.addressed") is None


def test_a_download_waits_for_the_person(three: Tab) -> None:
    """Safari asks whether the page may save files; until then the file has to be there."""
    three.page.evaluate(
        "() => { const { setTimeout } = window; window.delays = [];"
        " window.setTimeout = (act, delay, ...rest) => (delays.push(delay), setTimeout(act, delay, ...rest)); }"
    )
    three.open("Open & share")
    with three.page.expect_download():
        three.press("Download all chapters")
    assert max(three.page.evaluate("delays")) > 20_000


def test_a_name_that_is_not_chosen_stands_in_its_field(three: Tab) -> None:
    three.press("Save")
    state(three, "Saved")
    assert three.page.get_by_label("Name of the analysis").input_value() == "Morphy \u2013 Allies"


def test_nothing_is_read_aloud_that_says_nothing(three: Tab) -> None:
    """Screen readers pass by pictures without a name, and fields behind buttons."""
    heard = three.page.locator("body").aria_snapshot()
    assert not re.search(r"^ *- img$", heard, re.MULTILINE)
    assert "A file of games" not in heard
    assert 'searchbox "Search chapters"' in heard


def test_an_unsaved_analysis_with_chapters_survives_a_reload_and_its_end_can_be_undone(three: Tab) -> None:
    three.page.locator("#chapters button").nth(1).click()
    three.wait_for_moves(6)
    comment(three, "A note")
    three.page.reload()
    three.open("Open & share")
    three.page.locator("#chapters button").nth(0).click()
    three.page.locator(".moves .comment", has_text="Philidor").wait_for()
    three.page.locator("#chapters button").nth(1).click()
    three.page.locator(".moves .comment", has_text="A note").wait_for()
    three.wait_for_address("#analyse")
    three.press("Clear")
    three.wait_for_count("#chapters li", 1)
    three.keys("Control+z")
    three.wait_for_count("#chapters li", 3)
    three.wait_for_moves(6)


def test_an_unsaved_analysis_that_an_address_replaces_can_be_brought_back(three: Tab) -> None:
    address = save(three)
    three.press("Clear")
    three.wait_for_moves(0)
    three.play("d2d4")
    three.page.goto(address)
    three.wait_for_moves(4)
    three.keys("Control+z")
    assert three.wait_for_moves(1) == ["d4"]
    three.wait_for_address("#analyse")


AT_ONCE = """(address) => {
    location.hash = address;  // The page hears of it later than of this comment.
    const comment = document.querySelector("#tab-moves textarea");
    comment.value = "A note";
    comment.dispatchEvent(new Event("input"));
}"""


def test_an_address_is_followed_although_something_has_just_changed(three: Tab) -> None:
    address = save(three)
    three.press("Clear")
    three.wait_for_moves(0)
    three.page.wait_for_url(re.compile("#analyse$"))
    three.page.evaluate(AT_ONCE, address.partition("#")[2])
    three.wait_for_moves(4)


def test_what_is_opened_beside_a_saved_analysis_leaves_it_alone(three: Tab) -> None:
    address = save(three)
    three.open_pgn("1. d4 d5", moves=2)
    three.wait_for_address("#analyse")
    three.page.goto(address)
    three.wait_for_count("#chapters li", 3)
    three.press("Add a chapter")
    three.wait_for_moves(0)
    three.open_pgn("1. d4 d5", moves=2)
    state(three, "Saved")
    three.wait_for_address(re.sub(r"/1$", "/4", address))


def test_nothing_is_saved_while_there_is_nothing_and_a_name_stays_until_it_is(study: Tab) -> None:
    study.open("Open & share")
    assert not study.button("Save").is_visible()
    assert not study.button("Add a chapter").is_visible()
    study.play("e2e4")
    study.open("Open & share")
    study.page.get_by_label("Name of the analysis").fill("Lesson 1")
    study.open("Moves")
    study.play("e7e5")
    study.press("Save")
    state(study, "Saved")
    assert study.page.locator("#kept a").inner_text() == "Lesson 1"


HOLDING = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  if (JSON.parse(text).type === "open") window.release = () => send.call(this, text);
  else send.call(this, text);
};
"""


def test_what_is_saved_while_a_page_opens_is_seen_there(three: Tab) -> None:
    """The other page has been told the chapters, and is still waiting for the first one's moves."""
    save(three)
    three.page.context.add_init_script(HOLDING)
    other = three.beside()
    wait_until(lambda: other.page.evaluate("Boolean(window.release)"))
    three.press("Delete the chapter")
    three.wait_for_count("#chapters li", 2)
    state(three, "Saved")
    other.page.evaluate("release()")
    other.wait_for_count("#chapters li", 2)


def test_chapters_are_named_moved_and_deleted(three: Tab) -> None:
    save(three)
    three.page.get_by_label("Name of the chapter").fill('The "opera"')
    three.page.get_by_label("Name of the analysis").fill("Ours")
    three.press("Move down")
    state(three, "Saved")
    assert chapters(three) == ["Lasker - Capablanca", 'The "opera"', "Chapter 3"]
    three.page.locator("#chapters button").nth(2).click()
    three.wait_for_moves(2)
    three.press("Delete the chapter")
    three.wait_for_count("#chapters li", 2)
    other = three.beside()
    other.wait_for_count("#chapters li", 2)
    other.page.locator("#kept a", has_text="Ours").wait_for()
    assert chapters(other) == ["Lasker - Capablanca", 'The "opera"']
    other.wait_for_address("/2")
    three.press("Delete the chapter")
    three.wait_for_count("#chapters li", 1)
    three.page.wait_for_selector("#chapter input:focus")


def test_a_chapter_that_is_deleted_can_be_brought_back(three: Tab) -> None:
    """It stands where it was and has its undos again. The chapter that was shown meanwhile has its own."""
    save(three)
    for number, count in ((2, 2), (1, 6)):
        three.open("Open & share")
        three.page.locator("#chapters button").nth(number).click()
        three.wait_for_moves(count)
        three.keys("End")
        three.press("Delete from here")
        three.wait_for_moves(count - 1)
    three.press("Delete the chapter")
    three.wait_for_moves(1)
    comment(three, "Of the third chapter")
    state(three, "Saved")
    three.press("Undo: delete the chapter")
    assert three.wait_for_moves(5)[-1] == "Bb5"
    state(three, "Saved")
    three.press("Undo: delete from 3… a6")
    three.wait_for_moves(6)
    state(three, "Saved")
    assert not three.page.locator(".undo").is_visible()
    other = three.beside()
    other.wait_for_moves(6)
    other.open("Open & share")
    assert chapters(other) == ["Morphy - Allies", "Lasker - Capablanca", "Chapter 3"]
    three.open("Open & share")
    three.page.locator("#chapters button").nth(2).click()
    three.page.wait_for_selector(".moves .comment:text-is('Of the third chapter')")
    three.press("Undo: delete from 1… Kd5")
    three.wait_for_moves(2)


def test_export_and_import_are_equal(three: Tab) -> None:
    save(three)
    comment(three, "The opera game; 100 % {clear")
    three.keys("End")
    three.play("d2d4")
    state(three, "Saved")
    three.open("Open & share")
    with three.page.expect_download() as download:
        three.press("Download all chapters")
    text = Path(download.value.path()).read_text()
    assert download.value.suggested_filename == "Mine.pgn"
    assert len(games_of(text)) == 3
    server, _, analysis = three.page.url.partition("#analyse/")
    served = three.page.request.get(f"{server}analysis/{analysis.partition('/')[0]}.pgn").text()
    assert games_of(served) == games_of(text)
    three.page.goto(f"{server}#analyse")
    three.open_pgn(text)
    three.page.wait_for_url(re.compile("#analyse$"))
    save(three, "Again")
    for number in range(3):  # Each is read, and written again.
        three.page.locator("#chapters button").nth(number).click()
        three.page.locator(f"#chapters li:nth-child({number + 1}) [aria-current=true]").wait_for()
        comment(three, "x")
        three.page.get_by_label("Comment", exact=True).fill(["The opera game; 100 % {clear", "", "Opposition"][number])
        state(three, "Saved")
        three.open("Open & share")
    with three.page.expect_download() as download:
        three.press("Download all chapters")
    assert games_of(Path(download.value.path()).read_text()) == games_of(text)


def test_pages_with_one_analysis_show_each_other_s_changes_and_both_of_a_chapter_are_kept(three: Tab) -> None:
    save(three)
    other = three.beside()
    other.wait_for_moves(4)
    three.keys("Home")
    three.play("d2d4")
    other.page.locator(".moves", has_text="d4").wait_for()
    other.open("Open & share")
    other.press("Add a chapter")
    three.wait_for_count("#chapters li", 4)
    other.page.locator("#chapters button").nth(0).click()
    other.wait_for_moves(4)
    three.page.evaluate(HOLD)
    comment(three, "One")
    comment(other, "Two")
    state(other, "Saved")
    three.page.evaluate("release()")
    three.notice("your version is chapter 5")
    state(three, "Saved")
    other.wait_for_count("#chapters li", 5)


def test_changes_wait_for_a_lost_connection(own: tuple[Tab, Path, int]) -> None:
    tab, data, port = own
    state(tab, "Saved")
    comment(tab, "Written alone")
    state(tab, "Not saved yet: the connection is lost")
    tab.keys("ArrowLeft")
    tab.page.locator("#panel-analyse .moves button").hover()  # The small board has its pieces.
    tab.page.wait_for_function("() => document.querySelector('.preview:not([hidden]) use')?.getBBox().width")
    with serving(data, port):
        state(tab, "Saved")
        other = tab.beside()
        other.page.locator(".moves .comment", has_text="Written alone").wait_for()


def test_a_page_that_is_left_saves_at_once(three: Tab) -> None:
    address = save(three)
    comment(three, "Last words")
    three.page.goto("about:blank")
    three.page.evaluate("1")
    other = three.beside(address)
    other.page.locator(".moves .comment", has_text="Last words").wait_for()


def test_an_address_without_an_analysis(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(url=f"{server}#analyse/none")
    tab.notice("There is no analysis 'none'")
    tab.wait_for_address(f"{server}#analyse")


ELSEWHERE = """(said) => new Promise((answered) => {  // Send a message as another page.
    const socket = new WebSocket(`ws://${location.host}/socket`);
    socket.onopen = () => socket.send(JSON.stringify(said));
    socket.onmessage = ({ data }) => JSON.parse(data).about && answered();
})"""


def deleted_elsewhere(tab: Tab) -> tuple[str, str]:
    """The address and the id of an analysis that another page has deleted."""
    address = save(tab)
    analysis = address.partition("#analyse/")[2].partition("/")[0]
    tab.page.evaluate(ELSEWHERE, {"type": "delete", "analysis": analysis})
    tab.notice("The analysis has been deleted")
    tab.wait_for_address("#analyse")
    return address, analysis


def test_an_analysis_that_is_deleted_elsewhere_stays_in_the_tab(three: Tab) -> None:
    address, _ = deleted_elsewhere(three)
    assert save(three) != address


def test_what_is_opened_after_a_deletion_is_another_analysis_also_when_it_is_undone(three: Tab) -> None:
    address, analysis = deleted_elsewhere(three)
    three.open_pgn("1. d4 *", moves=1)
    three.page.evaluate(ELSEWHERE, {"type": "restore", "item": analysis})
    three.keys("End")
    three.play("d7d5")
    three.wait_for_address("#analyse")
    assert len(three.beside(address).wait_for_moves(4)) == 4


def test_an_analysis_that_is_deleted_is_brought_back_with_its_address(three: Tab) -> None:
    """A page that shows it has it at the address again, and saves what was changed meanwhile."""
    address = save(three)
    other = three.beside()
    other.wait_for_moves(4)
    three.go("Games")
    three.open("My analyses")
    item = three.page.locator(f".library li:has(a[href='#{address.partition('#')[2].removesuffix('/1')}'])")
    row = item.inner_text()
    item.get_by_role("button", name="Delete").click()
    item.wait_for(state="detached")
    other.notice("The analysis has been deleted")
    comment(other, "Written meanwhile")
    three.page.keyboard.press("Control+z")
    item.wait_for()
    assert item.inner_text() == row
    assert three.page.evaluate("document.activeElement.closest('li').innerText") == row
    assert not three.page.locator("#notice").is_visible()
    state(other, "Saved")
    assert not other.page.locator("#notice").is_visible()
    other.wait_for_address(address)
    three.go("Analyse")
    three.page.locator(".moves .comment", has_text="Written meanwhile").wait_for()
    three.wait_for_address(address)
    assert chapters(three) == ["Morphy - Allies", "Lasker - Capablanca", "Chapter 3"]


def test_by_keys_alone_an_analysis_is_deleted_and_brought_back(study: Tab) -> None:
    """The button Undo has the focus after the last row of a list is deleted."""
    page = study.page
    study.play("e2e4")
    address = save(study, "The only one")
    study.go("Games")
    study.open("My analyses")
    page.get_by_role("searchbox", name="Search analyses").fill("only one")
    study.wait_for_count("#tab-analyses li", 1)
    while page.evaluate("document.activeElement.textContent") != "Delete":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=status]:has-text('The analysis is deleted.') button:text-is('Undo'):focus")
    study.wait_for_count("#tab-analyses li", 0)
    page.keyboard.press("Enter")
    page.wait_for_selector("#tab-analyses li a:focus")
    page.keyboard.press("Enter")
    page.wait_for_url(address)
    state(study, "Saved")


def test_analyses_are_listed_searched_copied_exported_and_deleted(open_tab: OpenTab, data: Path) -> None:
    with serving(data) as url:
        tab = open_tab(url=url)
        page = tab.page
        tab.go("Analyse")
        tab.play("e2e4")
        save(tab)
        tab.open_pgn(THREE, moves=4)
        save(tab, "Lectures")
        assert violations(page) == []
        address = page.url.removesuffix("/1")
        tab.go("Games")
        tab.open("My analyses")
        rows = page.get_by_role("tabpanel", name="My analyses").get_by_role("listitem")
        rows.nth(1).wait_for()
        assert violations(page) == []
        assert "3 chapters" in rows.nth(0).inner_text()
        assert "C41 Philidor Defense" in rows.nth(0).inner_text()
        page.get_by_role("searchbox", name="Search analyses").fill("capablanca")
        page.get_by_text("1 analysis", exact=True).wait_for()
        with page.expect_download() as download:
            rows.get_by_role("button", name="Export").click()
        assert (download.value.suggested_filename, len(games_of(Path(download.value.path()).read_text()))) == (
            "Lectures.pgn", 3,
        )  # fmt: skip
        rows.get_by_role("button", name="Copy").click()
        rows.get_by_text("Copy of Lectures").click()
        tab.wait_for_moves(4)
        assert page.url not in (url, f"{address}/1")
        state(tab, "Saved")
        page.go_back()
        rows.nth(0).get_by_role("button", name="Delete").click()
        page.get_by_text("1 analysis", exact=True).wait_for()
        page.wait_for_selector(".library a:focus")
        tab.go("Analyse")
        page.wait_for_url(re.compile("#analyse$"))  # The copy that was open.
        tab.wait_for_moves(4)
