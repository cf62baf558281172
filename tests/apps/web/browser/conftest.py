"""Chromium, and `ox88 serve` as a process. If one of them is missing the tests are skipped."""

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ox88.apps.store import data_folder
from ox88.apps.web.chessground import FetchError, fetch, npm_command
from ox88.apps.web.cli import find_board
from ox88.errors import Ox88Error
from tests.apps.browser import PATIENCE, WatchedPage, chromium, missing_browser, skip_pages
from tests.apps.web.browser.axe import violations
from tests.conftest import RunPython, missing
from tests.processes import python

__all__ = ["chromium"]  # A fixture.


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip_pages(items, Path(__file__).parent, missing_browser() or missing_board())


def missing_board() -> str | None:
    if installed_board() is None and npm_command() is None:
        return "the board is not installed, nor is npm to fetch it"
    return None


def installed_board() -> Path | None:
    try:
        return find_board(data_folder())
    except Ox88Error:
        return None


@pytest.fixture(scope="session")
def chessground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the board's files, fetched if they are not installed."""
    board = installed_board()
    if board is None:
        board = tmp_path_factory.mktemp("chessground")
        try:
            fetch(board)
        except FetchError as error:
            missing(f"no page was opened: the board could not be fetched: {error}")
    return board


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, chessground: Path, run_python: RunPython) -> Iterator[str]:
    """The address of a server."""
    assert run_python("-m", "ox88", "warmup").returncode == 0  # No page waits for the compiler.
    data = tmp_path_factory.mktemp("data")
    shutil.copytree(chessground, data / "chessground")
    with serving(data) as url:
        yield url


@pytest.fixture
def data(tmp_path: Path, chessground: Path) -> Path:
    """The data folder of a server of one's own, with the board."""
    shutil.copytree(chessground, tmp_path / "chessground")
    return tmp_path


@contextlib.contextmanager
def serving(data: Path, port: int = 0, *options: str | Path) -> Iterator[str]:
    """Run a server with its data in a folder; it is killed at the end, when no page loads anything from it."""
    with python("-m", "ox88", "serve", "--port", str(port), "--data", data, *options, stderr=None) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        yield found[0]
        for tab in OPEN:
            if tab.page.url.startswith(found[0]):
                tab.finish_loading()


def port_of(url: str) -> int:
    return int(url.strip("/").rpartition(":")[2])


TOOLS = {  # Tabs of Analyse, by their buttons.
    **dict.fromkeys(("Promote", "Delete from here"), "Moves"),
    **dict.fromkeys(("Analyse the whole game", "Next mistake"), "Game"),
    **dict.fromkeys(
        ("Open", "Clear", "Copy FEN", "Copy PGN", "Download PGN", "Play from here", "Set up", "Set up a position"),
        "Open & share",
    ),
    **dict.fromkeys(("Save", "Add a chapter", "Move down", "Delete the chapter"), "Open & share"),
}


OPEN: "list[Tab]" = []  # Of the test that runs.


class Tab(WatchedPage):
    """A page of the browser."""

    def go(self, name: str) -> None:
        """Follow a link."""
        self.page.get_by_role("link", name=name, exact=True).click()

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        """Click on a button; in Analyse, open its tab before."""
        if name in TOOLS and self.page.get_by_role("tablist", name="Tools").is_visible():
            self.open(TOOLS[name])
        self.button(name).click()

    def open(self, name: str) -> None:
        """Open a tab of tools."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    def reload(self, selector: str) -> None:
        """Load the page again, and wait for a part of it."""
        self.page.reload()
        self.page.wait_for_selector(selector)

    def keys(self, *names: str) -> None:
        """Press keys that no field or button takes."""
        self.page.evaluate("document.activeElement.blur()")
        for name in names:
            self.page.keyboard.press(name)

    def notice(self, words: str | re.Pattern[str]) -> None:
        """Wait for a notice."""
        self.page.locator("#notice", has_text=words).wait_for()

    def click(self, *squares: str) -> None:
        """Click on squares of the board."""
        for square in squares:
            self.page.mouse.click(*self.centre(square))

    def drag(self, start: str, end: str, button: str = "left") -> None:
        self.page.mouse.move(*self.centre(start))
        self.page.mouse.down(button=button)
        self.page.mouse.move(*self.centre(end), steps=4)
        self.page.mouse.up(button=button)

    def centre(self, square: str) -> tuple[float, float]:
        board = self.page.locator("cg-board").bounding_box()
        file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
        if self.page.locator(".cg-wrap.orientation-black").count():
            file, rank = 7 - file, 7 - rank
        return board["x"] + board["width"] * (file + 0.5) / 8, board["y"] + board["height"] * (7.5 - rank) / 8

    def move(self, move: str) -> None:
        """Click on a piece, and on a square when it is marked as one that it reaches. move: such as e2e4."""
        self.click(move[:2])
        self.page.wait_for_selector(f'[data-square="{move[2:]}"][aria-label*="can be reached"]')
        self.click(move[2:])

    def play(self, *moves: str) -> None:
        """Make moves in Analyse. The server names a move, so it arrives a moment after the click."""
        for move in moves:
            self.move(move)
            arrived = "move => sessionStorage.getItem('ox88.place')?.split(' ').at(-1).startsWith(move)"
            self.page.wait_for_function(arrived, arg=move)

    def type_move(self, text: str) -> None:
        self.page.locator("#move").fill(text)
        self.page.keyboard.press("Enter")

    def moves(self) -> list[str]:
        """The moves of the visible list."""
        texts = self.page.locator(".panel:not([hidden]) .moves > button > span:first-child").all_text_contents()
        return [str(text) for text in texts]

    def wait_for_moves(self, count: int) -> list[str]:
        self.wait_for_count(".panel:not([hidden]) .moves > button", count)
        return self.moves()

    def wait_for_count(self, selector: str, count: int) -> None:
        from playwright.sync_api import expect

        expect(self.page.locator(selector)).to_have_count(count, timeout=PATIENCE)

    def square(self, name: str) -> str:
        """The label of a square for screen readers."""
        return str(self.page.locator(f'[data-square="{name}"]').get_attribute("aria-label"))

    def wait_for_square(self, name: str, words: str) -> None:
        self.page.wait_for_selector(f'[data-square="{name}"][aria-label="{name}, {words}"]')

    def new_game(self, fen: str = "", side: str = "White") -> None:
        """Begin a game against a beginner."""
        self.open_choices()
        self.page.get_by_role("slider", name="Level").fill("400")
        self.page.get_by_role("radio", name=side).check()
        if fen:
            self.set_up(fen)
        self.begin()

    def open_choices(self) -> None:
        """On narrow screens they stand behind a button."""
        self.page.wait_for_selector("#new-game")
        opens = self.page.locator("#wish[aria-expanded=false]")
        if opens.is_visible():
            opens.click()

    def choose(self, name: str) -> None:
        """Choose in the menu of the board."""
        self.press("This position")
        self.page.get_by_role("menuitem", name=name, exact=True).click()

    def begin(self) -> None:
        self.press("Play")
        self.page.wait_for_selector("#move")

    def resign(self) -> None:
        self.press("Resign")
        self.press("Really resign?")
        self.page.wait_for_selector(".result:has-text('resigns')")

    def set_up(self, fen: str) -> None:
        """Choose the position of a new game."""
        self.page.locator("select[name=start]").select_option("position")
        self.page.locator("#panel-play input[name=fen]").fill(fen)

    def beside(self, address: str = "") -> "Tab":
        """Another tab of the browser, at the same address if none is given."""
        OPEN.append(Tab(self.page.context.new_page(), address or self.page.url))
        return OPEN[-1]

    def wait_for_address(self, ending: str) -> None:
        """Wait for an address that ends so. After a click the page changes it a moment later."""
        self.page.wait_for_url(lambda address: address.endswith(ending))

    def sizes(self, *sizes: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Give the window one size after another: those of a laptop, a tablet and a phone if none are named."""
        for width, height in sizes or SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            yield width, height  # Chessground hears of the size in the first of the two frames.

    def check_access(self, *sizes: tuple[int, int]) -> None:
        """The rules of access hold at all sizes, in light colours, and in dark ones on the smallest."""
        self.page.emulate_media(reduced_motion="reduce")
        for size in self.sizes(*sizes):
            assert violations(self.page) == [], size
        self.page.emulate_media(color_scheme="dark")
        assert violations(self.page) == [], "dark"
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size({"width": 1280, "height": 860})

    def place(self, selector: str = "cg-board") -> dict[str, float]:
        """Where an element is."""
        return dict(self.page.locator(selector).bounding_box())

    def set_position(self, fen: str, shows: str = "") -> None:
        """Set up a position in Analyse. shows: wait for a square with this label."""
        self.open("Open & share")
        self.page.locator("#fen").fill(fen)
        self.press("Set up")
        if shows:
            self.page.wait_for_selector(f'[data-square][aria-label="{shows}"]')

    def open_pgn(self, text: str, moves: int | None = None) -> None:
        """Open the games of a PGN in Analyse. moves: wait until the main line has so many."""
        self.open("Open & share")
        self.page.get_by_label("PGN", exact=True).fill(text)
        self.press("Open")
        if moves is not None:
            self.wait_for_moves(moves)

    def download_pgn(self) -> str:
        with self.page.expect_download() as download:
            self.press("Download PGN")
        return Path(download.value.path()).read_text()

    def annotate(self) -> None:
        """Analyse the whole game."""
        self.press("Analyse the whole game")
        self.page.wait_for_selector(".summary td:has-text('%')")


OpenTab = Callable[..., Tab]
SIZES = [(1280, 800), (820, 1180), (390, 844)]  # A laptop, a tablet, a phone.


@pytest.fixture
def open_tab(chromium: Any, server: str) -> Iterator[OpenTab]:
    """Open pages, each with an empty profile. At the end no page may have reported an error."""

    def open_one(
        width: int = 1280,
        height: int = 860,
        url: str = server,
        mode: str = "",
        pace: str | None = "quick",
        **options: Any,
    ) -> Tab:
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        if pace:  # Else levels take as long for a move as people.
            context.add_init_script(f"if (location.host) localStorage['ox88.pace'] ??= '{pace}'")
        OPEN.append(Tab(context.new_page(), url))
        if mode:
            OPEN[-1].go(mode)
        return OPEN[-1]

    yield open_one
    tabs, OPEN[:] = list(OPEN), []
    for tab in tabs:
        tab.page.context.close()
        assert tab.faults == []


@pytest.fixture
def tab(open_tab: OpenTab) -> Tab:
    return open_tab()


@pytest.fixture
def study(open_tab: OpenTab) -> Tab:
    return open_tab(mode="Analyse")
