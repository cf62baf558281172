"""What is to be seen, as data: cells in grids, grids in a picture. How it looks is for text.py and svg.py to say."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of a grid; shade is a key of shades.SHADES.

    note: small, above. foot: small, below. piece: a letter as in FEN, drawn as a figure in the place of text.
    """

    text: str = ""
    shade: str = "light"
    note: str = ""
    foot: str = ""
    piece: str = ""


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells, the top one first. width and height are a cell's, in pixels of an SVG."""

    rows: tuple[Row, ...]
    title: str = ""
    caption: str = ""
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    width: int = 56
    height: int = 56


@dataclass(frozen=True, slots=True)
class Picture:
    """Bands of grids side by side, a title, a caption that says what one sees, and what the shades mean."""

    title: str
    caption: str
    bands: tuple[tuple[Grid, ...], ...]
    legend: tuple[tuple[str, str], ...] = ()  # Shade and meaning.


RANK_LABELS = tuple("87654321")
FILE_LABELS = tuple("abcdefgh")


def board_grid(cell: Callable[[int], Cell], size: int = 56, title: str = "", caption: str = "") -> Grid:
    """A grid of the 64 squares, a1 = 0 at the bottom left."""
    rows = tuple(tuple(cell(8 * rank + file) for file in range(8)) for rank in range(7, -1, -1))
    return Grid(rows, title, caption, RANK_LABELS, FILE_LABELS, size, size)


def square_shade(square: int) -> str:
    """Whether a square of the chess board is light or dark."""
    return "light" if (square ^ square >> 3) & 1 else "dark"
