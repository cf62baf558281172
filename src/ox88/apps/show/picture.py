"""A picture as data: cells in grids, grids in a picture. text.py and svg.py draw it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of a grid.

    text: in the middle.
    shade: a key of `style.SHADES`.
    note: a small text above.
    foot: a small text below.
    piece: a letter as in FEN, drawn as a figure in place of the text.
    """

    text: str = ""
    shade: str = "light"
    note: str = ""
    foot: str = ""
    piece: str = ""


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells, the top row first. width and height: of a cell, in pixels of an SVG."""

    rows: tuple[Row, ...]
    title: str = ""
    caption: str = ""
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    width: int = 56
    height: int = 56


@dataclass(frozen=True, slots=True)
class Picture:
    """A title, bands of grids side by side, a caption that explains them, and a legend of the shades."""

    title: str
    caption: str
    bands: tuple[tuple[Grid, ...], ...]
    legend: tuple[tuple[str, str], ...] = ()  # Shades and their meanings.


E4 = 28  # The square that views look from by default.


def board_grid(cell: Callable[[int], Cell], size: int = 56, title: str = "", caption: str = "") -> Grid:
    """A grid of the 64 squares, a1 = 0 at the bottom left."""
    rows = tuple(tuple(cell(8 * rank + file) for file in range(8)) for rank in range(7, -1, -1))
    return Grid(rows, title, caption, tuple("87654321"), tuple("abcdefgh"), size, size)


def square_shade(square: int) -> str:
    """The shade of a square of the chess board."""
    return "light" if (square ^ square >> 3) & 1 else "dark"
