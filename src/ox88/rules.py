"""The rules of chess for single games: how a game ended, what move a text means, and why a move is illegal.

python-chess applies the rules; this file puts them into words, once for every program that plays or checks games.
"""

import re
from dataclasses import dataclass
from typing import Final, Self

import chess

from ox88.errors import Ox88Error

DRAW: Final = "1/2-1/2"
POINTS: Final = {"1-0": 1.0, DRAW: 0.5, "0-1": 0.0}  # White's points, by the results of finished games.
_COORDINATES: Final = re.compile(r"([a-h][1-8])[-x]?([a-h][1-8])=?([nbrqk]?)", re.IGNORECASE)
_CASTLING: Final = re.compile(r"[O0]-[O0](-[O0])?[+#]?", re.IGNORECASE)
_PAWN_TO_LAST_RANK: Final = re.compile(r"([a-h][1-8]?x?)?[a-h][18](?=[+#]*$)")  # Without the new piece.
_NUMBER_OR_GLYPH: Final = re.compile(r"\A\d+\s*(?:\.+|…)\s*(?=\S)|(?<=\S)\s*[!?]{1,2}\Z")
_EN_PASSANT: Final = re.compile(r"(?<=[1-8+#])\s*\(?e\.?\s?p\.?\)?(?=[+#]?$)", re.IGNORECASE)
_PASSES: Final = ("--", "Z0", "0000", "@@@@")  # python-chess reads these as null moves.


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How a game ended. result: `1-0`, `0-1` or `1/2-1/2`. reason: in lower case, such as `checkmate`."""

    result: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason}, {self.result}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of `str`."""
        reason, _, result = text.rpartition(", ")
        return cls(result, reason)


def game_end(board: chess.Board) -> GameEnd | None:
    """How the rules have ended a game; None while it goes on.

    Threefold repetition and the fifty-move rule end a game without a claim.
    """
    if not any(board.generate_legal_moves()):
        return GameEnd(win_of(not board.turn), "checkmate") if board.is_check() else GameEnd(DRAW, "stalemate")
    if board.is_insufficient_material():
        return GameEnd(DRAW, "insufficient material")
    if board.is_repetition():
        return GameEnd(DRAW, "threefold repetition")
    return GameEnd(DRAW, "fifty-move rule") if board.halfmove_clock >= 100 else None


def lost_by(side: chess.Color, reason: str, board: chess.Board) -> GameEnd:
    """The end of a game that a side loses on time or by a failure: a draw if the other side cannot mate."""
    if board.has_insufficient_material(not side):
        return GameEnd(DRAW, f"{reason}; the other side cannot mate")
    return GameEnd(win_of(not side), reason)


def win_of(side: chess.Color) -> str:
    """The result of a game that a side has won."""
    return "1-0" if side == chess.WHITE else "0-1"


def colour_name(side: chess.Color) -> str:
    return "White" if side == chess.WHITE else "Black"


class MoveError(Ox88Error):
    """A text is not a legal move; the message says why."""


class MoveSyntaxError(MoveError):
    """A text is not a move in any notation."""


def parse_move(text: str, board: chess.Board) -> chess.Move:
    """Read a legal move: `e2e4`, `e7e8n`, or SAN such as `Nf3`, `e8=Q`; castling as `O-O`, `0-0`, `e1g1` or `e1h1`.

    Letters may be small or capital where that leaves one meaning: `nf3`, `E4`. A pawn that reaches the last rank
    becomes a queen if no piece is named. A number may stand before it, `e.p.` or a glyph behind it. Raises MoveError
    with the broken rule.
    """
    text = _EN_PASSANT.sub("", _NUMBER_OR_GLYPH.sub("", text.strip()))
    coordinates = _COORDINATES.fullmatch(text)
    if coordinates and not (text[0] == "B" and _is_san(text, board)):  # B1c3 can be a bishop of the first rank.
        return _parse_coordinates(board, text, *coordinates.groups())
    if text in _PASSES:
        raise MoveError(f"{text}: passing is not a move in chess")
    moves: list[chess.Move] = []
    failures: dict[str, ValueError] = {}
    for reading in _readings(text):
        try:
            moves.append(board.parse_san(reading))
        except (chess.IllegalMoveError, chess.InvalidMoveError, chess.AmbiguousMoveError) as error:
            failures[reading] = error
    if not moves:
        raise _refusal(text, failures, board) from None
    if len(moves) > 1 and board.san(moves[0]).rstrip("+#") != text.rstrip("+#"):
        raise MoveError(f"{text}: this can mean several moves: {', '.join(map(board.san, moves))}")
    return moves[0]


def _is_san(text: str, board: chess.Board) -> bool:
    """True if a text is a legal move in SAN as it is written."""
    try:
        board.parse_san(text)
    except ValueError:
        return False
    return True


def _readings(text: str) -> list[str]:
    """What a text means in SAN: a small b may be a file or a bishop, the other letters have one meaning."""
    if _CASTLING.fullmatch(text):
        return [text.upper().replace("0", "O")]
    piece, pawn = text[:1].upper() + text[1:].lower(), _PAWN_TO_LAST_RANK.sub(r"\g<0>=Q", text.lower())
    if text[:1].lower() != "b":
        return [piece if text[:1] and text[:1] in "kqrnKQRN" else pawn]
    return [piece] if text == piece and re.search("[a-h][1-8]", text) else [pawn, piece]


def _refusal(text: str, failures: dict[str, ValueError], board: chess.Board) -> MoveError:
    """Why none of a text's readings is a legal move."""
    for reading, failure in failures.items():
        if isinstance(failure, chess.AmbiguousMoveError):
            return MoveError(f"{text}: this can mean several moves: {_alternatives(reading, board)}")
        if isinstance(failure, chess.IllegalMoveError):
            return MoveError(f"{text}: {_why_illegal_san(reading, board)}")
    return MoveSyntaxError(f"{text!r} is not a move; write it as e2e4, e7e8n, Nf3 or O-O")


def _parse_coordinates(board: chess.Board, text: str, from_name: str, to_name: str, promotion: str) -> chess.Move:
    from_square, to_square = chess.parse_square(from_name.lower()), chess.parse_square(to_name.lower())
    if from_square == to_square:  # python-chess takes a1a1 for a null move.
        raise MoveError(f"{text}: a piece must go to another square")
    move = chess.Move(from_square, to_square)
    if promotion:
        move.promotion = chess.PIECE_SYMBOLS.index(promotion.lower())
    elif _reaches_last_rank(move, board):
        move.promotion = chess.QUEEN
    try:
        return board.parse_uci(move.uci())
    except (chess.IllegalMoveError, chess.InvalidMoveError):
        raise MoveError(f"{text}: {why_illegal(move, board)}") from None


def _reaches_last_rank(move: chess.Move, board: chess.Board) -> bool:
    return board.piece_type_at(move.from_square) == chess.PAWN and chess.square_rank(move.to_square) in (0, 7)


def _alternatives(text: str, board: chess.Board) -> str:
    destination = re.findall(r"[a-h][1-8]", text)[-1]
    moves = [board.san(move) for move in board.legal_moves if chess.square_name(move.to_square) == destination]
    return ", ".join(sorted(san for san in moves if san[0] == text[0]))


def why_illegal(move: chess.Move, board: chess.Board) -> str:
    """The first rule that an illegal move breaks, in words."""
    piece, target = board.piece_at(move.from_square), board.piece_at(move.to_square)
    from_name, to_name = chess.square_name(move.from_square), chess.square_name(move.to_square)
    mover = colour_name(board.turn)
    if piece is None:
        return f"there is no piece on {from_name}"
    name = f"the {chess.piece_name(piece.piece_type)} on {from_name}"
    if piece.color != board.turn:
        return f"{name} is {colour_name(piece.color)}'s, and {mover} is to move"
    if move.promotion and not _reaches_last_rank(move, board):
        return "only a pawn that reaches the last rank is promoted"
    if move.promotion in (chess.KING, chess.PAWN):
        return "a pawn becomes a knight, a bishop, a rook or a queen"
    if _is_castling_attempt(move, board):
        return _why_no_castling(board, chess.square_file(move.to_square) > chess.square_file(move.from_square))
    if target is not None and target.color == board.turn:
        return f"{mover}'s own {chess.piece_name(target.piece_type)} stands on {to_name}"
    if not board.is_pseudo_legal(move):
        return f"{name} cannot reach {to_name}"
    return (
        f"{mover} is in check, and this does not end it" if board.is_check() else f"it leaves {mover}'s king in check"
    )


def _is_castling_attempt(move: chess.Move, board: chess.Board) -> bool:
    """True if a king moves onto its own rook, or from the e-file to the c-file or g-file of its back rank."""
    if board.piece_type_at(move.from_square) != chess.KING:
        return False
    is_jump = (move.from_square, move.to_square) in ((4, 2), (4, 6), (60, 58), (60, 62))
    return is_jump or board.piece_at(move.to_square) == chess.Piece(chess.ROOK, board.turn)


def _why_illegal_san(text: str, board: chess.Board) -> str:
    san = chess.SAN_REGEX.match(text)
    if san is None:
        return _why_no_castling(board, king_side=text.count("-") == 1)
    letter, file, rank, to_name, promotion = san.groups()
    kind = chess.PIECE_SYMBOLS.index(letter.lower()) if letter else chess.PAWN
    moves = [
        move
        for move in board.pseudo_legal_moves
        if (board.piece_type_at(move.from_square), chess.square_name(move.to_square)) == (kind, to_name)
        if move.promotion in (None, chess.QUEEN) and not board.is_castling(move)
    ]
    start = (file or (to_name[0] if kind == chess.PAWN else ""), rank or "")
    for move in moves:
        if all(part in chess.square_name(move.from_square) for part in start):
            move.promotion = chess.PIECE_SYMBOLS.index(promotion[-1].lower()) if promotion else move.promotion
            return why_illegal(move, board)
    legal = [board.san(move) for move in moves if board.is_legal(move)]
    if legal:
        return f"the move to {to_name} is {' or '.join(sorted(legal))}"
    return f"no {chess.piece_name(kind)} of {colour_name(board.turn)} can go to {to_name}"


def _why_no_castling(board: chess.Board, king_side: bool) -> str:
    mover, king = colour_name(board.turn), board.king(board.turn)
    side = "king" if king_side else "queen"
    has_right = board.has_kingside_castling_rights if king_side else board.has_queenside_castling_rights
    if king is None or not has_right(board.turn):
        return f"{mover} may no longer castle on the {side}'s side: the king or that rook has moved"
    if board.is_check():
        return f"{mover} is in check, and cannot castle out of it"
    rooks = list(chess.scan_forward(board.castling_rights & chess.BB_RANKS[chess.square_rank(king)]))
    rook = max(rooks) if king_side else min(rooks)
    between = chess.SquareSet(chess.between(king, rook))
    occupied = [chess.square_name(square) for square in between if board.piece_at(square)]
    if occupied:
        return f"castling on the {side}'s side is blocked by the piece on {occupied[0]}"
    return f"{mover}'s king would pass or reach an attacked square"
