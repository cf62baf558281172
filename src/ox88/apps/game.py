"""A game of a person and an engine: the board with its past, the engine beside it, the rules that end it, PGN."""

import datetime
from collections.abc import Iterator

import chess

from ox88.apps.pgn import pgn_text
from ox88.convert import from_chess_board, from_chess_move, to_chess_board, to_chess_move
from ox88.engines.base import Engine, Info, Limit
from ox88.rules import GameEnd, MoveError, colour_name, game_end, lost_by, parse_move
from ox88.types import NO_MOVE, Setup


class Game:
    """Keeps the board and the engine at the same position. Moves go in by `play` and `play_text`, out by `undo`."""

    def __init__(self, engine: Engine, setup: Setup) -> None:
        self.engine = engine
        self.start(setup)

    def start(self, setup: Setup) -> None:
        """Begin anew. Raises IllegalPositionError or EngineError, and changes nothing then."""
        self.engine.set_position(setup)
        self.board = to_chess_board(setup)
        self._verdict: GameEnd | None = None  # Of the clock.

    def setup(self) -> Setup:
        return from_chess_board(self.board)

    def play_text(self, text: str) -> str:
        """Play a move as a person writes it; returns it in SAN. Raises MoveError, which says why not."""
        if self.ending() is not None:
            raise MoveError(f"{text.strip()}: the game is over ({self.ending()})")
        return self.play(parse_move(text, self.board))

    def play(self, move: chess.Move) -> str:
        san = self.board.san(move)
        self.engine.push(from_chess_move(move, self.board))
        self.board.push(move)
        return san

    def undo(self) -> str:
        """Take the last move back; returns it in SAN. Raises MoveError at the start."""
        if not self.board.move_stack:
            raise MoveError("there is no move to take back")
        self.engine.pop()
        self._verdict = None
        move = self.board.pop()
        return self.board.san(move)

    def think(self, limit: Limit) -> Iterator[Info]:
        return self.engine.search(limit)

    def best_move(self, info: Info | None) -> chess.Move | None:
        """The move that a search ended with; None where there was none."""
        if info is None or info.best_move == NO_MOVE:
            return None
        return to_chess_move(info.best_move, self.board)

    def ending(self) -> GameEnd | None:
        """How the game has ended; None while it goes on."""
        return game_end(self.board) or self._verdict

    def flag(self, side: chess.Color) -> None:
        """A side's time is out."""
        self._verdict = lost_by(side, f"{colour_name(side)}'s time is out", self.board)

    def pgn(self, white: str, black: str) -> str:
        """The game as PGN, with the names of the players."""
        return pgn_text(self.board, white, black, datetime.date.today(), self.ending())
