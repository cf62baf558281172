"""Pictures as text, as SVG, on the command line, and in docs."""

import io
import os
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from ox88.apps.show.picture import FIGURES, Cell, Grid, Picture
from ox88.apps.show.svg import to_svg
from ox88.apps.show.text import coloured_text, plain_text
from ox88.apps.show.views import VIEWS, draw
from ox88.engines.modern.network.file import shipped_network
from ox88.setup import parse_fen
from tests.apps.test_show_views import MICROMAX_VIEWS, cells_of, grids_of, setup_of
from tests.conftest import RunPython
from tests.engines.modern.network.naive import random_network
from tests.positions import FENS, boards
from tools import pictures

ROOT = Path(__file__).parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"
OTHER_VIEWS = [view for view in VIEWS if view not in MICROMAX_VIEWS]  # They know no Chess960.


@pytest.fixture(autouse=True, scope="module")
def _network() -> Iterator[None]:
    """A network for the views of one, where Ox88 comes without."""
    with pytest.MonkeyPatch.context() as patch:
        if shipped_network() is None:
            patch.setattr("ox88.batch.learning.engine.shipped_network", random_network)
        yield


@settings(max_examples=25)
@given(boards(), st.sampled_from(OTHER_VIEWS))
def test_svg_is_well_formed_and_needs_nothing_else_and_nothing_is_cut(board: chess.Board, view: str) -> None:
    text = to_svg(draw(setup_of(board), view))
    assert "url(" not in text
    assert text.count("http") == 1  # The name of SVG itself.
    root = ET.fromstring(text)  # noqa: S314  # It is our own.
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "rect", "text", "g", "path", "circle", "defs", "use"}
    for element in root.iter():
        assert element.attrib.get("href", "#").startswith("#")
        assert not any(name.startswith("on") or name in ("style", "src") for name in element.attrib)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for box in root.iter(f"{SVG}rect"):
        assert 0 <= float(box.attrib["x"]) <= float(box.attrib["x"]) + float(box.attrib["width"]) <= width
        assert 0 <= float(box.attrib["y"]) <= float(box.attrib["y"]) + float(box.attrib["height"]) <= height
    for line in root.iter(f"{SVG}text"):
        length = len(line.text or "") * float(line.attrib["font-size"]) * 0.5
        share = {"middle": 0.5, "end": 1.0}.get(line.attrib.get("text-anchor", ""), 0.0)
        left = float(line.attrib["x"]) - length * share
        assert 0 <= left <= left + length <= width
        assert float(line.attrib["y"]) < height


@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_without_its_words(view: str) -> None:
    picture = draw(parse_fen("startpos"), view)
    full, bare = (ET.fromstring(to_svg(picture, words)) for words in (True, False))  # noqa: S314  # They are our own.
    drawn, left = ([text.text for text in root.iter(f"{SVG}text")] for root in (full, bare))
    assert drawn[0] == picture.title
    assert left == drawn[1 : len(left) + 1]
    assert " ".join(filter(None, drawn[len(left) + 1 :])) == picture.caption
    assert float(bare.attrib["height"]) < float(full.attrib["height"])
    shades = {cell.shade for band in picture.bands for grid in band for row in grid.rows for cell in row}
    assert shades <= {group.attrib["class"] for group in bare.findall(f"{SVG}g")}  # So a page can set their colours.
    assert not full.findall(f"{SVG}g")


def test_a_figure_for_each_piece() -> None:
    root = ET.fromstring(to_svg(draw(parse_fen("startpos"), "board")))  # noqa: S314  # It is our own.
    names = {figure.attrib["id"] for figure in root.iter(f"{SVG}g") if "id" in figure.attrib}
    used = [use.attrib["href"].removeprefix("#") for use in root.iter(f"{SVG}use")]
    assert len(used) == 32
    assert len(set(used)) == 12
    assert set(used) <= names


def test_the_plain_board() -> None:
    lines = plain_text(draw(parse_fen(FENS[4]))).splitlines()
    assert lines[0] == "White to move"
    assert lines[2:11] == [
        "8 {r} n  b  q  k  b  n {r}",
        "7  p  p  p  .  p  .  p  p",
        "6  .  .  .  .  . {.} .  .",
        "5  .  .  .  p  P  p  .  .",
        "4  .  .  .  .  .  .  .  .",
        "3  .  .  .  .  .  .  .  .",
        "2  P  P  P  P  .  P  P  P",
        "1 {R} N  B  Q  K  B  N {R}",
        "   a  b  c  d  e  f  g  h",
    ]


def test_marks_stand_beside_the_text_of_a_cell_alone() -> None:
    grid = Grid(((Cell("3", "chosen", note="a", foot="b"),),))
    assert plain_text(Picture("Title", "Words.", ((grid,),))).splitlines() == [
        "Title",
        "",
        " a",
        "[3]",
        " b",
        "",
        "Words.",
    ]


@settings(max_examples=25)
@given(boards(), st.sampled_from(OTHER_VIEWS), st.integers(30, 200), st.booleans())
def test_text_is_ascii_and_a_terminal_shows_the_same_cells(
    board: chess.Board, view: str, width: int, figures: bool
) -> None:
    picture = draw(setup_of(board), view)
    text = plain_text(picture, width)
    assert text.isascii()
    assert "\x1b" not in text
    assert all(len(line) <= max(width, 92) for line in text.splitlines())  # 92: the widest grid.
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=120, record=True)
    console.print(coloured_text(picture, 120, figures), soft_wrap=True)
    shown = console.export_text()
    for cell in (cell for grid in grids_of(picture) for cell in cells_of(grid)):
        assert (FIGURES[cell.piece] if cell.piece and figures else cell.piece or cell.text) in shown


def test_a_pipe_gets_text(call_ox88: RunPython) -> None:
    for view in VIEWS:
        process = call_ox88("show", FENS[1], "--view", view)
        assert process.returncode == 0, process.stderr
        assert process.stdout == plain_text(draw(parse_fen(FENS[1]), view)) + "\n"
    assert call_ox88("show", *FENS[1].split()).stdout == call_ox88("show", FENS[1]).stdout
    assert call_ox88("show").stdout == call_ox88("show", "startpos").stdout


@pytest.mark.posix("pseudo-terminals")
@pytest.mark.parametrize(("kind", "has_colours"), [("xterm-256color", True), ("xterm", False), ("dumb", False)])
def test_a_terminal_gets_the_colours_it_has(
    kind: str, has_colours: bool, call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pty

    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setenv("COLUMNS", "100")
    ours, theirs = pty.openpty()
    with monkeypatch.context() as patch, os.fdopen(theirs, "w") as terminal:
        patch.setattr(sys, "stdout", terminal)
        assert call_ox88("show").returncode == 0
    shown = os.read(ours, 65536)
    os.close(ours)
    assert (b"\x1b[" in shown) == has_colours
    assert b"White to move" in shown


def test_svg_files(call_ox88: RunPython, tmp_path: Path) -> None:
    file = tmp_path / "and.svg"
    arguments = ("show", "startpos", "--bits", "white & ~pawns", "--svg")
    process = call_ox88(*arguments, file)
    assert (process.returncode, process.stdout) == (0, "")
    assert file.read_text(encoding="utf-8") == to_svg(draw(parse_fen("startpos"), None, None, "white & ~pawns"))
    assert call_ox88(*arguments, "-").stdout == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["missing/folder/x.svg", ".", "", "x" * 300])
def test_a_path_that_cannot_be_written(
    name: str, call_ox88: RunPython, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    process = call_ox88("show", "startpos", "--svg", name)
    assert process.returncode == 2
    assert " cannot be written: " in process.stderr
    assert process.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["8/8/8/8/8/8/8/4K3 w - - 0 1"], "Black has no king"),
        (["4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "--view", "steps"], "a pawn stands on h8"),
        (["4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "--view", "difference"], "a pawn stands on h8"),
        (["4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "--view", "0x88"], "White is in check"),
        (["noise"], "1 rank"),
        ([FENS[5], "--view", "micromax"], "micro-Max cannot castle"),
        (["startpos", "--view", "chess"], "'board'"),
        (["startpos", "--nonsense"], "No such option"),
    ],
)
def test_bad_input_is_named(arguments: list[str], reason: str, call_ox88: RunPython) -> None:
    process = call_ox88("show", *arguments)
    assert (process.returncode, process.stdout) == (2, "")
    assert reason in process.stderr


def test_the_pages_show_what_their_commands_draw(tmp_path: Path) -> None:
    names = []
    for arguments in pictures.commands():
        drawn = pictures.draw(arguments, tmp_path)
        names.append(drawn.name)
        kept = ROOT / "docs" / "pictures" / drawn.name
        assert drawn.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8"), "run tools/pictures.py"
    others = {"results.svg", "strengths.svg"}  # Drawn by an example and by tools.pages; each has a test of its own.
    assert {*names, *others} == {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    assert all(re.search(rf"\]\((\.\./)?pictures/{name}\)", pages) for name in names)
