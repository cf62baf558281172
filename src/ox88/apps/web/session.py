"""What all connections share: the games in progress with their listeners, what is kept, and the engines."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal, TypedDict

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.game import NAMES, ClockView, Color
from ox88.apps.store import Store, Table
from ox88.apps.train.sessions import Trainer
from ox88.apps.web.engine_pool import EnginePool, Lease, find_engine
from ox88.apps.web.explorer import ExploredLibrary
from ox88.apps.web.game import HINT, PlayedGame
from ox88.apps.web.human_moves import thinking_time
from ox88.apps.web.messages import Tell
from ox88.apps.web.positions import MoveData, PositionData, describe_moves, describe_position
from ox88.apps.web.watches import Watches
from ox88.engines.base import Clock, Limit
from ox88.engines.modern.options import MOST_HUMAN_ELO
from ox88.engines.placed import common_length
from ox88.engines.registry import MODERN
from ox88.errors import Ox88Error

MOST_RESTORED: Final = 20  # Of what was deleted since the server began.
_PAGE_FIRST: Final = 1.0  # Seconds for a browser to load the page, before an engine takes the processor.
_LOGGER: Final = logging.getLogger(__name__)


class GameState(TypedDict):
    """All that the page shows of a game.

    clocks: seconds left after each move. undone: takebacks that can be put back. notice: why the engine is silent.
    """

    type: Literal["game"]
    game: str
    engine: str
    elo: int | None
    side: Color
    players: dict[Color, str]
    start: str
    moves: list[MoveData]
    position: PositionData
    clock: ClockView | None
    clocks: list[float | None]
    ending: str | None
    undone: int
    thinking: bool
    notice: str


class GameSession:
    """A game and its listeners, who are told of every change. Without listeners no clock runs and no engine thinks."""

    def __init__(self, game: PlayedGame, state: "AppState") -> None:
        self.game = game
        self.is_deleted = False
        self._state = state
        self._listeners: list[Tell] = []
        self._answering: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._stack: list[chess.Move] = []  # The moves that are described.
        self._moves: list[MoveData] = []  # As sent to the page.
        self._notice = ""  # Why the engine does not answer yet, or at all.
        self._failure = ""  # Why the game could not be saved.
        self.has_pace = False  # A level takes as long for a move as a person would.

    # --- Listeners --------------------------------------------------------------------------------------------------

    def join(self, tell: Tell) -> None:
        self._listeners.append(tell)
        if len(self._listeners) == 1:
            self._changed()
        else:
            tell(self.view())

    def leave(self, tell: Tell) -> None:
        self._listeners.remove(tell)
        if not self._listeners and not self.is_deleted:
            self._pause()
            self._state.sessions.pop(self.game.id, None)

    # --- The person's actions ---------------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Raises MoveError."""
        if not self.game.is_persons_turn and self.game.end is None:
            raise Ox88Error(f"{text.strip()}: it is {self.game.opponent.engine}'s move")
        self.act(lambda game: game.play(text, time.monotonic()))

    def act(self, action: Callable[[PlayedGame], object]) -> None:
        """Do something with the game, and tell the listeners. Raises MoveError if the game refuses it."""
        self._look_at_flag(time.monotonic())
        action(self.game)
        self._changed()

    def delete(self) -> None:
        """Forget the game, and tell the listeners."""
        self._pause()
        self.is_deleted = True
        for tell in list(self._listeners):
            tell({"type": "deleted", "game": self.game.id})

    # --- Clock and engine -------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Save the game before anybody is told of the change. Then the clock runs or the engine searches."""
        self._pause()
        self._notice = ""
        if self.game.end is None and self.game.is_persons_turn:
            self._start_clock()
        elif self.game.end is None:
            self._answering = asyncio.create_task(self._answer())
        self._tell_all()

    def _pause(self) -> None:
        """Stop the search and the clock, and save the game."""
        if self._answering is not None:
            self._answering.cancel()
            self._answering = None
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.game.clock is not None:
            self.game.clock.stop(time.monotonic())
        self._save()

    def _start_clock(self) -> None:
        """Start the clock of the side to move. The person's first move is not timed."""
        clock, side = self.game.clock, self.game.board.turn
        if clock is None or (self.game.is_persons_turn and not self.game.board.move_stack):
            return
        now = time.monotonic()
        clock.start(side, now)
        left = max(clock.remaining(side, now), 0.0)
        self._flag = asyncio.get_running_loop().call_later(left, self._lose_on_time, side)

    def _look_at_flag(self, now: float) -> None:
        """End the game if the side to move has no time left. The timer of the flag is late if the event loop is."""
        clock, side = self.game.clock, self.game.board.turn
        if clock is not None and self.game.end is None and clock.remaining(side, now) <= 0:
            self._lose_on_time(side)

    def _lose_on_time(self, side: chess.Color) -> None:
        self.game.lose_on_time(side)
        self._changed()

    async def _answer(self) -> None:
        begun = time.monotonic()
        game, board = self.game, self.game.board.copy()
        entry, elo = find_engine(game.opponent.engine), game.opponent.elo
        settings = {} if elo is None else {"UCI_LimitStrength": True, "UCI_Elo": elo}
        try:
            lease = Lease(entry, game.id, settings, is_analysis=False)
            move, score = await self._state.engines.run(
                lease, lambda engine: engine.find_move(board, self._limit()), self._note, self._start_answer
            )
            if self.has_pace and elo is not None and elo <= MOST_HUMAN_ELO:
                seconds = await asyncio.to_thread(thinking_time, board, move, elo, self._limit().clock)
                await asyncio.sleep(begun + seconds - time.monotonic())
        except Exception as error:  # It must not end the server or other games.
            _LOGGER.error("%s has failed: %r", entry.name, error)
            self._answering = None
            self._note(f"{entry.name} has failed: {error}")
        else:
            self._answering = None
            now = time.monotonic()
            self._look_at_flag(now)
            if game.end is None:
                game.push(move, now, score)
                self._changed()

    def _start_answer(self) -> None:
        self._start_clock()
        self._note("")

    def _limit(self) -> Limit:
        clock, side = self.game.clock, self.game.board.turn
        if clock is None:
            return Limit(time=self.game.opponent.seconds)
        remaining = max(clock.remaining(side, time.monotonic()), 0.0)
        return Limit(clock=Clock(remaining, clock.control(side)[1]))

    def _note(self, notice: str) -> None:
        self._notice = notice
        self._tell_all()

    def _save(self) -> None:
        self._failure = ""
        if self.is_deleted:
            return
        try:
            self._state.store.games.save(self.game.id, self.game.save(time.monotonic()))
        except Ox88Error as error:  # Such as a full disk. The next move tries again.
            self._failure = str(error)

    # --- The page's view --------------------------------------------------------------------------------------------

    def _tell_all(self) -> None:
        view = self.view()
        for tell in list(self._listeners):
            tell(view)

    def view(self) -> GameState:
        """Everything that the page shows of the game."""
        game = self.game
        ending = game.end
        self._describe_moves()
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
            "clock": None if game.clock is None else game.clock.view(time.monotonic()),
            "clocks": [] if game.clock is None else game.clocks,
            "ending": None if ending is None else str(ending),
            "undone": len(game.undone),
            "thinking": self._answering is not None,
            "notice": self._notice or self._failure,
        }

    def describe_anew(self) -> None:
        """Tell the listeners the names of openings, if there are any that were not known when the game was opened."""
        before, self._stack, self._moves = self._moves, [], []
        self._describe_moves()
        if self._moves != before:
            self._tell_all()

    def _describe_moves(self) -> None:
        """Bring the described moves up to date. Only new moves cost time, so that long games stay fast."""
        stack = self.game.board.move_stack
        same = common_length(stack, self._stack)
        described = describe_moves(self.game.board, self._state.names, after=same)
        for ply, move in enumerate(described, same):
            if ply in self.game.hints:
                move["comment"] = HINT
        self._moves = self._moves[:same] + described  # A new list: the old one may still be waiting to be sent.
        self._stack = stack.copy()


def no_game(game_id: str) -> Ox88Error:
    return Ox88Error(f"there is no game {game_id!r}")


class AppState:
    """What all connections share.

    names: of openings; empty until `prepare` has read them, so that the server starts at once. trainer: there is one
    trainee on a server. is_shared: people from other machines can reach the server, so a game is shown only to those
    who know its id. shown_analyses: by page, the analysis that it shows, whose changes it is told.
    """

    def __init__(self, store: Store, searches: int, is_shared: bool, explored: Sequence[Path] = ()) -> None:
        self.engines = EnginePool(searches)
        self.watches = Watches()
        self.names = OpeningNames({})
        self.names_read = asyncio.Event()
        self.library = ExploredLibrary(explored)
        self.store = store
        self.shown_analyses: dict[Tell, str] = {}
        self.trainer = Trainer(store)
        self.is_shared = is_shared
        self.sessions: dict[str, GameSession] = {}
        self._deleted: dict[str, Callable[[], None]] = {}  # By id, what brings the item back; the last one comes last.

    async def prepare(self) -> None:
        """Read the names of openings, and make the first engine."""
        try:
            self.names = await asyncio.to_thread(OpeningNames.load)
        except Exception as error:  # Such as a damaged file. Games and library do without names.
            _LOGGER.error("the names of openings cannot be read: %r", error)
        self.names_read.set()
        for session in self.sessions.values():
            session.describe_anew()
        indexing = asyncio.create_task(asyncio.to_thread(self.library.prepare))
        await asyncio.sleep(_PAGE_FIRST)
        with contextlib.suppress(Ox88Error):  # The first search will report it.
            await self.engines.run(Lease(MODERN, None), lambda _: None)
        await indexing

    def close(self) -> None:
        self.library.close()
        self.engines.close()
        self.watches.close()

    def start_session(self, game: PlayedGame) -> GameSession:
        """A session for a game. It is forgotten when the last connection leaves it; the store keeps the game."""
        session = self.sessions[game.id] = GameSession(game, self)
        return session

    def load_game(self, game_id: str) -> PlayedGame:
        """Raises Ox88Error if the game is unknown."""
        if game_id in self.sessions:
            return self.sessions[game_id].game
        data = self.store.games.load(game_id)
        if data is None:
            raise no_game(game_id)
        return PlayedGame.load(game_id, data)

    def delete(self, table: Table, item_id: str) -> bool:
        """Delete a game or an analysis. Returns whether there was one."""
        session = self.sessions.pop(item_id, None)
        if session is not None:
            session.delete()
        deleted = table.delete(item_id)
        if deleted is None:
            return False
        self._deleted[item_id] = lambda: table.restore(deleted)
        while len(self._deleted) > MOST_RESTORED:
            del self._deleted[next(iter(self._deleted))]
        return True

    def restore(self, item_id: str) -> None:
        """Bring back what was deleted. Raises Ox88Error if it cannot be."""
        if item_id not in self._deleted:
            raise Ox88Error(f"{item_id!r} cannot be brought back: at most the last {MOST_RESTORED} deleted can")
        self._deleted.pop(item_id)()
