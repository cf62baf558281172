"""Analysis in a browser."""

import re
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import HealthCheck, example, given, settings

from tests.apps.analyse.test_page import HOSTILE
from tests.apps.web.browser.conftest import Tab
from tests.conftest import DATA
from tests.positions import boards

FAMOUS = DATA / "games" / "famous.pgn"
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def test_lines_with_arrows_stream_in(study: Tab) -> None:
    page = study.page
    page.locator("h1").click()
    page.keyboard.press(" ")
    study.wait_for_count("#engine-lines .line", 3)
    study.wait_for_count(".cg-shapes line", 3)
    page.wait_for_selector("#counts:has-text('nodes/s')")
    assert page.locator(".gauge").get_attribute("aria-label").startswith("Evaluation")
    page.locator("#lines").select_option("5")
    study.wait_for_count("#engine-lines .line", 5)
    page.locator("#engine-lines .line button").nth(1).click()
    assert len(study.wait_for_moves(2)) == 2
    page.locator("#engine").click()
    study.wait_for_count("#engine-lines > *", 0)
    study.wait_for_count(".cg-shapes line", 0)


def test_games_are_opened_and_gone_through(study: Tab) -> None:
    study.open_pgn(FAMOUS.read_text())
    study.page.wait_for_selector("h2:has-text('Morphy, Paul')")
    study.keys(*["ArrowRight"] * 3)
    study.wait_for_square("f3", "white knight")
    assert study.page.locator("#panel-analyse .opening").inner_text().startswith("C40")
    study.page.locator("#chapters").get_by_label("Search chapters").fill("topalov")
    study.page.locator(".games li:not([hidden]) button").click()
    study.page.wait_for_selector("h2:has-text('Kasparov, Garry')")
    study.keys("ArrowDown")
    study.page.wait_for_selector("[aria-current=true] >> text=Qa7")
    study.reload("h2:has-text('Kasparov, Garry')")


def test_nothing_that_is_written_in_a_game_runs(study: Tab) -> None:
    ran: list[str] = []

    def note(dialog: Any) -> None:
        ran.append(dialog.message)
        dialog.dismiss()

    study.page.on("dialog", note)
    elements = study.page.locator("script, img, svg[onload]")
    count = elements.count()
    study.open_pgn(HOSTILE)
    study.page.wait_for_selector("h2:has-text('<script>alert(3)</script>')")
    study.page.wait_for_selector(".moves .comment:text-is('</script> <svg onload=alert(4)>')")
    study.annotate()
    assert (elements.count(), ran) == (count, [])


def test_a_file_with_a_game_is_analysed_to_its_graph(study: Tab, tmp_path: Path) -> None:
    path = tmp_path / "scholar.pgn"
    path.write_text('[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n')
    study.page.get_by_label("A file of games").set_input_files(path)
    study.wait_for_moves(7)
    study.annotate()
    study.page.get_by_role("columnheader", name="blunders").wait_for()  # Not "??".
    assert study.page.locator(".graph .curve").count() == 1
    assert study.page.locator(".graph .mark").count() >= 1
    assert "Nf6??" in study.moves()
    study.press("Next mistake")
    box = study.page.locator(".graph").bounding_box()
    study.page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 20)
    study.wait_for_square("f7", "white queen")
    assert study.page.locator(".moves .side").count()  # The better moves.
    assert "[%eval #1]" in study.download_pgn()


def test_pieces_are_placed_and_a_bad_fen_says_why(study: Tab) -> None:
    for fen, reason in (
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1", "White has no king"),
        ("hello", "FEN 'hello'"),
    ):
        study.set_position(fen)
        study.page.wait_for_selector(f'#fen-wrong:has-text("{reason}")')
        study.wait_for_square("e1", "white king")
    study.press("Set up a position")
    study.press("Empty board")
    for name, square in (("white king", "e1"), ("black king", "e2")):
        study.button(name).click()
        study.click(square)
    study.press("Done")
    study.page.wait_for_selector("#setup .wrong:has-text('Black is in check, but it is White')")
    study.press("black king")
    study.drag("e2", "e7")
    study.press("Done")
    study.page.wait_for_selector("#setup", state="hidden")
    study.wait_for_square("e7", "black king")


def test_a_set_up_goes_on_after_a_reload(study: Tab) -> None:
    """Also after a visit to another page, the set-up stands as it was."""
    setup = study.page.locator("#setup")
    study.press("Set up a position")
    study.press("Empty board")
    for name, square in (("white king", "e1"), ("white rook", "h1"), ("black king", "e7")):
        study.button(name).click()
        study.click(square)
    setup.get_by_label("White, king's side").check()
    setup.get_by_role("radio", name="Black").check(force=True)
    study.page.reload()
    setup.wait_for()
    study.go("Games")
    study.go("Analyse")
    assert setup.get_by_label("White, king's side").is_checked()
    assert setup.get_by_role("radio", name="Black").is_checked()
    study.press("Play it")
    study.wait_for_square("e7", "black king")
    study.page.reload()
    study.wait_for_square("e7", "black king")
    assert study.page.locator("#panel-play input[name=fen]").input_value() == "8/4k3/8/8/8/8/8/4K2R b K - 0 1"
    assert study.page.get_by_role("radio", name="Black").is_checked()
    study.go("Analyse")
    study.page.reload()
    study.button("Set up a position").wait_for()
    assert setup.is_hidden()


ONCE = """() => {  // The first message of an analysis is lost.
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
        if (JSON.parse(text).type !== "annotate") return send.call(this, text);
        WebSocket.prototype.send = send;
        window.lose = () => this.close();
    };
}"""


@pytest.mark.parametrize("lose", ["lose()", "location.reload()"])
def test_an_analysis_of_the_whole_game_is_begun_again(study: Tab, lose: str) -> None:
    study.open_pgn("1. e4 e5 *", 2)
    study.page.evaluate(ONCE)
    study.press("Analyse the whole game")
    study.button("Stop").wait_for()
    study.page.evaluate(lose)
    study.page.wait_for_selector(".summary td:has-text('%')")
    study.page.wait_for_selector("#notice", state="hidden")
    words = study.page.locator(".summary small")
    assert words.all_inner_texts() == ["centipawns", "inaccuracies", "mistakes", "blunders"]
    for _ in study.sizes((900, 800), (390, 844)):
        assert not words.first.is_visible()  # There is no room.


def test_an_analysis_that_was_stopped_does_not_begin_again(study: Tab) -> None:
    study.open_pgn("1. e4 e5 *", 2)
    study.page.evaluate(ONCE)
    study.press("Analyse the whole game")
    study.press("Stop")
    study.page.reload()
    study.move("d2d4")  # The connection is there.
    assert study.button("Analyse the whole game").is_visible()


def test_glyphs_that_a_person_has_set_stay(study: Tab) -> None:
    study.open_pgn("1. f3 e5 2. g4 $5 Qh4# 0-1", 4)
    study.annotate()
    assert [written for written in study.moves() if written.startswith("g4")] == ["g4!?"]
    study.page.locator(".moves .comment", has_text=re.compile("Blunder: .* is better")).first.wait_for()


def test_what_is_wrong_with_a_pgn_is_said_once(study: Tab, tmp_path: Path) -> None:
    study.open_pgn("   ")
    study.page.wait_for_selector("#import .wrong:has-text('Paste a PGN first.')")
    study.open_pgn("There is no game in here.")
    study.page.wait_for_selector("#import .wrong:has-text('The game has no tag, move or result')")
    path = tmp_path / "large.pgn"
    path.write_text("1. e4 *\n\n" * 150_000)
    study.page.get_by_label("A file of games").set_input_files(path)
    says = "large.pgn has 1.4 MB: at most 1 MB are read here, any size by ox88 analyse."
    study.page.wait_for_selector(f"#import .wrong:has-text('{says}')")
    study.open_pgn("1. e4 (1. d4 (1. c4")
    study.page.wait_for_selector("#errors:text-is('A variation is not closed.')")
    study.open_pgn("1. e4 e5 2. Ke3 Nf6 *")
    study.page.wait_for_selector("#errors:has-text(\"'Ke3' is not a legal move\")")
    assert study.wait_for_moves(2) == ["e4", "e5"]
    assert study.page.locator(".moves .comment").count() == 0
    assert study.download_pgn().endswith("\n\n1. e4 e5 *\n")


def test_the_evaluation_bar_does_not_move_the_board(study: Tab) -> None:
    study.wait_for_square("e4", "empty")
    for _ in study.sizes():
        before = study.place()
        study.page.locator("#engine").click()
        study.page.wait_for_selector(".gauge:visible")
        study.page.wait_for_selector(".evaluation b:text-matches('[+-]?[0-9]')")
        assert study.place() == before
        study.page.locator("#engine").click()
        study.page.wait_for_selector(".gauge", state="hidden")
        assert study.place() == before
    study.click("e2")
    study.wait_for_square("e2", "white pawn, chosen")


def test_an_evaluation_is_said_in_words(study: Tab) -> None:
    study.open_pgn("1. e4 { [%eval 0.31] } e5 { [%eval -1.9] } 2. Ke2 { [%eval #-3] } *", moves=3)
    study.page.locator("h1").click()
    for number, words, short in (
        ("+0.31", "The position is equal", "0.3"),
        ("-1.90", "Black is better", "1.9"),
        ("#-3", "Black mates in 3", "#3"),
    ):
        study.page.keyboard.press("ArrowRight")
        study.page.wait_for_selector(f".evaluation b:text-is('{number}')")
        assert study.page.locator(".evaluation span").first.inner_text() == words
        assert study.page.locator(".gauge").get_attribute("aria-label") == f"Evaluation {number}: {words}"
        assert study.page.locator(".gauge-text").inner_text() == short
    assert study.page.locator(".graph .curve").count() == 1


def test_a_line_under_the_pointer_is_shown_on_a_small_board_and_a_mate_ends_the_search(study: Tab) -> None:
    study.set_position(BACK_RANK, shows="a1, white rook")
    study.page.locator("#engine").click()
    study.page.wait_for_selector(".line .value:has-text('#1')")
    study.page.locator(".line button:has-text('Ra8#')").hover()
    study.page.wait_for_selector(".preview use[href$=piece-R]")
    study.wait_for_count(".preview .square-trace", 2)
    study.wait_for_square("a1", "white rook")
    study.page.locator("h1").hover()
    study.page.wait_for_selector(".preview", state="hidden")
    study.page.locator(".line button:has-text('Ra8#')").focus()
    study.page.wait_for_selector(".preview use[href$=piece-R]")
    study.play("a1a8")
    study.page.wait_for_selector("text=The game is over: checkmate, 1-0.")


def test_micromax_analyses(study: Tab) -> None:
    study.page.locator("#analyst").select_option("micro-Max")
    study.page.locator("#engine").click()
    study.wait_for_count("#engine-lines .line", 1)
    assert not study.page.locator("#lines").is_visible()
    study.page.reload()
    study.wait_for_count("#engine-lines .line", 1)
    assert study.page.locator("#analyst").input_value() == "micro-Max"
    study.page.locator("#analyst").select_option("Ox88")
    study.wait_for_count("#engine-lines .line", 3)


def test_castling_and_en_passant_are_set_up(study: Tab) -> None:
    study.set_position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", shows="e5, white pawn")
    study.press("Set up a position")
    assert study.page.get_by_label("Capture en passant").input_value() == "d6"
    study.drag("h1", "h3")
    study.page.wait_for_selector("#setup input[value=K]", state="hidden")
    assert not study.page.get_by_label("White, king's side").is_checked()
    study.page.get_by_label("Black, queen's side").uncheck()
    study.press("Done")
    study.page.wait_for_selector("#setup", state="hidden")
    assert study.page.locator("#fen").input_value() == "r3k2r/8/8/3pP3/8/7R/8/R3K3 w Qk d6 0 1"
    study.press("Set up a position")
    study.page.get_by_role("radio", name="Black").check(force=True)
    assert study.page.get_by_label("Capture en passant").is_hidden()
    study.drag("e5", "e6")
    study.press("Done")
    study.page.wait_for_selector("#setup", state="hidden")
    assert study.page.locator("#fen").input_value() == "r3k2r/8/4P3/3p4/8/7R/8/R3K3 b Qk - 0 1"


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(board=boards())
@example(board=chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"))
@example(board=chess.Board("4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1"))
def test_squares_for_en_passant(study: Tab, board: chess.Board) -> None:
    """The set-up offers the square that python-chess knows, if a pawn stands beside it."""
    letters = ["." if piece is None else piece.symbol() for piece in map(board.piece_at, chess.SQUARES_180)]
    offer = "async ([letters, turn]) => (await import('/static/setup.js')).passantSquares(letters, turn)"
    offered = study.page.evaluate(
        offer, [[letter.replace(".", " ") for letter in letters], "white" if board.turn else "black"]
    )
    if board.ep_square is not None and board.has_pseudo_legal_en_passant():
        assert chess.square_name(board.ep_square) in offered
    for name in offered:
        other = board.copy(stack=False)
        other.ep_square = chess.parse_square(name)
        assert not other.status() & chess.STATUS_INVALID_EP_SQUARE
        assert other.has_pseudo_legal_en_passant()


def test_position_and_game_are_copied(study: Tab) -> None:
    study.open_pgn("1. e4 { Best. } e5 ( 1... c5 ) *", moves=2)
    study.keys("ArrowRight")
    copied(study, "Copy FEN", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    copied(study, "Copy PGN", "1. e4 { Best. } 1... e5 ( 1... c5 ) *")
    study.page.get_by_label("with comments, variations and analysis").uncheck()
    copied(study, "Copy PGN", "1. e4 e5 *")
    study.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # As without https.
    copied(study, "Copy FEN", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")


def copied(tab: Tab, button: str, ending: str) -> None:
    """Copy by a button, and paste into the field for PGN."""
    tab.press(button)
    tab.button("Copied").wait_for()
    field = tab.page.get_by_label("PGN", exact=True)
    field.fill("")
    field.press("Control+v")
    assert field.input_value().strip().endswith(ending)
    tab.button(button).wait_for()


def test_a_game_begins_from_the_analysis_and_from_the_set_up(study: Tab) -> None:
    study.open_pgn("1. e4 e5 2. Nf3 *", moves=3)
    study.keys("ArrowDown")
    study.press("Play from here")
    study.begin()
    study.wait_for_square("f3", "white knight")
    study.go("Analyse")
    study.press("Set up a position")
    study.press("Start position")
    study.drag("d2", "d4")
    study.press("Play it")
    study.begin()
    study.wait_for_square("d4", "white pawn")


def test_look_inside_opens_where_it_is_seen_and_nothing_of_it_is_covered_or_cut_off(tab: Tab) -> None:
    page = tab.page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("[data-go=inside]").click()
    box = page.locator("#picture svg").bounding_box()
    assert box["y"] + box["height"] <= 800
    board = page.locator("cg-board").bounding_box()
    assert box["x"] >= board["x"] + board["width"]
    assert board["y"] >= 0
    views = page.locator("#view option").evaluate_all("options => options.map(({ value }) => value)")
    for view in views[::-1]:
        title = page.locator("#picture h3").inner_text()
        page.locator("#view").select_option(view)
        page.wait_for_function("old => document.querySelector('#picture h3').textContent !== old", arg=title)
        for width, _ in tab.sizes():
            for selector in ("#picture .picture", "#picture .explanation"):
                part = page.locator(selector)
                part.scroll_into_view_if_needed()
                assert part.evaluate(IS_CLEAR) == "", (view, selector)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_picture_stays_legible_on_a_phone(tab: Tab) -> None:
    page = tab.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("[data-go=inside]").click()
    picture = page.locator("#picture svg")
    drawn = picture.evaluate("(svg) => svg.width.baseVal.value")

    def width() -> float:
        return float(picture.bounding_box()["width"])

    assert width() == pytest.approx(drawn, abs=1)
    tab.press("Full size")
    assert width() < 390
    tab.press("Full size")
    assert width() == pytest.approx(drawn, abs=1)


# Empty if the left, middle and right of an element are within the window, and nothing lies above them there.
IS_CLEAR = """(element) => {
  const box = element.getBoundingClientRect();
  for (const share of [0.02, 0.5, 0.98]) {
    const [x, y] = [box.left + share * box.width, Math.max(box.top, 0) + 5];
    if (x < 0 || x > innerWidth) return `${x} is outside`;
    const top = document.elementFromPoint(x, y);
    if (!element.contains(top)) return `${top?.outerHTML.slice(0, 80)} lies above ${x}, ${y}`;
  }
  return "";
}"""


def test_looking_inside(study: Tab) -> None:
    study.keys("i")
    study.page.wait_for_selector("#picture svg[role=img]")
    study.page.locator("#view").select_option("bitboard")
    study.page.get_by_label("Bits, with & | ^ ~").fill("white & pawns")
    study.page.keyboard.press("Enter")
    study.page.wait_for_selector("#picture svg:has-text('white & pawns')")
    study.page.get_by_label("Bits, with & | ^ ~").fill("white & elephants")
    study.page.keyboard.press("Enter")
    study.page.wait_for_selector("#picture .wrong:has-text('elephants')")


def test_the_game_that_was_played_is_analysed(tab: Tab) -> None:
    tab.new_game()
    tab.click("e2", "e4")
    moves = tab.wait_for_moves(2)
    tab.choose("Analyse")
    assert tab.wait_for_moves(2) == moves
    tab.move("d2d4")
    tab.wait_for_moves(3)


def test_the_rules_of_access_hold(study: Tab) -> None:
    """With a game and the engine, its analysis, an error, the set-up, and in Look inside."""
    study.open_pgn("1. e4 e5 2. Qh5 { Early. } ( 2. Nf3 $1 ) 2... Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", moves=7)
    study.keys("ArrowRight", "ArrowRight")
    study.page.locator("#engine").click()
    study.wait_for_count("#engine-lines .line", 3)
    study.check_access()
    study.page.locator("#engine").click()
    study.annotate()
    study.check_access()
    study.set_position("hello")
    study.page.wait_for_selector("#fen-wrong:has-text('FEN')")
    study.check_access()
    study.press("Set up a position")
    study.press("white queen")
    study.check_access()
    study.press("Done")
    study.open("Inside")
    study.page.wait_for_selector("#picture svg")
    study.check_access()
