"""The library that pages explore: it is named once and remembered, and its index is made while pages are served."""

import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from ox88.apps.store import Store
from ox88.apps.web.cli import library_files
from ox88.apps.web.explorer import ExploredLibrary
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from tests.apps.web.conftest import FAMOUS, Page, Said, serving_page
from tests.conftest import RunPython
from tests.processes import wait_until


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ox88.batch.pgn.explorer.default_root", lambda: tmp_path / "cache")


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    """A file of the user's, in a folder that no page may see."""
    file = tmp_path / "secret" / "famous.pgn"
    file.parent.mkdir()
    file.write_bytes(FAMOUS.read_bytes())
    return file


@pytest.fixture
def page(store: Store, board: Path, pgn: Path) -> Iterator[Page]:
    with serving_page(store, board, explored=[pgn]) as page:
        yield page


def explored(page: Page, *moves: str) -> Said:
    """The answer on a position, once the index is made."""
    while True:
        answer = page.ask("explore", "explored", start=STARTPOS, moves=moves)
        assert answer["files"] == ["famous.pgn"]
        if "found" in answer:
            return answer
        assert 0 <= answer["share"] <= 1
        time.sleep(0.02)


def test_a_page_explores_and_opens_a_game(page: Page, pgn: Path) -> None:
    answer = explored(page, "e4", "e7e5")
    found = answer["found"]
    assert (answer["total"], found["count"], found["white"], found["opening"]) == (3, 2, 2, "C20 King's Pawn Game")
    assert [(move["san"], move["uci"], move["count"]) for move in found["moves"]] == [
        ("Nf3", "g1f3", 1),
        ("f4", "f2f4", 1),
    ]
    assert [(game["white"], game["date"], game["number"]) for game in found["games"]] == [
        ("Morphy, Paul", "1858", 1),
        ("Anderssen, Adolf", "1851.06.21", 2),
    ]
    games = page.ask("past", "games", past=found["games"][0]["game"])["games"]
    assert games[0]["tags"]["White"] == found["games"][0]["white"]
    nothing = explored(page, "h4")["found"]
    assert (nothing["count"], nothing["rating"], nothing["moves"], nothing["games"]) == (0, None, [], [])
    assert "Ke3" in page.ask("explore", "error", start=STARTPOS, moves=["Ke3"])["message"]
    assert "no game 3 in the library" in page.ask("past", "error", past=3)["message"]
    pgn.write_text("1. d4 *", encoding="utf-8")
    message = page.ask("past", "error", past=0)["message"]
    assert message == "famous.pgn has changed since its index was made"


def test_without_a_library(store: Store, board: Path) -> None:
    with serving_page(store, board) as page:
        answer = page.ask("explore", "explored", start=STARTPOS, moves=[])
        assert answer == {"type": "explored", "files": [], "about": "explore"}
        assert "no game 0" in page.ask("past", "error", past=0)["message"]


def test_a_file_that_is_gone_is_told_without_its_folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    library = ExploredLibrary([tmp_path / "gone.pgn"])
    library.prepare()
    with pytest.raises(Ox88Error, match=r"^the games cannot be explored: the server has written why"):
        library.explore(chess.Board())
    assert [record.getMessage().partition("gone.pgn")[2] for record in caplog.records] == [
        "' cannot be opened: No such file or directory"
    ]


def test_a_file_that_changes_or_comes_is_read_again(page: Page, pgn: Path, tmp_path: Path) -> None:
    assert explored(page)["total"] == 3
    pgn.write_text("1. d4 d5 *\n\n1. d4 f5 *", encoding="utf-8")
    wait_until(lambda: explored(page, "d4")["total"] == 2)  # The index before answers.
    assert explored(page, "d4")["found"]["count"] == 2
    assert "f5" in page.ask("past", "games", past=1)["games"][0]["text"]
    library = ExploredLibrary([tmp_path / "later.pgn"])
    library.prepare()
    (tmp_path / "later.pgn").write_text("1. e4 *", encoding="utf-8")
    wait_until(lambda: library.explore(chess.Board()).get("total") == 1)


def test_a_server_that_ends_makes_no_index_to_its_end(pgn: Path, tmp_path: Path) -> None:
    library = ExploredLibrary([pgn])
    library.close()
    library.prepare()
    assert "found" not in library.explore(chess.Board())
    assert list((tmp_path / "cache").iterdir()) == []


def test_files_are_remembered_until_others_are_named_or_they_are_forgotten(tmp_path: Path, pgn: Path) -> None:
    folder = tmp_path / "data"
    assert library_files(folder, [], forgets=True) == []
    assert library_files(folder, [pgn, FAMOUS], forgets=False) == [pgn, FAMOUS]
    assert library_files(folder, [], forgets=False) == [pgn, FAMOUS]
    assert library_files(folder, [FAMOUS], forgets=False) == [FAMOUS]
    with pytest.raises(Ox88Error, match=r"none\.pgn cannot be explored: there is no such file"):
        library_files(folder, [tmp_path / "none.pgn"], forgets=False)
    assert library_files(folder, [], forgets=False) == [FAMOUS]
    assert library_files(folder, [], forgets=True) == library_files(folder, [], forgets=False) == []


def test_on_the_command_line(call_ox88: RunPython, pgn: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    served: list[object] = []
    monkeypatch.setattr("ox88.apps.web.cli.run_server", lambda *arguments: served.append(arguments[-1]))
    for words in (["--explore", pgn], [], ["--no-explore"], []):
        assert call_ox88("serve", "--data", tmp_path / "data", *words).returncode == 0
    assert served == [[pgn], [pgn], [], []]
    process = call_ox88("serve", "--data", tmp_path / "data", "--explore", "none.pgn")
    assert (process.returncode, process.stderr) == (2, "ox88: none.pgn cannot be explored: there is no such file\n")
