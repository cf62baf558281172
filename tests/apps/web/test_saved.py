"""Saved analyses, through the WebSocket."""

import io
import re
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from starlette.testclient import TestClient

from ox88.apps.store import Store
from ox88.apps.web.saved import LONGEST_ANALYSIS
from ox88.apps.web.session import MOST_RESTORED
from tests.apps.web.conftest import OpenPage, Page, serving_page

OPERA = '[White "Morphy, Paul"]\n[Black "Allies"]\n\n1. e4 e5 2. Nf3 d6 { [%clk 0:01:00] Philidor } ( 2... Nc6 ) 1-0'
SPANISH = '[Event "Club"]\n[ChapterName "The \\"bishop\\""]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *'
EMPTY = "*"


def save(page: Page, *chapters: str | int, name: str = "Mine", **fields: Any) -> Any:
    return page.ask("save", "saved", name=name, chapters=chapters, **fields)


def texts_of(page: Page, analysis: str) -> Any:
    return page.ask("load", "analysis", analysis=analysis)["chapters"]


def test_an_analysis_is_there_for_the_next_server(store: Store, board: Path) -> None:
    for is_again in (False, True):
        with serving_page(store, board) as page:
            analysis = page.ask("analyses", "analyses")["analyses"][0]["id"] if is_again else None
            saved = {"analysis": analysis} if is_again else save(page, OPERA, SPANISH)
            said = page.ask("load", "analysis", analysis=saved["analysis"])
            assert (said["name"], said["revision"], said["chapters"]) == ("Mine", 1, [OPERA, SPANISH])


@pytest.mark.parametrize(
    ("chapters", "expected"),
    [
        ([0, "1. d4 *"], [OPERA, "1. d4 *"]),  # One is changed.
        ([1, 0], [SPANISH, OPERA]),
        ([1], [SPANISH]),
        ([0, 0, 1, "*"], [OPERA, OPERA, SPANISH, "*"]),
    ],
)
def test_a_change_names_chapters_that_stay_as_they_are(page: Page, chapters: list[Any], expected: list[str]) -> None:
    analysis = save(page, OPERA, SPANISH)["analysis"]
    assert save(page, *chapters, name=" Ours ", analysis=analysis, revision=1) == {
        "type": "saved", "analysis": analysis, "revision": 2, "name": "Ours", "about": "save",
    }  # fmt: skip
    assert texts_of(page, analysis) == expected


def test_a_change_that_is_refused_changes_nothing(page: Page) -> None:
    analysis = save(page, OPERA, SPANISH)["analysis"]
    cases: list[tuple[dict[str, Any], str]] = [
        ({"chapters": [2]}, "there is no chapter 2: they are numbered from 0 to 1"),
        ({"chapters": []}, "an analysis without chapters: it has at least one"),
        ({"chapters": ["x"], "revision": 0}, "the analysis has been changed on another page meanwhile"),
        ({"chapters": ["x"], "analysis": "y"}, "there is no analysis 'y'"),
        ({"chapters": [-1]}, "each a whole number from 0 to 1999 or a text of at most"),
        ({"chapters": ["x"] * 2001}, "chapters is ['x', 'x'"),
        ({"chapters": ["x" * (LONGEST_ANALYSIS - 150), 0, 1]}, f"at most {LONGEST_ANALYSIS:,} are kept"),
    ]
    for change, words in cases:
        said = page.ask("save", "error", **{"analysis": analysis, "revision": 1} | change)
        assert words in said["message"], words
        assert texts_of(page, analysis) == [OPERA, SPANISH]


def test_pages_are_told_of_each_other_s_changes(page: Page, open_page: OpenPage) -> None:
    analysis, other, third = save(page, OPERA)["analysis"], open_page(), open_page()
    texts_of(other, analysis)
    texts_of(third, analysis)
    third.ask("load", "analysis", analysis=save(third, "*")["analysis"])  # And leaves the first.
    save(other, 0, SPANISH, analysis=analysis, revision=1)
    told = page.hear("analysis")
    assert (told["revision"], told["chapters"], "about" in told) == (2, [OPERA, SPANISH], False)
    page.say("save", analysis=analysis, revision=2, chapters=[1])
    saved = page.socket.receive_json()  # No news of its own change comes before.
    assert (saved["type"], saved["revision"]) == ("saved", 3)
    assert other.hear("analysis")["chapters"] == [SPANISH]
    page.ask("delete", "deleted", analysis=analysis)
    assert other.hear("deleted")["analysis"] == analysis
    assert page.ask("load", "error", analysis=analysis)["message"] == f"there is no analysis '{analysis}'"
    third.say("games", text="1. e4")
    assert third.socket.receive_json()["type"] == "games"  # It has heard nothing.


def test_an_analysis_that_is_deleted_comes_back_as_it_was(page: Page, open_page: OpenPage, store: Store) -> None:
    """Also one that cannot be read, on any page. A page that shows it is told it."""
    store.analyses.save("x", {"pages": 1})
    analysis, other = save(page, OPERA)["analysis"], open_page()
    listed = page.ask("analyses", "analyses")
    for each in ("x", analysis):
        page.ask("delete", "deleted", analysis=each)
        assert page.ask("analyses", "analyses")["count"] == 1
        other.ask("restore", "restored", item=each)
        assert page.ask("analyses", "analyses") == listed
    assert page.ask("restore", "error", item=analysis)["message"].startswith(f"{analysis!r} cannot be brought back")
    other.ask("delete", "deleted", analysis=analysis)
    other.ask("restore", "restored", item=analysis)
    assert page.hear("analysis")["chapters"] == [OPERA]


def test_the_last_that_were_deleted_come_back(page: Page, store: Store) -> None:
    for number in range(MOST_RESTORED + 1):
        store.analyses.save(str(number), {})
        page.ask("delete", "deleted", analysis=str(number))
    assert "cannot be brought back" in page.ask("restore", "error", item="0")["message"]
    page.ask("restore", "restored", item="1")
    assert store.analyses.ids() == ["1"]


def test_a_copy_is_another_analysis(page: Page) -> None:
    analysis = save(page, OPERA)["analysis"]
    copy = page.ask("copy", "saved", analysis=analysis)
    save(page, "*", analysis=analysis, revision=1)
    assert (copy["name"], texts_of(page, copy["analysis"])) == ("Copy of Mine", [OPERA])


def test_the_list_is_searched_by_names_players_and_openings(page: Page) -> None:
    first = save(page, EMPTY, OPERA, name="Notes")["analysis"]
    save(page, SPANISH, OPERA, EMPTY, name="")
    listed = page.ask("analyses", "analyses")["analyses"]
    assert [item | {"id": "", "changed": 0, "fen": item["fen"].split("/")[0]} for item in listed] == [
        {"id": "", "changed": 0, "name": name, "chapters": count, "players": players, "opening": opening, "fen": rank,
         "uci": uci}
        for name, count, players, opening, rank, uci in (  # All is of one chapter.
            ("Analysis", 3, [], "C60 Ruy Lopez", "r1bqkbnr", "f1b5"),
            ("Notes", 2, ["Morphy, Paul", "Allies"], "C41 Philidor Defense", "rnbqkbnr", "d7d6"),
        )
    ]  # fmt: skip
    save(page, EMPTY, '[White "Carl"]\n\n*', SPANISH, name="Begun")  # A chapter with players and no moves counts.
    begun = page.ask("analyses", "analyses")["analyses"][0]
    assert (begun["players"], begun["opening"], begun["uci"]) == (["Carl", "?"], "", "")
    page.ask("delete", "deleted", analysis=begun["id"])
    for search, count in (("notes", 1), ("ALLIES", 2), ("ruy club", 1), ("philidor", 2), ("bishop", 1), ("x", 0)):
        assert page.ask("analyses", "analyses", search=search)["count"] == count
    save(page, 0, 1, name="Better notes", analysis=first, revision=1)
    assert [item["name"] for item in page.ask("analyses", "analyses")["analyses"]] == ["Better notes", "Analysis"]


def test_an_analysis_of_a_later_version_is_listed_as_such(page: Page, store: Store) -> None:
    store.analyses.save("x", {"pages": 1})
    assert "unexpected keyword argument" in page.ask("analyses", "analyses")["analyses"][0]["unreadable"]
    assert "later version" in page.ask("load", "error", analysis="x")["message"]
    page.ask("delete", "deleted", analysis="x")


def test_on_a_shared_server_a_page_is_shown_the_analyses_that_it_knows(store: Store, board: Path) -> None:
    with serving_page(store, board, "192.168.1.5") as page:
        known = save(page, OPERA)["analysis"]
        save(page, OPERA)
        assert page.ask("analyses", "analyses")["count"] == 0
        assert [item["id"] for item in page.ask("analyses", "analyses", analyses=[known])["analyses"]] == [known]
        assert texts_of(page, known) == [OPERA]


def test_an_analysis_as_pgn(page: Page, client: TestClient) -> None:
    """The PGN of an analysis is opened as the chapters that it was made of."""
    analysis = save(page, OPERA, SPANISH, EMPTY)["analysis"]
    response = client.get(f"/analysis/{analysis}.pgn")
    assert re.fullmatch(r'attachment; filename="ox88-\d{4}-\d\d-\d\d\.pgn"', response.headers["content-disposition"])
    games = io.StringIO(response.text)
    read = [chess.pgn.read_game(games) for _ in range(4)]
    assert [game and game.end().ply() for game in read] == [4, 5, 0, None]
    assert [game["text"] for game in page.ask("games", "games", text=response.text)["games"]] == [OPERA, SPANISH, EMPTY]
    assert client.get("/analysis/none.pgn").status_code == 404
