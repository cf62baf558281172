"""Expressions of bitboards, such as white & ~pawns or white_rooks ^ (mask[e1] | mask[e4])."""

import ast
import difflib
import operator
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ox88.bitboard import attacks, rotated
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.bitboard.position import make_position
from ox88.bitboard.records import make_record
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error
from ox88.setup import Setup
from ox88.types import BLACK, KIND_NAMES, WHITE, parse_square

ALL_SQUARES: Final = (1 << 64) - 1
MAX_LENGTH: Final = 100  # Of an expression.

Value = Callable[..., Any]


class Boards:
    """The bitboards of a position by name."""

    def __init__(self, setup: Setup) -> None:
        self.position = make_position(setup)
        self.tables = board_tables()
        self.rotated_tables = rotated.rotated_tables()
        self.rotated = make_record(rotated.ROTATED)
        rotated.fill_rotated(self.rotated, self.rotated_tables, self.position)

        self.occupied = np.uint64(attacks.occupied_squares(self.position))

    def value(self, name: str, squares: tuple[int, ...] = ()) -> int:
        """A bitboard. Raises Ox88Error for an unknown name or the wrong number of squares."""
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, 1)
            hint = f"; {near[0]} is one" if near else ""
            raise Ox88Error(f"{name!r} is not a bitboard{hint}. There are {', '.join(map(usage, NAMES))}")
        count, read = NAMES[name]
        if len(squares) != count:
            raise Ox88Error(f"{name} takes {('no square', 'one square', 'two squares')[count]}: {usage(name)}")
        return int(read(self, *map(np.int64, squares)))


def usage(name: str) -> str:
    """A name as it is written, with its squares."""
    return name + ("", "[e4]", "[e4, h7]")[NAMES[name][0]]


def _kind(kind: int) -> Value:
    return lambda boards: boards.position.kinds[kind]


def _kind_of(kind: int, colour: int) -> Value:
    return lambda boards: boards.position.kinds[kind] & boards.position.colours[colour]


def _table(name: str) -> Value:
    return lambda boards, *squares: boards.tables[name][squares]


# For each name: the number of squares that it takes, and a function that reads the bitboard.
NAMES: Final[dict[str, tuple[int, Value]]] = {
    "white": (0, lambda boards: boards.position.colours[WHITE]),
    "black": (0, lambda boards: boards.position.colours[BLACK]),
    "occupied": (0, lambda boards: boards.occupied),
    **{f"{name}s": (0, _kind(kind)) for kind, name in enumerate(KIND_NAMES) if name},
    "bishops_queens": (0, lambda boards: attacks.bishops_queens(boards.position)),
    "rooks_queens": (0, lambda boards: attacks.rooks_queens(boards.position)),
    **{f"white_{name}s": (0, _kind_of(kind, WHITE)) for kind, name in enumerate(KIND_NAMES) if name},
    **{f"black_{name}s": (0, _kind_of(kind, BLACK)) for kind, name in enumerate(KIND_NAMES) if name},
    "castling": (0, lambda boards: boards.position.castling),
    "checkers": (0, lambda boards: attacks.checkers(boards.position, boards.tables)),
    "pinned": (0, lambda b: attacks.pinned(b.position, b.tables, np.int64(b.position.turn))),
    "rotated90": (0, lambda boards: boards.rotated.rotated90),
    "rotated45": (0, lambda boards: boards.rotated.rotated45),
    "rotated315": (0, lambda boards: boards.rotated.rotated315),
    "mask": (1, lambda _, square: np.uint64(1) << np.uint64(square)),
    "white_pawn_attacks": (1, lambda boards, square: boards.tables.pawn_attacks[WHITE, square]),
    "black_pawn_attacks": (1, lambda boards, square: boards.tables.pawn_attacks[BLACK, square]),
    "knight_attacks": (1, _table("knight_attacks")),
    "king_attacks": (1, _table("king_attacks")),
    "rook_rays": (1, _table("rook_rays")),
    "bishop_rays": (1, _table("bishop_rays")),
    "rook_attacks": (1, lambda boards, square: rook_attacks(boards.tables, square, boards.occupied)),
    "bishop_attacks": (1, lambda boards, square: bishop_attacks(boards.tables, square, boards.occupied)),
    "attackers": (1, lambda b, square: attacks.attackers_to(b.position, b.tables, square, b.occupied)),
    "between": (2, _table("between")),
    "line": (2, _table("line")),
}


class Operator(NamedTuple):
    """An operator of expressions, as it is written, as a function, and in words."""

    sign: str
    apply: Callable[..., int]
    words: str


OPERATORS: Final[dict[type, Operator]] = {
    ast.BitAnd: Operator("&", operator.and_, "and: the squares in both"),
    ast.BitOr: Operator("|", operator.or_, "or: the squares in one of them, or both"),
    ast.BitXor: Operator("^", operator.xor, "xor: the squares in one of them, but not both"),
    ast.Invert: Operator("~", lambda word: ~word & ALL_SQUARES, "not: the squares that are not in it"),
}


def parse(text: str) -> ast.expr:
    """Parse an expression in Python's grammar. Raises Ox88Error."""
    if len(text) > MAX_LENGTH:
        raise Ox88Error(f"an expression of bitboards has at most {MAX_LENGTH} characters, not {len(text)}")
    if strange := re.search(r"[^a-z0-9_ \[\],()&|^~]|(?<![a-z0-9_])\d", text):
        raise _not_understood(text, f"{strange.group()!r} has no place in it")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise _not_understood(text, error.msg) from None


def _not_understood(text: str, reason: str) -> Ox88Error:
    return Ox88Error(
        f"{text!r} is not an expression of bitboards: {reason}. Expected names, squares in brackets, &, |, ^, ~ and "
        "parentheses, such as white & (rooks | queens) or rook_attacks[e4] & black"
    )


def evaluate(boards: Boards, tree: ast.expr) -> int:
    """The value of an expression. Raises Ox88Error."""
    match tree:
        case ast.Name(name):
            return boards.value(name)
        case ast.Subscript(ast.Name(name), place):
            squares = place.elts if isinstance(place, ast.Tuple) else [place]
            return boards.value(name, tuple(parse_square(ast.unparse(square)) for square in squares))
        case ast.UnaryOp(op) | ast.BinOp(op=op) if type(op) in OPERATORS:
            return OPERATORS[type(op)].apply(*(evaluate(boards, part) for part in operands(tree)))
    raise _not_understood(ast.unparse(tree), "it has another form")


def operands(tree: ast.expr) -> list[ast.expr]:
    """The operands of the outermost operator; empty for a name."""
    match tree:
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.BinOp(left, _, right):
            return [left, right]
    return []
