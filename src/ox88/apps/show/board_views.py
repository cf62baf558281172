"""Views of the two boards, read from their records: bitboards and rotated bitboards, the 0x88 board and its table."""

import ast
from collections.abc import Iterable
from typing import Any

import numpy as np

from ox88.apps.show.expression import OPERATORS, Boards, evaluate, operands, parse
from ox88.apps.show.picture import (
    E4,
    Cell,
    Grid,
    Picture,
    board_grid,
    chosen_square,
    grid_0x88,
    piece_letter,
    square_shade,
)
from ox88.bitboard.rotated import rotated_tables
from ox88.mailbox import steps as mailbox
from ox88.mailbox.attacks import step_between
from ox88.mailbox.difference import CENTRE
from ox88.mailbox.position import make_position
from ox88.mailbox.records import SLOT, SLOTS, tables
from ox88.setup import Setup
from ox88.types import (
    BISHOP,
    BLACK,
    COLOUR_NAMES,
    KIND_NAMES,
    KING,
    KNIGHT,
    PAWN,
    PIECE_SYMBOLS,
    ROOK,
    WHITE,
    from_0x88,
    make_piece,
    piece_colour,
    piece_kind,
    square_name,
    to_0x88,
)

_SMALL = 27  # Sizes of cells.
_MEDIUM = 48
_PAWN_CAPTION = " A pawn attacks only diagonally; it does not capture straight ahead."
_RECORD_BITBOARDS = (
    ("white", "black", "castling"),
    ("pawns", "knights", "bishops"),
    ("rooks", "queens", "kings"),
)


def show_board(setup: Setup) -> Picture:
    """Draw the pieces; castling rooks and the en passant square are marked."""
    key = int(Boards(setup).position.key)

    def cell(square: int) -> Cell:
        is_special = square in setup.castling or square == setup.en_passant
        return Cell(piece=piece_letter(setup, square), shade="special" if is_special else square_shade(square))

    return Picture(
        f"{COLOUR_NAMES[setup.turn]} to move",
        f"Move {setup.fullmove_number}; {setup.halfmove_clock} plies since a capture or a pawn's move.",
        ((board_grid(cell, caption=f"key {_word(key)}"),),),
        (("special", "a rook that may still castle, or the square of an en passant capture"),),
    )


# --- Attacks ----------------------------------------------------------------------------------------------------------


def show_attacks(setup: Setup, square: int | None = None) -> Picture:
    """Draw the rays and attacks of the piece on a square; by default of the king of the side to move."""
    boards, chosen = Boards(setup), chosen_square(setup, square)
    piece = setup.board[chosen]
    colour, kind = COLOUR_NAMES[piece_colour(piece)].lower(), KIND_NAMES[piece_kind(piece)]
    rays = _reach(boards, colour, kind, chosen, "rays")
    attacked = _reach(boards, colour, kind, chosen, "attacks")

    def ray_cell(target: int) -> Cell:
        if target == chosen:
            return Cell(shade="chosen", piece=PIECE_SYMBOLS[piece])
        if not rays >> target & 1:
            return Cell(shade=square_shade(target))
        step = int(step_between(tables(), np.int64(to_0x88(chosen)), np.int64(to_0x88(target))))
        return Cell(f"{step:+d}", "ray")

    def attack_cell(target: int) -> Cell:
        shade = "chosen" if target == chosen else square_shade(target)
        if attacked >> target & 1:
            guards = piece_colour(setup.board[target]) == piece_colour(piece)
            shade = "attacked" if not setup.board[target] else "guarded" if guards else "captured"
        return Cell(shade=shade, piece=piece_letter(setup, target))

    grids = (
        board_grid(ray_cell, _MEDIUM, "on an empty board", _word(rays)),
        board_grid(attack_cell, _MEDIUM, "in the position", _word(attacked)),
    )
    return Picture(
        f"The {colour} {kind} on {square_name(chosen)}",
        "On the left the squares that it could reach on an empty board, each with the step of the 0x88 board that "
        "leads there. On the right the squares that it attacks in the position: a ray ends at the first piece, which "
        f"is captured or guarded.{_PAWN_CAPTION if kind == 'pawn' else ''}",
        (grids,),
        (("ray", "ray"), ("attacked", "attacked"), ("captured", "may be captured"), ("guarded", "guarded")),
    )


def _reach(boards: Boards, colour: str, kind: str, square: int, how: str) -> int:
    """The squares that a piece reaches. how: `rays` or `attacks`, which differ for sliders."""
    sliders = {"bishop": ["bishop"], "rook": ["rook"], "queen": ["rook", "bishop"]}
    names = [f"{slider}_{how}" for slider in sliders.get(kind, [])]
    step = f"{colour}_pawn_attacks" if kind == "pawn" else f"{kind}_attacks"
    return sum(boards.value(name, (square,)) for name in names or [step])


# --- Bitboards --------------------------------------------------------------------------------------------------------


def show_bitboard(setup: Setup, bits: str | None = None) -> Picture:
    """Draw an expression of bitboards with the operands of its outermost operator; by default all of the record."""
    boards = Boards(setup)
    if bits is None:
        return Picture(
            "The bitboards of a position",
            "One bit for each square, a1 the lowest: six words for the kinds of pieces, two for the colours, one for "
            "the rooks that may castle. White's rooks are white & rooks.",
            tuple(tuple(_bits(name, boards.value(name)) for name in band) for band in _RECORD_BITBOARDS),
        )
    tree = parse(bits)
    grids = tuple(_bits(title, evaluate(boards, part)) for title, part in _parts(tree))
    caption = "A bitboard: one bit for each square, a1 the lowest and h8 the highest of one 64-bit word."
    if isinstance(tree, (ast.BinOp, ast.UnaryOp)):
        caption = f"{OPERATORS[type(tree.op)].words.capitalize()}. One instruction does all 64 squares."
    return Picture(ast.unparse(tree), caption, (grids,))


def _parts(tree: ast.expr) -> list[tuple[str, ast.expr]]:
    """An expression's operands and itself, with titles."""
    names = [ast.unparse(part) for part in operands(tree)]
    if isinstance(tree, ast.BinOp):
        right = f"({names[1]})" if isinstance(tree.right, ast.BinOp) else names[1]
        names[1] = f"{OPERATORS[type(tree.op)].sign} {right}"
    return list(zip([*names, "= the result" if names else "bits"], [*operands(tree), tree], strict=True))


def _bits(title: str, word: int) -> Grid:
    zero, one = Cell("0", "zero"), Cell("1", "one")
    return board_grid(lambda square: one if word >> square & 1 else zero, _SMALL, title, _word(word))


def _word(word: int) -> str:
    return f"0x{word:016X}"


# --- Rotated bitboards ------------------------------------------------------------------------------------------------


def show_rotated(setup: Setup, square: int | None = None) -> Picture:
    """Draw the occupied squares and the three rotated bitboards, each with its line through a square, by default e4."""
    boards = Boards(setup)
    square = E4 if square is None else square
    lines, own, rotated = rotated_tables(), [1 << bit for bit in range(64)], boards.rotated
    name = square_name(square)
    grids = tuple(
        _rotated_grid(title, int(word), masks, attacks, square)
        for title, word, masks, attacks in (
            ("occupied: the rank", boards.occupied, own, lines.rank_attacks),
            ("rotated90: the file", rotated.rotated90, lines.masks90, lines.file_attacks),
            ("rotated45: the diagonal", rotated.rotated45, lines.masks45, lines.diagonal_attacks),
            ("rotated315: the antidiagonal", rotated.rotated315, lines.masks315, lines.antidiagonal_attacks),
        )
    )
    return Picture(
        f"The four boards and the lines of {name}",
        "The same pieces four times, with the bits in another order; each cell names the square of its bit. The marked "
        f"line runs through {name}: on that board its bits are neighbours, so that one shift and one mask extract "
        "them, and the result is the index of a table of attacks.",
        (grids[:2], grids[2:]),
        (("line_one", f"on the line of {name}, occupied"), ("line_zero", "on it, empty"), ("full", "occupied")),
    )


def _rotated_grid(title: str, word: int, masks: Iterable[Any], attacks: Any, square: int) -> Grid:
    """A rotated board, bit 0 at the bottom left. attacks: by square and by the pieces on its line."""
    square_of = {int(mask).bit_length() - 1: place for place, mask in enumerate(masks) if mask}
    line = int(attacks[square, 0]) | 1 << square

    def cell(bit: int) -> Cell:
        square = square_of[bit]
        occupied, on_line = word >> bit & 1, line >> square & 1
        shade = ("line_one" if occupied else "line_zero") if on_line else "full" if occupied else "zero"
        return Cell(square_name(square), shade)

    rows = tuple(tuple(cell(8 * row + place) for place in range(8)) for row in range(7, -1, -1))
    labels = tuple(str(8 * row) for row in range(7, -1, -1))
    return Grid(rows, title, _word(word), labels, tuple(f"+{place}" for place in range(8)), 38, 34)


# --- The 0x88 board and the difference table --------------------------------------------------------------------------

# The shade of a set of pieces, for squares farther away and for adjacent ones: the first piece in the set decides.
_SHADES = ((KNIGHT, "leap", "leap"), (ROOK, "straight", "beside"), (BISHOP, "diagonal", "slanting"))


def show_rays(setup: Setup, square: int | None = None) -> Picture:
    """Draw the rays of the piece on a square, up to the square off the board where each would end on an empty board.

    By default of the king of the side to move. Raises Ox88Error for an empty square.
    """
    setup.check()
    square = chosen_square(setup, square)
    start, piece = to_0x88(square), setup.board[square]
    ends = dict(_ray(piece, start, step) for step in mailbox.steps_of(piece))
    walked = {place for places in ends.values() for place in places}

    def cell(place: int) -> Cell:
        note = f"{place:02X}"
        if place == start:
            return Cell(note=note, piece=PIECE_SYMBOLS[piece], shade="chosen")
        if place in walked or place in ends:
            return Cell("", "ray" if place in walked else "line_one", note)
        return Cell("", "off" if place & mailbox.OFF_BOARD else square_shade(from_0x88(place)), note)

    board = grid_0x88(cell, a1_is_zero=True)
    outside = tuple(
        Cell(f"{end & 0xFF:08b}", "line_one", f"{end:+d}") for end in ends if not 0 <= end < mailbox.BOARD_SIZE
    )
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
    while not place & mailbox.OFF_BOARD:
        places.append(place)
        if piece_kind(piece) in (PAWN, KNIGHT, KING):
            return place, places
        place += step
    return place, places


def show_0x88(setup: Setup) -> Picture:
    """Draw all 128 bytes of the board, and the piece list."""
    position = make_position(setup)

    def byte(square: int) -> Cell:
        value, note = int(position.board[square]), f"{square:02X}"
        if not square & mailbox.OFF_BOARD:
            return Cell(note=note, piece=piece_letter(setup, from_0x88(square)), shade=square_shade(from_0x88(square)))
        return Cell(f"{value:X}" if position.board[square ^ SLOT] else "", "off", note)

    def in_list(slot: int) -> Cell:
        square = int(position.squares[slot])
        if square == mailbox.NO_SQUARE:
            return Cell("", "off", f"{slot:X}")
        return Cell(note=f"{slot:X}", piece=PIECE_SYMBOLS[position.board[square]], foot=f"{square:02X}", shade="light")

    board = grid_0x88(byte, "board[0x80]", a1_is_zero=True)
    slots = tuple(tuple(in_list(colour * SLOTS + slot) for slot in range(SLOTS)) for colour in (WHITE, BLACK))
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


def show_difference(setup: Setup, square: int | None = None) -> Picture:
    """Draw the entry of the difference table for each square, as seen from one square, by default e4."""
    setup.check()
    start = E4 if square is None else square
    name = square_name(start)

    def cell(target: int) -> Cell:
        index = to_0x88(target) - to_0x88(start) + CENTRE
        if target == start:
            return Cell("from", "chosen", str(index))
        pieces, step = int(tables().could_reach[index]), int(tables().step_between[index])
        return Cell(_letters(pieces), _shade(pieces), str(index), f"{step:+d}" if step else "")

    return Picture(
        f"The difference table, seen from {name}",
        f"In each square stand the index, to - {name} + 128; the pieces that could get there from {name} on an empty "
        "board; and the step that leads there. P is a white pawn's capture and p a black pawn's. All pairs of squares "
        "with the same difference share one entry.",
        ((board_grid(cell, 74),),),
        (
            ("beside", "straight, one step"),
            ("straight", "straight, farther"),
            ("slanting", "diagonal, one step"),
            ("diagonal", "diagonal, farther"),
            ("leap", "a knight's step"),
        ),
    )


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
