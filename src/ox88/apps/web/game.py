"""A game of a person against an engine: the players, the moves, the clock, its end, and its summary."""

import datetime
import json
from dataclasses import dataclass, field
from typing import Any, Final, Self

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.game import NAMES, ChessClock, Game
from ox88.convert import to_chess_board
from ox88.engines.base import DRAWN_MOVES, Score
from ox88.rules import DRAW, GameEnd, MoveError, win_of
from ox88.setup import parse_fen

PERSON: Final = "You"
HINT: Final = "hint"  # The comment on a move after a hint.
SIDES: Final[dict[str, chess.Color]] = {name: side for side, name in NAMES.items()}
_LONGEST_OPENING: Final = 60  # Plies.
_Undone = tuple[str, float | None, int | None]  # A move (UCI), the seconds left after it, and the engine's score.


@dataclass(frozen=True, slots=True)
class Opponent:
    """An engine. elo: None for full strength. seconds: for a move if there is no clock."""

    engine: str
    elo: int | None
    seconds: float

    @property
    def name(self) -> str:
        return self.engine if self.elo is None else f"{self.engine} ({self.elo})"


@dataclass(slots=True, kw_only=True)
class PlayedGame(Game):
    """A game of a person against an engine.

    Attributes:
        side: the person's.
        start: the FEN of the first position.
        undone: the takebacks since the last move: moves with their clocks and scores.
        hints: the plies before which the person has asked for a hint.

    """

    id: str
    opponent: Opponent
    side: chess.Color
    start: str
    date: datetime.date
    undone: list[list[_Undone]] = field(default_factory=list)
    hints: list[int] = field(default_factory=list)

    @classmethod
    def begin(cls, game_id: str, opponent: Opponent, side: str, start: str, clock: ChessClock | None) -> Self:
        """Raises FenError or IllegalPositionError."""
        board, today = to_chess_board(parse_fen(start).check()), datetime.date.today()
        return cls(id=game_id, opponent=opponent, side=SIDES[side], start=start, date=today, clock=clock, board=board)

    def again(self, game_id: str, swap: bool) -> Self:
        """A new game from the same position with the same time. swap: with the other colours."""
        clock = self.clock and self.clock.anew(swap)
        return self.begin(game_id, self.opponent, NAMES[self.side != swap], self.start, clock)

    @property
    def is_persons_turn(self) -> bool:
        return self.board.turn == self.side

    def push(self, move: chess.Move, now: float, score: Score | None = None) -> str:
        """As in Game. What was taken back is gone."""
        self.undone = []
        self.hints = [ply for ply in self.hints if ply <= len(self.board.move_stack)]
        return Game.push(self, move, now, score)

    def take_back(self) -> None:
        """Undo the person's last move, and the answer to it. Raises MoveError if there is none, or the game is over."""
        self.check_goes_on()
        count = 2 if self.is_persons_turn else 1
        if len(self.board.move_stack) < count:
            raise MoveError("there is no move of yours to take back")
        moves = [move.uci() for move in self.board.move_stack[-count:]]
        self.undone.append(list(zip(moves, self.clocks[-count:], self.scores[-count:], strict=True)))
        for _ in range(count):
            self.undo()

    def put_back(self) -> None:
        """Play again what was taken back last. Raises MoveError if there is nothing, or the game is over."""
        self.check_goes_on()
        if not self.undone:
            raise MoveError("there is no move to put back")
        for move, seconds, score in self.undone.pop():
            if self.clock is not None and seconds is not None:
                self.clock.set_back(self.clock.left | {self.board.turn: seconds})
            self.board.push(chess.Move.from_uci(move))
            self.clocks.append(seconds)
            self.scores.append(score)

    def note_hint(self) -> None:
        """The person sees a hint for the next move. Raises MoveError if the game is over."""
        self.check_goes_on()
        if (ply := len(self.board.move_stack)) not in self.hints:
            self.hints.append(ply)

    def offer_draw(self) -> None:
        """End the game with a draw. Raises MoveError if the engine declines."""
        self.check_goes_on()
        if not self.engine_accepts_draw():
            raise MoveError(
                f"{self.opponent.engine} declines: for {DRAWN_MOVES} moves it must have seen nothing better"
            )
        self.agree_draw()

    def players(self) -> dict[chess.Color, str]:
        return {self.side: PERSON, not self.side: self.opponent.name}

    def pgn(self) -> str:
        players = self.players()
        return self.to_pgn(players[True], players[False], self.date, dict.fromkeys(self.hints, HINT))

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
            "scores": self.scores,
            "undone": self.undone,
            "hints": self.hints,
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
        # A file of an older version lacks them, or has no scores of the last moves.
        game.scores, game.undone, game.hints = (data.get(name, []) for name in ("scores", "undone", "hints"))
        game.scores += [None] * (len(data["moves"]) - len(game.scores))
        return game


# --- Summaries, for the list of games ---------------------------------------------------------------------------------


def summarise(data: str, names: OpeningNames) -> dict[str, Any]:
    """What the list shows of a game. data: as the store has it."""
    try:
        game = PlayedGame.load("", json.loads(data))
    except (KeyError, TypeError, ValueError) as error:  # Such as a game of a later version.
        return {"unreadable": f"{type(error).__name__}: {error}"}
    end = game.end
    return {
        "date": game.date.isoformat(),
        "engine": game.opponent.name,
        "side": NAMES[game.side],
        "outcome": _outcome(end, game.side),
        "result": "*" if end is None else end.result,
        "reason": "" if end is None else end.reason,
        "opening": opening_of(game.board, names),
        "plies": len(game.board.move_stack),
        "fen": game.board.fen(),
        "uci": game.board.peek().uci() if game.board.move_stack else "",
    }


def _outcome(end: GameEnd | None, side: chess.Color) -> str:
    """The result from the person's view."""
    if end is None:
        return "unfinished"
    if end.result == DRAW:
        return "drawn"
    return "won" if end.result == win_of(side) else "lost"


def opening_of(board: chess.Board, names: OpeningNames) -> str:
    """The opening of a game as text; empty if it has no name."""
    past, fens = board.root(), []
    for move in board.move_stack[:_LONGEST_OPENING]:
        past.push(move)
        fens.append(past.fen())
    opening = names.of_game(fens)
    return "" if opening is None else f"{opening.eco} {opening.name}"
