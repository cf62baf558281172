"""What all parts of the page share: notices, the layout, settings, sounds, and axe-core's rules."""

from tests.apps.web.browser.conftest import Tab


def test_notices_and_what_moves_the_board_are_in_no_ones_way(tab: Tab) -> None:
    tab.new_game()
    for _ in tab.sizes():
        tab.page.evaluate("scrollTo(0, 0)")
        before = tab.place()
        tab.press("Offer a draw")
        tab.notice("declines")
        tab.type_move("Qh7")
        tab.page.wait_for_selector("#move-wrong:has-text('Qh7')")
        tab.page.evaluate("scrollTo(0, 0)")
        assert tab.place() == before
        for margin, square in (
            ("75px", "e2"),
            ("0", "d2"),
        ):  # chessground hears of sizes that change, but not of places.
            tab.page.evaluate(f"document.querySelector('.bar').style.marginBottom = '{margin}'")
            tab.click(square)
            tab.wait_for_square(square, "white pawn, chosen")
        tab.page.locator("#move").fill("")
    tab.page.evaluate("document.querySelector('.bar').style.marginBottom = '33px'")
    tab.drag("e2", "e4")
    assert tab.wait_for_moves(2)[0] == "e4"


def test_all_modules_are_asked_for_at_once(tab: Tab) -> None:
    """Else the browser hears of each when it has read the one that imports it."""
    tab.page.wait_for_selector("#new-game:not([hidden])")
    linked = tab.page.evaluate("[...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href)")
    loaded = tab.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert sorted(linked) == sorted(name for name in loaded if name.endswith(".js"))


def test_board_and_button_are_seen_at_once(tab: Tab) -> None:
    """On narrow screens the board comes first, and the other choices stand behind a button."""
    tab.page.wait_for_selector("#new-game")
    for width, height in tab.sizes():
        for place in (tab.place(), tab.place("#new-game .primary")):
            assert place["y"] + place["height"] <= height
        assert tab.page.locator("#level").is_visible() == (width >= 860)
        if width < 860:
            assert tab.page.locator("#wish").inner_text() == "Ox88 1500 · White"
    tab.new_game()
    for width, _ in tab.sizes():
        assert tab.place()["y"] < tab.place("#panel-play .moves")["y"] + 1
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_step_leaves_the_list_of_moves_as_it_is(tab: Tab) -> None:
    """Else each step through a long game would take a tenth of a second."""
    tab.new_game()
    tab.click("e2", "e4")
    tab.wait_for_moves(2)
    tab.page.evaluate(
        "document.querySelectorAll('#panel-play .moves button').forEach((button) => (button.title = 'old'))"
    )
    tab.keys("ArrowLeft")
    tab.wait_for_count("#panel-play .moves button[title=old]", 2)
    assert tab.page.locator("#panel-play .moves [aria-current=true]").inner_text() == "e4"


def test_after_a_click_keys_are_shortcuts(study: Tab) -> None:
    """Else Space and Enter would repeat what was clicked: here, delete another move."""
    page = study.page
    study.play("e2e4", "e7e5", "g1f3")
    study.press("Delete from here")
    study.wait_for_moves(2)
    page.keyboard.press("f")  # Browsers show the focus from the first key on.
    page.keyboard.press(" ")
    page.wait_for_selector("#engine:checked")
    page.evaluate("addEventListener('keyup', (event) => (window.isTaken = event.defaultPrevented))")
    page.keyboard.press("Enter")
    assert page.evaluate("isTaken")  # Firefox would click now.
    page.keyboard.press("ArrowLeft")
    study.wait_for_square("e5", "empty")
    assert study.moves() == ["e4", "e5"]
    study.go("Play")
    page.get_by_role("radio", name="Black").check()
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("radio", name="Black").is_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("radio", name="Random").is_checked()


def test_a_button_that_keys_have_reached_has_its_keys(tab: Tab) -> None:
    tab.keys("Tab")
    for _ in range(3):
        tab.page.keyboard.press("Tab")
    for key in (" ", "Enter"):
        tab.button("Settings").focus()
        tab.page.keyboard.press(key)
        tab.page.get_by_role("dialog", name="Settings").wait_for()
        tab.page.keyboard.press("Escape")


def test_nothing_takes_clicks_before_it_hears_them(tab: Tab) -> None:
    """Else the first clicks on a slow connection would do nothing."""
    page, held = tab.page, []
    can_be_clicked = """(selector) => {
        const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2).closest(selector) !== null;
    }"""
    for script, link, button in (("main", "Play", "#settings-button"), ("think", "Think", "section.think summary")):
        page.route(f"**/{script}.js", lambda route: held.append(route))
        if script == "main":
            page.reload(wait_until="commit")
        page.get_by_role("link", name=link, exact=True).click()
        page.locator(button).first.wait_for()
        assert not page.evaluate(can_be_clicked, button)
        held.pop().continue_()
        page.locator(button).first.click()
        assert page.evaluate(can_be_clicked, button) or page.locator("dialog[open]").count()
        page.keyboard.press("Escape")


def test_settings_are_kept(tab: Tab) -> None:
    settle(tab, "Dark", "Green", "with figures", "Off", "Beside")
    tab.reload("#level")
    assert tab.page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    assert tab.page.evaluate("getComputedStyle(document.querySelector('.board')).getPropertyValue('--dark')") != ""
    assert tab.page.evaluate("document.documentElement.dataset.board") == "green"
    assert tab.page.evaluate("document.querySelector('[name=sound]:checked').value") == "off"
    board, letters = tab.place(), tab.place("coords.files")
    assert letters["y"] >= board["y"] + board["height"]
    assert tab.place("coords.ranks")["x"] + tab.place("coords.ranks")["width"] <= board["x"]
    tab.new_game()
    tab.type_move("nf3")
    assert tab.wait_for_moves(2)[0].startswith("♘")


def test_pieces_are_signs_of_a_font_or_drawn(tab: Tab) -> None:
    """The letters of the files lie above them."""
    levels = "(names) => names.map((name) => Number(getComputedStyle(document.querySelector(name)).zIndex))"
    letters, pieces = tab.page.evaluate(levels, ["coords.files", "cg-board > piece"])
    assert letters > pieces
    look = """() => {
        const piece = document.querySelector('#board piece.knight.black');
        return [getComputedStyle(piece).backgroundImage !== 'none', getComputedStyle(piece, '::before').content[1]];
    }"""
    for choice, expected in (("Letters N", [False, "N"]), ("Figures ♞", [False, "♞"]), ("Drawn", [True, "o"])):
        settle(tab, choice)
        assert tab.page.evaluate(look) == expected, choice


COUNTING = """
    window.tones = [];
    window.OscillatorNode = class extends OscillatorNode {
        constructor(context, options) { super(context, options); window.tones.push(options.frequency); }
    };
"""


def test_moves_are_heard_until_sounds_are_off(tab: Tab) -> None:
    tab.page.add_init_script(COUNTING)
    tab.reload("#level")
    tab.new_game("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    tab.click("h1", "h8")
    tab.wait_for_moves(2)
    heard = tab.page.evaluate("tones")
    assert len(set(heard)) == 2  # A check has another tone.
    settle(tab, "Off")
    tab.press("Take back")
    tab.wait_for_moves(0)
    tab.click("h1", "h7")
    tab.wait_for_moves(2)
    assert tab.page.evaluate("tones") == heard
    settle(tab, "On")
    assert len(tab.page.evaluate("tones")) == len(heard) + 1  # So that one hears how loud they are.


WAKING = """
    window.AudioContext = class extends AudioContext {
        constructor() { super(); this.resumed = []; this.begun = event?.type; window.context = this; }
        get state() { return "suspended"; }
        resume() { this.resumed.push(event?.type); return super.resume(); }
    };
"""


def test_a_click_makes_sounds_ready_before_there_is_one(tab: Tab) -> None:
    """Safari begins to sound only while it handles a click or a key, and stops at a telephone call."""
    tab.page.add_init_script(WAKING)
    tab.reload("#level")
    tab.page.locator("h1").click()
    assert tab.page.evaluate("context.begun") == "pointerup"
    tab.keys("q")
    assert tab.page.evaluate("context.resumed") == ["pointerup", "keydown"]


def test_two_quick_taps_do_not_enlarge_the_page(tab: Tab) -> None:
    actions = "buttons => [...new Set(buttons.map((button) => getComputedStyle(button).touchAction))].sort()"
    assert tab.page.eval_on_selector_all("button", actions) == ["manipulation", "none"]  # Pieces are dragged.


def settle(tab: Tab, *names: str) -> None:
    """Choose in the settings."""
    tab.press("Settings")
    for name in names:
        tab.page.get_by_role("radio", name=name, exact=True).check()
    tab.press("Close")


# --- axe-core ---------------------------------------------------------------------------------------------------------


def test_the_rules_of_access_hold_before_a_game(tab: Tab) -> None:
    tab.page.wait_for_selector("#new-game")
    tab.check_access()
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.open_choices()
    tab.page.locator("select[name=clock]").select_option("other")
    tab.page.get_by_label("Other time for the engine").check()
    tab.page.locator("select[name=start]").select_option("chess960")
    tab.check_access()
    tab.page.get_by_role("radio", name="micro-Max").check()
    tab.page.locator("select[name=clock]").select_option("none")
    tab.set_up("hello")
    tab.page.wait_for_selector("#panel-play .wrong:has-text('hello')")
    tab.check_access()


def test_the_rules_of_access_hold_in_a_game_in_lists_and_in_dialogs(tab: Tab) -> None:
    tab.page.locator("select[name=clock]").select_option("300/3")
    tab.new_game("7k/P7/8/8/3p4/4P3/8/K7 w - - 0 1")
    tab.type_move("exd4")
    tab.wait_for_moves(2)
    tab.type_move("Qh7")
    tab.page.wait_for_selector("#move-wrong:has-text('Qh7')")
    tab.press("Offer a draw")
    tab.notice("declines")
    tab.check_access()
    tab.click("a7", "a8")
    tab.page.get_by_role("dialog", name="The pawn becomes").wait_for()
    tab.check_access()
    tab.page.keyboard.press("Escape")
    tab.resign()
    tab.button("Rematch").wait_for()
    tab.check_access()
    tab.go("Games")
    tab.page.wait_for_selector(".library li")
    tab.check_access()
    for name in ("Settings", "Keyboard shortcuts"):
        tab.press(name)
        tab.check_access()
        tab.press("Close")
