"""A Picture as text: plain, with marks in place of shades; or on coloured squares for a terminal."""

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ox88.apps.show.picture import BLACK_PIECE, FIGURES, SHADES, WHITE_PIECE, Cell, Grid, Picture

if TYPE_CHECKING:  # Imported late: plain text does not need it.
    from rich.text import Text

WIDTH: Final = 100
_GAP: Final = "   "

Piece = tuple[str, str]  # Text and a style of rich's, perhaps "".
Line = list[Piece]


def plain_text(picture: Picture, width: int = WIDTH) -> str:
    """Text without colours. Shades with a meaning are shown as marks around the cell's text."""
    lines = ("".join(text for text, _ in line).rstrip() for line in _lines(picture, width, False, False))
    return "\n".join(lines)


def coloured_text(picture: Picture, width: int = WIDTH, figures: bool = True) -> "Text":
    """Text on coloured cells, with figures or letters."""
    from rich.text import Text

    text = Text()
    for line in _lines(picture, width, True, figures):
        for piece in line:
            text.append(*piece)
        text.append("\n")
    text.right_crop(1)
    return text


def _lines(picture: Picture, width: int, coloured: bool, figures: bool) -> Iterator[Line]:
    """The lines of title, bands, legend and caption."""
    yield [(picture.title, "bold")]
    for band in picture.bands:
        blocks = [_grid_lines(grid, coloured, figures) for grid in band]
        for row in _fitting(blocks, width):
            yield []
            yield from _side_by_side(row)
    yield []
    legend = [entry for entry in picture.legend if coloured or SHADES[entry[0]].marks != (" ", " ")]
    for shade, meaning in legend:
        swatch = ("   ", f"on {_ground(shade)}") if coloured else (" ".join(SHADES[shade].marks), "")
        yield [swatch, (f" {meaning}", "")]
    if legend:
        yield []
    yield from ([(line, "")] for line in textwrap.wrap(picture.caption, min(width, WIDTH)))


# --- Blocks of lines --------------------------------------------------------------------------------------------------


def _fitting(blocks: list[list[Line]], width: int) -> list[list[list[Line]]]:
    """The blocks in rows that are not wider than `width`."""
    rows: list[list[list[Line]]] = [[]]
    for block in blocks:
        if rows[-1] and sum(_width(other) + len(_GAP) for other in rows[-1]) + _width(block) > width:
            rows.append([])
        rows[-1].append(block)
    return rows


def _side_by_side(blocks: list[list[Line]]) -> Iterator[Line]:
    for number in range(max(map(len, blocks))):
        line: Line = []
        for block in blocks:
            part = block[number] if number < len(block) else []
            line += [*part, (" " * (_width(block) - _length(part)) + _GAP, "")]
        yield line


def _width(block: list[Line]) -> int:
    return max(map(_length, block))


def _length(line: Line) -> int:
    return sum(len(text) for text, _ in line)


# --- Grids ------------------------------------------------------------------------------------------------------------


def _grid_lines(grid: Grid, coloured: bool, figures: bool) -> list[Line]:
    """A grid with its title, labels and caption. A row has lines for notes and feet if any cell of the grid has one."""
    label = max((len(text) for text in grid.row_labels), default=-1) + 1
    cells = [cell for row in grid.rows for cell in row]
    longest = max(max(len(cell.text), len(cell.piece), len(cell.note), len(cell.foot)) for cell in cells)
    width = max(longest + 2, *(len(text) + 1 for text in grid.column_labels), 3)  # Room for a mark on both sides.
    notes = ["note"] if any(cell.note for cell in cells) else []
    feet = ["foot"] if any(cell.foot for cell in cells) else []
    lines: list[Line] = [[(" " * label + " " + grid.title, "bold")]] if grid.title else []
    for number, row in enumerate(grid.rows):
        name = grid.row_labels[number] if grid.row_labels else ""
        for part in (*notes, "text", *feet):
            margin = name.rjust(label - 1).ljust(label) if part == "text" else " " * label
            lines.append([(margin, "dim"), *(_piece(cell, part, width, coloured, figures) for cell in row)])
    if grid.column_labels:
        lines.append([(" " * label + "".join(text.center(width) for text in grid.column_labels), "dim")])
    if grid.caption:
        lines.append([(" " * label + " " + grid.caption, "dim")])
    return lines


def _piece(cell: Cell, part: str, width: int, coloured: bool, figures: bool) -> Piece:
    """One line of a cell."""
    shade = SHADES[cell.shade]
    text = (cell.piece or cell.text) if part == "text" else cell.note if part == "note" else cell.foot
    if coloured:
        shown = FIGURES[text] if cell.piece and part == "text" and figures else text
        ink = shade.ink if part == "text" else "#2b2620"
        if cell.piece and part == "text":
            ink = f"bold {WHITE_PIECE if cell.piece.isupper() else BLACK_PIECE}"
        return shown.center(width), f"{ink} on {_ground(cell.shade)}"
    if part != "text":
        return text.center(width), ""
    left, right = shade.marks
    return (left + (text or ".") + right if len(text) < 2 else left + text + right).center(width), ""


def _ground(shade: str) -> str:
    return SHADES[shade].deep or SHADES[shade].fill
