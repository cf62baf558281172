"""The 0x88 board and the difference table, read from the mailbox's POSITION and TABLES."""

from typing import Any

from ox88.apps.show.picture import E4, Cell, Grid, Picture, board_grid, chosen_square, grid_0x88, square_shade
from ox88.mailbox.difference import CENTRE
from ox88.mailbox.position import make_position
from ox88.mailbox.records import SLOT, SLOTS, tables
from ox88.mailbox.steps import BOARD_SIZE, NO_SQUARE, OFF_BOARD, steps_of
from ox88.setup import Setup
from ox88.types import (
    BISHOP,
    BLACK,
    KIND_NAMES,
    KING,
    KNIGHT,
    PAWN,
    PIECE_SYMBOLS,
    ROOK,
    WHITE,
    from_0x88,
    make_piece,
    piece_kind,
    square_name,
    to_0x88,
)

# The shade of a set of pieces, for squares farther away and for adjacent ones: the first piece in the set decides.
_SHADES = ((KNIGHT, "leap", "leap"), (ROOK, "straight", "beside"), (BISHOP, "diagonal", "slanting"))


def show_rays(setup: Setup, square: int | None = None) -> Picture:
    """Draw the rays of the piece on a square, up to the square off the board where each would end on an empty board.

    By default of the king of the side to move. Raises Ox88Error for an empty square.
    """
    setup.check()
    square = chosen_square(setup, square)
    start, piece = to_0x88(square), setup.board[square]
    ends = dict(_ray(piece, start, step) for step in steps_of(piece))
    walked = {place for end, places in ends.items() for place in places}
    board = grid_0x88(lambda place: _walked(place, start, piece, walked, ends), a1_is_zero=True)
    outside = tuple(Cell(f"{end & 0xFF:08b}", "line_one", f"{end:+d}") for end in ends if not 0 <= end < BOARD_SIZE)
    beyond = (Grid((outside,), "above and below the board", width=88, height=44),)
    return Picture(
        f"The rays of the {KIND_NAMES[piece_kind(piece)]} on {square_name(square)}",
        "On an empty board, so that each ray ends off the board. One that crosses the right or left edge enters the "
        "grey half, where bit 0x08 is set. One that leaves at the top or bottom gets a number from 0x80 on, or a "
        "negative one; either has bit 0x80 set, as the lowest eight bits of its number show below.",
        ((board,), beyond) if outside else ((board,),),
        (("ray", "the ray"), ("line_one", "the step that left the board: square & 0x88 is not 0")),
    )


def _ray(piece: int, start: int, step: int) -> tuple[int, list[int]]:
    """(The square off the board at the end of a ray, the squares before it)."""
    places, place = [], start + step
    while not place & OFF_BOARD:
        places.append(place)
        if piece_kind(piece) in (PAWN, KNIGHT, KING):
            return place, places
        place += step
    return place, places


def _walked(square: int, start: int, piece: int, walked: set[int], ends: dict[int, list[int]]) -> Cell:
    note = f"{square:02X}"
    if square == start:
        return Cell(note=note, piece=PIECE_SYMBOLS[piece], shade="chosen")
    if square in walked:
        return Cell("", "ray", note)
    if square in ends:
        return Cell("", "line_one", note)
    return Cell("", "off" if square & OFF_BOARD else square_shade(from_0x88(square)), note)


def show_0x88(setup: Setup) -> Picture:
    """Draw all 128 bytes of the board, and the piece list."""
    position = make_position(setup)
    board = grid_0x88(lambda square: _byte(position, square), "board[0x80]", a1_is_zero=True)
    slots = tuple(tuple(_slot(position, colour * SLOTS + slot) for slot in range(SLOTS)) for colour in (WHITE, BLACK))
    counts = ", ".join(str(int(count)) for count in position.counts)
    caption = f"counts[4] = {counts}: pieces and pawns of White, then of Black"
    piece_list = Grid(slots, "squares[0x20]: the piece list", caption, ("00", "10"), (), 50, 50)
    return Picture(
        "The 0x88 board",
        "A square is rank x 16 + file, in hex one digit each. On the left is the chess board, on the right are squares "
        "that no piece can stand on. A step over an edge always sets a bit of 0x88, so that one test finds it. The "
        "right half is used too: eight files to the right of a piece is its slot, its place in the piece list. That "
        "has the king first, then the other pieces, and the pawns from the end.",
        ((board,), (piece_list,)),
        (("off", "square & 0x88 is not 0: off the board"),),
    )


def _byte(position: Any, square: int) -> Cell:
    value = int(position.board[square])
    if not square & OFF_BOARD:
        piece = PIECE_SYMBOLS[value] if value else ""
        return Cell(note=f"{square:02X}", piece=piece, shade=square_shade(from_0x88(square)))
    is_slot = bool(position.board[square ^ SLOT])
    return Cell(f"{value:X}" if is_slot else "", "off", f"{square:02X}")


def _slot(position: Any, slot: int) -> Cell:
    square = int(position.squares[slot])
    if square == NO_SQUARE:
        return Cell("", "off", f"{slot:X}")
    return Cell(note=f"{slot:X}", piece=PIECE_SYMBOLS[position.board[square]], foot=f"{square:02X}", shade="light")


def show_difference(setup: Setup, square: int | None = None) -> Picture:
    """Draw the entry of the difference table for each square, as seen from one square, by default e4."""
    setup.check()
    square = E4 if square is None else square
    name = square_name(square)
    return Picture(
        f"The difference table, seen from {name}",
        f"In each square stand the index, to - {name} + 128; the pieces that could get there from {name} on an empty "
        "board; and the step that leads there. P is a white pawn's capture and p a black pawn's. All pairs of squares "
        "with the same difference share one entry.",
        ((board_grid(lambda target: _difference(square, target), 74),),),
        (
            ("beside", "straight, one step"),
            ("straight", "straight, farther"),
            ("slanting", "diagonal, one step"),
            ("diagonal", "diagonal, farther"),
            ("leap", "a knight's step"),
        ),
    )


def _difference(square: int, target: int) -> Cell:
    """The entry of a pair of squares."""
    index = to_0x88(target) - to_0x88(square) + CENTRE
    pieces, step = int(tables().could_reach[index]), int(tables().step_between[index])
    if target == square:
        return Cell("from", "chosen", str(index))
    return Cell(_letters(pieces), _shade(pieces), str(index), f"{step:+d}" if step else "")


def _letters(pieces: int) -> str:
    """The letters of a set of pieces: a capital if White's is in it, a small one if only Black's is."""
    pairs = [[make_piece(kind, colour) for colour in (WHITE, BLACK)] for kind in range(KING, PAWN - 1, -1)]
    found = ([piece for piece in pair if pieces >> piece & 1] for pair in pairs)
    return "".join(PIECE_SYMBOLS[pair[0]] for pair in found if pair)


def _shade(pieces: int) -> str:
    """The shade of a set of pieces, by how they move and whether one step is enough."""
    for kind, far, near in _SHADES:
        if pieces >> kind & 1:
            return near if pieces >> KING & 1 else far
    return "plain"
