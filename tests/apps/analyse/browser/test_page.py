"""The page of `ox88 analyse`, opened in a browser."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ox88.apps.analyse.page_output import page_writer
from ox88.apps.analyse.records import AnalysedGame
from ox88.apps.analyse.worker import AnalysisSettings, analyse_text
from ox88.apps.viewer.graph import draw_graph
from ox88.engines.base import Limit
from ox88.engines.registry import MODERN
from tests.apps.analyse.analysed import analysed
from tests.apps.browser import WatchedPage

SIZES = [{"width": 1280, "height": 900}, {"width": 390, "height": 844}]  # A desktop and a phone.


@pytest.fixture(scope="module")
def address(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of a page with two games."""
    del compiled
    path = tmp_path_factory.mktemp("page") / "page.html"
    with page_writer(path, "two games") as write:
        for game in analysed("Tartakower", "Morphy", nodes=200_000):  # With fewer nodes the blunder is not seen.
            write(game)
    return path.as_uri()


@pytest.fixture
def page(chromium: Any, address: str) -> Iterator[Any]:
    """The page, which at the end has reported no error, loaded nothing else, and fits the screen."""
    context = chromium.new_context(viewport=SIZES[0])
    watched = WatchedPage(context.new_page(), address)
    yield watched.page
    for size in SIZES:
        watched.page.set_viewport_size(size)
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    context.close()
    assert watched.faults == []
    assert watched.requests == [address]


def pieces(page: Any) -> dict[tuple[str, str], str]:
    """The pieces on the board by their place."""
    read = "all => all.map(use => ['x', 'y', 'href'].map(name => use.getAttribute(name)))"
    return {(x, y): piece for x, y, piece in page.locator(".diagram use").evaluate_all(read)}


@pytest.mark.parametrize("size", SIZES, ids=("desktop", "phone"))
def test_moves_are_stepped_through(page: Any, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    start = pieces(page)
    assert len(start) == 32
    page.keyboard.press("ArrowRight")
    assert page.locator(".remark").inner_text().startswith("1. e4")
    assert pieces(page) != start
    page.keyboard.press("ArrowLeft")
    assert pieces(page) == start
    page.keyboard.press("End")
    assert page.locator(".moves [aria-current=true]").inner_text().startswith("Rd8#")
    page.get_by_role("button", name="Turn the board").click()
    assert page.locator(".strip").first.inner_text() == "Morphy, Paul"
    page.get_by_role("button", name="First position").click()
    assert len(pieces(page)) == 32


def test_a_key_moment_and_the_position_before_it(page: Any) -> None:
    page.locator(".games li").nth(1).get_by_role("button").click()
    page.locator(".moments").get_by_role("button", name="8… Nxe4??").click()
    assert "Blunder." in page.locator(".remark").inner_text()
    assert page.locator(".badge").text_content() == "??"
    assert page.locator(".arrow").count() == 1
    before = pieces(page)
    page.locator(".remark .line button").nth(1).click()
    assert pieces(page) != before
    page.keyboard.press("Escape")
    assert pieces(page) == before
    page.keyboard.press("Home")
    page.keyboard.press("n")
    remark = page.locator(".remark").inner_text()
    assert "Nxe4??" in remark
    assert "Better: 8…" in remark
    assert "Allows mate in 3: 9. Qd8+." in remark
    assert page.locator(".moves [aria-current=true]").inner_text().startswith("Nxe4") is False
    assert page.locator(".arrow.red").count() == page.locator(".arrow.green").count() == 1
    page.keyboard.press("ArrowRight")
    assert page.locator(".moves [aria-current=true]").inner_text().startswith("Nxe4")
    assert page.locator(".arrow.red").count() == 0


def test_clocks_and_drawings(chromium: Any, compiled: None, tmp_path: Path) -> None:
    """What is beside the moves of a PGN; the first position has drawings too."""
    del compiled
    moves = "{ [%csl Rd5] } 1. e4 { [%clk 0:03:00] [%cal Ge2e4,Bf1c4] } e5 { [%clk 1:02:03] [%emt 0:00:07] } *"
    record = analyse_text(moves, AnalysisSettings(MODERN, (), Limit(nodes=50), "Ox88"))
    with page_writer(tmp_path / "page.html", "one game") as write:
        write(AnalysedGame(1, "file", 1, record, None))
    page = WatchedPage(chromium.new_page(), (tmp_path / "page.html").as_uri()).page
    assert page.locator(".circle.red").count() == 1
    page.keyboard.press("ArrowRight")
    assert [page.locator(f".arrow.{color}").count() for color in ("green", "blue", "red")] == [1, 1, 0]
    page.keyboard.press("ArrowRight")
    assert [text.split("\n")[1:] for text in page.locator(".strip").all_inner_texts()] == [
        ["took 0:07.0", "1:02:03"], ["3:00"],
    ]  # fmt: skip
    page.close()


def test_the_curve_is_that_of_a_notebook(page: Any) -> None:
    game = json.loads(page.locator("#games").text_content())[0]
    picture = draw_graph([at["win"] for at in (game["start"], *game["moves"])], [], "", "")
    curve = page.locator(".graph .curve").get_attribute("d")
    assert curve.count("L") == len(game["moves"])
    assert f'd="{curve}"' in picture


def test_text_has_enough_contrast(page: Any) -> None:
    """The Web Content Accessibility Guidelines ask for a contrast of 4.5."""
    page.locator(".games li").nth(1).get_by_role("button").click()
    page.locator(".moves [data-ply='16']").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for selector in (".moves .blunder", ".moves .score", ".summary .blunder", ".badge text", ".games .muted"):
            assert page.evaluate(CONTRAST, selector) >= 4.5, (scheme, selector)


CONTRAST = """selector => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => numbers(color).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    if (element instanceof SVGElement) return getComputedStyle(element.previousSibling).fill;
    const { backgroundColor } = getComputedStyle(element);
    return numbers(backgroundColor)[3] === 0 ? ground(element.parentElement) : backgroundColor;
  };
  const contrast = (element) => {
    const style = getComputedStyle(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    const [dim, bright] = [light(ink), light(ground(element))].sort((one, other) => one - other);
    return (bright + 0.05) / (dim + 0.05);
  };
  return Math.min(...[...document.querySelectorAll(selector)].map(contrast));
}"""
