"""Squares, pieces and moves as plain integers.

Squares count a1 = 0, b1 = 1, ... h8 = 63. `to_0x88` and `from_0x88` convert them for the 0x88 board, `to_listing` and
`from_listing` for micro-Max, whose board begins at a8 = 0x00.

A piece is a kind (PAWN = 1 ... KING = 6) plus 8 for Black; 0 is an empty square.

A move is 16 bits, so that millions of them fit an array of uint16:

    bits 0-5    from square
    bits 6-11   to square; for castling the square of the castling rook, which is unambiguous in Chess960 too
    bits 12-14  kind of the promoted piece, or 0
    bit  15     castling
"""

import operator
from typing import Final

from ox88.errors import Ox88Error

WHITE: Final = 0
BLACK: Final = 1
COLOUR_NAMES: Final = ("White", "Black")

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
KIND_NAMES: Final = ("", "pawn", "knight", "bishop", "rook", "queen", "king")

EMPTY: Final = 0
BLACK_BIT: Final = 8
PIECE_SYMBOLS: Final = ".PNBRQK..pnbrqk."  # Indexed by piece.

NO_MOVE: Final = 0  # a1a1: no piece moves to where it stands.
CASTLING_FLAG: Final = 1 << 15
PROMOTION_SYMBOLS: Final = "  nbrq  "  # Indexed by the three bits of a move.

MAX_PIECES: Final = 16
MAX_PAWNS: Final = 8
MAX_CLOCK: Final = 0xFFFF


def make_square(file: int, rank: int) -> int:
    """The square of a file and a rank, both 0 to 7."""
    return rank * 8 + file


def square_file(square: int) -> int:
    return square & 7


def square_rank(square: int) -> int:
    return square >> 3


def square_name(square: int) -> str:
    """`e4` for 28."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def parse_square(text: str) -> int:
    """28 for `e4`. Raises Ox88Error."""
    if len(text) != 2 or text[0] not in "abcdefgh" or text[1] not in "12345678":
        raise Ox88Error(f"{text!r} is not a square: expected a file a-h and a rank 1-8, such as e4")
    return make_square("abcdefgh".index(text[0]), "12345678".index(text[1]))


def to_0x88(square: int) -> int:
    """Square of the 0x88 board: rank x 16 + file."""
    return square + (square & 0x38)


def from_0x88(square: int) -> int:
    return (square + (square & 7)) >> 1


def to_listing(square: int) -> int:
    """Square of micro-Max's board, which begins at a8 = 0x00."""
    return to_0x88(square) ^ 0x70


def from_listing(square: int) -> int:
    return from_0x88(square ^ 0x70)


def as_colour(colour: int) -> int:
    """WHITE or BLACK, from one of them or from python-chess's colours: chess.WHITE is True, which equals BLACK.

    Raises TypeError, Ox88Error for anything else; a bool of NumPy may stand for either convention.
    """
    if isinstance(colour, bool):
        return WHITE if colour else BLACK
    expected = "ox88.WHITE = 0, ox88.BLACK = 1 or a colour of python-chess is expected"
    try:
        if type(colour).__name__ == "bool":  # A bool of NumPy, which early releases of NumPy 2 take for an index.
            raise TypeError
        number = operator.index(colour)
    except TypeError:
        raise TypeError(f"the colour is {colour!r}: {expected}") from None
    if number not in (WHITE, BLACK):
        raise Ox88Error(f"the colour is {number}: {expected}")
    return number


def make_piece(kind: int, colour: int) -> int:
    return kind | as_colour(colour) << 3


def piece_kind(piece: int) -> int:
    return piece & 7


def piece_colour(piece: int) -> int:
    return piece >> 3


def make_move(from_square: int, to_square: int, promotion: int = 0) -> int:
    """The integer of a move. promotion: the kind of the new piece, or 0."""
    return from_square | to_square << 6 | promotion << 12


def make_castling(king_square: int, rook_square: int) -> int:
    return make_move(king_square, rook_square) | CASTLING_FLAG


def move_from(move: int) -> int:
    return move & 63


def move_to(move: int) -> int:
    """The square that the piece moves to; for castling, the square of the rook."""
    return move >> 6 & 63


def move_promotion(move: int) -> int:
    return move >> 12 & 7


def is_castling(move: int) -> bool:
    return move & CASTLING_FLAG != 0


def castling_king_to(move: int) -> int:
    """The king's square after castling, on the g-file or the c-file."""
    return make_square(6 if move_to(move) > move_from(move) else 2, square_rank(move_from(move)))


def format_uci(move: int, chess960: bool = False) -> str:
    """Write a move in UCI's notation: `e2e4`, `e7e8q`, `0000` for no move.

    Args:
        move: 16-bit integer.
        chess960: write castling as the king capturing its rook, `e1h1`, rather than as `e1g1`.
    """
    if move == NO_MOVE:
        return "0000"
    to_square = castling_king_to(move) if is_castling(move) and not chess960 else move_to(move)
    return square_name(move_from(move)) + square_name(to_square) + PROMOTION_SYMBOLS[move_promotion(move)].strip()
