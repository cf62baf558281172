"""The board, attacks, bitboards and rotated bitboards, read from the records of the bitboards."""

import ast
import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from ox88.apps.show.expression import OPERATORS, Boards, evaluate, operands, parse
from ox88.apps.show.picture import E4, Cell, Grid, Picture, board_grid, chosen_square, square_shade
from ox88.bitboard.rotated import rotated_tables
from ox88.mailbox.attacks import step_between
from ox88.mailbox.records import tables as mailbox_tables
from ox88.setup import Setup
from ox88.types import COLOUR_NAMES, KIND_NAMES, PIECE_SYMBOLS, piece_colour, piece_kind, square_name, to_0x88

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
    position = Boards(setup).position
    return Picture(
        f"{COLOUR_NAMES[position.turn]} to move",
        f"Move {position.fullmove_number}; {position.halfmove_clock} plies since a capture or a pawn's move.",
        ((board_grid(lambda square: _piece_cell(position, square), caption=f"key {_word(int(position.key))}"),),),
        (("special", "a rook that may still castle, or the square of an en passant capture"),),
    )


def _piece_cell(position: Any, square: int) -> Cell:
    is_castling_rook = int(position.castling) >> square & 1
    is_passed = square and square == position.en_passant
    shade = "special" if is_castling_rook or is_passed else square_shade(square)
    return Cell(piece=_symbol(position, square), shade=shade)


def _symbol(position: Any, square: int) -> str:
    piece = int(position.board[square])
    return PIECE_SYMBOLS[piece] if piece else ""


# --- Attacks ----------------------------------------------------------------------------------------------------------


def show_attacks(setup: Setup, square: int | None = None) -> Picture:
    """Draw the rays and attacks of the piece on a square; by default of the king of the side to move."""
    boards, chosen = Boards(setup), chosen_square(setup, square)
    piece = setup.board[chosen]
    colour, kind = COLOUR_NAMES[piece_colour(piece)].lower(), KIND_NAMES[piece_kind(piece)]
    rays = _reach(boards, colour, kind, chosen, "rays")
    attacked = _reach(boards, colour, kind, chosen, "attacks")
    ray_cell = functools.partial(_ray_cell, boards, chosen, rays)
    attack_cell = functools.partial(_attack_cell, boards, chosen, attacked)
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


def _ray_cell(boards: Boards, square: int, rays: int, target: int) -> Cell:
    if target == square:
        return Cell(shade="chosen", piece=_symbol(boards.position, square))
    if not rays >> target & 1:
        return Cell(shade=square_shade(target))
    step = int(step_between(mailbox_tables(), np.int64(to_0x88(square)), np.int64(to_0x88(target))))
    return Cell(f"{step:+d}", "ray")


def _attack_cell(boards: Boards, square: int, attacked: int, target: int) -> Cell:
    symbol = _symbol(boards.position, target)
    if target == square:
        return Cell(shade="chosen", piece=symbol)
    if not attacked >> target & 1:
        return Cell(shade=square_shade(target), piece=symbol)
    if not symbol:
        return Cell(shade="attacked")
    own = boards.position.board[target] >> 3 == boards.position.board[square] >> 3
    return Cell(shade="guarded" if own else "captured", piece=symbol)


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
    tables = rotated_tables()
    own = [1 << bit for bit in range(64)]
    name = square_name(square)
    grids = tuple(
        _rotated_grid(title, int(word), masks, attacks, square)
        for title, word, masks, attacks in (
            ("occupied: the rank", boards.occupied, own, tables.rank_attacks),
            ("rotated90: the file", boards.rotated.rotated90, tables.masks90, tables.file_attacks),
            ("rotated45: the diagonal", boards.rotated.rotated45, tables.masks45, tables.diagonal_attacks),
            ("rotated315: the antidiagonal", boards.rotated.rotated315, tables.masks315, tables.antidiagonal_attacks),
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
