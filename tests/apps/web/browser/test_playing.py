"""Games in a browser."""

import io
import re
import shutil
from pathlib import Path

import chess
import chess.pgn

from tests.apps.web.browser.conftest import OpenTab, Tab, serving

TWO_ROOKS = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
BEFORE_PROMOTION = "8/P6k/8/8/8/8/7P/K7 w - - 0 1"


def test_a_whole_game_to_mate_by_clicks(tab: Tab) -> None:
    """Mate with two rooks."""
    tab.new_game(TWO_ROOKS)
    board = chess.Board(TWO_ROOKS)
    while not board.is_checkmate():
        move = mating_move(board)
        tab.click(chess.square_name(move.from_square), chess.square_name(move.to_square))
        plies = len(board.move_stack) + 1
        board.push(move)
        if board.is_checkmate():
            break
        moves = tab.wait_for_moves(plies + 1)
        board.push_san(moves[-1])
    tab.page.wait_for_selector("text=You won, 1-0")
    assert tab.page.locator(".result").inner_text().endswith("Checkmate")
    tab.wait_for_count("square.check", 1)
    with tab.page.expect_download() as download:
        tab.button("PGN").click()
    game = chess.pgn.read_game(io.StringIO(Path(download.value.path()).read_text()))
    assert game is not None
    assert game.end().board().fen() == board.fen()


def mating_move(board: chess.Board) -> chess.Move:
    """A mate if there is one; else the move that leaves the lone king the fewest squares, and loses no rook."""

    def badness(move: chess.Move) -> tuple[int, int]:
        board.push(move)
        replies = list(board.legal_moves)
        is_bad = board.is_stalemate() or any(board.is_capture(reply) for reply in replies)
        king = board.king(chess.BLACK)
        assert king is not None
        room = 0 if board.is_checkmate() else 1000 * is_bad + 10 * room_of(board, king) + len(replies)
        board.pop()
        return room, move.from_square

    return min(board.legal_moves, key=badness)


def room_of(board: chess.Board, king: chess.Square) -> int:
    """The ranks that the rooks leave the king."""
    ranks = {chess.square_rank(rook) for rook in board.pieces(chess.ROOK, chess.WHITE)}
    below = [rank for rank in ranks if rank < chess.square_rank(king)]
    return 7 - max(below, default=-1) + (10 if len(ranks) < 2 else 0)


def test_a_promotion_is_chosen(tab: Tab) -> None:
    tab.new_game(BEFORE_PROMOTION)
    tab.click("a7", "a8")
    tab.page.get_by_role("dialog", name="The pawn becomes").wait_for()
    tab.page.keyboard.press("Escape")
    tab.wait_for_square("a7", "white pawn")
    tab.click("a7", "a8")
    tab.button("knight").click()
    assert tab.wait_for_moves(2)[0] == "a8=N"
    tab.wait_for_square("a8", "white knight")


def test_moves_are_dragged_premoved_and_taken_back(tab: Tab) -> None:
    tab.page.locator("select[name=clock]").select_option("none/1")
    tab.new_game()
    tab.drag("e2", "e4")
    assert tab.wait_for_moves(2)[0] == "e4"
    tab.button("Take back").click()
    tab.wait_for_moves(0)
    tab.wait_for_square("e2", "white pawn")


def test_a_premove_is_played_when_its_turn_comes(tab: Tab) -> None:
    tab.page.get_by_role("radio", name="micro-Max").check()
    tab.page.locator("select[name=clock]").select_option("none/3")
    tab.button("Play").click()
    tab.page.wait_for_selector("#move")
    tab.click("e2", "e4")
    tab.page.wait_for_selector("text=thinking …")
    tab.click("a2", "a4")
    tab.wait_for_count("square.current-premove", 2)
    assert tab.wait_for_moves(4)[2] == "a4"


def test_the_game_goes_on_after_a_reload(tab: Tab) -> None:
    tab.new_game()
    tab.click("d2", "d4")
    moves = tab.wait_for_moves(2)
    tab.page.reload()
    assert tab.wait_for_moves(2) == moves
    tab.click("g1", "f3")
    assert tab.wait_for_moves(4)[2] == "Nf3"


def test_the_game_goes_on_after_the_server_was_killed(open_tab: OpenTab, chessground: Path, tmp_path: Path) -> None:
    shutil.copytree(chessground, tmp_path / "chessground")
    with serving(tmp_path) as url:
        tab = open_tab(url=url)
        tab.new_game()
        tab.click("c2", "c4")
        moves = tab.wait_for_moves(2)
    tab.page.wait_for_selector("text=The connection to the server is lost")
    with serving(tmp_path, int(url.strip("/").rpartition(":")[2])):
        tab.page.wait_for_selector("#notice", state="hidden")
        assert tab.wait_for_moves(2) == moves
        tab.click("b1", "c3")
        assert tab.wait_for_moves(4)[2] == "Nc3"


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


def test_a_move_that_cannot_be_played_says_why(tab: Tab) -> None:
    tab.new_game()
    tab.page.locator("#move").fill("Bc4")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector("#notice:has-text('no bishop of White')")


def test_resigning_is_asked_twice(tab: Tab) -> None:
    tab.new_game(side="Black")
    tab.wait_for_moves(1)
    tab.button("Resign").click()
    tab.button("Really resign?").click()
    tab.page.wait_for_selector("text=Ox88 won, 1-0")


def test_a_position_that_cannot_be_played(tab: Tab) -> None:
    tab.page.locator("input[name=fen]").fill("8/8/8/8/8/8/8/8 w - - 0 1")
    tab.button("Play").click()
    tab.page.wait_for_selector("#notice:has-text('White has no king')")
    assert tab.button("Play").is_visible()


def test_the_phone_needs_no_sideways_scrolling(open_tab: OpenTab) -> None:
    tab = open_tab(390, 844, has_touch=True, is_mobile=True)
    tab.new_game()
    tab.click("e2", "e4")
    tab.wait_for_moves(2)
    for link in ("Analyse", "Play"):
        tab.page.get_by_role("link", name=link).click()
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert tab.page.locator("cg-board").bounding_box()["width"] > 350


def test_nothing_is_asked_of_others(tab: Tab, server: str) -> None:
    tab.new_game()
    tab.analyse()
    assert tab.requests
    assert all(re.match(rf"{server}|blob:|data:", url) for url in tab.requests)
