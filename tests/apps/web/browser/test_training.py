"""Sessions of puzzles in a browser."""

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ox88.apps.puzzles.open_set import load
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.records import Card, Records
from ox88.fen import STARTPOS
from tests.apps.train.conftest import FORK
from tests.apps.train.moved import days_later
from tests.apps.web.browser.conftest import OpenTab, Tab, port_of, serving
from tests.apps.web.browser.test_handling import PASTE
from tests.apps.web.browser.test_layout import PANNED, in_sight

pytestmark = pytest.mark.slow

MATE = Puzzle(  # Two rooks can mate.
    "mate", "7k/5ppp/8/8/8/8/5PPP/RR4K1 b - - 0 20", ("h8g8", "a1a8"), 600, ("backRankMate", "mateIn1", "oneMove"),
    "Ada, Charles", "h2h3", "Misses mate in 1: Ra8#.",
)  # fmt: skip
VERDICT, QUESTION, ABOUT = "#drill .verdict", "#drill .ask", "#drill .about"
STORE = "games.sqlite3"
PGN = """[White "Ada"]\n[Black "Charles"]\n\n1. e4 e5 *\n\n[White "Ada"]\n[Black "Mary"]\n\n1. d4 d5 *\n"""


@pytest.fixture
def url(data: Path) -> Iterator[str]:
    """A server with two mistakes to train, the fork first."""
    keep_mistakes(data)
    with serving(data) as address:
        yield address


def keep_mistakes(data: Path) -> None:
    with Store(data / STORE) as store:
        Records(store).keep([Card.of(FORK, "mistake", 10)])
        Records(store).keep([Card.of(MATE, "mistake", 9)])


@pytest.fixture
def trainer(url: str, open_tab: OpenTab) -> Tab:
    return begun(open_tab(url=f"{url}#train"))


def begun(tab: Tab) -> Tab:
    tab.press("Train 2 positions")
    tab.page.wait_for_selector(f"{QUESTION}:has-text('Black to move')")
    tab.wait_for_square("a4", "white bishop")  # The move before has been played.
    return tab


def says(tab: Tab, selector: str, words: str) -> None:
    tab.page.locator(selector, has_text=words).wait_for()


def answer(tab: Tab, move: str) -> None:
    tab.page.locator("#answer").fill(move)
    tab.page.keyboard.press("Enter")


def grades(tab: Tab) -> list[str]:
    """What the dots of the session say."""
    texts = tab.page.locator(".marks:visible li .aside").all_text_contents()
    return [text.partition(": ")[2] for text in texts]


def leave(tab: Tab) -> None:
    tab.press("End")
    tab.page.get_by_role("link", name="To the beginning").click()


def wait_for_drawn(tab: Tab, shape: str) -> None:
    tab.page.wait_for_selector(f".cg-shapes {shape}, .cg-custom-svgs {shape}", state="attached")


def mate_is_shown(tab: Tab) -> None:
    tab.wait_for_square("b1", "white rook")
    tab.wait_for_square("h8", "empty")  # The move before has been played.


# --- A session --------------------------------------------------------------------------------------------------------


def test_a_session_of_mistakes_comes_back_tomorrow(trainer: Tab, data: Path) -> None:
    page = trainer.page
    says(trainer, QUESTION, "You played 16… Qa5: find a better move.")
    wait_for_drawn(trainer, "line[stroke='#882020']")
    assert grades(trainer) == ["now", "to come"]
    trainer.move("a7a6")
    says(trainer, VERDICT, "✗ Wrong. a6 is not it. Try again.")
    wait_for_drawn(trainer, "text:text-is('✗')")
    trainer.wait_for_square("a7", "black pawn")
    assert grades(trainer) == ["wrong", "to come"]
    trainer.press("Hint")
    wait_for_drawn(trainer, "circle[stroke='#1d8f6d']")
    trainer.move("d6f4")
    says(trainer, VERDICT, "✓ Right. Go on.")
    trainer.wait_for_square("f4", "white queen")
    trainer.wait_for_count(".cg-shapes circle", 0)
    trainer.move("c7f4")
    says(trainer, VERDICT, "✓ Right. Found after a wrong move. 16… Qa5? Bf4 pins the queen.")
    says(trainer, ABOUT, "Pin · Back tomorrow · a game")
    trainer.button("16… Bf4").click()
    trainer.wait_for_square("f4", "black bishop")
    assert grades(trainer) == ["right in the end", "to come"]
    trainer.press("Next")
    says(trainer, QUESTION, "White to move. You played 21. h3")
    trainer.press("Show")
    says(trainer, VERDICT, "The answer: 21. Ra8#. 21. h3? Misses mate in 1")
    wait_for_drawn(trainer, "line[stroke='#1d8f6d']")
    trainer.press("Next")
    page.get_by_role("heading", name="0 of 2 right").wait_for()
    says(trainer, "#session-over", "Coming back: 2 tomorrow.")
    assert grades(trainer) == ["right in the end", "wrong"]
    trainer.page.get_by_role("link", name="To the beginning").wait_for()
    assert not trainer.button("Next session").is_visible()  # Nothing waits.
    page.keyboard.press("Enter")
    says(trainer, "#panel-train .today", "Nothing is due today 2 come back tomorrow. 2 answered today.")
    days_later(data / STORE, 1)
    page.reload()
    says(trainer, "#panel-train .today", "2 due")
    begun(trainer)
    says(trainer, QUESTION, "You have seen it before.")


def test_a_reload_goes_on_where_one_was_and_another_mate_is_right_too(trainer: Tab) -> None:
    trainer.move("d6f4")
    trainer.wait_for_square("f4", "white queen")
    trainer.page.reload()
    trainer.wait_for_square("f4", "white queen")
    answer(trainer, "Qxf4")
    says(trainer, VERDICT, "✓ Right.")
    trainer.page.reload()
    says(trainer, VERDICT, "✓ Right.")
    trainer.press("End")
    says(trainer, "#session-over", "1 of 1 right")
    says(trainer, "#session-over", "1 of 2 answered.")
    assert grades(trainer) == ["right", "to come"]
    trainer.press("Go on")
    says(trainer, VERDICT, "✓ Right.")
    leave(trainer)
    trainer.press("Go on: My mistakes, 1 of 2")
    trainer.press("Next")
    mate_is_shown(trainer)
    trainer.move("b1b8")
    says(trainer, VERDICT, "✓ Right.")
    trainer.wait_for_square("b8", "white rook")
    assert grades(trainer) == ["right", "right"]
    trainer.press("Next")
    trainer.page.wait_for_function("() => location.hash === '#train/over'")
    trainer.page.reload()
    trainer.page.get_by_role("heading", name="2 of 2 right").wait_for()


def test_all_other_moves_that_are_right_are_named(data: Path, open_tab: OpenTab) -> None:
    with Store(data / STORE) as store:
        for name, added in (("found", 10), ("shown", 9)):
            puzzle = replace(FORK, id=name, moves=FORK.moves[:2])
            Records(store).keep([Card.of(puzzle, "mistake", added, ("d6h2", "c7c4"))])
    with serving(data) as url:
        tab = begun(open_tab(url=f"{url}#train"))
        tab.move("d6h2")
        says(tab, VERDICT, "✓ Right. 16… Qa5? Bf4 pins the queen. Also good: Bf4, Qc4.")
        tab.page.reload()
        says(tab, VERDICT, "Also good: Bf4, Qc4.")
        tab.press("Next")
        tab.wait_for_square("d6", "black bishop")
        tab.press("Show")
        says(tab, VERDICT, "The answer: 16… Bf4. 16… Qa5? Bf4 pins the queen. Also good: Bxh2, Qc4.")


def test_keys_alone_lead_through_a_session(trainer: Tab) -> None:
    page = trainer.page
    trainer.keys("h")
    page.wait_for_selector("#spoken:has-text('Hint: the piece on d6')", state="attached")
    page.keyboard.press("m")
    page.keyboard.type("e4")
    page.keyboard.press("Enter")
    says(trainer, "#answer-wrong", "e4")
    for move in ("Bf4", "Qxf4"):
        page.keyboard.press("Control+a")
        page.keyboard.type(move)
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('#answer').value === ''")
    says(trainer, VERDICT, "Found with a hint.")
    page.wait_for_selector("#spoken:has-text('Right. Found with a hint.')", state="attached")
    assert page.evaluate("document.activeElement.textContent") == "Next"
    page.keyboard.press("Enter")
    says(trainer, QUESTION, "White to move")
    assert page.evaluate("document.activeElement.id") == "answer"
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    says(trainer, VERDICT, "The answer")
    page.keyboard.press("ArrowRight")
    trainer.wait_for_square("a8", "white rook")
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="0 of 2 right").wait_for()


def test_a_killed_server_loses_no_answer_and_locks_the_board_until_it_is_back(data: Path, open_tab: OpenTab) -> None:
    keep_mistakes(data)
    with serving(data) as url:
        tab = begun(open_tab(url=f"{url}#train"))
        tab.move("a7a6")
        says(tab, VERDICT, "a6 is not it")
    tab.notice("is lost")
    tab.wait_for_square("a7", "black pawn")
    tab.click("d6")
    tab.press("Keyboard shortcuts")  # Something that is seen when the click before it has been heard.
    tab.press("Close")
    assert tab.square("d6") == "d6, black bishop"
    answer(tab, "Bf4")
    with serving(data, port_of(url)):
        tab.page.locator("#notice").wait_for(state="hidden")
        says(tab, VERDICT, "Wrong. Try again.")  # The session goes on.
        tab.wait_for_square("a4", "white bishop")
        tab.page.locator("#answer").press("Enter")  # What was written stands there yet.
        tab.wait_for_square("f4", "white queen")
        tab.move("c7f4")
        says(tab, VERDICT, "✓ Right. Found after a wrong move.")
        tab.press("Next")
        mate_is_shown(tab)
        tab.move("a1a8")
        says(tab, VERDICT, "✓ Right.")
        tab.press("End")
        home = tab.page.get_by_role("link", name="To the beginning")
        home.wait_for()
        assert not tab.button("Go on").is_visible()  # All are answered.
        home.click()
        says(tab, ".today", "2 answered today.")


def test_a_page_catches_up_with_another_one_that_has_gone_on(trainer: Tab, url: str, open_tab: OpenTab) -> None:
    other = open_tab(url=f"{url}#train/mistakes")
    other.wait_for_square("a4", "white bishop")
    other.move("d6f4")
    other.wait_for_square("f4", "white queen")
    answer(trainer, "Bf4")  # The other page has played it.
    trainer.notice("Another page has gone on.")
    trainer.wait_for_square("f4", "white queen")
    other.press("Show")
    other.press("Next")
    mate_is_shown(other)
    trainer.press("Hint")
    mate_is_shown(trainer)
    trainer.move("a1a8")
    says(trainer, VERDICT, "✓ Right.")
    assert grades(trainer) == ["wrong", "right"]


def test_a_rush_that_has_ended_while_nothing_was_heard_does_not_begin_anew(data: Path, open_tab: OpenTab) -> None:
    with serving(data) as url:
        tab = open_tab(url=f"{url}#train")
        tab.press("Begin a rush")
        says(tab, "#drill header", "0 right, 0 errors")
    tab.notice("is lost")
    with contextlib.closing(sqlite3.connect(data / STORE)) as file, file:
        file.execute("UPDATE sessions SET data = json_set(data, '$.session.end', 1)")
    with serving(data, port_of(url)):
        tab.page.locator(".today .primary").wait_for()


# --- The open set -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solutions() -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in load()}


def current(tab: Tab) -> str:
    """The key of the puzzle that is shown."""
    return str(tab.page.locator("#drill").get_attribute("data-key"))


def wait_for_another(tab: Tab, key: str) -> None:
    tab.page.wait_for_selector(f"#drill:not([data-key='{key}'])", state="attached")


def solve(tab: Tab, solutions: dict[str, Puzzle]) -> None:
    for move in solutions[current(tab)].solution[::2]:
        answer(tab, str(move))
        tab.page.wait_for_function("() => document.querySelector('#answer').value === ''")


def miss(tab: Tab, solutions: dict[str, Puzzle]) -> None:
    puzzle = solutions[current(tab)]
    board = puzzle.board()
    wrong = (move for move in board.legal_moves if move != puzzle.solution[0] and not board.san(move).endswith("#"))
    answer(tab, str(next(wrong)))


def test_a_rush_counts_what_is_right_until_the_third_error(
    url: str, open_tab: OpenTab, solutions: dict[str, Puzzle]
) -> None:
    tab = open_tab(url=f"{url}#train")
    tab.press("Begin a rush")
    says(tab, "#drill header", "0 right, 0 errors")
    assert not tab.button("Hint").is_visible()
    assert re.fullmatch(r"[23]:\d\d", tab.page.locator("#drill .clock").inner_text())
    key = current(tab)
    solve(tab, solutions)
    says(tab, "#drill header", "1 right, 0 errors")
    wait_for_another(tab, key)
    assert tab.page.evaluate("document.activeElement.id") == "answer"
    for errors in (1, 2):
        key = current(tab)
        miss(tab, solutions)
        says(tab, "#drill header", f"1 right, {errors} error")
        wait_for_another(tab, key)
    miss(tab, solutions)
    tab.page.get_by_role("heading", name="1 right").wait_for()
    says(tab, "#session-over", "Your best rush.")
    tab.page.get_by_role("link", name="To the beginning").click()
    says(tab, "#best", "best: 1")


def test_a_theme_is_trained_and_counted(url: str, open_tab: OpenTab, solutions: dict[str, Puzzle]) -> None:
    tab = open_tab(url=f"{url}#train")
    tab.page.get_by_label("Theme").select_option("mate in 1")
    tab.press("Begin the theme")
    tab.page.get_by_role("heading", name="Mate in 1").wait_for()
    solve(tab, solutions)
    says(tab, ABOUT, "Mate in 1")
    says(tab, ABOUT, "Yours 1")
    key = current(tab)
    tab.press("Next")
    wait_for_another(tab, key)
    says(tab, "#drill header", "2 of 10")
    miss(tab, solutions)
    says(tab, VERDICT, "✗ Wrong.")
    leave(tab)
    row = tab.page.get_by_role("row", name=re.compile("^Mate in 1"))
    assert row.inner_text().split("\t")[-1] == "1 of 2"
    assert row.locator("progress[max='2']").get_attribute("value") == "1"
    assert tab.page.locator("#train-start .days").get_attribute("aria-label").startswith("today 0, ")


# --- Games, and all of it as a file -----------------------------------------------------------------------------------


def test_who_one_is_in_a_pgn_is_chosen_and_remembered(url: str, open_tab: OpenTab) -> None:
    tab = open_tab(url=f"{url}#train")
    for chosen in ("Ada (2 games)", "Mary (one game)"):
        tab.page.locator(".today .primary").wait_for()
        tab.page.evaluate(PASTE, PGN)
        who = tab.page.get_by_label("I am")
        assert who.locator("option:checked").inner_text() == chosen
        who.select_option("Mary (one game)")
        tab.press("Find my mistakes")
        says(tab, ".learnt", "from one game.")
        assert "#train" in tab.page.url
    tab.page.evaluate(PASTE, "8/8/8/8/8/8/8/K1k5 w - - 0 1")
    says(tab, "#from-games .wrong", "A position has no mistakes")
    large = {"name": "mine.pgn", "mimeType": "text/plain", "buffer": b"1. e4 *\n\n" * 150_000}
    tab.page.get_by_label("A file of your games").set_input_files(large)
    says(tab, "#from-games .wrong", "at most 1 MB are read here, any size by ox88 train --games.")


def test_after_a_game_its_mistakes_are_trained(data: Path, open_tab: OpenTab) -> None:
    game = {"engine": "Ox88", "elo": 2000, "seconds": 3.0, "side": "white", "start": STARTPOS, "date": "2026-11-01"}
    over: dict[str, Any] = {"clocks": [], "clock": None, "verdict": "White resigns, 0-1", "scores": []}
    moves = ["e2e4", "e7e5", "f1c4", "b8c6", "d1f3", "f8c5", "f3b3", "c5f2", "e1f2"]
    with Store(data / STORE) as store:
        store.games.save("a-game-of-pieces", {**game, **over, "moves": moves})
    with serving(data) as url:
        tab = open_tab(url=f"{url}#play/a-game-of-pieces")
        tab.press("Three positions to learn from")
        says(tab, QUESTION, "You played 4. Qb3: find a better move.")
        tab.wait_for_square("c5", "black bishop")
        tab.move("f3f7")
        says(tab, VERDICT, "✓ Right.")
        tab.page.get_by_role("link", name="The game").click()
        tab.page.wait_for_selector(".result:has-text('resigns')")
        tab.go("Train")
        says(tab, VERDICT, "✓ Right.")
        tab.press("Analyse")
        tab.wait_for_square("f3", "white queen")
        assert tab.wait_for_moves(1) == ["Qxf7#"]


def test_export_and_import(trainer: Tab, tab: Tab, tmp_path: Path) -> None:
    trainer.press("Show")
    says(trainer, VERDICT, "The answer:")
    leave(trainer)
    with trainer.page.expect_download() as download:
        trainer.page.get_by_role("link", name="Export").click()
    file = tmp_path / "training.json"
    download.value.save_as(file)
    assert len(json.loads(file.read_text())["cards"]) == 2
    tab.go("Train")
    tab.page.get_by_label("A file that was exported").set_input_files(file)
    says(tab, "#train-file", "Imported: 2 puzzles and 1 answer that were not here.")
    says(tab, ".today", "1 new from your mistakes")
    file.write_text("{}")
    tab.page.get_by_label("A file that was exported").set_input_files(file)
    says(tab, "#train-file", "This is no training that was exported")
    assert "400" in tab.faults.pop()  # Browsers complain of it too.


# --- Where things stand -----------------------------------------------------------------------------------------------


def test_the_rules_of_access_hold_while_one_trains(url: str, open_tab: OpenTab) -> None:
    tab = open_tab(url=f"{url}#train")
    tab.page.locator(".today .primary").wait_for()
    tab.page.evaluate(PASTE, PGN)
    tab.button("Find my mistakes").wait_for()
    tab.check_access()
    begun(tab)
    tab.check_access()
    tab.move("a7a6")
    says(tab, VERDICT, "a6 is not it")
    tab.check_access()
    tab.press("Show")
    says(tab, VERDICT, "The answer")
    tab.check_access()
    tab.press("Next")
    tab.press("Show")
    tab.press("Next")
    tab.page.get_by_role("heading", name="0 of 2 right").wait_for()
    tab.check_access()
    tab.page.get_by_role("link", name="To the beginning").click()
    tab.page.locator(".themes").wait_for()
    tab.check_access()


def test_board_question_and_buttons_are_seen_at_once(url: str, open_tab: OpenTab) -> None:
    tab = open_tab(url=f"{url}#train", reduced_motion="reduce")
    tab.page.locator(".today .primary").wait_for()
    for _ in tab.sizes(*ALL_SIZES):
        assert tab.page.evaluate(PANNED) == 0
    begun(tab)
    all_in_sight(tab, "cg-board", QUESTION, "#drill [data-do=hint]")
    tab.press("Show")
    says(tab, VERDICT, "The answer")
    all_in_sight(tab, "cg-board", "#drill [data-do=next]")


ALL_SIZES = [(1440, 900), (1024, 768), (820, 1180), (390, 844), (360, 740), (320, 568), (844, 390)]
SMALL = "all => all.filter((each) => each.checkVisibility() && each.offsetHeight < 24).map((each) => each.outerHTML)"


def all_in_sight(tab: Tab, *selectors: str) -> None:
    for _ in tab.sizes(*ALL_SIZES):
        tab.page.evaluate("scrollTo(0, 0)")
        for selector in selectors:
            in_sight(tab, selector)
        assert tab.page.evaluate(PANNED) == 0
        assert tab.page.locator("#panel-train :is(button, select, a.plain)").evaluate_all(SMALL) == []
