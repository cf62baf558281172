"""Analysis in a browser."""

from pathlib import Path

import pytest

from tests.apps.web.browser.conftest import Tab
from tests.conftest import DATA

FAMOUS = DATA / "games" / "famous.pgn"


@pytest.fixture
def study(tab: Tab) -> Tab:
    tab.analyse()
    return tab


def open_pgn(tab: Tab, text: str) -> None:
    if not tab.page.locator("#pgn[open]").count():
        tab.page.locator("#pgn summary").click()
    tab.page.get_by_label("PGN", exact=True).fill(text)
    tab.button("Open").click()


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
    page.wait_for_selector("#engine-lines:has-text('Switched off')")
    study.wait_for_count(".cg-shapes line", 0)


def test_a_mate_is_shown(study: Tab) -> None:
    study.page.locator("#fen").fill("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    study.button("Set up").click()
    study.wait_for_square("a1", "white rook")
    study.page.locator("#engine").click()
    study.page.wait_for_selector(".line .value:has-text('#1')")
    study.click("a1")
    study.wait_for_square("a8", "empty, can be reached")
    study.click("a8")
    study.page.wait_for_selector("text=The game is over: checkmate, 1-0.")


def test_games_are_opened_and_gone_through(study: Tab) -> None:
    open_pgn(study, FAMOUS.read_text())
    study.page.wait_for_selector("h2:has-text('Morphy, Paul')")
    study.page.locator("h1").click()
    for _ in range(3):
        study.page.keyboard.press("ArrowRight")
    study.wait_for_square("f3", "white knight")
    assert study.page.locator("#analyse .opening").inner_text().startswith("C40")
    study.page.get_by_label("Search games").fill("topalov")
    study.page.locator(".games li:not([hidden]) button").click()
    study.page.wait_for_selector("h2:has-text('Kasparov, Garry')")
    study.page.locator("h1").click()
    study.page.keyboard.press("ArrowDown")
    study.page.wait_for_selector("[aria-current=true] >> text=Qa7")
    study.page.reload()
    study.page.wait_for_selector("h2:has-text('Kasparov, Garry')")


def test_a_file_with_a_game_is_analysed_to_its_graph(study: Tab, tmp_path: Path) -> None:
    path = tmp_path / "scholar.pgn"
    path.write_text('[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n')
    study.page.locator("input[type=file]").set_input_files(path)
    study.wait_for_moves(7)
    study.button("Analyse the whole game").click()
    study.page.wait_for_selector(".summary td:has-text('%')")
    assert study.page.locator(".graph .curve").count() == 1
    assert study.page.locator(".graph .mark").count() >= 1
    assert "Nf6??" in study.moves()
    study.button("Next mistake").click()
    box = study.page.locator(".graph").bounding_box()
    study.page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 20)
    study.wait_for_square("f7", "white queen")
    with study.page.expect_download() as download:
        study.button("Annotated PGN").click()
    assert "[%eval #1]" in Path(download.value.path()).read_text()


def test_another_move_makes_a_line_beside_the_game(study: Tab) -> None:
    open_pgn(study, "1. e4 e5 2. Nf3 Nc6 *")
    study.wait_for_moves(4)
    study.page.locator("h1").click()
    study.page.keyboard.press("ArrowRight")
    study.click("c7")
    study.wait_for_square("c5", "empty, can be reached")
    study.click("c5")
    study.page.wait_for_selector(".side button[aria-current=true]:has-text('1… c5')")
    assert study.moves() == ["e4", "e5", "Nf3", "Nc6"]
    study.page.locator("h1").click()
    study.page.keyboard.press("ArrowLeft")
    study.wait_for_square("c7", "black pawn")


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1", "White has no king"),
        ("hello", "FEN 'hello'"),
    ],
)
def test_a_bad_fen_says_why(study: Tab, fen: str, reason: str) -> None:
    study.page.locator("#fen").fill(fen)
    study.button("Set up").click()
    study.page.wait_for_selector(f'#fen-wrong:has-text("{reason}")')
    study.wait_for_square("e1", "white king")


def test_pieces_are_placed(study: Tab) -> None:
    study.button("Place pieces").click()
    study.button("Empty board").click()
    for name, square in (("white king", "e1"), ("black king", "e2")):
        study.button(name).click()
        study.click(square)
    study.button("Done").click()
    study.page.wait_for_selector("#setup .wrong:has-text('Black is in check, but it is White')")
    study.button("black king").click()
    study.drag("e2", "e7")
    study.button("Done").click()
    study.page.wait_for_selector("#setup", state="hidden")
    study.wait_for_square("e7", "black king")


def test_a_pgn_that_is_none(study: Tab) -> None:
    open_pgn(study, "   ")
    study.page.wait_for_selector("#pgn .wrong:has-text('Paste a PGN first.')")
    open_pgn(study, "There is no game in here.")
    study.page.wait_for_selector("#notice:has-text('There are no moves that can be read')")


def test_a_file_that_is_too_large(study: Tab, tmp_path: Path) -> None:
    path = tmp_path / "large.pgn"
    path.write_text("1. e4 *\n\n" * 150_000)
    study.page.locator("input[type=file]").set_input_files(path)
    study.page.wait_for_selector("#pgn .wrong:has-text('large.pgn has 1.4 MB: at most 1 MB are read here')")


def test_looking_inside(study: Tab) -> None:
    study.page.locator("h1").click()
    study.page.keyboard.press("i")
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
    tab.button("Analyse").click()
    assert tab.wait_for_moves(2) == moves
    tab.click("d2")
    tab.wait_for_square("d4", "empty, can be reached")
    tab.click("d4")
    tab.wait_for_moves(3)
