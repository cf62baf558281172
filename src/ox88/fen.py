"""The fields of a FEN, read and written: standard FEN, X-FEN and Shredder-FEN, and the four fields of EPD.

The reader accepts missing fields, extra blanks, 11 for 2 and EPD operations after the position; of the operations it
reads hmvc and fmvn, EPD's clocks. On any other error it raises a `FenError` that names the field. `Setup.check` tells
whether the position is legal.

Files are full of castling rights whose king or rook stands elsewhere, and of en passant squares that no pawn has just
passed. The reader drops them, as Stockfish and python-chess's `clean_castling_rights` do.
"""

import re
import string
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, get_args

from ox88.errors import Ox88Error
from ox88.types import (
    BLACK,
    COLOUR_NAMES,
    KING,
    PAWN,
    PIECE_SYMBOLS,
    ROOK,
    WHITE,
    make_piece,
    make_square,
    parse_square,
    square_file,
    square_name,
    square_rank,
)

EnPassant = Literal["fen", "xfen", "legal"]

STARTPOS: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_BACK_RANK: Final = (0, 7)  # By colour.
_MAX_CLOCK: Final = 9999
_CASTLING_LETTERS: Final = "KQABCDEFGHkqabcdefgh"
_NAMED_OPERATION: Final = re.compile(r'[\s;]*([A-Za-z]\w*)((?:[^";]|"[^"]*")*)(?:;|$)')
_CLOCK: Final = re.compile(r"\s*((?:[-+]|\d)[^\s;]*)")  # Any other word is an operation of EPD.
_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_OPERATION: Final = re.compile(r'(?:[^;"]|"[^"]*(?:"|$))+')
_BLANKS: Final = "\t\n\v\f\r\x1c\x1d\x1e\x1f "  # The blanks of ASCII, as the kernel knows them.
_STRAY: Final = string.whitespace + "\x1c\x1d\x1e\x1f\x85\xa0;"  # What may stand behind a FEN.


class FenError(Ox88Error):
    """A FEN that cannot be read.

    Attributes:
        fen: the text.
        reason: what is wrong with it.
    """

    def __init__(self, fen: str, reason: str) -> None:
        shown = fen if len(fen) <= 100 else fen[:97] + "..."
        super().__init__(f"FEN {shown!r}: {reason}")
        self.fen = fen
        self.reason = reason


class Fields(NamedTuple):
    """The fields of a FEN, as `Setup` describes them."""

    board: tuple[int, ...]
    turn: int
    castling: frozenset[int]
    en_passant: int | None
    halfmove_clock: int
    fullmove_number: int


def read_fen(text: str) -> tuple[Fields, str]:
    """The fields of a FEN, or of an EPD line, and its operations as text, such as `bm e4; id "1"`.

    Raises:
        FenError: the text is not a FEN.
        TypeError: it is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"a FEN of type {type(text).__name__}: a text is expected")
    fields = (STARTPOS if text.strip() == "startpos" else text.rstrip(_STRAY)).split(None, 4)
    try:
        if not fields:
            raise Ox88Error("it is empty")
        placement, turn, castling, en_passant, rest = (*fields, *("", "w", "-", "-", "")[len(fields) :])
        board = _parse_board(placement)
        en_passant, semicolon, beside = en_passant.partition(";")
        halfmove_clock, fullmove_number, operations = _split_clocks(f"{semicolon}{beside} {rest}")
        colour, rooks = _parse_turn(turn), _parse_castling(castling, board)
        square = None if en_passant == "-" else _parse_en_passant(en_passant)
    except Ox88Error as error:
        raise FenError(text.strip(), str(error)) from None
    if square is not None and en_passant_fault(board, colour, square):
        square = None
    return Fields(board, colour, rooks, square, halfmove_clock, max(fullmove_number, 1)), operations


def parse_operations(text: str) -> Iterator[tuple[str, str]]:
    """Opcode and operand of each operation, without the quotes around an operand. Raises Ox88Error."""
    place = 0
    while text[place:].strip(" \t;"):
        match = _NAMED_OPERATION.match(text, place)
        if match is None:
            found = text[place:].strip()[:40]
            raise Ox88Error(f"{found!r} is not an EPD operation: expected an opcode, operands and ;, such as bm Qg6;")
        operand = match[2].strip()
        yield match[1], operand[1:-1] if re.fullmatch(r'"[^"]*"', operand) else operand
        place = match.end()


def write_fen(fields: Fields, shredder: bool = False) -> str:
    """A FEN. shredder: write castling rights as the files of the rooks, HAha, and not as KQkq where that is enough."""
    board, turn, castling, en_passant, halfmove_clock, fullmove_number = fields
    square = "-" if en_passant is None else square_name(en_passant)
    rights = _format_castling(board, castling, shredder)
    return f"{_format_board(board)} {'wb'[turn]} {rights} {square} {halfmove_clock} {fullmove_number}"


def en_passant_fault(board: Sequence[int], turn: int, square: int) -> str:
    """Why no pawn can just have passed a square, in words; empty if a pawn can. turn: the side to move."""
    name = square_name(square)
    rank, forward = (5, 8) if turn == WHITE else (2, -8)
    if square_rank(square) != rank:
        return f"en passant on {name}, but with {COLOUR_NAMES[turn]} to move it is on rank {rank + 1}"
    passed = board[square - forward] == make_piece(PAWN, 1 - turn)
    if not passed or board[square] or board[square + forward]:
        return f"en passant on {name}, but no pawn has just passed there"
    return ""


def check_en_passant(en_passant: str) -> None:
    """Raises Ox88Error for anything but an EnPassant."""
    if en_passant not in get_args(EnPassant):
        raise Ox88Error(f"en_passant is {en_passant!r}: 'fen', 'xfen' or 'legal' is expected")


def _format_board(board: tuple[int, ...]) -> str:
    ranks = ("".join(PIECE_SYMBOLS[piece] for piece in board[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1))
    return re.sub(r"\.+", lambda empty: str(len(empty.group())), "/".join(ranks))


def _format_castling(board: tuple[int, ...], castling: frozenset[int], shredder: bool) -> str:
    """The castling field of a FEN, White's rights first, the king's side before the queen's."""
    letters = []
    for colour in (WHITE, BLACK):
        king = next((square for square, piece in enumerate(board) if piece == make_piece(KING, colour)), None)
        rooks = sorted((rook for rook in castling if rook >> 3 == _BACK_RANK[colour]), reverse=True)
        for rook in rooks:
            letter = "ABCDEFGH"[square_file(rook)]
            if king is not None and not shredder:
                side = "K" if rook > king else "Q"
                letter = side if _outermost_rook(board, colour, side) == rook else letter
            letters.append(letter if colour == WHITE else letter.lower())
    return "".join(letters) or "-"


def _parse_board(text: str) -> tuple[int, ...]:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise Ox88Error(f"the board has {len(ranks)} rank{'s' if len(ranks) > 1 else ''}, not 8")
    board: list[int] = []
    for number, rank in zip(range(1, 9), reversed(ranks), strict=True):
        board += _parse_rank(rank, number)
    return tuple(board)


def _parse_rank(text: str, number: int) -> list[int]:
    pieces: list[int] = []
    for symbol in text:
        if symbol in "12345678":
            pieces += [0] * int(symbol)
        elif symbol in "PNBRQKpnbrqk":
            pieces.append(PIECE_SYMBOLS.index(symbol))
        else:
            raise Ox88Error(f"{symbol!r} on rank {number} is neither a piece (PNBRQK, pnbrqk) nor a number from 1 to 8")
    if len(pieces) != 8:
        raise Ox88Error(f"rank {number} ({text!r}) has {len(pieces)} squares, not 8")
    return pieces


def _parse_turn(text: str) -> int:
    if text not in ("w", "b"):
        raise Ox88Error(f"the side to move is {text!r}, not w or b")
    return "wb".index(text)


def _parse_castling(text: str, board: tuple[int, ...]) -> frozenset[int]:
    """The rooks of the possible castling rights. Of two rooks on one side of the king, the outer one may castle."""
    if text == "-":
        return frozenset()
    for letter in text:
        if letter not in _CASTLING_LETTERS:
            raise Ox88Error(f"{letter!r} in the castling field {text!r} is not one of KQkq, the file of a rook or -")
    pairs = {pair for letter in text if (pair := _castling_pair(letter, board)) is not None}
    nearest_first = sorted(pairs, key=lambda pair: abs(pair[0] - pair[1]))
    return frozenset({(king, rook > king): rook for king, rook in nearest_first}.values())


def _castling_pair(letter: str, board: tuple[int, ...]) -> tuple[int, int] | None:
    """The squares of the king and the rook of a castling right; None if the king or the rook stands elsewhere."""
    colour = WHITE if letter.isupper() else BLACK
    first = make_square(0, _BACK_RANK[colour])
    back_rank = board[first : first + 8]
    if letter.upper() in "KQ":
        rook = _outermost_rook(board, colour, letter.upper())
    else:
        rook = first + "ABCDEFGH".index(letter.upper())
    if make_piece(KING, colour) not in back_rank or rook is None or board[rook] != make_piece(ROOK, colour):
        return None
    return first + back_rank.index(make_piece(KING, colour)), rook


def _outermost_rook(board: tuple[int, ...], colour: int, side: str) -> int | None:
    """The rook that K or Q means: of the rooks on its side of the king, the nearest to the edge."""
    first = make_square(0, _BACK_RANK[colour])
    back_rank = board[first : first + 8]
    if make_piece(KING, colour) not in back_rank:
        return None
    king = back_rank.index(make_piece(KING, colour))
    files = range(7, king, -1) if side == "K" else range(king)
    return next((first + file for file in files if back_rank[file] == make_piece(ROOK, colour)), None)


def _parse_en_passant(text: str) -> int:
    try:
        return parse_square(text)
    except Ox88Error:
        raise Ox88Error(f"the en passant field is {text!r}, neither a square nor -") from None


def _split_clocks(text: str) -> tuple[int, int, str]:
    """(halfmove clock, fullmove number, EPD operations) of the text after the fourth field. Clocks may be missing."""
    clocks = []
    for name in ("halfmove clock", "fullmove number"):
        clock = _CLOCK.match(text)
        if clock is None:
            break
        clocks.append(_parse_clock(clock[1], name))
        text = text[clock.end() :]
    halfmove_clock, fullmove_number = (*clocks, *(0, 1)[len(clocks) :])
    for operation in _OPERATION.findall(text):
        opcode, _, operand = re.sub(f"[{_BLANKS}]+", " ", operation).strip(" ").partition(" ")
        if opcode == "hmvc" and operand:
            halfmove_clock = _parse_clock(operand, "halfmove clock")
        elif opcode == "fmvn" and operand:
            fullmove_number = _parse_clock(operand, "fullmove number")
    return halfmove_clock, fullmove_number, text.strip()


def _parse_clock(text: str, name: str) -> int:
    if text == "-":
        return 0
    if not _NUMBER.fullmatch(text):
        raise Ox88Error(f"the {name} is {text!r}, not a number from 0 to {_MAX_CLOCK}")
    return int(text)
