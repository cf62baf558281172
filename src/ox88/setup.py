"""`Setup`: the position of a FEN, legal or not, and the rules of chess that it breaks."""

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from ox88.errors import IllegalPositionError, Ox88Error
from ox88.fen import EnPassant, Fields, check_en_passant, en_passant_fault, read_fen, write_fen
from ox88.types import (
    BISHOP,
    BLACK,
    BLACK_BIT,
    COLOUR_NAMES,
    EMPTY,
    KING,
    KNIGHT,
    MAX_CLOCK,
    MAX_PAWNS,
    MAX_PIECES,
    NO_MOVE,
    PAWN,
    PIECE_SYMBOLS,
    PROMOTION_SYMBOLS,
    QUEEN,
    ROOK,
    WHITE,
    as_colour,
    make_castling,
    make_move,
    make_piece,
    make_square,
    parse_square,
    piece_colour,
    piece_kind,
    square_file,
    square_name,
    square_rank,
)

_PIECES: Final = frozenset({EMPTY, *range(PAWN, KING + 1), *range(BLACK_BIT + PAWN, BLACK_BIT + KING + 1)})

_Steps = tuple[tuple[int, int], ...]

_ROOK_STEPS: Final[_Steps] = ((0, 1), (0, -1), (1, 0), (-1, 0))
_BISHOP_STEPS: Final[_Steps] = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_KNIGHT_STEPS: Final[_Steps] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Setup:
    """A position as a FEN describes it. It may be illegal: `broken_rules` says why, `check` raises.

    `Setup(fen)` reads a FEN, as `parse_fen` does, and `fen` writes it. `print` shows the board; a notebook draws it.

    Attributes:
        board: 64 pieces, a1 first; 0 for an empty square, 1 to 6 for White's pawn to king, 9 to 14 for Black's.
        turn: WHITE = 0 or BLACK = 1. Of python-chess's colours White is True: `white_to_move` compares with them.
        castling: the squares of the rooks that may still castle.
        en_passant: the square that a pawn's double step has just passed, even if no pawn can capture there.
        halfmove_clock: plies since the last capture or pawn move.
        fullmove_number: 1 at the start, one more after each move of Black.

    Raises:
        FenError: the text is not a FEN.
        Ox88Error: a piece, a square, a colour or a clock is out of range.
        TypeError: an argument has the wrong type.
    """

    board: tuple[int, ...]
    turn: int
    castling: frozenset[int]
    en_passant: int | None
    halfmove_clock: int
    fullmove_number: int

    def __init__(
        self,
        board: str | Iterable[int],
        turn: int = WHITE,
        castling: Iterable[int] = (),
        en_passant: int | None = None,
        halfmove_clock: int = 0,
        fullmove_number: int = 1,
    ) -> None:
        fields = (turn, castling, en_passant, halfmove_clock, fullmove_number)
        if isinstance(board, str):
            if fields != (WHITE, (), None, 0, 1):
                raise TypeError("a Setup of a FEN and other fields: a FEN alone, or the fields, are expected")
            values: tuple[Any, ...] = read_fen(board)[0]
        else:
            values = _checked_fields(board, *fields)
        self._fill(values)

    @classmethod
    def _of(cls, *fields: Any) -> "Setup":
        """A Setup of fields that are known to be of the right types and in range."""
        setup = cls.__new__(cls)
        setup._fill(fields)
        return setup

    def _fill(self, values: tuple[Any, ...]) -> None:
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def fen(self) -> str:
        """The FEN, as X-FEN where castling rights need it; `ox88.format_fen` writes other forms."""
        return format_fen(self)

    @property
    def white_to_move(self) -> bool:
        """True if White is to move, as `turn` of a python-chess board is."""
        return self.turn == WHITE

    def __repr__(self) -> str:
        return f"Setup({self.fen!r})"

    def __str__(self) -> str:
        """The board as eight lines of letters, White's capital."""
        ranks = (self.board[8 * rank : 8 * rank + 8] for rank in range(7, -1, -1))
        return "\n".join(" ".join(PIECE_SYMBOLS[piece] for piece in rank) for rank in ranks)

    def _repr_svg_(self, size: int = 360) -> str:
        """The board as a notebook draws it. size: in pixels."""
        import chess
        import chess.svg

        king = self.king_square(self.turn) if self.is_check() else None
        return chess.svg.board(chess.BaseBoard(self.fen.split()[0]), check=king, size=size)

    def squares_of(self, piece: int) -> list[int]:
        return [square for square, other in enumerate(self.board) if other == piece]

    def occupied(self) -> list[int]:
        return [square for square, piece in enumerate(self.board) if piece]

    def king_square(self, colour: int) -> int | None:
        """The square of a colour's king; None if it has none. colour: WHITE, BLACK or python-chess's."""
        return next(iter(self.squares_of(make_piece(KING, colour))), None)

    def castling_rook(self, from_square: int, to_square: int) -> int | None:
        """The square of the rook if a move is castling, written as e1g1 or as e1h1; else None."""
        piece = self.board[from_square]
        if piece_kind(piece) != KING or square_rank(from_square) != square_rank(to_square):
            return None
        if self.board[to_square] == make_piece(ROOK, piece_colour(piece)):
            return to_square
        if abs(from_square - to_square) < 2 or square_file(to_square) not in (2, 6):
            return None
        to_king_side = to_square > from_square
        same_side = (
            rook
            for rook in self.castling
            if square_rank(rook) == square_rank(from_square) and (rook > from_square) == to_king_side
        )
        return next(same_side, None)

    def is_attacked(self, square: int, by_colour: int) -> bool:
        """True if a piece of a colour attacks a square. by_colour: WHITE, BLACK or python-chess's.

        This is plain Python, slow, for single setups.
        """
        pawn_rank = -1 if as_colour(by_colour) == WHITE else 1
        leapers: tuple[tuple[int, _Steps], ...] = (
            (PAWN, ((-1, pawn_rank), (1, pawn_rank))),
            (KNIGHT, _KNIGHT_STEPS),
            (KING, _ROOK_STEPS + _BISHOP_STEPS),
        )
        for kind, steps in leapers:
            piece = make_piece(kind, by_colour)
            if any(self.board[target] == piece for step in steps for target in _ray(square, step, 1)):
                return True
        sliders: tuple[tuple[int, _Steps], ...] = ((ROOK, _ROOK_STEPS), (BISHOP, _BISHOP_STEPS))
        for kind, steps in sliders:
            pieces = (make_piece(kind, by_colour), make_piece(QUEEN, by_colour))
            if any(self._first_piece(square, step) in pieces for step in steps):
                return True
        return False

    def _first_piece(self, square: int, step: tuple[int, int]) -> int:
        return next((self.board[target] for target in _ray(square, step, 7) if self.board[target]), EMPTY)

    def is_check(self) -> bool:
        """True if the side to move is in check."""
        king = self.king_square(self.turn)
        return king is not None and self.is_attacked(king, 1 - self.turn)

    def has_pseudo_legal_en_passant(self) -> bool:
        """True if a pawn of the side to move stands beside the pawn that has just passed, even if it is pinned."""
        return any(True for _ in self._en_passant_pawns())

    def has_legal_en_passant(self) -> bool:
        """True if a pawn can capture en passant without leaving its king attacked."""
        return not all(self._is_exposed_by_en_passant(pawn) for pawn in self._en_passant_pawns())

    def _en_passant_pawns(self) -> Iterator[int]:
        """The squares of the pawns beside the pawn that has just passed; none if no pawn can have passed."""
        if self.en_passant is not None and not en_passant_fault(self.board, self.turn, self.en_passant):
            file, passed = square_file(self.en_passant), self.en_passant + (-8 if self.turn == WHITE else 8)
            neighbours = (passed + step for step in (-1, 1) if 0 <= file + step < 8)
            yield from (square for square in neighbours if self.board[square] == make_piece(PAWN, self.turn))

    def _is_exposed_by_en_passant(self, pawn: int) -> bool:
        """True if the king is attacked after a pawn's capture en passant."""
        king, target, board = self.king_square(self.turn), self.en_passant or 0, list(self.board)
        board[target], board[pawn] = board[pawn], EMPTY
        board[make_square(square_file(target), square_rank(pawn))] = EMPTY
        return king is not None and Setup(board).is_attacked(king, 1 - self.turn)

    def is_chess960(self) -> bool:
        """True if a castling right exists in Chess960 alone, so that moves must be written its way."""
        return any(
            square_file(rook) not in (0, 7) or self.board[rook - square_file(rook) + 4] & 7 != KING
            for rook in self.castling
        )

    def broken_rules(self) -> tuple[str, ...]:
        """Every rule of chess that the position breaks, in words; empty if it is legal."""
        rules = [
            *self._broken_counts(WHITE),
            *self._broken_counts(BLACK),
            *self._broken_pawns(),
            *self._broken_castling(),
            *self._broken_en_passant(),
        ]
        waiting = 1 - self.turn
        king = self.king_square(waiting)
        if king is not None and self.is_attacked(king, self.turn):
            rules.append(f"{COLOUR_NAMES[waiting]} is in check, but it is {COLOUR_NAMES[self.turn]}'s move")
        return tuple(rules)

    def check(self) -> "Setup":
        """Return the setup itself if it is legal.

        Raises:
            IllegalPositionError: with every broken rule.
        """
        rules = self.broken_rules()
        if rules:
            raise IllegalPositionError(rules)
        return self

    def _broken_counts(self, colour: int) -> Iterator[str]:
        name = COLOUR_NAMES[colour]
        pieces = [piece_kind(piece) for piece in self.board if piece and piece_colour(piece) == colour]
        kings = pieces.count(KING)
        if kings != 1:
            yield f"{name} has {kings} kings, not one" if kings else f"{name} has no king"
        if pieces.count(PAWN) > MAX_PAWNS:
            yield f"{name} has {pieces.count(PAWN)} pawns, more than {MAX_PAWNS}"
        if len(pieces) > MAX_PIECES:
            yield f"{name} has {len(pieces)} pieces, more than {MAX_PIECES}"

    def _broken_pawns(self) -> Iterator[str]:
        for square, piece in enumerate(self.board):
            if piece_kind(piece) == PAWN and square_rank(square) in (0, 7):
                yield f"a pawn stands on {square_name(square)}, on a first or last rank"

    def _broken_castling(self) -> Iterator[str]:
        sides: set[tuple[int, bool]] = set()
        for rook in sorted(self.castling):
            colour = {0: WHITE, 7: BLACK}.get(square_rank(rook))
            if colour is None or self.board[rook] != make_piece(ROOK, colour):
                yield f"castling with a rook on {square_name(rook)}, but no rook there can castle"
                continue
            king = self.king_square(colour)
            if king is None or square_rank(king) != square_rank(rook):
                yield f"{COLOUR_NAMES[colour]} may castle, but its king has left the back rank"
                continue
            side = (colour, rook > king)
            if side in sides:
                yield f"{COLOUR_NAMES[colour]} may castle with two rooks on one side"
            sides.add(side)

    def _broken_en_passant(self) -> Iterator[str]:
        if self.en_passant is not None and (fault := en_passant_fault(self.board, self.turn, self.en_passant)):
            yield fault


def _checked_fields(
    board: Iterable[int],
    turn: int,
    castling: Iterable[int],
    en_passant: int | None,
    halfmove_clock: int,
    fullmove_number: int,
) -> tuple[Any, ...]:
    """The fields of a Setup. Raises TypeError, Ox88Error."""
    if not isinstance(board, Iterable):
        raise TypeError(f"a Setup of type {type(board).__name__}: a FEN, or the pieces on 64 squares, is expected")
    if not isinstance(castling, Iterable):
        raise TypeError(f"castling is {castling!r}: the squares of rooks are expected, such as {{0, 7}}")
    pieces = tuple(board)
    if len(pieces) != 64:
        raise Ox88Error(f"a board of {len(pieces)} squares: 64 are expected")
    if not _PIECES.issuperset(pieces):
        wrong = next(piece for piece in pieces if piece not in _PIECES)
        raise Ox88Error(f"{wrong!r} on the board is no piece: 0 for none, 1 to 6 or 9 to 14 is expected")
    return (
        pieces,
        as_colour(turn),
        frozenset(_checked_number("a rook's square", rook, 63) for rook in castling),
        None if en_passant is None else _checked_number("the en passant square", en_passant, 63),
        _checked_number("the halfmove clock", halfmove_clock, MAX_CLOCK),
        _checked_number("the fullmove number", fullmove_number, MAX_CLOCK),
    )


def _checked_number(name: str, value: int, most: int) -> int:
    """The whole number from 0 to `most`. Raises TypeError, Ox88Error."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}: a whole number is expected") from None
    if not 0 <= number <= most:
        raise Ox88Error(f"{name} is {number}: 0 to {most} is expected")
    return number


def _ray(square: int, step: tuple[int, int], length: int) -> Iterator[int]:
    """At most `length` squares from a square along a step (files, ranks), as far as the edge of the board."""
    file, rank = square_file(square), square_rank(square)
    for _ in range(length):
        file, rank = file + step[0], rank + step[1]
        if not (0 <= file < 8 and 0 <= rank < 8):
            return
        yield make_square(file, rank)


def parse_fen(text: str) -> Setup:
    """Read a FEN, X-FEN or Shredder-FEN, or the position of an EPD line.

    Args:
        text: the FEN; clocks may be missing. `startpos` is the start position.

    Returns:
        The position, without impossible castling rights and en passant squares. It may be illegal: `Setup.check`
        raises then.

    Raises:
        FenError: the text is not a FEN.
        TypeError: it is no text.
    """
    return parse_epd(text)[0]


def parse_epd(text: str) -> tuple[Setup, str]:
    """The setup of an EPD line and its operations as text, such as `bm e4; id "1"`. Raises FenError, TypeError."""
    fields, operations = read_fen(text)
    return Setup(*fields), operations


def format_fen(setup: Setup, shredder: bool = False, en_passant: EnPassant = "fen") -> str:
    """Write a FEN.

    Args:
        setup: the position.
        shredder: write castling rights as the files of the rooks (HAha). By default they are KQkq, or a file where
            KQkq is ambiguous (X-FEN).
        en_passant: when to write the en passant square: "fen" after every double step, as the standard has it; "xfen"
            if a pawn stands beside the pawn that has passed; "legal" if it can be captured, python-chess's default.

    Raises:
        Ox88Error: `en_passant` is something else.
        TypeError: `setup` is no Setup.
    """
    check_setup(setup)
    check_en_passant(en_passant)
    is_shown = {"legal": setup.has_legal_en_passant, "xfen": setup.has_pseudo_legal_en_passant}.get(en_passant)
    square = setup.en_passant if is_shown is None or is_shown() else None
    fields = Fields(setup.board, setup.turn, setup.castling, square, setup.halfmove_clock, setup.fullmove_number)
    return write_fen(fields, shredder)


def parse_uci(text: str, setup: Setup) -> int:
    """Read a move in UCI's notation. It need not be legal.

    Args:
        text: such as `e2e4` or `e7e8q`; castling as `e1g1` or `e1h1`; `0000` for no move.
        setup: the position, which shows whether a king's move is castling.

    Returns:
        The move as a 16-bit integer.

    Raises:
        Ox88Error: the text is not a move.
        TypeError: an argument has the wrong type.
    """
    if not isinstance(text, str):
        raise TypeError(f"the move is {text!r}: a text is expected, such as 'e2e4'")
    check_setup(setup)
    if text == "0000":
        return NO_MOVE
    squares, promotion = text[:4], text[4:]
    if len(squares) != 4 or len(promotion) > 1 or (promotion and promotion not in "nbrq"):
        raise Ox88Error(f"{text!r} is not a move: expected two squares, and for a promotion n, b, r or q: e7e8q")
    from_square, to_square = parse_square(squares[:2]), parse_square(squares[2:])
    if from_square == to_square:  # a1a1 would be the number of no move.
        raise Ox88Error(f"{text!r} is not a move: a piece must go to another square")
    rook_square = setup.castling_rook(from_square, to_square)
    if rook_square is not None and not promotion:
        return make_castling(from_square, rook_square)
    return make_move(from_square, to_square, PROMOTION_SYMBOLS.index(promotion) if promotion else 0)


def check_setup(setup: object) -> None:
    """Raises TypeError for anything but a Setup."""
    if not isinstance(setup, Setup):
        raise TypeError(
            f"the position is of type {type(setup).__name__}: an ox88.Setup is expected, such as positions[0] or "
            "ox88.Setup(fen)"
        )
