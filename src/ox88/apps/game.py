"""A game that is played here: the board with its past, the clock, how the game ended, and its PGN."""

import datetime
import io
from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from ox88.apps.clock import ChessClock
from ox88.rules import DRAW, GameEnd, MoveError, colour_name, game_end, lost_by, parse_move, win_of


@dataclass(slots=True, kw_only=True)
class Game:
    """A game in progress, or ended.

    Attributes:
        board: the position with its past.
        clock: the chess clock, if there is one.
        clocks: seconds left after each move; None without a clock.
        verdict: how the clock or the players have ended the game. The end by the rules follows from the board.

    """

    board: chess.Board
    clock: ChessClock | None = None
    clocks: list[float | None] = field(default_factory=list)
    verdict: GameEnd | None = None

    @property
    def end(self) -> GameEnd | None:
        """How the game has ended; None while it goes on."""
        return game_end(self.board) or self.verdict

    def play(self, text: str, now: float) -> str:
        """Play a move that a person has typed, at a time in seconds. Returns it in SAN; raises MoveError."""
        if self.end is not None:
            raise MoveError(f"{text.strip()}: the game is over ({self.end})")
        return self.push(parse_move(text, self.board), now)

    def push(self, move: chess.Move, now: float) -> str:
        """Play a legal move, and press the clock. Returns the move in SAN."""
        san = self.board.san(move)
        self.clocks.append(self.clock.press(self.board.turn, now) if self.clock else None)
        self.board.push(move)
        return san

    def undo(self) -> str:
        """Take the last move back. Both sides have the time again that they had before the move.

        Returns the move in SAN; raises MoveError at the start.
        """
        if not self.board.move_stack:
            raise MoveError("there is no move to take back")
        move = self.board.pop()
        self.clocks.pop()
        self.verdict = None
        if self.clock is not None:
            self.clock.set_back(self._left_after_moves(self.clock))
        return self.board.san(move)

    def _left_after_moves(self, clock: ChessClock) -> dict[chess.Color, float]:
        """The seconds that both sides had when the last move was made."""
        sides = not self.board.turn, self.board.turn  # The sides of the last move, and of the move before it.
        found = zip(sides, (None, None, *self.clocks)[:-3:-1], strict=True)
        return {side: clock.control(side)[0] if seconds is None else seconds for side, seconds in found}

    def resign(self, side: chess.Color) -> None:
        """Raises MoveError if the game is over."""
        self.check_goes_on()
        self.verdict = GameEnd(win_of(not side), f"{colour_name(side)} resigns")

    def agree_draw(self) -> None:
        """Raises MoveError if the game is over."""
        self.check_goes_on()
        self.verdict = GameEnd(DRAW, "draw agreed")

    def check_goes_on(self) -> None:
        """Raises MoveError if the game is over."""
        if self.end is not None:
            raise MoveError(f"the game is over ({self.end})")

    def lose_on_time(self, side: chess.Color) -> None:
        self.verdict = lost_by(side, f"{colour_name(side)}'s time is out", self.board)

    def to_pgn(self, white: str, black: str, date: datetime.date, comments: Mapping[int, str] | None = None) -> str:
        """The game as PGN, with the names of the players. comments: on moves, by the plies before them."""
        import chess.pgn  # Imports asyncio, which a start need not wait for.

        game = chess.pgn.Game.from_board(self.board)
        game.headers.update(Event="Casual game", Site="?", Date=f"{date:%Y.%m.%d}", White=white, Black=black)
        game.headers["Result"] = "*"
        if self.end is not None:
            game.headers["Termination"], game.headers["Result"] = self.end.reason, self.end.result
        for ply, (node, seconds) in enumerate(zip(game.mainline(), self.clocks, strict=False)):
            node.comment = (comments or {}).get(ply, "")
            if seconds is not None:
                node.set_clock(seconds)
        text = io.StringIO()
        game.accept(chess.pgn.FileExporter(text))
        return text.getvalue().strip()
