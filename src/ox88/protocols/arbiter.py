"""The arbiter of a game: which moves are legal, why others are not, and when the rules end it.

python-chess judges; it is loaded at the first question.
"""

import functools
from typing import TYPE_CHECKING, Final

from ox88.protocols.game import Game
from ox88.types import COLOUR_NAMES, Ox88Error, Setup, from_uci, is_castling, square_name, to_uci

if TYPE_CHECKING:
    import chess

_FIFTY_MOVES: Final = 100  # Plies.


class IllegalMoveError(Ox88Error):
    """A move that the rules forbid; the text is the reason."""


class Arbiter:
    """Keeps a game, and judges each move before it is played.

    start: a legal position.
    """

    def __init__(self, start: Setup) -> None:
        self.start = start
        self._moves: list[int] = []

    @functools.cached_property
    def _board(self) -> "chess.Board":
        from ox88.convert import to_chess_board

        return to_chess_board(self.start)

    @property
    def game(self) -> Game:
        """The way to the position; castling is written as the king taking its rook."""
        return Game(self.start, tuple(to_uci(move, chess960=True) for move in self._moves))

    @property
    def plies(self) -> int:
        """How many moves were played."""
        return len(self._moves)

    @property
    def setup(self) -> Setup:
        from ox88.convert import from_chess_board

        return from_chess_board(self._board)

    def legal_count(self) -> int:
        return self._board.legal_moves.count()

    def read(self, text: str) -> int:
        """The legal move that is written as `e2e4`, `e7e8q`, `e1g1`, `e1h1` or `O-O`. Raises IllegalMoveError."""
        move = self._read_castling(text) if text.startswith("O-O") else self._read_squares(text.lower())
        if not self.is_legal(move):
            raise IllegalMoveError(self._reason(move))
        return move

    def _read_castling(self, text: str) -> int:
        from ox88.convert import from_chess_move

        try:
            return from_chess_move(self._board.parse_san(text), self._board)
        except ValueError:
            raise IllegalMoveError("castling is not possible") from None

    def _read_squares(self, text: str) -> int:
        try:
            return from_uci(text, self.setup)
        except Ox88Error:
            raise IllegalMoveError("no move is written so") from None

    def is_legal(self, move: int) -> bool:
        from ox88.convert import to_chess_move

        return self._board.is_legal(to_chess_move(move, self._board))

    def _reason(self, move: int) -> str:
        from ox88.convert import to_chess_move

        board, chess_move = self._board, to_chess_move(move, self._board)
        piece, place = board.piece_at(chess_move.from_square), square_name(chess_move.from_square)
        if piece is None:
            return f"there is no piece on {place}"
        if piece.color != board.turn:
            return f"{COLOUR_NAMES[not board.turn]} is to move"
        if is_castling(move):
            return "castling is not possible"
        if board.is_pseudo_legal(chess_move):
            return "in check" if board.is_check() else "moving into check"
        return f"what stands on {place} does not move so"

    def push(self, move: int) -> None:
        """Play a legal move."""
        from ox88.convert import to_chess_move

        self._board.push(to_chess_move(move, self._board))
        self._moves.append(move)

    def pop(self) -> None:
        """Take the last move back. Raises IndexError where there is none."""
        self._moves.pop()
        self._board.pop()

    def result(self) -> str | None:
        """How the rules have ended the game, as `1-0 {White mates}`; None while it goes on.

        The third repetition and fifty moves end it without being claimed.
        """
        board = self._board
        if not any(board.legal_moves):
            if not board.is_check():
                return "1/2-1/2 {Stalemate}"
            return "0-1 {Black mates}" if board.turn else "1-0 {White mates}"
        if board.is_insufficient_material():
            return "1/2-1/2 {Draw by insufficient mating material}"
        if board.is_repetition():
            return "1/2-1/2 {Draw by repetition}"
        return "1/2-1/2 {Draw by fifty-move rule}" if board.halfmove_clock >= _FIFTY_MOVES else None
