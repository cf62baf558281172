"""A Picture as SVG: one file without fonts, scripts or links."""

import re
import textwrap
import xml.etree.ElementTree as ET
from typing import Final

import chess.svg

from ox88.apps.show.picture import GROUND, INK, LINE, MUTED, SHADES, Cell, Grid, Picture

_SANS: Final = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_MONO: Final = "Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace"
_MARGIN: Final = 28
_GAP: Final = 34  # Between grids, both ways.
_LABEL: Final = 18  # The height of a line of labels.
_TITLE: Final = 22  # Font sizes, in pixels.
_TEXT: Final = 14
_SMALL: Final = 12
_LETTER: Final = 0.51  # The average width of a letter, as a share of its size.
_FIXED: Final = 0.61  # The width of a letter in a monospaced font.
_NARROWEST: Final = 460
_STYLE: Final = re.compile(r'style="([^"]*)"')


def to_svg(picture: Picture, with_words: bool = True) -> str:
    """The text of an SVG file. with_words: draw title and caption too.

    Otherwise it is for a page that has its own words, and sets colours: title and caption are for screen readers only,
    and what has a shade stands in a group of the class that is named so.
    """
    widths = (sum(map(_grid_width, band)) + _GAP * (len(band) - 1) for band in picture.bands)
    inner = max(_NARROWEST, _length(picture.title, _TITLE) if with_words else 0, *widths)
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "font-family": _MONO})
    if not with_words:
        root.set("class", "grouped")
    ET.SubElement(root, "title").text = picture.title
    ET.SubElement(root, "desc").text = picture.caption
    ground = ET.SubElement(root, "rect", {"rx": "10", "fill": GROUND, "stroke": LINE})
    _define_pieces(root, picture)
    bottom = _draw_picture(root, picture, inner, with_words)
    width, height = _number(inner + 2 * _MARGIN), _number(bottom + _MARGIN)
    ground.attrib.update(_box(0.5, 0.5, inner + 2 * _MARGIN - 1, bottom + _MARGIN - 1))
    root.attrib.update({"width": width, "height": height, "viewBox": f"0 0 {width} {height}"})
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode") + "\n"


def _draw_picture(root: ET.Element, picture: Picture, inner: float, with_words: bool) -> float:
    """Draw title, bands, legend and caption from top to bottom. Returns the y coordinate of the end."""
    y = float(_MARGIN)
    if with_words:
        _text(root, _MARGIN, y + _TITLE * 0.8, picture.title, _TITLE, weight="600", family=_SANS)
        y += _TITLE * 0.8 + 24
    for band in picture.bands:
        x, heights = float(_MARGIN), []
        for grid in band:
            heights.append(_draw_grid(root, grid, x, y))
            x += _grid_width(grid) + _GAP
        y += max(heights) + 20
    y = _draw_legend(root, picture.legend, inner, y)
    for line in textwrap.wrap(picture.caption, int(inner / (_TEXT * _LETTER))) if with_words else ():
        _text(root, _MARGIN, y + 11, line, _TEXT, family=_SANS)
        y += 20
    return y - 6


# --- Grids ------------------------------------------------------------------------------------------------------------


def _grid_width(grid: Grid) -> float:
    texts = max(_length(grid.title, _TEXT, _FIXED), _length(grid.caption, _SMALL, _FIXED))
    return _label_width(grid) + max(len(grid.rows[0]) * grid.width, texts)


def _label_width(grid: Grid) -> float:
    return max((_length(label, _SMALL, _FIXED) for label in grid.row_labels), default=-8) + 8


def _draw_grid(root: ET.Element, grid: Grid, x: float, y: float) -> float:
    """Draw a grid with its title, labels and caption. Returns its height."""
    left, top = x + _label_width(grid), y
    if grid.title:
        _text(root, left, top + 11, grid.title, _TEXT, weight="600")
        top += _LABEL + 2
    for row, cells in enumerate(grid.rows):
        for column, cell in enumerate(cells):
            _draw_cell(root, cell, left + column * grid.width, top + row * grid.height, grid)
    bottom = top + len(grid.rows) * grid.height
    _draw_labels(root, grid, left, top, bottom)
    bottom += _LABEL if grid.column_labels else 0
    if grid.caption:
        _text(root, left, bottom + 13, grid.caption, _SMALL, fill=MUTED)
        bottom += _LABEL
    return bottom - y


def _draw_labels(root: ET.Element, grid: Grid, left: float, top: float, bottom: float) -> None:
    for row, label in enumerate(grid.row_labels):
        y = top + (row + 0.5) * grid.height + 4
        _text(root, left - 8, y, label, _SMALL, fill=MUTED, anchor="end")
    for column, label in enumerate(grid.column_labels):
        x = left + (column + 0.5) * grid.width
        _text(root, x, bottom + 14, label, _SMALL, fill=MUTED, anchor="middle")


# --- Cells ------------------------------------------------------------------------------------------------------------


def _draw_cell(root: ET.Element, cell: Cell, x: float, y: float, grid: Grid) -> None:
    """Draw the background of a cell, then its note, foot, and piece or text."""
    root = _group(root, cell.shade)
    fill = {"fill": SHADES[cell.shade].fill, "stroke": GROUND, "stroke-width": "1.5"}
    ET.SubElement(root, "rect", {**_box(x, y, grid.width, grid.height), **fill})
    small = 9.5 if min(grid.width, grid.height) < 60 else 11.0
    centre, ink = x + grid.width / 2, SHADES[cell.shade].ink
    if cell.note:
        _text(root, x + 4, y + small + 1, cell.note, small, fill=MUTED)
    if cell.foot:
        lift = 4 if grid.height < 60 else 8
        size = small if cell.piece else small + 1
        _text(root, centre, y + grid.height - lift, cell.foot, size, fill=ink, anchor="middle")
    if cell.piece:
        _draw_piece(root, cell, x, y, grid)
    elif cell.text:  # As large as fits; higher if there is a foot but no note.
        size = min(grid.height * (0.36 if grid.height > 30 else 0.45), grid.width * 0.9 / (len(cell.text) * _FIXED), 19)
        middle = y + grid.height * (0.42 if cell.foot and not cell.note else 0.5) + size * 0.36
        _text(root, centre, middle, cell.text, size, fill=ink, anchor="middle")


def _group(root: ET.Element, shade: str) -> ET.Element:
    return ET.SubElement(root, "g", {"class": shade}) if root.get("class") else root


def _box(x: float, y: float, width: float, height: float) -> dict[str, str]:
    return {"x": _number(x), "y": _number(y), "width": _number(width), "height": _number(height)}


def _define_pieces(root: ET.Element, picture: Picture) -> None:
    """Add each figure that the picture has once."""
    cells = (cell for band in picture.bands for grid in band for row in grid.rows for cell in row)
    figures = sorted({cell.piece for cell in cells if cell.piece})
    if figures:
        definitions = ET.SubElement(root, "defs")
        definitions.extend(ET.fromstring(piece_picture(piece)) for piece in figures)  # noqa: S314  # python-chess's own.


def piece_picture(piece: str) -> str:
    """python-chess's picture of a piece, 45 wide, with attributes for styles, which the policy of a page may forbid."""

    def to_attributes(style: re.Match[str]) -> str:
        pairs = (declaration.split(":") for declaration in style[1].split(";") if declaration.strip())
        return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)

    return _STYLE.sub(to_attributes, chess.svg.PIECES[piece])


def _draw_piece(root: ET.Element, cell: Cell, x: float, y: float, grid: Grid) -> None:
    """Draw a piece in the middle of a cell; smaller if there is a foot or a note."""
    room = min(grid.width, grid.height)
    size = room * (0.66 if cell.foot else 0.74 if cell.note else 0.84)
    left, top = x + (grid.width - size) / 2, y + (grid.height - size) / 2 - (3 if cell.foot else -2 if cell.note else 0)
    place = f"translate({_number(left)} {_number(top)}) scale({size / chess.svg.SQUARE_SIZE:.3f})"
    piece = chess.Piece.from_symbol(cell.piece)
    name = f"{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"  # As python-chess has it.
    ET.SubElement(root, "use", {"href": f"#{name}", "transform": place})


# --- Legend and text --------------------------------------------------------------------------------------------------


def _draw_legend(root: ET.Element, legend: tuple[tuple[str, str], ...], inner: float, y: float) -> float:
    """Draw swatches with their meanings, in as many lines as needed. Returns the y coordinate of the end."""
    x = float(_MARGIN)
    for shade, meaning in legend:
        width = 24 + _length(meaning, _SMALL, _LETTER)
        if x > _MARGIN and x + width > _MARGIN + inner:
            x, y = _MARGIN, y + 22
        swatch = {**_box(x, y, 15, 15), "rx": "3", "fill": SHADES[shade].fill}
        ET.SubElement(_group(root, shade), "rect", swatch)
        _text(root, x + 22, y + 12, meaning, _SMALL, fill=MUTED, family=_SANS)
        x += width + 20
    return y + 28 if legend else y


def _text(
    root: ET.Element, x: float, y: float, text: str, size: float, *,
    fill: str = INK, anchor: str = "", weight: str = "", family: str = "",
) -> None:  # fmt: skip
    element = ET.SubElement(root, "text", {"x": _number(x), "y": _number(y), "font-size": _number(size), "fill": fill})
    for name, value in (("text-anchor", anchor), ("font-weight", weight), ("font-family", family)):
        if value:
            element.set(name, value)
    element.text = text


def _length(text: str, size: float, letter: float = _LETTER) -> float:
    return len(text) * size * letter


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
