"""A game that is being played: the moves of the person, the answers of the engine, the clock, and who looks on."""

import asyncio
import functools
import logging
from collections.abc import Callable
from typing import Any, Final, Protocol

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.clock import NAMES
from ox88.apps.web.played import PlayedGame
from ox88.apps.web.positions import describe_moves, describe_position
from ox88.apps.web.store import GameStore
from ox88.apps.web.thinkers import Loan, Thinkers
from ox88.apps.web.thinking import find_move
from ox88.engines.base import Clock, Limit, OptionValue
from ox88.engines.registry import ENGINES
from ox88.types import Ox88Error

_LOGGER: Final = logging.getLogger(__name__)


class Listener(Protocol):
    """Someone at the board."""

    def tell(self, message: dict[str, Any]) -> None: ...


class Room:
    """Tells all who are there of every change. While nobody is, nothing runs: no clock, and no search."""

    def __init__(
        self,
        game: PlayedGame,
        store: GameStore,
        thinkers: Thinkers,
        names: Callable[[], OpeningNames],
        close: Callable[[], None],
    ) -> None:
        self.game = game
        self._store = store
        self._thinkers = thinkers
        self._names = names
        self._close = close
        self._listeners: list[Listener] = []
        self._answering: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._moves: list[dict[str, Any]] = []  # As the page was told of them.
        self._notice = ""  # What the engine waits for, or why it does not answer, ...
        self._failure = ""  # ... and why the game could not be saved.

    # --- Coming and going -------------------------------------------------------------------------------------------

    def enter(self, listener: Listener) -> None:
        self._listeners.append(listener)
        if len(self._listeners) == 1:
            self._changed()
        else:
            listener.tell(self.view())

    def leave(self, listener: Listener) -> None:
        self._listeners.remove(listener)
        if not self._listeners:
            self._pause()
            self._close()

    # --- What the person does ---------------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Raises MoveError."""
        if not self.game.is_persons_turn and self.game.ending is None:
            raise Ox88Error(f"{text.strip()}: it is {self.game.opponent.engine}'s move")
        self.game.play(text, self._now())
        self._changed()

    def take_back(self) -> None:
        """Raises MoveError."""
        self.game.take_back()
        self._changed()

    def resign(self) -> None:
        """Raises MoveError."""
        self.game.resign()
        self._changed()

    # --- What follows from it ---------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Save the game before anybody is told, and go on."""
        self._pause()
        self._go_on()

    def _pause(self) -> None:
        """Let nothing run."""
        if self._answering is not None:
            self._answering.cancel()
            self._answering = None
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.game.clock is not None:
            self.game.clock.stop(self._now())
        self._save()

    def _go_on(self) -> None:
        """Let the one think who is to move."""
        self._notice = ""
        if self.game.ending is None:
            if self.game.is_persons_turn:
                self._start_clock()
            else:
                self._answering = asyncio.get_running_loop().create_task(self._answer())
        self._tell_all()

    def _start_clock(self) -> None:
        """The clock of the side to move, but for the first move of the game."""
        clock, side = self.game.clock, self.game.board.turn
        if clock is None or (self.game.is_persons_turn and not self.game.board.move_stack):
            return
        now = self._now()
        clock.start(side, now)
        left = max(clock.remaining(side, now), 0.0)
        self._flag = asyncio.get_running_loop().call_later(left, self._fall, side)

    def _fall(self, side: chess.Color) -> None:
        self.game.flag(side)
        self._changed()

    async def _answer(self) -> None:
        game = self.game
        entry = next(entry for entry in ENGINES if entry.name == game.opponent.engine)
        try:
            loan = Loan(entry, game.id, _settings(game), studies=False)
            async with self._thinkers.borrow(loan, self._note) as thinker:
                self._note("")
                self._start_clock()
                work = functools.partial(find_move, thinker, game.board.copy(), self._limit())
                move = await self._thinkers.run(thinker, work)
        except Exception as error:  # Whatever it is, it concerns this game alone.
            _LOGGER.error("%s has failed: %r", entry.name, error)
            self._answering = None
            self._note(f"{entry.name} has failed: {error}")
        else:
            self._answering = None
            self.game.push(move, self._now())
            self._changed()

    def _limit(self) -> Limit:
        clock, side = self.game.clock, self.game.board.turn
        if clock is None:
            return Limit(time=self.game.opponent.seconds)
        remaining = max(clock.remaining(side, self._now()), 0.0)
        return Limit(clock=Clock(remaining, clock.increment))

    def _note(self, notice: str) -> None:
        self._notice = notice
        self._tell_all()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _save(self) -> None:
        self._failure = ""
        try:
            self._store.save(self.game.id, self.game.save(self._now()))
        except Ox88Error as error:  # A full disk, say. The game goes on, and the next move tries again.
            self._failure = str(error)

    # --- What is seen of it -----------------------------------------------------------------------------------------

    def _tell_all(self) -> None:
        view = self.view()
        for listener in list(self._listeners):
            listener.tell(view)

    def view(self) -> dict[str, Any]:
        """All that the page shows of the game."""
        game = self.game
        ending = game.ending
        self._moves = describe_moves(game.board, self._names(), self._moves)
        return {
            "type": "game",
            "game": game.id,
            "engine": game.opponent.engine,
            "elo": game.opponent.elo,
            "side": NAMES[game.side],
            "players": {NAMES[side]: name for side, name in game.players().items()},
            "start": game.board.root().fen(),
            "moves": self._moves,
            "position": describe_position(game.board, movable=ending is None and game.is_persons_turn),
            "clock": game.clock and game.clock.view(self._now()),
            "clocks": game.clocks if game.clock else [],
            "ending": ending and str(ending),
            "thinking": self._answering is not None,
            "notice": self._notice or self._failure,
        }


def _settings(game: PlayedGame) -> dict[str, OptionValue]:
    elo = game.opponent.elo
    return {} if elo is None else {"UCI_LimitStrength": True, "UCI_Elo": elo}
