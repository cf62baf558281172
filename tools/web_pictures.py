"""Draw the pictures of docs/web.md and docs/train.md, with Chromium and a server of its own.

python -m tools.web_pictures
"""

import contextlib
import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.records import Card, Records
from ox88.apps.web.chessground import fetch
from ox88.fen import STARTPOS
from tests.apps.browser import PATIENCE, chromium_path

DOCS = Path(__file__).parent.parent / "docs"
WIDTH, HEIGHT = 1280, 800
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R_b_KQkq_-_3_3/100000"
COLOURS = 256  # Of a picture, the most frequent ones. A page has few, and the file is a third as large.
GAME = "game-of-pictures"
MOVES = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 d8e7 e1g1 g8f6 b1c3 a7a6 b5e2 e7c5 a2a3 d7d5 b2b4 c5d6 c3d5 f6d5 e4d5 d6d5 c1b2 e5e4 "
    "f1e1 f8e7 d2d4 e8g8"
)
OPERA = """[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


MISTAKE = Puzzle(
    "opera", "4kb1r/p2B1ppp/4qn2/4p1B1/4P3/1Q6/PPP2PPP/2KR4 b k - 0 15", ("f6d7", "b3b8", "d7b8", "d1d8"), 1500,
    ("attraction", "mateIn2", "sacrifice"), "Morphy, Paul - Duke Karl / Count Isouard", "b3b7",
    "Misses mate in 2: 16. Qb8+ Nxb8 17. Rd8#.",
)  # fmt: skip


def save_game(data: Path) -> None:
    """Save a game of a person, and a mistake to train, for the server of a folder."""
    clock = {"initial": 300, "increment": 5, "white": 334.0, "black": 339.0}
    game = {"engine": "Ox88", "elo": 2000, "seconds": 3.0, "side": "white", "start": STARTPOS, "date": "2026-11-01"}
    with Store(data / "games.sqlite3") as store:
        Records(store).keep([Card.of(MISTAKE, "mistake", 0)])
        store.games.save(
            GAME, {**game, "moves": MOVES.split(), "clocks": [], "clock": clock, "verdict": None, "scores": []}
        )


def bishop(page: Any) -> None:
    """The game with the squares that a bishop can reach."""
    page.wait_for_selector("#move:not([disabled])")
    box = page.locator("cg-board").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 4.5 / 8, box["y"] + box["height"] * 6.5 / 8)
    page.wait_for_selector('[data-square="e2"][aria-label$="chosen"]', state="attached")
    page.mouse.move(0, 0)


def annotated(page: Any) -> None:
    """A game that is analysed, and the engine's lines of a position in it."""
    page.get_by_role("tab", name="Open & share").click()
    page.get_by_label("PGN", exact=True).fill(OPERA)
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Analyse the whole game").click()
    page.wait_for_selector(".summary td:has-text('%')", timeout=600_000)
    page.locator("#panel-analyse .moves > button", has_text="Nc3").first.click()
    page.locator("#engine").click()
    page.wait_for_function(
        "() => Number(document.body.textContent.match(/depth (\\d+) ·/)?.[1]) >= 14", timeout=600_000
    )
    page.locator("#engine-lines .line").nth(2).wait_for()
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")


def searched(page: Any) -> None:
    page.wait_for_selector(".track .marks i", state="attached")


def castling(page: Any) -> None:
    """The tour on castling, where the rook is beside the en passant square."""
    page.get_by_role("button", name="Castling out of check").click()
    for stop in (2, 3):
        page.get_by_role("button", name="Next stop").click()
        page.get_by_text(f"stop {stop} of").wait_for()
    page.wait_for_selector(".sentence:has-text('beside the en passant square')")
    searched(page)


def cut_off(page: Any) -> None:
    searched(page)
    page.locator("[data-next=cutoff]").click()
    page.wait_for_selector(".ruler.shut")


def trained(page: Any) -> None:
    """A mistake that is found at the second try."""
    for move in ("Qc3", "Qb8", "Rd8"):
        page.locator("#answer").fill(move)
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('#answer').value === ''")
    page.locator(".verdict", has_text="Found after a wrong move").wait_for()


PICTURES: dict[str, tuple[str, str, int, Callable[[Any], None]]] = {  # Address, colours, height, what is done there.
    "web-play.png": (f"#play/{GAME}", "light", HEIGHT, bishop),
    "web-analyse.png": ("#analyse", "dark", HEIGHT, annotated),
    "train.png": ("#train/mistakes", "light", HEIGHT, trained),
    "web-think.png": (f"#think/{ITALIAN}/30002/2645", "light", HEIGHT, searched),
    "web-think-cutoff.png": (f"#think/{ITALIAN}/30000", "dark", HEIGHT, cut_off),
    "web-think-tour.png": ("#think", "light", HEIGHT, castling),
}


def draw(browser: Any, url: str, folder: Path) -> None:
    """Save the pictures in a folder. url: of a server that has the game of `save_game`."""
    for name, (address, scheme, height, act) in PICTURES.items():
        size = {"width": WIDTH, "height": height}
        page = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)  # The first search may compile.
        page.goto(url + address)
        act(page)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        reduced(picture).save(folder / name, optimize=True)
        page.close()


def reduced(picture: Image.Image) -> Image.Image:
    """The picture with its most frequent colours, and the nearest of them in place of all others."""
    counted: Any = picture.getcolors(picture.width * picture.height)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in sorted(counted, reverse=True)[:COLOURS] for part in colour])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


@contextlib.contextmanager
def browsing() -> Iterator[tuple[Any, str]]:
    """A browser, and the address of a server with the game of `save_game`."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        fetch(Path(data, "chessground"))
        save_game(Path(data))
        serve = [sys.executable, "-P", "-m", "ox88", "serve", "--port", "0", "--data", data]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - Ox88 itself.
            try:
                found = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
                browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
                yield browser, found[0] if found else ""
                browser.close()
            finally:
                server.kill()


def main() -> None:
    with browsing() as (browser, url):
        draw(browser, url, DOCS)


if __name__ == "__main__":
    main()
