"""A picture as data: cells in grids, grids in a picture. text.py and svg.py draw it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ox88.errors import Ox88Error
from ox88.setup import Setup
from ox88.types import square_name


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


def grid_0x88(cell: Callable[[int], Cell], title: str = "", a1_is_zero: bool = False) -> Grid:
    """A grid of the 128 bytes of a 0x88 board. a1_is_zero: a1 is 00, at the bottom left; by default a8, at the top."""
    ranks = range(7, -1, -1) if a1_is_zero else range(8)
    rows = tuple(tuple(cell(16 * rank + file) for file in range(16)) for rank in ranks)
    return Grid(rows, title, "", tuple(f"{16 * rank:02X}" for rank in ranks), tuple("0123456789ABCDEF"), 50, 50)


def table(header: Iterable[str], rows: Iterable[Row], width: int) -> Grid:
    """A grid with the names of its columns in the first row."""
    return Grid((tuple(Cell(name, "none") for name in header), *rows), width=width, height=30)


def chosen_square(setup: Setup, square: int | None) -> int:
    """A square with a piece; by default that of the king of the side to move. Raises Ox88Error for an empty one."""
    king = setup.king_square(setup.turn)
    chosen = king if square is None and king is not None else square or 0
    if not setup.board[chosen]:
        raise Ox88Error(f"no piece stands on {square_name(chosen)}: choose a square with a piece, such as e1")
    return chosen


def square_shade(square: int) -> str:
    """The shade of a square of the chess board."""
    return "light" if (square ^ square >> 3) & 1 else "dark"
