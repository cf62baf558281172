"""Games in a browser."""

import io
import re
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from tests.apps.web.browser.axe import violations
from tests.apps.web.browser.conftest import OpenTab, Tab, port_of, serving

TWO_ROOKS = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
BEFORE_PROMOTION = "8/P6k/8/8/8/8/7P/K7 w - - 0 1"


def test_a_game_to_mate_by_clicks(tab: Tab) -> None:
    tab.new_game("7k/5K2/8/6P1/8/8/8/R7 w - - 0 1")  # Black has one move each time.
    for number, move in enumerate(("a1a2", "a2a3", "a3a4"), 1):
        tab.click(move[:2], move[2:])
        tab.wait_for_moves(2 * number)
    tab.click("a4", "h4")
    tab.page.wait_for_selector("text=You won, 1-0")
    assert tab.page.locator(".result").inner_text().endswith("Checkmate")
    tab.wait_for_count("square.check", 1)
    with tab.page.expect_download() as download:
        tab.choose("Download PGN")
    game = chess.pgn.read_game(io.StringIO(Path(download.value.path()).read_text()))
    assert game is not None
    day = game.headers["Date"].replace(".", "-")
    assert re.fullmatch(rf"{day} You - Ox88.*\.pgn", download.value.suggested_filename)
    assert [node.san() for node in game.mainline()] == ["Ra2", "Kh7", "Ra3", "Kh8", "Ra4", "Kh7", "Rh4#"]


def test_moves_are_dragged_and_taken_back(tab: Tab) -> None:
    tab.new_game()
    tab.drag("e2", "e4")
    assert tab.wait_for_moves(2)[0] == "e4"
    moves = tab.moves()
    tab.press("Take back")
    tab.wait_for_moves(0)
    tab.wait_for_square("e2", "white pawn")
    assert not tab.button("Take back").is_visible()
    tab.press("Put back")
    assert tab.wait_for_moves(2) == moves
    tab.type_move("d4")
    moves = tab.wait_for_moves(4)
    tab.press("Take back")
    tab.wait_for_moves(2)
    tab.page.keyboard.press(" ")  # It does not take back another pair.
    tab.press("Put back")
    assert tab.wait_for_moves(4) == moves
    tab.resign()
    assert not tab.button("Take back").is_visible()


def against_a_slow_engine(tab: Tab, fen: str = "") -> None:
    tab.page.get_by_role("radio", name="micro-Max").check()
    tab.page.locator("select[name=seconds]").select_option("3")
    if fen:
        tab.set_up(fen)
    tab.begin()


def test_a_promotion_is_chosen(tab: Tab) -> None:
    tab.new_game(BEFORE_PROMOTION)
    choose_a_promotion(tab)
    tab.wait_for_square("a7", "white pawn")
    tab.click("a7", "a8")
    tab.press("knight")
    assert tab.wait_for_moves(2)[0] == "a8=N"
    tab.wait_for_square("a8", "white knight")


def test_a_premove_is_played_when_its_turn_comes(tab: Tab) -> None:
    against_a_slow_engine(tab)
    tab.click("e2", "e4")
    tab.page.wait_for_selector("text=thinking …")
    tab.click("a2", "a4")
    tab.wait_for_count("square.current-premove", 2)
    assert tab.wait_for_moves(4)[2] == "a4"


def test_the_promotion_of_a_premove_is_chosen(tab: Tab) -> None:
    against_a_slow_engine(tab, BEFORE_PROMOTION)
    tab.click("h2", "h3")
    tab.page.wait_for_selector("text=thinking …")
    choose_a_promotion(tab)
    tab.wait_for_count("square.current-premove:visible", 0)
    tab.click("a7", "a8")
    tab.press("knight")
    assert tab.wait_for_moves(4)[2] == "a8=N"


def choose_a_promotion(tab: Tab) -> None:
    """Play the pawn to the last rank, and choose none."""
    tab.click("a7", "a8")
    tab.page.get_by_role("dialog", name="The pawn becomes").wait_for()
    tab.page.keyboard.press("Escape")


COUNTING = """() => {
    window.attempts = 0;
    window.WebSocket = class extends WebSocket {
        constructor(address) { super(address); window.attempts += 1; }
    };
}"""


def test_the_game_goes_on_after_the_server_was_killed(open_tab: OpenTab, data: Path) -> None:
    with serving(data) as url:
        tab = open_tab(url=url)
        tab.new_game()
        tab.click("c2", "c4")
        moves = tab.wait_for_moves(2)
        before = tab.place()
        tab.page.evaluate(COUNTING)
    tab.notice("The connection to the server is lost")
    assert tab.place() == before
    tab.move("b1c3")
    tab.notice("Your move waits for it.")
    attempts = tab.page.evaluate("attempts")
    tab.page.wait_for_function(f"() => attempts > {attempts}")
    tab.page.wait_for_timeout(200)  # It fails at once.
    tab.notice("Your move waits for it.")
    asking = [tab.page.locator(f"[data-do={name}]").first for name in ("takeback", "hint", "resign", "same")]
    assert all(button.is_disabled() for button in asking)
    why = tab.page.get_by_text("Grey buttons wait for the connection.")
    assert why.is_visible()
    tab.wait_for_square("c3", "white knight")
    tab.wait_for_square("b1", "empty")
    assert tab.moves() == moves
    with serving(data, port_of(url)):
        tab.page.wait_for_selector("#notice", state="hidden")
        assert tab.wait_for_moves(4)[:3] == [*moves, "Nc3"]
        assert not any(button.is_disabled() for button in asking)
        assert not why.is_visible()


def test_a_network_that_is_dead_is_noticed(open_tab: OpenTab) -> None:
    """A dead network ends no connection. Without a sign from the server the browser would wait for minutes."""
    tab = open_tab()
    tab.new_game()
    is_dead = [False]

    def through(socket: Any) -> None:
        if is_dead[0]:
            socket.close()
            return
        server = socket.connect_to_server()
        socket.on_message(lambda text: is_dead[0] or server.send(text))
        server.on_message(lambda text: is_dead[0] or socket.send(text))

    tab.page.route_web_socket(re.compile("/socket$"), through)
    tab.reload("#move")
    tab.page.wait_for_timeout(17_000)  # Longer than a page waits for a sign.
    assert not tab.page.locator("#notice").is_visible()
    is_dead[0] = True
    tab.notice("The connection to the server is lost")
    tab.move("c2c4")
    tab.notice("Your move waits for it.")
    is_dead[0] = False
    tab.page.wait_for_selector("#notice", state="hidden")
    assert tab.wait_for_moves(2)[0] == "c4"


def test_by_the_keyboard_alone(tab: Tab) -> None:
    page = tab.page
    tab.page.get_by_role("slider").press("Home")
    tab.page.get_by_role("slider").press("Enter")
    page.wait_for_selector("#move")
    page.keyboard.press("b")
    assert page.evaluate("document.activeElement.dataset.square") == "e2"
    page.keyboard.press("Enter")
    tab.wait_for_square("e2", "white pawn, chosen")
    tab.wait_for_square("e4", "empty, can be reached")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert tab.wait_for_moves(2)[0] == "e4"
    page.wait_for_selector("#spoken:has-text('Black: ')", state="attached")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.type("Nf3\n")
    assert tab.wait_for_moves(4)[2] == "Nf3"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowUp")
    tab.wait_for_square("e2", "white pawn")
    page.keyboard.press("ArrowRight")
    tab.wait_for_square("e4", "white pawn")
    page.keyboard.press(" ")
    tab.wait_for_square("f3", "white knight")
    page.keyboard.press("f")
    tab.wait_for_count(".cg-wrap.orientation-black", 1)


def test_moves_are_understood_as_people_write_them_and_others_say_why(tab: Tab) -> None:
    tab.new_game("4k3/7p/8/8/8/8/P3P3/4K1NR w K - 0 1")
    for typed, moves in (("nf3", 2), ("e2-e4", 4), ("0-0", 6)):
        tab.type_move(typed)
        tab.wait_for_moves(moves)
    assert tab.moves()[::2] == ["Nf3", "e4", "O-O"]
    tab.type_move("Bc4")
    tab.page.wait_for_selector("#move-wrong:has-text('no bishop of White')")
    assert tab.page.locator("#move").input_value() == "Bc4"
    tab.type_move("e9")
    tab.page.wait_for_selector("#move-wrong:has-text('is not a move')")
    assert "help" not in tab.page.locator("#move-wrong").inner_text()
    tab.page.locator("#move").fill("a3")
    tab.wait_for_count("#move-wrong:empty", 1)
    tab.page.keyboard.press("Enter")
    tab.wait_for_moves(8)
    assert tab.page.locator("#move").input_value() == ""


def test_a_move_that_was_refused_stays_until_one_is_played(tab: Tab) -> None:
    against_a_slow_engine(tab)
    tab.type_move("Qh7")
    tab.page.wait_for_selector("#move-wrong:has-text('no queen of White')")
    tab.click("e2", "e4")
    tab.wait_for_moves(1)
    tab.wait_for_count("#move-wrong:empty", 1)
    assert tab.page.locator("#move").input_value() == ""
    tab.type_move("d4")
    tab.page.wait_for_selector('#move-wrong:text-is("d4: it is micro-Max\'s move")')
    tab.wait_for_moves(2)
    tab.wait_for_count("#move-wrong:empty", 1)
    assert tab.page.locator("#move").input_value() == "d4"
    tab.page.locator("#move").press("Enter")
    tab.wait_for_moves(3)


def test_a_first_move_begins_the_game_with_the_last_options(tab: Tab) -> None:
    tab.page.locator("select[name=clock]").select_option("300/3")
    tab.reload("#level")
    tab.move("e2e4")
    assert tab.wait_for_moves(2)[0] == "e4"
    tab.wait_for_count(".clock:visible", 2)


def test_two_clicks_begin_one_game(tab: Tab) -> None:
    """Else the page would show the first game, and the server would play the second."""
    tab.page.wait_for_selector("#level")
    tab.page.evaluate(
        "for (const form of Array(2).fill(document.querySelector('#panel-play form'))) form.requestSubmit()"
    )
    tab.page.wait_for_selector("#move")
    tab.click("e2", "e4")
    tab.wait_for_moves(2)
    tab.resign()
    tab.page.evaluate("for (const twice of [1, 2]) document.querySelector('[data-do=same]').click()")
    tab.button("Offer a draw").wait_for()
    tab.click("d2", "d4")
    tab.wait_for_moves(2)


def test_with_black_the_engine_makes_the_first_move(tab: Tab) -> None:
    tab.page.get_by_role("radio", name="Black").check()
    tab.wait_for_count(".cg-wrap.orientation-black", 1)
    tab.click("e2")
    tab.wait_for_square("e2", "white pawn")
    tab.press("Play")
    tab.wait_for_moves(1)


def test_rematch_and_swapped_colours(tab: Tab) -> None:
    tab.new_game(BEFORE_PROMOTION)
    first = tab.page.url
    tab.resign()
    tab.press("Rematch")
    tab.button("Offer a draw").wait_for()
    assert tab.page.url != first
    tab.wait_for_square("a7", "white pawn")
    tab.resign()
    tab.press("Swap colours")
    tab.wait_for_count(".cg-wrap.orientation-black", 1)
    tab.wait_for_moves(1)
    tab.page.go_back()
    tab.page.go_back()
    tab.page.wait_for_selector("text=Ox88 won, 0-1")
    tab.wait_for_address(first)


def test_a_board_stays_as_it_was_turned(study: Tab) -> None:
    """On each page, and after a reload. Whoever plays on from a position gets the side to move."""
    turned = ".cg-wrap.orientation-black"
    study.play("e2e4")
    study.press("Turn the board")
    study.go("Play")
    study.wait_for_count(turned, 0)
    study.new_game()
    study.press("Turn the board")
    study.wait_for_count(turned, 1)
    study.reload("#move")
    study.wait_for_count(turned, 1)
    study.press("Turn the board")
    study.go("Analyse")
    study.wait_for_count(turned, 1)
    study.page.reload()
    study.wait_for_count(turned, 1)
    study.press("Turn the board")
    study.page.get_by_role("tab", name="Open & share").click()
    study.press("Play from here")
    assert study.page.get_by_role("radio", name="Black").is_checked()
    study.wait_for_count(turned, 1)
    study.move("e7e5")
    assert study.wait_for_moves(2)[0] == "e5"


def test_a_draw_is_declined_and_position_and_game_are_copied(open_tab: OpenTab) -> None:
    tab = open_tab(permissions=["clipboard-read", "clipboard-write"])
    tab.new_game()
    tab.press("Offer a draw")
    tab.notice("Ox88 declines: for 3 moves it must have seen nothing better")
    tab.press("Close")
    tab.page.wait_for_selector("#notice", state="hidden")
    tab.click("e2", "e4")
    tab.wait_for_moves(2)
    tab.keys("ArrowLeft")
    tab.choose("Copy FEN")
    tab.notice("Copied")
    board = chess.Board()
    board.push_san("e4")
    assert tab.page.evaluate("navigator.clipboard.readText()") == board.fen()
    tab.press("Close")
    tab.choose("Copy PGN")
    tab.notice("Copied")
    game = chess.pgn.read_game(io.StringIO(tab.page.evaluate("navigator.clipboard.readText()")))
    assert game is not None
    assert [node.san() for node in game.mainline()] == tab.moves()


def test_a_hint_marks_the_piece_and_then_shows_the_move(tab: Tab) -> None:
    tab.new_game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    tab.press("Hint")
    tab.page.wait_for_selector("#spoken:text-is('Hint: the piece on a1')", state="attached")
    tab.press("Show the move")  # It can be pressed when the piece is marked.
    tab.wait_for_count(".cg-shapes line", 1)
    tab.page.wait_for_selector("#spoken:text-is('Hint: a1 to a8')", state="attached")
    tab.press("Hint")
    tab.keys("ArrowLeft", "ArrowRight", "h")
    tab.wait_for_count(".cg-shapes line", 1)
    tab.type_move("h3")
    tab.wait_for_moves(2)
    assert tab.page.locator("#panel-play .moves .comment").all_inner_texts() == ["hint"]
    tab.wait_for_count(".cg-shapes line", 0)
    tab.keys("h")
    tab.wait_for_count(".cg-shapes circle", 1)


def test_a_hint_does_not_end_a_search_in_analyse(tab: Tab) -> None:
    """It takes a second, in which the page can be left."""
    tab.go("Analyse")
    tab.page.locator("#engine").check()
    tab.go("Play")
    tab.new_game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    tab.press("Hint")
    tab.page.wait_for_timeout(400)
    tab.choose("Analyse")
    tab.page.wait_for_timeout(2000)
    counted = tab.page.locator("#counts").get_attribute("title")
    tab.page.wait_for_function("(before) => document.querySelector('#counts').title !== before", arg=counted)


def test_captured_pieces_and_the_difference_and_a_review_with_one_click(tab: Tab) -> None:
    tab.new_game("k7/8/8/2pp4/4P3/8/8/K6R w - - 0 1")
    captured = tab.page.locator('.strip[data-side="bottom"] .captured')
    assert captured.inner_text() == "+4\ncaptured: nothing; 4 ahead"
    tab.click("e4", "d5")
    tab.wait_for_moves(2)
    tab.keys("ArrowLeft")
    tab.page.wait_for_selector('.strip[data-side="bottom"] .captured:has-text("captured: 1 pawn; 5 ahead")')
    tab.wait_for_count('.strip[data-side="bottom"] .captured piece.pawn.black', 1)
    tab.resign()
    assert tab.page.evaluate("document.activeElement.textContent") == "Review the game"
    tab.press("Review the game")
    tab.page.wait_for_selector(".summary td:has-text('%')")
    assert tab.wait_for_moves(2)[0].startswith("exd5")


def test_chess960_and_a_game_waits_for_its_first_position(tab: Tab) -> None:
    tab.page.locator("select[name=start]").select_option("chess960")
    tab.page.locator("input[name=number]").fill("0")
    tab.wait_for_square("a1", "white bishop")
    tab.wait_for_square("g1", "white king")
    tab.press("Another at random")
    tab.page.locator("input[name=number]").fill("959")
    tab.wait_for_square("a1", "white rook")
    tab.begin()
    tab.wait_for_square("b1", "white king")
    tab.press("New game")
    tab.page.wait_for_selector("#level")
    choose = """
        const { elements } = document.querySelector("#new-game");
        const change = (name, value) => {
            elements[name].value = value;
            elements[name].dispatchEvent(new Event("input", { bubbles: true }));
        };
        change("number", 0);
        document.querySelector("#new-game").requestSubmit();
    """
    tab.page.evaluate(f"() => {{ {choose} }}")
    tab.page.wait_for_selector("#move")
    tab.wait_for_square("a1", "white bishop")
    tab.press("New game")
    tab.page.wait_for_selector("#level")
    tab.page.evaluate(f"""() => {{ {choose} change("number", 959); }}""")
    tab.page.wait_for_selector("#move")
    tab.wait_for_square("b1", "white king")


def test_each_side_has_its_own_time_and_one_that_cannot_be_is_not_sent(tab: Tab) -> None:
    tab.page.locator("select[name=clock]").select_option("other")
    tab.page.get_by_label("Minutes", exact=True).fill("0")
    tab.press("Play")
    assert tab.page.evaluate("document.querySelector('[name=minutes]').matches(':invalid')")
    tab.page.get_by_label("Minutes", exact=True).fill("2.5")
    tab.page.get_by_label("Other time for the engine").check()
    tab.page.get_by_label("Engine's minutes").fill("0.5")
    tab.press("Play")
    tab.page.wait_for_selector('[data-clock="white"]:has-text("2:30")')
    tab.page.wait_for_selector('[data-clock="black"]:has-text("0:30")')
    tab.press("New game")
    tab.page.get_by_label("Minutes", exact=True).fill("0")
    tab.page.locator("select[name=clock]").select_option("none")  # What is not shown need not be right.
    tab.begin()


def test_level_and_time_say_what_they_are(tab: Tab) -> None:
    level = tab.page.locator("#level")
    assert "Up to 2200 a level is a rating on Lichess" in level.inner_text()
    tab.page.get_by_role("slider", name="Level").fill("1000")
    assert "chooses its moves as casual players do" in level.inner_text()
    tab.page.get_by_role("slider", name="Level").fill("2300")
    assert "searches for the best move" in level.inner_text()
    assert not tab.page.locator("select[name=seconds]").is_visible()
    tab.page.get_by_role("slider", name="Level").press("End")
    assert tab.page.locator("select[name=seconds]").is_visible()
    with tab.page.expect_popup() as popup:
        tab.page.get_by_role("link", name="How strong the levels are").click()
    popup.value.get_by_role("heading", name="Levels").wait_for()
    popup.value.get_by_role("table").first.wait_for()
    assert violations(popup.value) == []


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ("{}", "1500"),
        ('{"elo": 2800}', "2800"),
        ('{"elo": 2900}', "2900"),
        ('{"elo": 3100}', "Full strength"),
    ],
)
def test_the_level_is_kept(tab: Tab, kept: str, words: str) -> None:
    tab.page.evaluate("kept => (localStorage['ox88.wish'] = kept)", kept)
    tab.reload(f"#level output:text-is('{words}')")
    tab.open_choices()
    for _ in range(2):
        tab.page.get_by_role("radio", name="Black").check()
        tab.reload(f"#level output:text-is('{words}')")


def test_a_position_that_cannot_be_played(tab: Tab) -> None:
    tab.set_up("8/8/8/8/8/8/8/8 w - - 0 1")
    tab.page.wait_for_selector("#panel-play .wrong:has-text('White has no king')")
    tab.press("Play")
    tab.page.wait_for_selector("#panel-play .wrong:has-text('White has no king')")
    assert tab.button("Play").is_visible()
    tab.page.locator("#panel-play input[name=fen]").fill(TWO_ROOKS)
    tab.wait_for_square("h8", "black king")


def test_the_phone_needs_no_sideways_scrolling_and_others_are_asked_nothing(open_tab: OpenTab, server: str) -> None:
    tab = open_tab(390, 844, has_touch=True, is_mobile=True)
    tab.new_game()
    tab.click("e2", "e4")
    tab.wait_for_moves(2)
    for link in ("Analyse", "Games", "Play"):
        tab.page.get_by_role("link", name=link, exact=True).click()
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
    tab.page.wait_for_function("() => document.querySelector('cg-board')?.getBoundingClientRect().width > 350")
    assert tab.requests
    assert all(re.match(rf"{server}|blob:|data:", url) for url in tab.requests)
