"""micro-Max's own board and its lists of steps, read from the record of a Machine."""

import functools
from collections.abc import Iterator
from typing import Any

from ox88.apps.show.picture import Cell, Grid, Picture, Row, grid_0x88, square_shade
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.machine import Machine
from ox88.setup import Setup
from ox88.types import from_listing

TYPE_LETTERS = " PpNKBRQ"  # By the listing's types: 1 White's pawn, 2 Black's.
TYPE_NAMES = ("", "white pawn", "black pawn", "knight", "king", "bishop", "rook", "queen")
_RADIUS = 2  # The longest step of any piece, in files or ranks.


@functools.cache
def machine() -> Machine:
    """One machine for all pictures, because its record is large."""
    return Machine()


def show_micromax(setup: Setup) -> Picture:
    """Draw all 129 bytes of the board. Raises EngineError for castling rights that micro-Max cannot represent."""
    machine().set_position(setup)
    board = machine().record.board
    grid = grid_0x88(lambda square: _byte(board, square), "b[129]")
    dummy = Grid(((_byte(board, listing.DUMMY),),), row_labels=("80",), width=50, height=50)
    return Picture(
        "micro-Max's board",
        "The array b[129] of the listing, from a8 = 00 downwards. Under each piece stands its code in hex: the "
        "type, plus 8 for White or 10 for Black, plus 20 if it may still castle. The half that the 0x88 test leaves "
        "unused holds the distance of each square from the centre, which gives points for moving there. 80 is the "
        "dummy square: a move that does not castle moves its rook there.",
        ((grid,), (dummy,)),
        (("off", "b[square + 8]: distance from the centre, squared and summed"), ("ended", "the dummy square")),
    )


def _byte(board: Any, square: int) -> Cell:
    value, note = int(board[square]), f"{square:02X}"
    if square == listing.DUMMY:
        return Cell(f"{value:X}", "ended", note)
    if square & listing.OFF_BOARD:
        return Cell(str(value), "off", note)
    shade = square_shade(from_listing(square))
    return Cell(note=note, piece=symbol(value), foot=f"{value:02X}", shade=shade) if value else Cell("", shade, note)


def symbol(code: int) -> str:
    """The letter of a piece of the listing, White's a capital."""
    letter = TYPE_LETTERS[code & listing.TYPE_MASK]
    return letter.upper() if code & listing.WHITE else letter.lower()


def show_steps(setup: Setup) -> Picture:
    """Draw the array o[]: lists of steps, their directory, the back rank; and the steps of each piece."""
    setup.check()
    names = "o[24] to o[31]: the back rank from a to h, as types"
    back_rank = tuple(Cell(str(kind), "plain", foot=TYPE_NAMES[kind]) for kind in listing.BACK_RANK)
    steps, first = (
        [int(number) for number in field] for field in (machine().record.steps, machine().record.first_step)
    )
    listed = tuple(Cell(f"{step:+d}" if step else "0", "plain" if step else "ended") for step in steps)
    directory = tuple(
        Cell(str(number), "plain" if name else "off", foot=name) for number, name in zip(first, TYPE_NAMES, strict=True)
    )
    strips = (
        _strip(listed, "o[0] to o[16]: the steps", 0),
        _strip(directory, "o[16] to o[23]: where the list of a type begins, less one", len(steps) - 1, 76),
        _strip(back_rank, names, 24, 76),
    )
    leapers, sliders = (1, 2, 3, 4), (5, 6, 7)
    return Picture(
        "micro-Max's steps",
        "Three lists in one array of the listing, o[]. A step is added to a square of the 0x88 board; a zero ends a "
        "list. Pawns take their steps with the other sign, all other pieces with both signs, so that half of the "
        "steps need not be listed. One list may begin in the middle of another: the bishop's is the end of the "
        "king's and queen's.",
        (*((strip,) for strip in strips), tuple(map(_around, leapers)), tuple(map(_around, sliders))),
        (("ended", "a zero: end of a list"),),
    )


def _strip(cells: Row, title: str, start: int, width: int = 48) -> Grid:
    """One row of the array with its indices."""
    numbers = tuple(str(start + place) for place in range(len(cells)))
    return Grid((cells,), title, column_labels=numbers, width=width, height=44)


def _around(kind: int) -> Grid:
    """A small board with the steps of a type around its piece."""
    shade = "leap" if kind < listing.BISHOP else "beside"
    cells = {step: Cell(f"{step:+d}", shade) for step in steps_of(kind)}
    cells[0] = Cell(shade="chosen", piece=TYPE_LETTERS[kind])
    span = range(-_RADIUS, _RADIUS + 1)
    rows = tuple(tuple(cells.get(16 * rank + file, Cell("", "plain")) for file in span) for rank in span)
    return Grid(rows, TYPE_NAMES[kind], width=38, height=38)


def steps_of(kind: int) -> Iterator[int]:
    """The steps of a type in the listing's order: each negated, and for all but pawns also as it is."""
    record = machine().record
    place = int(record.first_step[kind]) + 1
    while step := int(record.steps[place]):
        yield -step
        if kind > listing.BLACK_PAWN:
            yield step
        place += 1
