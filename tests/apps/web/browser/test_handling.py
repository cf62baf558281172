"""How Analyse is handled: what is opened, written, pasted, rolled and dragged, and the tabs of its tools."""

from tests.apps.web.browser.conftest import OpenTab, Tab

PASTE = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def test_while_it_is_empty_import_is_seen_first_and_paste_works_anywhere(study: Tab) -> None:
    tabs = study.page.get_by_role("tablist", name="Tools")
    assert tabs.get_by_role("tab", selected=True).inner_text() == "Open & share"
    assert study.page.get_by_label("PGN", exact=True).is_visible()
    assert study.page.locator("#panel-analyse .moves").is_hidden()
    assert study.button("Copy PGN").is_hidden()
    study.page.evaluate(PASTE, "1. e4 e5 2. Nf3 *")
    assert study.wait_for_moves(3) == ["e4", "e5", "Nf3"]
    assert tabs.get_by_role("tab", selected=True).inner_text() == "Moves"
    study.click("d5")
    for by, square in ((60, "e4"), (60, "e5"), (-60, "e4")):  # The wheel over the board goes through the game.
        study.page.mouse.wheel(0, by)
        last = "name => document.querySelector('.moves [aria-current=true]')?.textContent === name"
        study.page.wait_for_function(last, arg=square)
    study.go("Play")
    study.page.evaluate(PASTE, "7k/8/8/8/8/8/8/K6R w - - 0 1")
    study.wait_for_square("h1", "white rook")
    assert "#analyse" in study.page.url
    study.page.evaluate(PASTE, "nothing that is a game")
    study.page.get_by_text("no tag, move or result").first.wait_for()


def test_what_is_threatened_is_shown(study: Tab) -> None:
    study.set_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1", shows="a1, white rook")
    assert study.button("Show threat").is_hidden()
    study.page.locator("#engine").click()
    study.press("Show threat")
    study.page.wait_for_selector("#engine-lines:has-text('If Black passed:')")
    assert study.page.locator("#engine-lines .line").inner_text().split() == ["#1", "1.", "Ra8#"]
    study.wait_for_count(".cg-shapes line[stroke='#c2282e']", 1)
    study.keys("x")
    study.wait_for_count("#engine-lines .line", 3)
    study.wait_for_count(".cg-shapes line[stroke='#c2282e']", 0)
    study.set_position("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1", shows="e1, white rook")
    study.button("Show threat").wait_for(state="hidden")  # Who is in check cannot pass.
    study.set_position("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1")
    study.page.wait_for_selector(".gauge-text:text-is('1-0')")
    assert study.place(".gauge-text")["height"] < 20  # In one line.


def test_moves_are_written_in_analyse_too(study: Tab) -> None:
    study.keys("m")
    field = study.page.get_by_role("textbox", name="Write a move")
    for text, moves in (("e4", ["e4"]), ("e7e5", ["e4", "e5"]), ("nf3", ["e4", "e5", "Nf3"])):
        field.fill(text)
        field.press("Enter")
        assert study.wait_for_moves(len(moves)) == moves
        study.page.wait_for_function("document.querySelector('#written').value === ''")
    field.fill("Ke3")
    field.press("Enter")
    study.page.wait_for_selector("#written-wrong:has-text('Ke3')")
    assert field.input_value() == "Ke3"
    assert field.get_attribute("aria-invalid") == "true"
    field.press("Escape")
    study.page.keyboard.press("ArrowLeft")
    study.wait_for_square("f3", "empty")


def test_a_piece_is_dragged_from_the_palette_and_escape_closes_the_set_up(study: Tab) -> None:
    study.press("Set up a position")
    figure = study.button("white queen").bounding_box()
    study.page.mouse.move(figure["x"] + 9, figure["y"] + 9)
    study.page.mouse.down()
    board = study.place()
    study.page.mouse.move(board["x"] + board["width"] * 0.56, board["y"] + board["height"] * 0.56, steps=4)
    study.page.mouse.up()
    study.wait_for_square("e4", "white queen")
    study.page.keyboard.press("Escape")
    study.page.wait_for_selector("#setup", state="hidden")
    study.wait_for_square("e4", "empty")


def test_the_tabs_of_the_tools_are_walked_by_keys_and_remembered(study: Tab) -> None:
    study.play("e2e4")
    study.keys("Tab")  # After a click, arrows would be the game's.
    study.page.get_by_role("tab", name="Moves").focus()
    for key, name in (("ArrowRight", "Game"), ("End", "Inside"), ("ArrowRight", "Moves"), ("ArrowLeft", "Inside")):
        study.page.keyboard.press(key)
        assert study.page.get_by_role("tab", name=name, exact=True).get_attribute("aria-selected") == "true"
        assert study.page.evaluate("document.activeElement.textContent") == name
        assert study.page.get_by_role("tabpanel", name=name, exact=True).is_visible()
    study.wait_for_square("e4", "white pawn")  # Arrows and End do not go through the game.
    study.reload("#picture svg")
    study.keys("i")
    study.page.get_by_role("tabpanel", name="Moves").wait_for()


def test_a_position_goes_from_every_board_to_the_other_pages(tab: Tab) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    tab.new_game(fen)
    others = {"Play": "Play from here", "Analyse": "Analyse", "Think": "Think about this position"}
    for name in others:
        if name == "Analyse":
            tab.go("Analyse")
            tab.set_position(fen)
        elif name == "Think":
            tab.page.evaluate("address => (location.hash = address)", f"#think/{fen.replace(' ', '_')}/50/1")
            tab.page.wait_for_selector("#panel-think[data-place='1/0']")
        for other in [page for page in others if page != name]:
            tab.choose(others[other])
            tab.page.wait_for_selector(f"nav [aria-current=page]:text-is('{other}')")
            if other == "Think":
                tab.page.wait_for_function("location.hash.startsWith('#think/4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1/')")
            else:
                tab.wait_for_square("h1", "white rook")
            tab.page.go_back()
            tab.page.wait_for_selector(f"nav [aria-current=page]:text-is('{name}')")


def test_pictures_of_look_inside_are_dark_on_a_dark_page(open_tab: OpenTab) -> None:
    tab = open_tab(color_scheme="dark")
    tab.page.locator("[data-go=inside]").click()
    tab.page.wait_for_selector("#picture svg")
    fills = (
        "['.card', '#picture svg > rect', '#picture svg g.off rect', '#picture svg g.off text'].map("
        "(name) => getComputedStyle(document.querySelector(name))[name === '.card' ? 'backgroundColor' : 'fill'])"
    )
    card, ground, off, letters = tab.page.evaluate(fills)
    assert card == ground
    assert off == "rgb(50, 49, 46)"
    assert letters == tab.page.evaluate("getComputedStyle(document.body).color")


def test_arrows_are_the_game_s_after_a_click_on_a_tab(study: Tab) -> None:
    study.open_pgn("1. e4 e5 *", 2)
    study.open("Moves")
    study.page.keyboard.press("ArrowRight")
    study.wait_for_square("e4", "white pawn")
    assert study.page.get_by_role("tab", name="Moves").get_attribute("aria-selected") == "true"


def test_ctrl_z_undoes_in_the_analysis_and_not_in_a_field(study: Tab) -> None:
    study.open_pgn("1. e4 e5 *", 2)
    study.open_pgn("1. d4 d5 2. c4 *", 3)
    study.page.keyboard.press("Control+z")
    assert study.wait_for_moves(2) == ["e4", "e5"]
    study.page.keyboard.press("ArrowRight")
    study.wait_for_square("e4", "white pawn")


def test_escape_leaves_the_comment(study: Tab) -> None:
    study.open_pgn("1. e4 e5 *", 2)
    study.open("Moves")
    study.page.get_by_label("Comment", exact=True).fill("Old")
    study.page.keyboard.press("Escape")
    study.page.keyboard.press("ArrowRight")
    study.wait_for_square("e4", "white pawn")


def test_an_analysis_of_the_whole_game_can_be_undone_where_it_is_made(study: Tab) -> None:
    study.open_pgn("1. e4 e5 *", 2)
    study.annotate()
    study.press("Undo: analyse the whole game")
    study.page.wait_for_selector("#panel-analyse .summary", state="hidden")


ENGINE_STOPS = "document.querySelectorAll('#engine-lines button:not([tabindex=\"-1\"])').length"


def test_each_line_is_one_tab_stop_in_which_arrows_go_from_move_to_move(study: Tab) -> None:
    study.open_pgn("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 $4 { Blunder: g6 is better. } ( 3... g6 4. Qf3 Nf6 ) 4. Qxf7#", 7)
    study.keys("ArrowUp")
    study.page.locator("#engine").click()
    study.wait_for_count("#engine-lines .line", 3)
    study.page.wait_for_function("document.querySelectorAll('#engine-lines button').length > 6")
    assert study.page.evaluate(ENGINE_STOPS) == 3
    study.page.locator("#engine").click()
    study.keys("n")
    line = study.page.locator("#mistake p button")
    assert line.all_inner_texts() == ["3… g6", "4. Qf3", "Nf6"]
    study.keys("Tab")  # After a click, arrows would be the game's.
    line.first.focus()
    for key, index in (("ArrowRight", 1), ("End", 2), ("ArrowRight", 0), ("ArrowLeft", 2), ("ArrowLeft", 1)):
        study.page.keyboard.press(key)
        assert line.nth(index).evaluate("each => each === document.activeElement")
    assert study.page.locator("#mistake").is_visible()  # The game has stayed where it was.
    study.page.keyboard.press("Enter")
    study.wait_for_square("f3", "white queen")


def test_the_colour_of_a_player_is_told(study: Tab) -> None:
    study.open_pgn('[White "Ann"]\n[Black "Bob"]\n\n1. e4 *', 1)
    strips = study.page.get_by_role("region", name="Board").locator(".strip")
    assert [strip.get_by_role("img").get_attribute("aria-label") for strip in strips.all()] == ["Black", "White"]
    study.go("Play")
    study.new_game()
    assert [strip.get_by_role("img").first.get_attribute("aria-label") for strip in strips.all()] == ["Black", "White"]
