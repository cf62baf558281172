"""A picture as data: cells in grids, grids in a picture, and its colours. text.py and svg.py draw it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from ox88.errors import Ox88Error
from ox88.setup import Setup
from ox88.types import PIECE_SYMBOLS, piece_colour, square_name


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of a grid.

    text: in the middle.
    shade: a key of SHADES.
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


def chosen_square(setup: Setup, square: int | None, of_mover: bool = False) -> int:
    """A square with a piece; by default that of the king of the side to move. Raises Ox88Error for an empty one.

    of_mover: a piece of the side to move is wanted.
    """
    king = setup.king_square(setup.turn)
    chosen = king if square is None and king is not None else square or 0
    if of_mover and (not setup.board[chosen] or piece_colour(setup.board[chosen]) != setup.turn):
        raise Ox88Error(f"no piece of the side to move stands on {square_name(chosen)}: choose a square with one")
    if not setup.board[chosen]:
        raise Ox88Error(f"no piece stands on {square_name(chosen)}: choose a square with a piece, such as e1")
    return chosen


def piece_letter(setup: Setup, square: int) -> str:
    """The letter of the piece on a square, as in FEN; empty for none."""
    return PIECE_SYMBOLS[setup.board[square]] if setup.board[square] else ""


def square_shade(square: int) -> str:
    """The shade of a square of the chess board."""
    return "light" if (square ^ square >> 3) & 1 else "dark"


# --- Colours, the marks that stand for them in plain text, and figures of pieces --------------------------------------

GROUND: Final = "#fbf9f5"
INK: Final = "#2b2f36"
MUTED: Final = "#6f737b"
LINE: Final = "#d8d2c6"
WHITE_PIECE: Final = "#ffffff"
BLACK_PIECE: Final = "#22262c"


@dataclass(frozen=True, slots=True)
class Shade:
    """Colours of a cell's background and text.

    marks: what encloses the text where there are no colours.
    deep: a darker background for terminals, whose white figures have no outline; empty if `fill` serves.
    """

    fill: str
    ink: str = INK
    marks: tuple[str, str] = (" ", " ")
    deep: str = ""


SHADES: Final = {
    "none": Shade(GROUND),
    "light": Shade("#f1e7d3", deep="#c8a36d"),
    "dark": Shade("#d6c09a", deep="#9a7047"),
    "plain": Shade("#f3f0ea"),
    "off": Shade("#e3e5ea", MUTED),
    "ended": Shade("#f3dfc1", MUTED),
    "special": Shade("#b5d3ae", marks=("{", "}"), deep="#6f9e66"),
    "chosen": Shade("#eebb55", marks=("[", "]"), deep="#cc9423"),
    "straight": Shade("#c3d6e8"),
    "diagonal": Shade("#dccbe6"),
    "beside": Shade("#93b8d9"),
    "slanting": Shade("#bd9fd0"),
    "leap": Shade("#bbdab7"),
    "ray": Shade("#c3d6e8", marks=("*", " ")),
    "attacked": Shade("#aed4a8", marks=("*", " "), deep="#8dbb86"),
    "guarded": Shade("#93b8d9", marks=("+", " "), deep="#5f8fbd"),
    "captured": Shade("#e79f8c", marks=("x", " "), deep="#c9654d"),
    "one": Shade("#3d6787", "#ffffff"),
    "zero": Shade("#efece5", "#a9a499"),
    "full": Shade("#3d6787", "#ffffff", ("*", " ")),
    "line_one": Shade("#c2722b", "#ffffff", ("<", ">")),
    "line_zero": Shade("#f6deb6", "#8d7444", ("(", ")")),
}
# Nine steps from minus, for Black, by zero to plus, for White.
_FILLS: Final = ("#6d7fb3", "#93a2c9", "#b9c4dc", "#d6dce8", "#efece5", "#f3e0c4", "#efcb94", "#e5b163", "#d6933a")
SCALE: Final = tuple(f"step_{number}" for number in range(len(_FILLS)))
SHADES.update({name: Shade(fill) for name, fill in zip(SCALE, _FILLS, strict=True)})

FIGURES: Final = dict(zip("KQRBNPkqrbnp", "♚♛♜♝♞♟♚♛♜♝♞♟", strict=True))  # For terminals: the colour tells the side.
