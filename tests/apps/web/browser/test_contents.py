"""What a game contains beside its moves: clocks, drawings, passes, errors."""

import io
from collections.abc import Sequence

import chess.pgn

from tests.apps.web.browser.conftest import OpenTab, Tab

TIMED = """[White "A"]
[Black "B"]

{ [%csl Rd5] } 1. e4 { [%clk 0:03:00] [%cal Ge2e4,Bf1c4] } e5 { [%clk 1:02:03] [%emt 0:00:07] } 2. Nf3 Nc6 *
"""
POSITION = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def strips(tab: Tab) -> Sequence[str]:
    """The lines above and below the board."""
    return [" ".join(text.split()) for text in tab.page.locator(".strip").all_inner_texts()]


def test_clocks_stand_beside_the_players(study: Tab) -> None:
    study.open_pgn(TIMED, moves=4)
    seen = []
    for _ in range(4):
        seen.append(strips(study))
        study.keys("ArrowRight")
    assert seen == [
        ["B", "A"],
        ["B", "A 3:00"],
        ["B took 0:07.0 1:02:03", "A 3:00"],
        ["B took 0:07.0 1:02:03", "A 3:00"],
    ]
    study.press("Turn the board")
    assert strips(study) == ["A 3:00", "B 1:02:03"]
    assert "[%clk 1:02:03] [%emt 0:00:07]" in study.download_pgn()


def wait_for_drawn(tab: Tab, *expected: str) -> None:
    """Wait for arrows and circles on the board, by their colours."""
    drawn = """(expected) => {
        const drawn = [...document.querySelectorAll(".cg-shapes > g :is(line, circle)")];
        return drawn.map((each) => each.tagName + each.getAttribute("stroke")).sort().join() === expected.sort().join();
    }"""
    tab.page.wait_for_function(drawn, arg=list(expected))


GREEN, RED, BLUE, YELLOW = "#15781B", "#882020", "#003088", "#e68f00"


def draw(tab: Tab, start: str, end: str, *keys: str) -> None:
    """Draw with the right button."""
    for key in keys:
        tab.page.keyboard.down(key)
    tab.drag(start, end, button="right")
    for key in keys:
        tab.page.keyboard.up(key)


def test_arrows_and_squares_belong_to_their_position(study: Tab) -> None:
    study.open_pgn(TIMED, moves=4)
    wait_for_drawn(study, f"circle{RED}")
    study.keys("ArrowRight")
    wait_for_drawn(study, f"line{BLUE}", f"line{GREEN}")
    study.page.wait_for_selector("#spoken:text-is('e4. green arrow e2 e4, blue arrow f1 c4')", state="attached")
    study.page.locator("#engine").click()  # Beside them it has one arrow, for its best line.
    study.wait_for_count("#engine-lines .line", 3)
    study.wait_for_count(".cg-shapes line", 3)
    study.page.locator("#engine").click()
    draw(study, "f1", "c4", "Alt")  # The same again takes it away.
    draw(study, "d2", "d4", "Shift")
    draw(study, "g8", "f6", "Control", "Alt")
    draw(study, "a2", "a2")
    wait_for_drawn(study, f"circle{GREEN}", f"line{RED}", f"line{GREEN}", f"line{YELLOW}")
    study.keys("ArrowLeft", "ArrowRight")
    study.click("h5", "b8")  # A click erases nothing.
    study.page.reload()
    study.wait_for_square("e4", "white pawn")
    wait_for_drawn(study, f"circle{GREEN}", f"line{RED}", f"line{GREEN}", f"line{YELLOW}")
    text = study.download_pgn()
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert [arrow.pgn() for arrow in game.arrows()] == ["Rd5"]
    assert {arrow.pgn() for arrow in game.variations[0].arrows()} == {"Ga2", "Ge2e4", "Rd2d4", "Yg8f6"}
    assert game.variations[0].clock() == 180
    study.open_pgn(text)
    wait_for_drawn(study, f"circle{RED}")
    study.keys("ArrowRight")
    study.wait_for_square("e4", "white pawn")
    wait_for_drawn(study, f"circle{GREEN}", f"line{RED}", f"line{GREEN}", f"line{YELLOW}")


def test_arrows_are_drawn_by_touch_and_taken_back(open_tab: OpenTab) -> None:
    tab = open_tab(390, 844, has_touch=True, reduced_motion="reduce", mode="Analyse")
    tab.open("Moves")
    tab.press("Draw on the board")
    tap(tab, "e2", "e4", "d5", "d5")
    wait_for_drawn(tab, f"line{GREEN}", f"circle{GREEN}")
    tab.page.get_by_label("Colour").select_option("Red")
    tap(tab, "e2", "e4")
    wait_for_drawn(tab, f"line{RED}", f"circle{GREEN}")
    tab.press("Undo: draw red arrow e2 e4")
    wait_for_drawn(tab, f"line{GREEN}", f"circle{GREEN}")
    tab.press("Draw on the board")  # The pieces can be moved again.
    tap(tab, "e2")
    tab.page.wait_for_selector('[data-square="e4"][aria-label*="can be reached"]')
    tap(tab, "e4")
    assert tab.wait_for_moves(1) == ["e4"]
    assert "[%csl Gd5] [%cal Ge2e4]" in tab.download_pgn()


def tap(tab: Tab, *squares: str) -> None:
    for square in squares:
        tab.page.touchscreen.tap(*tab.centre(square))


def test_arrows_are_drawn_by_the_keyboard(study: Tab) -> None:
    study.open("Moves")
    study.page.keyboard.press("Tab")
    study.button("Draw on the board").focus()
    for key in ("Enter", "b", "Enter", "ArrowUp", "ArrowUp", "Enter"):
        study.page.keyboard.press(key)
    wait_for_drawn(study, f"line{GREEN}")
    study.page.wait_for_selector("#spoken:text-is('draw green arrow e2 e4')", state="attached")
    for key in ("Enter", "Enter"):
        study.page.keyboard.press(key)
    study.button("Undo: draw green circle e4").wait_for()
    study.page.keyboard.press("Control+z")
    wait_for_drawn(study, f"line{GREEN}")
    study.wait_for_square("e2", "white pawn")
    study.page.keyboard.press("Escape")  # Leaves the board.
    study.page.keyboard.press("Escape")
    assert study.button("Draw on the board").get_attribute("aria-pressed") == "false"


MERGE = """async () => {
    const { grow, listed, merge } = await import("/viewer/tree.js");
    const drawn = { fen: "g", parent: 0, uci: "e2e4", commands: "[%csl Ga1] [%clk 0:00:01]", nags: [3] };
    const root = grow([{ fen: "f" }, drawn]);
    const commands = "[%csl Rb1] [%clk 0:00:01] [%eval 0.10]";
    const after = { fen: "h", parent: 1, uci: "e7e5", commands, nags: [6] };
    merge(root, [{ fen: "f" }, { fen: "g", parent: 0, uci: "e2e4", commands, nags: [4] }, after]);
    return listed(root).map(({ commands, nags }) => [commands, nags]);
}"""


def test_what_is_drawn_and_marked_during_an_analysis_stays(study: Tab) -> None:
    assert study.page.evaluate(MERGE) == [
        [None, None],
        ["[%clk 0:00:01] [%eval 0.10] [%csl Ga1]", [3]],
        ["[%clk 0:00:01] [%eval 0.10] [%csl Rb1]", [6]],
    ]


def test_what_is_drawn_in_a_game_goes_with_its_position(tab: Tab) -> None:
    draw(tab, "g1", "f3")
    wait_for_drawn(tab, f"line{GREEN}")
    tab.page.get_by_role("radio", name="White").check(force=True)
    tab.begin()
    tab.go("Analyse")
    tab.wait_for_square("e4", "empty")
    wait_for_drawn(tab)


def test_a_side_passes(study: Tab) -> None:
    study.open_pgn("1. e4 e5 ( 1... -- 2. d4 d5 ) 2. @@@@ Nf6 3. Nf3 *", moves=5)
    assert study.moves() == ["e4", "e5", "--", "Nf6", "Nf3"]
    assert study.page.locator("#errors").is_hidden()
    study.page.locator("#engine").click()
    study.keys("ArrowRight", "ArrowRight", "ArrowRight")
    study.page.wait_for_selector("#spoken:text-is('passes')", state="attached")
    study.page.wait_for_selector(".line button:has-text('2… ')")  # Black has the move.
    assert study.page.locator("square.last-move:visible").count() == 0
    study.play("b8c6")
    study.page.reload()
    study.wait_for_square("c6", "black knight")
    study.page.wait_for_selector(".line button:has-text('3. ')")
    pgn = " ".join(study.download_pgn().split("\n\n")[1].split())
    assert pgn == "1. e4 e5 ( 1... -- 2. d4 d5 ) 2. -- Nf6 ( 2... Nc6 ) 3. Nf3 *"


def test_a_command_stays_in_one_line(study: Tab) -> None:
    study.open_pgn("1. Nf3 { [%clk 0:00:01] [%eval 0.25] c } Nf6 { [%csl Ga1] [%cal Ge2e4] } *", moves=2)
    for count in range(36, 40):
        study.open("Moves")
        study.page.get_by_label("Comment", exact=True).fill("a " * count + "b" * (count % 2))
        study.open("Open & share")
        lines = study.download_pgn().split("\n\n")[1].splitlines()
        assert not [line for line in lines if line.count("[%") != line.count("]") or len(line) > 80], lines


def test_a_fen_in_the_field_for_pgn_or_in_a_file_is_a_position(study: Tab) -> None:
    file = {"name": "position.fen", "mimeType": "text/plain", "buffer": b"6k1/8/8/8/8/8/8/K6R w - - 0 1"}
    study.page.get_by_label("A file of games").set_input_files(file)
    study.wait_for_square("b1", "empty")
    study.open_pgn(f"  {POSITION}\n")
    study.wait_for_square("a1", "white rook")
    assert study.page.get_by_label("PGN", exact=True).input_value() == ""
    assert study.page.locator("#fen").input_value() == POSITION
    study.open_pgn("8/8/8/8/8/8/8/8 w - - 0 1")
    study.page.locator("#import .wrong", has_text="White has no king").wait_for()
