"""A game of a person against an engine, as it is kept: who plays, the moves, the clock, how it ended."""

import datetime
from dataclasses import dataclass, field
from typing import Any, Final, Self

import chess

from ox88.apps.clock import NAMES, ChessClock
from ox88.apps.pgn import pgn_text
from ox88.convert import to_chess_board
from ox88.fen import parse_fen
from ox88.rules import GameEnd, MoveError, game_end, lost_by, parse_move, win_of

PERSON: Final = "You"
SIDES: Final = {name: side for side, name in NAMES.items()}


@dataclass(frozen=True, slots=True)
class Opponent:
    """An engine and how strong it plays. elo: None for all it can. seconds: for a move, where there is no clock."""

    engine: str
    elo: int | None
    seconds: float

    @property
    def name(self) -> str:
        return self.engine if self.elo is None else f"{self.engine} ({self.elo})"


@dataclass(slots=True)
class PlayedGame:
    """side: the person's. moves and clocks: one each a move. verdict: of resignation or time; the board has its own."""

    id: str
    opponent: Opponent
    side: chess.Color
    start: str
    date: datetime.date
    clock: ChessClock | None = None
    clocks: list[float | None] = field(default_factory=list)
    verdict: GameEnd | None = None
    board: chess.Board = field(default_factory=chess.Board)

    @classmethod
    def begin(cls, game_id: str, opponent: Opponent, side: str, start: str, clock: ChessClock | None) -> Self:
        """Raises FenError or IllegalPositionError."""
        board = to_chess_board(parse_fen(start).check())
        return cls(game_id, opponent, SIDES[side], start, datetime.date.today(), clock, board=board)

    @property
    def ending(self) -> GameEnd | None:
        """How it has ended; None while it goes on."""
        return game_end(self.board) or self.verdict

    @property
    def is_persons_turn(self) -> bool:
        return self.board.turn == self.side

    def play(self, text: str, now: float) -> None:
        """Play a move for the side to move. Raises MoveError, which says why not."""
        if self.ending is not None:
            raise MoveError(f"{text.strip()}: the game is over ({self.ending})")
        self.push(parse_move(text, self.board), now)

    def push(self, move: chess.Move, now: float) -> None:
        """Play a legal move."""
        self.clocks.append(self.clock.press(self.board.turn, now) if self.clock else None)
        self.board.push(move)

    def take_back(self) -> None:
        """Undo the person's last move, and what was answered to it. Raises MoveError where there is none."""
        mine = len(self.board.move_stack) - (2 if self.is_persons_turn else 1)
        if mine < 0:
            raise MoveError("there is no move of yours to take back")
        while len(self.board.move_stack) > mine:
            self.board.pop()
            self.clocks.pop()
        self.verdict = None

    def resign(self) -> None:
        """Raises MoveError where the game is over."""
        if self.ending is not None:
            raise MoveError(f"the game is over ({self.ending})")
        self.verdict = GameEnd(win_of(not self.side), f"{NAMES[self.side].capitalize()} resigns")

    def flag(self, side: chess.Color) -> None:
        """A side's time is out."""
        self.verdict = lost_by(side, f"{NAMES[side].capitalize()}'s time is out", self.board)

    def players(self) -> dict[chess.Color, str]:
        return {self.side: PERSON, not self.side: self.opponent.name}

    def pgn(self) -> str:
        players = self.players()
        return pgn_text(self.board, players[True], players[False], self.date, self.ending, self.clocks)

    def save(self, now: float) -> dict[str, Any]:
        """Plain data, from which `load` makes the same game."""
        return {
            "engine": self.opponent.engine,
            "elo": self.opponent.elo,
            "seconds": self.opponent.seconds,
            "side": NAMES[self.side],
            "start": self.start,
            "date": self.date.isoformat(),
            "moves": [self.board.uci(move) for move in self.board.move_stack],
            "clocks": self.clocks,
            "clock": self.clock and self.clock.save(now),
            "verdict": self.verdict and str(self.verdict),
        }

    @classmethod
    def load(cls, game_id: str, data: dict[str, Any]) -> Self:
        clock = ChessClock.load(data["clock"]) if data["clock"] else None
        opponent = Opponent(data["engine"], data["elo"], data["seconds"])
        game = cls.begin(game_id, opponent, data["side"], data["start"], clock)
        for move in data["moves"]:
            game.board.push_uci(move)
        game.date = datetime.date.fromisoformat(data["date"])
        game.clocks = data["clocks"]
        game.verdict = GameEnd.parse(data["verdict"]) if data["verdict"] else None
        return game
