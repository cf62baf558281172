"""The page Think: every control, every tour, links, bad input, and how it looks at each width."""

# ruff: noqa: RUF001 - the page writes minus signs and dashes.

import inspect
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ox88.apps.web.app import STATIC
from ox88.apps.web.thinking import read_steps
from ox88.engines.micromax import search
from tests.apps.web.browser.conftest import OpenTab, Tab, serving
from tests.apps.web.browser.test_layout import PANNED
from tools.web_pictures import DOCS, PICTURES, draw, save_game

ROOKS = "4k3/8/8/8/3N4/8/4P3/R3K2R_w_KQ_-_0_1"
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R_b_KQkq_-_3_3"
QUEEN = "4k3/8/2p5/3p4/8/8/8/3QK3_w_-_-_0_1"  # A capture that a pawn refutes.
STALEMATE = "7k/8/6K1/8/8/8/8/5Q2_w_-_-_0_1"
DEVELOPED = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R_w_KQkq_-_2_3"
CASTLING = "4r1k1/8/8/8/8/8/8/4K2R_w_K_-_0_1"


def follow(tab: Tab, address: str) -> None:
    tab.page.evaluate("(hash) => { location.hash = hash; }", f"#think/{address}")


def watch(tab: Tab, address: str) -> None:
    """Open #think/ with an address, and wait until its view is shown."""
    follow(tab, address)
    found = re.fullmatch(r".*(?:_|%20)\d+/\d+/(\d+)(?:/(\d+))?", address)
    assert found
    tab.page.wait_for_selector(f"#panel-think[data-place='{found[1]}/{found[2] or 0}']")


def wait_for(tab: Tab, words: str, selector: str = ".place-of") -> None:
    tab.page.locator(selector, has_text=words).wait_for()


def sentence(tab: Tab) -> str:
    return str(tab.page.locator(".sentence").inner_text())


def step_number(tab: Tab) -> int:
    """The steps since the search began."""
    return int(tab.page.locator("#panel-think").get_attribute("data-at") or "")


def press(tab: Tab, name: str, words: str) -> None:
    """Press a button of the controls, and wait for the sentence."""
    tab.page.locator(f"[data-step={name}], [data-next={name}]").click()
    wait_for(tab, words, ".sentence")


# --- Controls ---------------------------------------------------------------------------------------------------------


def test_the_page_begins_with_the_tours(tab: Tab) -> None:
    tab.go("Think")
    cards = tab.page.locator(".tour-cards button")
    tab.wait_for_count(".tour-cards button", 7)
    assert tab.page.locator(".intro").inner_text().startswith("micro-Max is a whole chess program")
    assert tab.page.locator(".tour-cards svg use").count() > 20
    shown = tab.page.locator(".think-bar, .b88, .any form, .node")
    assert not any(part.is_visible() for part in shown.all())
    tab.keys("ArrowRight", " ")  # There are no steps yet.
    tab.wait_for_address("#think")
    cards.nth(1).click()
    wait_for(tab, "The move Rh1–h2 is made", ".sentence")
    assert (
        tab.page.locator(".tour p").first.inner_text().startswith("White tries Rh1–h2, neither a check nor a capture.")
    )
    assert tab.page.evaluate("() => document.activeElement.textContent") == "Next stop"
    tab.page.wait_for_function("() => location.hash.includes('6k1/8/5K2')")
    tab.press("Tours and positions")
    tab.wait_for_address("#think")
    tab.press("Back to the search")
    wait_for(tab, "The move Rh1–h2 is made", ".sentence")
    host = tab.page.evaluate("location.origin")
    assert all(url.startswith((host, "ws", "data:")) for url in tab.requests)


HOLD = """() => {  // Questions for a view wait for `release`.
    const { send } = WebSocket.prototype, held = [];
    WebSocket.prototype.send = function (text) {
        if (JSON.parse(text).type === "think") held.push(() => send.call(this, text));
        else send.call(this, text);
    };
    window.release = () => held.splice(0).forEach((say) => say());
}"""


def test_the_words_of_a_stop_come_with_its_position(tab: Tab) -> None:
    tab.go("Think")
    card = tab.page.get_by_role("region", name="Tour")
    tab.wait_for_count(".tour-cards button", len(TOURS))
    tab.page.evaluate(HOLD)
    tab.page.get_by_role("button", name="A mate in two").click()
    card.get_by_role("heading", name="A mate in two").wait_for()
    assert card.locator("p").inner_text() == ""
    busy = "getComputedStyle(document.querySelector('.tour .muted'), '::after').visibility"
    tab.page.wait_for_function(f"() => {busy} === 'visible'")
    tab.page.evaluate("release()")
    card.get_by_text("White tries Rh1–h2").wait_for()
    assert "The move Rh1–h2 is made" in sentence(tab)
    tab.press("Next stop")
    tab.page.wait_for_function(f"() => {busy} === 'visible'")
    assert "The move Rh1–h2 is made" in sentence(tab)
    assert card.locator("p").inner_text().startswith("White tries Rh1–h2")
    tab.page.evaluate("release()")
    card.get_by_text("Black's king must go to f8").wait_for()
    assert "Rh1–h2 is made" not in sentence(tab)
    assert tab.page.evaluate(busy) == "hidden"


def test_a_reload_comes_back_to_the_stop_of_a_tour(tab: Tab) -> None:
    """Also while its position is on the way. A tour ends with its position."""
    tab.go("Think")
    card = tab.page.get_by_role("region", name="Tour")
    tab.page.get_by_role("button", name="A mate in two").click()
    tab.press("Next stop")
    wait_for(tab, "stop 2 of 6", ".tour")
    tab.page.reload()
    wait_for(tab, "stop 2 of 6", ".tour")
    assert card.locator("p").inner_text().startswith("Black's king must go to f8")
    assert tab.page.locator("#panel-think").get_attribute("data-place") == "1274/8"
    tab.page.evaluate(HOLD)
    tab.press("Next stop")
    tab.page.reload()
    wait_for(tab, "stop 3 of 6", ".tour")
    assert tab.page.locator("#panel-think").get_attribute("data-place") == "1304/0"
    watch(tab, f"{ROOKS}/100/1")
    assert card.is_hidden()
    tab.page.reload()
    wait_for(tab, "Node 1, step 0")
    assert card.is_hidden()


def open_any_position(tab: Tab) -> None:
    if tab.page.locator(".begin").is_hidden():
        tab.press("Tours and positions")
    if not tab.page.locator(".any[open]").count():
        tab.page.get_by_text("Or any position").click()


def test_any_position_can_be_watched(tab: Tab) -> None:
    tab.go("Think")
    open_any_position(tab)
    tab.page.get_by_label("Position (FEN)").fill("8/8/8/8/8/8/8/8 w - - 0 1")
    tab.press("Watch")
    tab.notice("king")
    assert tab.page.locator(".begin").is_visible()
    tab.page.get_by_label("Position (FEN)").fill(QUEEN.replace("_", " "))
    tab.page.get_by_label("Node limit").fill("50")
    tab.press("Watch")
    wait_for(tab, "counted as node 1.", ".sentence")
    wait_for(tab, "1 of 98 nodes counted, node limit 50")
    assert tab.page.locator(".track .marks i").count() == 3
    title = tab.page.locator(".track .marks i").first.get_attribute("title")
    assert title == "Iteration, depth 1. Nodes counted at its end: 1. Best: 693"


def test_steps_forward_and_back_into_over_and_out(tab: Tab) -> None:
    watch(tab, f"{QUEEN}/50/8")
    start = step_number(tab)
    press(tab, "step", "The best score starts at the evaluation, −792")
    press(tab, "step", "The scan comes to a8 (0x00): it is empty.")
    assert step_number(tab) == start + 2
    press(tab, "back", "An iteration to depth 1")
    tab.page.keyboard.press("ArrowLeft")
    wait_for(tab, "counted as node 8", ".sentence")
    tab.page.keyboard.press("ArrowLeft")  # To the step before node 8: a look at the table.
    wait_for(tab, "The position is not in the hash table", ".sentence")
    tab.page.keyboard.press("ArrowRight")
    wait_for(tab, "counted as node 8", ".sentence")
    assert step_number(tab) == start
    watch(tab, f"{QUEEN}/50/8/63")
    assert sentence(tab).startswith("The move c6×d5 is made")
    press(tab, "step", "random numbers")
    press(tab, "into", "The reply to c6×d5: White searches to depth 1. It is a recapture, so it costs no depth.")
    assert tab.page.locator(".ladder .rung").all_inner_texts() == [
        "root depth 2",
        "Qd1×d5 depth 1",
        "c6×d5 depth 1, recapture",
    ]
    levels = [box["x"] for box in (rung.bounding_box() for rung in tab.page.locator(".rung").all())]
    assert levels[0] < levels[1] == levels[2]  # A recapture is level with the move before it.
    press(tab, "out", "a point less because the gain comes later")
    press(tab, "back", "The node returns −95")
    watch(tab, f"{QUEEN}/50/8/64")
    press(tab, "over", "The move has the score 94")
    tab.page.keyboard.press("ArrowUp")
    wait_for(tab, "The move has the score −94", ".sentence")
    tab.page.keyboard.press("ArrowDown")
    wait_for(tab, "The reply to Qd1–e2", ".sentence")
    tab.page.keyboard.press("o")
    wait_for(tab, "Hash key", ".node")


def test_the_next_of_each_sort(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/5000/300")
    aims = {
        "cutoff": "has reached beta",
        "hit": "is here",
        "best": "A new best move",
        "recapture": "a recapture costs no depth",
        "iteration": "An iteration to depth",
    }
    for key, (name, words) in enumerate(aims.items(), 1):
        before = step_number(tab)
        press(tab, name, words)
        by_button = step_number(tab)
        assert by_button > before
        tab.page.keyboard.press(str(key))
        tab.page.wait_for_function(f"() => document.querySelector('#panel-think').dataset.at > {by_button}")
        wait_for(tab, words, ".sentence")


def test_a_node_has_one_number(tab: Tab) -> None:
    watch(tab, f"{QUEEN}/50/8/167")  # Back in node 8, after node 9.
    wait_for(tab, "9 of 98 nodes counted")
    assert tab.page.locator(".place-of span").first.inner_text() == "Node 8, step 167"
    assert tab.page.locator("[data-fact=node]").inner_text() == "8"
    assert tab.page.locator("#panel-think input[name=node]").input_value() == "8"
    assert tab.page.get_by_role("slider", name="Nodes counted").get_attribute("aria-valuetext") == "9 of 98"
    tab.page.wait_for_function("() => location.hash.endsWith('/50/8/167')")


def test_what_lies_beyond_the_window_is_asked_for_and_its_link_leads_to_it(tab: Tab, open_tab: OpenTab) -> None:
    watch(tab, f"{ITALIAN}/100000/30000")
    before = step_number(tab)
    for _ in range(3):
        tab.page.keyboard.press("ArrowUp")
        tab.page.wait_for_selector("#panel-think[aria-busy=false]")
    wait_for(tab, "The move has the score", ".sentence")
    assert step_number(tab) > before + 5000
    assert len(tab.page.locator(".ladder li").all()) == 1
    place = tab.page.locator("#panel-think").get_attribute("data-place")
    tab.page.wait_for_function("(place) => location.hash.endsWith('/' + place)", arg=place)
    # The window of the link begins with this step, long after its node was counted.
    other = open_tab(url=tab.page.url)
    other.page.locator(".sentence", has_text=sentence(tab)).wait_for()
    tab.page.keyboard.press("ArrowLeft")
    wait_for(tab, "The node returns", ".sentence")


def test_it_plays_at_the_chosen_speed_and_stops(tab: Tab) -> None:
    watch(tab, f"{ROOKS}/100/1")
    tab.page.keyboard.press("Space")
    tab.page.wait_for_selector("[data-step=play]:has-text('Pause')")
    tab.page.wait_for_selector(".sentence:has-text('The scan comes to')")
    tab.page.keyboard.press("Space")
    tab.page.wait_for_selector("[data-step=play]:has-text('Run')")
    watch(tab, f"{ROOKS}/100/60")
    tab.page.get_by_role("slider", name="Steps a second").fill("8")
    assert tab.page.locator(".speed").inner_text() == "1000/s"
    tab.page.locator("[data-step=play]").click()
    wait_for(tab, "122 of 122 nodes counted")  # To the end of the search, over all windows.
    wait_for(tab, "The node returns", ".sentence")
    assert tab.page.locator("[data-step=play]").inner_text() == "Run"
    tab.page.locator("[data-step=step]").click()
    assert "The node returns" in sentence(tab)
    tab.page.locator("[data-next=best]").click()
    tab.notice("The search ends without another new best move")


def test_the_track_and_the_line_lead_to_nodes(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/5000/300")
    tab.page.get_by_role("slider", name="Node").fill("1234")
    wait_for(tab, "1,234 of ")
    wait_for(tab, "Node 1,234, step 0")
    rung = tab.page.locator(".ladder .rung").nth(1)
    found = re.search(r"[\d,]+", rung.get_attribute("title") or "")
    assert found
    rung.click()
    wait_for(tab, f"Node {found[0]}, step 0")
    tab.page.locator("#panel-think input[name=node]").fill("77")
    tab.press("Go")
    wait_for(tab, "Node 77, ")


# --- Links ------------------------------------------------------------------------------------------------------------


GO_TO = """(hash) => {  // Write another address just before the page writes its own.
    const { setTimeout } = window;
    const due = [];
    window.setTimeout = (work) => {
        due.push(work);
        return setTimeout(() => {});
    };
    document.querySelector("[data-step=step]").click();
    window.setTimeout = setTimeout;
    location.hash = hash;
    for (const work of due) work();
}"""
GO_TO_SLOWLY = """async (hash) => {  // Enter an address while messages are sent a second late.
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (...data) {
        setTimeout(() => send.apply(this, data), 1000);
    };
    document.querySelector("[data-step=step]").click();
    location.hash = hash;
    await new Promise((done) => setTimeout(done, 500));
    WebSocket.prototype.send = send;
    return location.hash;
}"""


def test_an_address_that_is_not_entered_or_not_shown_yet_is_kept(tab: Tab) -> None:
    watch(tab, f"{CASTLING}/100/4/52")
    address = f"#think/{CASTLING}/100/4/55"
    assert tab.page.evaluate(GO_TO_SLOWLY, address) == address
    tab.page.wait_for_selector("#panel-think[data-place='4/55']")
    assert tab.page.evaluate("() => location.hash") == address
    address = f"#think/{CASTLING}/100/4/52"
    tab.page.evaluate(GO_TO, address)
    tab.page.wait_for_selector("#panel-think[data-place='4/52']")
    assert tab.page.evaluate("() => location.hash") == address
    tab.page.evaluate(GO_TO, "#analyse")
    tab.page.wait_for_selector("body[data-mode=analyse]")
    assert tab.page.evaluate("() => location.hash") == "#analyse"


def test_links_may_be_written_in_several_ways(tab: Tab) -> None:
    for address in (
        "4k3%2F8%2F2p5%2F3p4%2F8%2F8%2F8%2F3QK3%20w%20-%20-%200%201/50/8",
        "4k3/8/2p5/3p4/8/8/8/3QK3%20w%20-%20-%200%201/50/9/0",
        f"{QUEEN}/50/8",
    ):
        watch(tab, address)
        assert tab.page.locator("#panel-think input[name=fen]").input_value() == "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1"


BAD_LINKS = {
    "hello": 'The link "hello" is not understood',
    "%E0%A4%A": "is not understood",
    f"{QUEEN}/50": "is not understood",
    f"{QUEEN}/many/8": "is not understood: #think/FEN/LIMIT/NODE is expected, with two numbers",
    f"{QUEEN}/50/x": "is not understood",
    f"{QUEEN}/50/8/without-king": "Without is ['king']: a list of at most 4, each one of hash, best, rec",
    "8/8/8/8/8/8/8/8_w_-_-_0_1/50/8": "king",
    f"{QUEEN}/50/99999": "There is no node 99,999: the search has",
    f"{QUEEN}/50/0": "The node is 0: expected 1 to 10,000,000",
    f"{QUEEN}/10000001/1": "The node limit is 10,000,001: expected 1 to 10,000,000",
}


def test_a_bad_link_is_explained_and_the_page_goes_on(tab: Tab) -> None:
    for address, words in BAD_LINKS.items():
        follow(tab, address)
        tab.notice(words)
        watch(tab, f"{QUEEN}/50/8")
        assert tab.page.locator("#notice").is_hidden()
        follow(tab, address)
        tab.notice(words)
        press(tab, "step", "An iteration")


def test_a_first_link_that_is_bad_leads_to_the_beginning(open_tab: OpenTab, server: str) -> None:
    for address, words in (("8/8/8/8/8/8/8/8_w_-_-_0_1/50/8", "king"), ("hello", "not understood")):
        tab = open_tab(url=f"{server}#think/{address}")
        tab.notice(words)
        assert tab.page.locator(".tour-cards").is_visible()


def test_bad_input_in_the_fields_is_explained(tab: Tab) -> None:
    for field, value, words in (
        ("fen", "hello", "hello"),
        ("nodes", "10000001", "The node limit is 10,000,001"),
        ("node", "5000", "There is no node 5,000"),
        ("node", "", "The node is 0"),
    ):
        watch(tab, f"{QUEEN}/50/8")
        if field != "node":
            open_any_position(tab)
        tab.page.locator(f"#panel-think input[name={field}]").fill(value)
        tab.press("Go" if field == "node" else "Watch")
        tab.notice(words)
        assert tab.page.locator(f"#panel-think input[name={field}]").input_value() == value
        if field != "node":
            tab.press("Back to the search")
        press(tab, "step", "An iteration to depth 1")
        tab.page.wait_for_function("() => location.hash.endsWith('/50/8/1')")  # The address follows a moment later.


# --- What is shown ----------------------------------------------------------------------------------------------------


def test_the_ghost_the_guilty_bit_the_grey_half_and_the_dummy_square(tab: Tab) -> None:
    watch(tab, f"{ROOKS}/100/1/108")
    assert tab.page.locator(".crawl").inner_text() == "x=0x70 + r=−1 → y=0x6f\ny & 0x88 = 08"
    assert tab.page.locator(".crawl .guilty").inner_text() == "y & 0x88 = 08"
    ghost, field = tab.place(".field88 .ghost"), tab.place(".field88")
    cell = field["width"] / 16
    assert round((ghost["x"] - field["x"]) / cell) == 15
    assert round((ghost["y"] - field["y"]) / cell) == 6
    assert tab.page.locator(".field88 .ghost.off piece.rook.white").count() == 1
    press(tab, "step", "turns east")
    assert tab.page.locator(".crawl .guilty").count() == 0
    tab.page.locator("#spoken", has_text="The rook on a1 turns east").wait_for(state="attached")
    assert "White: " in (tab.page.locator(".b88").get_attribute("aria-label") or "")
    watch(tab, f"{QUEEN}/50/8/62")
    cells = tab.page.locator(".field88 .cell")
    assert cells.count() == 129
    texts = cells.all_inner_texts()
    for square in range(0x80):
        if square & 8:
            file, rank = (square & 15) - 8, square >> 4
            assert texts[square].split() == [f"{square:02x}", str(int((file - 4) ** 2 + (rank - 3.5) ** 2))]
    press(tab, "step", "the dummy square is emptied")
    assert "written" in (cells.nth(128).get_attribute("class") or "")


def test_the_scan_wraps_and_begins_at_the_best_move_if_there_is_one(tab: Tab) -> None:
    watch(tab, f"{ROOKS}/100/1/9")
    assert sentence(tab) == "The scan comes to h8 (0x07): it is empty."
    assert tab.page.locator(".crawl").inner_text() == "x=0x06 + 9 = 0x0f\n& ~0x88 → x=0x07"
    press(tab, "step", "The scan comes to a7 (0x10)")
    assert tab.page.locator(".crawl").inner_text() == "x=0x07 + 9 = 0x10\n& ~0x88 → x=0x10"
    watch(tab, f"{QUEEN}/50/8/2")
    assert sentence(tab) == "The scan comes to a8 (0x00): it is empty."
    assert tab.page.locator(".crawl").inner_text() == "x=0x00: the scan begins at a8"
    watch(tab, f"{DEVELOPED}/300/1/9417")
    assert sentence(tab) == "The scan comes to d2 (0x63): its pawn is looked at."
    assert tab.page.locator(".crawl").inner_text() == "x=0x63: the scan begins where the best move starts"


def test_the_window_snaps_shut_and_has_notes(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/100000/30000")
    press(tab, "cutoff", "has reached beta")
    assert "28 moves never tried" in (tab.page.locator(".ruler").get_attribute("aria-label") or "")
    assert tab.page.locator(".ruler .closed").count() == 1
    tab.page.set_viewport_size({"width": 390, "height": 844})  # Its texts keep their size.
    tab.page.wait_for_selector(".ruler[viewBox^='0 4 3']")
    tab.page.set_viewport_size({"width": 1280, "height": 860})
    watch(tab, f"{QUEEN}/50/8/167")
    assert sentence(tab) == "The move has the score 94, a point less because the gain comes later."
    assert tab.page.locator(".ruler .note").text_content() == "one point less: the gain comes later"
    assert tab.page.locator(".ruler .post.delayed").count() == 1
    assert tab.page.locator(".ruler text.nudge").text_content() == "−1"
    watch(tab, f"{QUEEN}/50/8/63")
    assert tab.page.locator(".ruler .note").text_content() == ""
    assert tab.page.locator(".ruler .was").count() == 0
    press(tab, "into", "The reply to c6×d5")
    assert tab.page.locator(".ruler .note").text_content() == "turned: −beta − 1 is alpha, −best is beta"


def middle(tab: Tab, selector: str) -> float:
    box = tab.page.locator(selector).bounding_box()
    return float(box["x"] + box["width"] / 2)


def test_the_window_turns_where_a_reply_is_entered(open_tab: OpenTab) -> None:
    """The old ends stay as faint lines, and the new ones are their mirror image about 0."""
    tab = open_tab(reduced_motion="reduce")
    for address, is_nudged in ((f"{ITALIAN}/100000/30000", False), (f"{QUEEN}/50/8/63", True)):
        watch(tab, address)
        while tab.page.locator(".ruler .was").count() == 0:
            tab.page.locator("[data-step=into]").click()
            tab.page.wait_for_selector("#panel-think[aria-busy=false]")
        zero = middle(tab, ".ruler .axis")
        old = [middle(tab, f".ruler .was >> nth={place}") for place in range(2)]
        assert middle(tab, ".ruler .post.beta") - zero == pytest.approx(zero - old[1], abs=1)
        assert middle(tab, ".ruler .post.alpha") - zero == pytest.approx(zero - old[0], abs=6)
        assert tab.page.locator(".ruler .swap").count() == 2
        assert tab.page.locator(".ruler text.nudge").count() == is_nudged
        assert ("−beta − 1 is alpha" in str(tab.page.locator(".ruler .note").text_content())) == is_nudged
        press(tab, "step", "The hash key of the position")
        assert tab.page.locator(".ruler .was, .ruler .swap, .ruler .nudge").count() == 0


def test_things_move_unless_motion_is_reduced_or_fast(tab: Tab) -> None:
    names = "[...document.querySelectorAll('.ruler .turning')].map((part) => getComputedStyle(part).animationName)"
    duration = "getComputedStyle(document.querySelector('.field88 .ghost')).transitionDuration"
    for motion, speed, ruler, ghost in (
        ("no-preference", 3, "turn", "0.12s"),
        ("reduce", 3, "none", "0s"),
        ("no-preference", 7, "none", ""),
    ):
        tab.page.emulate_media(reduced_motion=motion)
        watch(tab, f"{QUEEN}/50/8/64")
        tab.page.get_by_role("slider", name="Steps a second").fill(str(speed))
        press(tab, "into", "The reply to c6×d5")
        assert tab.page.evaluate(names) == [ruler]
        if ghost:
            watch(tab, f"{ROOKS}/100/1/108")
            assert tab.page.evaluate(duration) == ghost


def test_tries_before_the_window_lead_to_their_steps(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/100000/30000")
    root = tab.page.locator(".ladder li").first
    title = root.locator(".block title").first.text_content() or ""
    root.locator(".block").first.dispatch_event("click")
    name = title.split(":")[0]
    wait_for(tab, name, ".ladder li:nth-child(2)")
    assert len(tab.page.locator(".ladder li").all()) == 2
    watch(tab, f"{ITALIAN}/100000/30001")
    answered = tab.page.locator(".ladder .block.answer")
    name = (answered.first.locator("title").text_content() or "").split(":")[0]
    answered.first.dispatch_event("click")
    wait_for(tab, f"The move {name} is made", ".sentence")


def test_a_long_search_says_how_far_it_is(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/10000/300")
    follow(tab, f"{ITALIAN}/10000000/5000000")
    status = tab.page.locator(".asking[role=status]")
    status.filter(has_text=re.compile(r"Searching to node 5,000,000\. [\d,]+ nodes are counted\.")).wait_for()
    wait_for(tab, "Node 5,000,000, ")
    assert status.text_content() == ""


def test_the_node_and_the_listing(tab: Tab) -> None:
    watch(tab, f"{CASTLING}/100/4")
    names, values = (tab.page.locator(f".facts {part}").all_inner_texts() for part in ("dt", "dd"))
    facts = {"Side to move": "Black", "En passant square": "f1 (0x75)", "Last move to": "g1 (0x76)"}
    assert facts.items() <= dict(zip(names, values, strict=True)).items()
    assert tab.page.locator(".steps [aria-current=step]").inner_text().split("\n")[-1].startswith("Count the node")
    watch(tab, f"{CASTLING}/100/4/52")
    assert tab.page.locator(".listing h3").inner_text() == "7. Fail high."
    tab.page.locator(".named", has_text="to_square").first.hover()
    assert tab.page.locator(".letters").inner_text() == "to_square is y in the listing"
    tab.page.locator(".steps button").first.click()
    assert tab.page.locator(".listing h3").inner_text() == "1. Hash table."
    steps = tab.page.get_by_role("list", name="Parts of the program").get_by_role("button")  # They are one tab stop.
    assert [button.get_attribute("tabindex") for button in steps.all()] == ["0", *["-1"] * 17]
    tab.keys("Tab")
    steps.first.focus()
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    assert tab.page.locator(".listing h3").inner_text().startswith("2. Count the node")
    assert tab.page.locator("#panel-think").get_attribute("data-place") == "4/52"
    watch(tab, f"{CASTLING}/100/4/55")
    why = "The node returns ∞: it takes the king: the move before was illegal."
    assert tab.page.locator(".why").inner_text() == why == sentence(tab)


# --- Tours, guesses, and searches without a part ----------------------------------------------------------------------

TOURS = {
    "The three loops": [
        "d4 (0x43): its knight is looked at",
        "The knight on d4 takes another jump: −14 from square to square",
        "0x6f is off the board: bit 0x08 of 0x6f is set",
        "The own king on e1 is in the way",
    ],
    "A mate in two": [
        "The move Rh1–h2 is made",
        "The move Kg8–f8 is made",
        "counted as node 1,304",
        "Every move of Black loses the king",
        "this is checkmate",
        "A new best move, Rh1–h2, with 3998",
    ],
    "A capture refuted": [
        "The move Qd1×d5 is made",
        "The best score starts at the evaluation, −792: the side may stand pat",
        "It takes back on d5, where the last move went: a recapture costs no depth",
        "A new best move, c6×d5, with 94",
        "The move has the score −94",
    ],
    "Stalemate": [
        "The move Qf1–f7 is made",
        "The queen takes the king on g8",
        "Every move of Black loses the king",
        "this is stalemate, a draw",
        "this is checkmate",
    ],
    "Castling out of check": [
        "The king may castle: it goes one square further, over f1",
        "The move O-O is made, and the rook from h1 goes to f1",
        "The rook reaches e1, on or beside the en passant square: the king has castled out of check",
        "the move is illegal and has the score −∞",
    ],
    "The best move first": [
        "The best move so far, d2–d4, is tried first",
        "The scan comes to d2 (0x63): its pawn is looked at",
        "The best move goes first: the pawn is put on d4 (0x43) at once",
        "The best move has been tried first: its score 0 is the one to beat",
    ],
    "A position known already": [
        "The move Kb2–c2 is made",
        "The reply to Kb1–c2: Black searches to depth 6",
        "The answer is here: exactly −110 at depth 6",
        "The node returns −110: the hash table answered",
    ],
}
LINES = {  # The line that a stop of a tour shows, from the root.
    ("A mate in two", 2): ["root", "Rh1–h2", "Kg8–f8", "Rh2–h8"],
    ("Stalemate", 3): ["root", "Qf1–f7"],
    ("Stalemate", 4): ["root", "Qf1–f8"],
    ("A position known already", 0): ["root", "Ka1–b2", "Ka7–b7"],
    ("A position known already", 1): ["root", "Ka1–b1", "Ka7–b7", "Kb1–c2"],
}


def test_each_stop_of_a_tour_shows_what_it_says(tab: Tab) -> None:
    tab.go("Think")
    tab.wait_for_count(".tour-cards b", len(TOURS))
    assert tab.page.locator(".tour-cards b").all_inner_texts() == list(TOURS)
    for title, stops in TOURS.items():
        tab.page.get_by_role("button", name=title).click()
        for stop, words in enumerate(stops):
            wait_for(tab, words, ".sentence")
            assert f"stop {stop + 1} of {len(stops)}" in tab.page.locator(".tour .muted").inner_text()
            if (title, stop) in LINES:
                assert tab.page.locator(".rung b").all_inner_texts() == LINES[title, stop]
            if stop + 1 < len(stops):
                tab.press("Next stop")
        assert tab.button("Next stop").is_disabled()
        tab.press("Previous stop")
        wait_for(tab, stops[-2], ".sentence")
        tab.press("End the tour")
        assert tab.page.locator(".tour").is_hidden()
        tab.press("Tours and positions")


def test_a_guess(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/5000/300")
    tab.page.locator("[data-do=guess]").click()
    choices = tab.page.locator(".offered button")
    assert choices.count() == 4
    before = step_number(tab)
    choices.first.click()
    verdict = tab.page.locator(".guess .verdict").inner_text()
    found = re.match(r"(Yes|No), it tries (\S+)\. \S", verdict)
    assert found, verdict
    tried = found[2]
    wait_for(tab, f"The move {tried} is made", ".sentence")
    assert step_number(tab) > before
    tab.press("Another guess")
    tab.page.wait_for_function("() => !document.querySelector('.guess .verdict').textContent")
    tab.page.keyboard.press("g")
    tab.press("End guessing")
    assert tab.page.locator(".guess").is_hidden()
    watch(tab, f"{DEVELOPED}/300/1/9416")
    tab.page.keyboard.press("g")
    tab.page.locator(".offered button", has_text="d2–d4").click()
    assert tab.page.locator(".guess .verdict").inner_text() == (
        "Yes, it tries d2–d4. It was the best move of a shallower search, so it is tried first."
    )


def test_a_guess_is_closed_when_another_step_is_shown(tab: Tab) -> None:
    guess = tab.page.locator(".guess")
    leaves: list[Callable[[], None]] = [lambda: press(tab, "step", ""), lambda: watch(tab, f"{QUEEN}/50/8")]
    for leave in leaves:
        watch(tab, f"{ITALIAN}/5000/300")
        tab.page.locator("[data-do=guess]").click()
        guess.locator(".offered button").first.click()
        assert guess.is_visible()
        leave()
        assert guess.is_hidden()
        tab.page.wait_for_function("() => !location.hash.endsWith('/300')")  # The address follows a moment later.


def test_what_is_left_out_stands_beside_the_position(tab: Tab) -> None:
    follow(tab, f"{QUEEN}/50/8/without-hash-best")
    chip = tab.page.get_by_role("button", name="without the hash table")
    assert "The hash table is not asked" in (chip.get_attribute("title") or "")
    tab.page.get_by_role("button", name="without the best move first").click()
    tab.page.wait_for_function("() => location.hash.endsWith('/50/8/without-hash')")
    chip.click()
    tab.page.wait_for_function("() => location.hash.endsWith('/50/8')")
    tab.wait_for_count(".chips button", 0)


def test_a_term_opens_its_meaning(tab: Tab) -> None:
    watch(tab, f"{QUEEN}/50/8/1")
    term = tab.page.locator(".sentence").get_by_role("button", name="stand pat")
    term.focus()
    tab.page.keyboard.press("Enter")
    meaning = tab.page.get_by_role("dialog", name="Stand pat")
    assert "At depth 1 a side may do so." in meaning.inner_text()
    tab.page.keyboard.press("ArrowRight")  # Keys are the dialog's: nothing moves behind it.
    assert sentence(tab).endswith("the side may stand pat.")
    tab.page.keyboard.press("Escape")
    meaning.wait_for(state="hidden")
    assert tab.page.evaluate("() => document.activeElement.textContent") == "stand pat"


def test_a_click_elsewhere_closes_a_meaning(tab: Tab) -> None:
    watch(tab, f"{QUEEN}/50/8/1")
    node = tab.page.locator(".node h2 .term")
    node.click()
    tab.page.get_by_role("dialog", name="Node", exact=True).wait_for()
    tab.page.locator(".sentence .term", has_text="stand pat").click()
    tab.page.get_by_role("dialog", name="Stand pat", exact=True).wait_for()
    tab.page.locator("#meaning p").click()
    assert tab.page.locator("#meaning").is_visible()
    tab.page.keyboard.press("Escape")
    tab.page.locator("#meaning").wait_for(state="hidden")
    node.click()
    tab.page.locator(".place-of").click()
    tab.page.locator("#meaning").wait_for(state="hidden")
    tab.page.locator(".think .term:text-is('Node')").first.click()
    box = tab.place("#meaning")
    assert box["x"] + box["width"] <= tab.page.evaluate("document.documentElement.getBoundingClientRect().right")
    for _ in tab.sizes((1200, 800)):  # The term may be elsewhere now.
        tab.page.locator("#meaning").wait_for(state="hidden")


def open_meaning(tab: Tab, term: Any) -> Any:
    """Open what a term means, by keyboard."""
    term.focus()
    tab.page.keyboard.press("Enter")
    return tab.page.locator("#meaning")


def test_words_on_buttons_and_in_the_picture_of_the_window_open_their_meanings(tab: Tab) -> None:
    watch(tab, f"{QUEEN}/50/8/1")
    meaning = open_meaning(tab, tab.page.get_by_role("button", name="Next", exact=True))
    assert meaning.get_by_role("heading").inner_text() == "Next"
    told = meaning.locator("b").all_inner_texts()
    assert told == ["Cutoff. ", "Hash table. ", "Best move. ", "Recapture. ", "Iteration. "]
    assert not tab.page.evaluate(INSIDE, "#meaning")
    tab.page.keyboard.press("Escape")
    assert tab.page.evaluate("document.activeElement.textContent") == "Next"
    heading = tab.page.locator(".window h2")
    assert heading.get_by_role("button").all_inner_texts() == ["Window", "alpha", "beta", "best score", "evaluation"]
    for name, title in (("alpha", "Alpha"), ("beta", "Beta"), ("best", "Best move"), ("evaluation", "Evaluation")):
        tab.page.locator(f".ruler text.{name}").click()
        tab.page.get_by_role("dialog", name=title, exact=True).wait_for()
    tab.page.locator(".ruler text.scale").first.click()
    meaning.wait_for(state="hidden")


def test_a_part_that_can_be_left_out_has_terms_and_its_dialog_stays_open(tab: Tab) -> None:
    watch(tab, f"{QUEEN}/50/8/1")
    tab.page.locator("[data-do=without]").click()
    parts = tab.page.locator(".without .part")
    assert all(part.get_by_role("button").count() for part in parts.all())
    box = tab.page.get_by_role("checkbox", name="Without free recaptures", exact=True)
    assert tab.page.locator("#" + box.get_attribute("aria-describedby")).inner_text().startswith("A recapture costs")
    term = parts.get_by_role("button", name="recapture", exact=True)
    meaning = open_meaning(tab, term)
    meaning.get_by_role("button", name="Close").click()
    meaning.wait_for(state="hidden")
    open_meaning(tab, term)
    tab.page.keyboard.press("Escape")
    meaning.wait_for(state="hidden")
    assert tab.page.evaluate("document.activeElement.textContent") == "recapture"
    assert tab.page.locator(".without").is_visible()
    assert not box.is_checked()
    tab.page.keyboard.press("Escape")
    tab.page.locator(".without").wait_for(state="hidden")
    open_meaning(tab, tab.page.locator(".node h2 .term")).wait_for()


def test_on_a_phone_the_table_of_what_is_left_out_and_its_buttons_are_in_sight(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/5000/300")
    tab.page.locator("[data-do=without]").click()
    for name in ("the hash table", "free recaptures"):
        tab.page.get_by_role("checkbox", name=f"Without {name}").check()
    tab.page.locator(".compared th", has_text="and free recaptures").wait_for()
    for size in tab.sizes((390, 844), (360, 740), (844, 390)):
        assert tab.page.evaluate(INSIDE, ".without > .buttons button") == [], size
        assert tab.page.evaluate("document.querySelector('.without').scrollWidth") <= tab.place(".without")["width"]


def test_the_address_follows_steps_at_a_distance(tab: Tab) -> None:
    """Safari refuses more than a hundred addresses in half a minute."""
    watch(tab, f"{QUEEN}/50/8/1")
    tab.page.wait_for_timeout(500)
    tab.page.evaluate("() => { window.told = []; history.replaceState = (...given) => window.told.push(given[2]); }")
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))"
    pause = "await new Promise(go => setTimeout(go, 100))"  # In the page: a busy machine hardly stretches it.
    tab.page.evaluate(f"async () => {{ for (let i = 0; i < 5; i++) {{ {press}; {pause}; }} }}")
    tab.page.wait_for_function("() => window.told.at(-1)?.endsWith('/8/6')")
    assert len(tab.page.evaluate("window.told")) == 1


def test_a_session_of_train_leaves_the_track_alone(tab: Tab) -> None:
    follow(tab, f"{QUEEN}/50/8")
    marks = tab.page.locator(".track .marks")
    marks.locator("i").first.wait_for()
    drawn = marks.inner_html()
    tab.page.evaluate("location.hash = '#train/theme/fork'")
    tab.page.wait_for_selector("#drill[data-key]")
    assert marks.inner_html() == drawn


def test_each_term_of_the_page_has_its_meaning(tab: Tab) -> None:
    entries = json.loads((STATIC / "glossary.json").read_text(encoding="utf-8"))
    assert 12 <= len(entries) <= 24
    assert all(entry["meaning"].count(". ") <= 2 for entry in entries)
    watch(tab, f"{QUEEN}/50/8/167")
    terms = tab.page.locator("#panel-think .term:not([data-names]):visible")
    for text in {text.lower() for text in terms.all_inner_texts()}:
        terms.get_by_text(re.compile(f"^{text}$", re.IGNORECASE)).first.click()
        name = next(entry["names"][0] for entry in entries if text in entry["names"])
        tab.page.get_by_role("dialog", name=name.capitalize(), exact=True).wait_for()
        tab.page.keyboard.press("Escape")


def test_without_a_part_the_nodes_are_compared(tab: Tab) -> None:
    watch(tab, f"{QUEEN}/500/8")
    tab.page.locator("[data-do=without]").click()
    for name in ("the hash table", "the best move first", "free recaptures", "the king-capture rule"):
        box = tab.page.get_by_role("checkbox", name=f"Without {name}")
        box.check()
        tab.page.locator(".compared th", has_text=f"Without {name}").wait_for()
        rows = tab.page.locator(".compared tbody tr").all_inner_texts()
        cells = [row.split("\t") for row in rows]
        assert any(row[1] != row[3] and "–" not in (row[1], row[3]) for row in cells), rows
        box.uncheck()
    tab.page.get_by_role("checkbox", name="Without the hash table").check()
    tab.page.get_by_role("button", name="Watch this search").click()
    tab.page.wait_for_function("() => location.hash.endsWith('/without-hash')")
    wait_for(tab, "Node 8, ")
    tab.page.reload()
    wait_for(tab, "Node 8, ")
    tab.wait_for_address("/without-hash")


# --- The replay -------------------------------------------------------------------------------------------------------

# Words that a beginner had to look up, and moves in a short form: one thing has one name on the whole page.
GONE = (
    r"\b(into|over|out|before) ?[(:]|sneak|square e\b|\bshut\b|cut-off|free move|retake|depth 0\b|\bcells?\b|hint"
    r"|hash hit|new best\b(?! move)|\blast to\b|\bstep \d+\."
)
SHORT = r"\b[KQRBN](?:[a-h]|[1-8])?[x×]?[a-h][1-8]\b(?![–×])|\b[a-h]x[a-h][1-8]"

TEXTS = """() => {
    const parts = [...document.querySelectorAll('#panel-think, #panel-think *, #keys h3 + dl *')];
    const told = parts.flatMap((part) => [part.title, part.ariaLabel]).filter(Boolean);
    return [...told,
        ...parts.flatMap((part) => [...part.childNodes]).filter(({ nodeType }) => nodeType === 3)
            .map(({ textContent }) => textContent.trim()).filter(Boolean)];
}"""


def test_one_thing_has_one_name(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/5000/300")
    press(tab, "cutoff", "has reached beta")
    tab.page.wait_for_selector(".listing .steps button")
    texts = tab.page.evaluate(TEXTS)
    texts += [step["words"] for step in read_steps(inspect.getsource(search))]
    for name in ("tours", "glossary"):
        texts += re.findall(r'"(.*?)"[,\n]', (STATIC / f"{name}.json").read_text(encoding="utf-8"))
    assert len(texts) > 200
    assert [text for text in texts if re.search(GONE, text, re.IGNORECASE) or re.search(SHORT, text)] == []


REPLAY = """async ({ fen, event, without, names, moves }) => {
    const [oldNames, oldMoves] = [new RegExp(names, 'i'), new RegExp(moves)];
    const gone = { test: (text) => oldNames.test(text) || oldMoves.test(text) };
    const { socket } = await import('/static/socket.js');
    const { Replay } = await import('/static/replay.js');
    const { sentence, whyReturned, tableWords } = await import('/static/sentences.js');
    const { crawlOf } = await import('/static/thinkviews.js');
    const search = { fen, nodes: 20_000, without };
    const replay = new Replay(await socket.ask('think', { ...search, event }), without);
    const odd = [];
    for (let at = replay.first; at < replay.end; at++) {
        replay.goTo(at);
        const { state } = replay;
        const sum = crawlOf(state).map((span) => span.textContent);
        const words = [sentence(state), whyReturned(state), tableWords(state), ...sum];
        odd.push(...words.filter((text) => /undefined|NaN|null(?! move)|object/.test(text) || gone.test(text)));
        replay.window();
    }
    const next = await socket.ask('think', { ...search, event: replay.end + 1000 });
    const after = new Replay(next);
    const values = ({ piece, from, to, captured }) => [piece, from, to, captured];
    const played = ({ state }) => state.line.map(({ move, isProbe }) => (move ? values(move) : isProbe));
    const line = played(after);
    return {
        odd, follows: next.first === replay.end, boards: [replay.state.board, next.start.board],
        nodes: [replay.state.node, next.start.node], filled: [replay.state.filled, next.start.filled],
        lines: [played(replay).slice(0, line.length), line],
    };
}"""
POSITIONS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
]


def test_a_window_ends_where_the_next_one_begins(tab: Tab) -> None:
    for fen, event, without in itertools.product(
        POSITIONS, (0, 60_000, 500_000), ([], ["legality", "recapture", "best"])
    ):
        search = {"fen": fen, "event": event, "without": without}
        found: dict[str, Any] = tab.page.evaluate(REPLAY, {**search, "names": GONE, "moves": SHORT})
        assert found["odd"] == [], search
        assert found["follows"], search
        for pair in ("boards", "nodes", "filled", "lines"):
            assert found[pair][0] == found[pair][1], (search, pair)


# --- Looks ------------------------------------------------------------------------------------------------------------


def test_the_rules_of_access_hold(tab: Tab) -> None:
    watch(tab, f"{ITALIAN}/5000/300")
    press(tab, "cutoff", "has reached beta")
    tab.check_access()
    for size in tab.sizes():
        for each in tab.page.locator("#panel-think .tabs button:visible").all():
            each.click()
            tab.check_access(size)
            tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    tab.page.locator("[data-do=guess]").click()
    tab.page.locator(".offered button").first.click()
    tab.check_access()
    tab.press("End guessing")
    tab.page.locator(".sentence .term").first.click()
    tab.page.get_by_role("dialog").wait_for()
    tab.check_access()
    tab.page.keyboard.press("Escape")
    tab.press("Tours and positions")
    tab.page.wait_for_selector(".tour-cards use")
    open_any_position(tab)
    tab.check_access()
    tab.page.get_by_role("button", name="Stalemate").click()
    tab.page.wait_for_selector(".tour p:has-text('Qf1–f7')")
    tab.check_access()
    tab.page.locator("[data-do=without]").click()
    tab.page.wait_for_selector(".compared td")
    tab.check_access()


OVERLAPS = """(selector) => {
    const texts = [...document.querySelectorAll(selector)].filter((text) => text.textContent);
    const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
    const cover = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
        a.top < b.bottom - 3 && b.top < a.bottom - 3;
    return boxes.flatMap(([one, a], place) =>
        boxes.slice(place + 1).filter(([, b]) => cover(a, b)).map(([two]) => `${one} / ${two}`));
}"""
OUTSIDE = """() => {
    const frame = document.querySelector('.ruler').getBoundingClientRect();
    return [...document.querySelectorAll('.ruler text')].filter((text) => {
        const box = text.getBoundingClientRect();
        return text.textContent && (box.left < frame.left - 1 || box.right > frame.right + 1);
    }).map((text) => text.textContent);
}"""


def test_nothing_is_cut_off_or_covered(tab: Tab) -> None:
    for width, height in tab.sizes():
        for address in (f"{ITALIAN}/5000/300", f"{ROOKS}/100/1", f"{STALEMATE}/90/81", f"{QUEEN}/50/8/167"):
            watch(tab, address)
            for _ in range(4):
                tab.page.keyboard.press("1")
                tab.page.wait_for_selector("#panel-think[aria-busy=false]")
                assert tab.page.evaluate(OVERLAPS, ".ruler text") == []
                assert tab.page.evaluate(OUTSIDE) == []
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
            if width >= 1180:
                assert tab.page.evaluate("document.documentElement.scrollHeight") <= height
        assert tab.page.evaluate(OVERLAPS, ".think .card, .b88, .sentence, .steps-bar, .track") == []
        assert tab.page.evaluate(OVERLAPS, ".cell, .about-dummy, .crawl span, .sentence") == []


# How far the corners of two elements are apart, in pixels.
APART = """([one, other]) => {
    const [first, second] = [one, other].map((name) => document.querySelector(name).getBoundingClientRect());
    return Math.max(Math.abs(first.left - second.left), Math.abs(first.top - second.top));
}"""


def test_the_piece_that_moves_stands_on_its_squares_at_all_sizes(tab: Tab) -> None:
    tab.page.emulate_media(reduced_motion="reduce")
    watch(tab, f"{ROOKS}/100/1/108")
    wait_for(tab, "0x6f is off the board", ".sentence")
    for width, _ in tab.sizes((1280, 800), (844, 390), (390, 844), (360, 640)):
        assert tab.page.evaluate(APART, [".field88 .cursor", ".field88 .from"]) < 1
        assert tab.page.evaluate(APART, [".field88 .ghost", f".field88 .cell:nth-child({0x6F + 1})"]) < 1
        if width == 390:
            assert tab.place(".field88 .from")["width"] > 28
    for square in ("0x60", "0x50"):
        while square not in tab.page.locator(".sentence").inner_text():
            tab.keys("ArrowRight")
        for _ in tab.sizes((1280, 800), (390, 844)):
            assert tab.page.evaluate(APART, [".field88 .ghost", f".field88 .cell:nth-child({int(square, 16) + 1})"]) < 1


INSIDE = """(selector) => [...document.querySelectorAll(selector)].filter((part) => {
    const { top, bottom, left, right } = part.getBoundingClientRect();
    return top < 0 || left < 0 || bottom > innerHeight || right > document.documentElement.clientWidth;
}).map((part) => part.textContent || part.className)"""


def test_a_tour_its_board_sentence_and_steps_are_seen_together(tab: Tab) -> None:
    tab.go("Think")
    for width, height in tab.sizes((1024, 768), (844, 390), (390, 844), (360, 640)):
        tab.page.get_by_role("button", name="Castling out of check").click()
        wait_for(tab, "The king may castle", ".sentence")
        assert tab.page.evaluate(INSIDE, ".tour p, .tour button, .field88, .sentence, [data-step]") == []
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        if width > height:
            assert tab.place(".sentence")["x"] > tab.place(".field88")["x"] + tab.place(".field88")["width"]
        tab.press("Tours and positions")
    for _ in tab.sizes((667, 375)):  # What is lower can be scrolled to, but nothing pans.
        tab.page.get_by_role("button", name="Castling out of check").click()
        wait_for(tab, "The king may castle", ".sentence")
        assert tab.page.evaluate(PANNED) == 0


def test_what_has_no_room_is_in_tabs_and_nothing_pans(tab: Tab) -> None:
    watch(tab, f"{ROOKS}/100/1/108")
    parts = [tab.page.locator(name) for name in (".path", ".listing", ".hash")]
    for width, _ in tab.sizes():
        for name in (".b88", ".ruler", ".node"):
            assert tab.page.locator(name).is_visible()
        assert tab.page.locator("#panel-think .tabs").is_visible() == (width < 1180)
        if width >= 1180:
            assert all(part.is_visible() for part in parts)
            continue
        for opened, label in enumerate(("Line", "Listing", "Hash table")):
            tab.page.get_by_role("tab", name=label).click()
            assert [part.is_visible() for part in parts] == [opened == place for place in range(3)]
        tab.page.keyboard.press("ArrowRight")  # A step of the search: after a click on a tab, arrows are the page's.
        assert parts[2].is_visible()
    for _ in tab.sizes((320, 568)):  # The narrowest phone.
        tab.page.evaluate("scrollTo(0, 0)")
        assert tab.page.evaluate(INSIDE, ".field88, .crawl, .sentence, [data-step]") == []
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 320
        tab.press("Tours and positions")
        open_any_position(tab)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_it_goes_on_where_it_was_after_play(tab: Tab) -> None:
    watch(tab, f"{QUEEN}/50/8")
    press(tab, "step", "An iteration")
    tab.page.wait_for_function("() => location.hash.endsWith('/50/8/1')")
    tab.go("Play")
    tab.page.wait_for_selector("#level")
    tab.go("Think")
    assert sentence(tab).startswith("An iteration")
    tab.wait_for_address("/50/8/1")


def test_the_pictures_of_the_docs_can_be_drawn(chromium: Any, data: Path) -> None:
    save_game(data)
    with serving(data) as url:
        draw(chromium, url, data)
    pages = [(DOCS / page).read_text(encoding="utf-8") for page in ("web.md", "train.md")]
    for name in PICTURES:
        assert any(f"]({name})" in page for page in pages)
        assert (data / name).read_bytes()[:4] == b"\x89PNG"
        assert (DOCS / name).is_file()
