"""Draw the pictures of the page Think in docs/web.md, with Chromium and a server of its own.

python -m tools.web_pictures
"""

import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from ox88.apps.web.chessground import fetch
from tests.apps.browser import chromium_path

DOCS = Path(__file__).parent.parent / "docs"
SIZE = {"width": 1280, "height": 800}
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R_b_KQkq_-_3_3/100000"
COLOURS = 256  # Of a picture; a page has few, and the file is a third as large.


def castling(page: Any) -> None:
    """The tour on castling, where the rook is beside square E."""
    page.get_by_role("combobox", name="Tour").select_option("4")
    for _ in range(2):
        page.get_by_role("button", name="Next", exact=True).click()
    page.wait_for_selector(".sentence:has-text('square E')")


def cut_off(page: Any) -> None:
    page.locator("[data-next=cutoff]").click()
    page.wait_for_selector(".ruler.shut")


PICTURES: dict[str, tuple[str, str, Callable[[Any], None]]] = {  # Address, colours, and what is done there.
    "web-think.png": (f"#think/{ITALIAN}/30012/40", "light", lambda _: None),
    "web-think-shut.png": (f"#think/{ITALIAN}/30000", "dark", cut_off),
    "web-think-tour.png": ("#think", "light", castling),
}


def draw(browser: Any, url: str, folder: Path) -> None:
    """Save the pictures in a folder. url: of a server."""
    for name, (address, scheme, act) in PICTURES.items():
        page = browser.new_page(viewport=SIZE, color_scheme=scheme, reduced_motion="reduce")
        page.goto(url + address)
        page.wait_for_selector(".track .marks i", state="attached")
        act(page)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        small = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        small.save(folder / name, optimize=True)
        page.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        fetch(Path(data, "chessground"))
        serve = [sys.executable, "-m", "ox88", "serve", "--port", "0", "--data", data]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - Ox88 itself.
            try:
                found = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
                browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
                draw(browser, found[0] if found else "", DOCS)
                browser.close()
            finally:
                server.kill()


if __name__ == "__main__":
    main()
