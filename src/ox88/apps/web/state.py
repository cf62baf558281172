"""What all connections share: the games in progress, their store, the engines, the names of openings."""

import asyncio
import contextlib
import functools
from typing import Final

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.web.engine_pool import EnginePool, Lease
from ox88.apps.web.game import PlayedGame
from ox88.apps.web.session import GameSession
from ox88.apps.web.store import GameStore
from ox88.engines.registry import MODERN
from ox88.types import Ox88Error

_PAGE_FIRST: Final = 1.0  # Seconds for a browser to load the page, before an engine takes the processor.


class AppState:
    """names: empty until `prepare` has read them, so that the server starts at once."""

    def __init__(self, store: GameStore, searches: int) -> None:
        self.engines = EnginePool(searches)
        self.names = OpeningNames({})
        self._store = store
        self._sessions: dict[str, GameSession] = {}

    async def prepare(self) -> None:
        """Read the names of openings, and make the first engine."""
        self.names = await asyncio.to_thread(OpeningNames.load)
        await asyncio.sleep(_PAGE_FIRST)
        with contextlib.suppress(Ox88Error):  # The first search will report it.
            await self.engines.run(Lease(MODERN, None), lambda _: None)

    def close(self) -> None:
        self.engines.close()

    def start_session(self, game: PlayedGame) -> GameSession:
        """A session for a game. It is forgotten when the last connection leaves it; the store keeps the game."""
        forget = functools.partial(self._sessions.pop, game.id, None)
        session = GameSession(game, self._store, self.engines, lambda: self.names, forget)
        self._sessions[game.id] = session
        return session

    def find_session(self, game_id: str) -> GameSession:
        """The session of a game that was begun before. Raises Ox88Error if the game is unknown."""
        session = self._sessions.get(game_id)
        return self.start_session(self.load_game(game_id)) if session is None else session

    def load_game(self, game_id: str) -> PlayedGame:
        """Raises Ox88Error if the game is unknown."""
        if game_id in self._sessions:
            return self._sessions[game_id].game
        data = self._store.load(game_id)
        if data is None:
            raise Ox88Error(f"there is no game {game_id!r}")
        return PlayedGame.load(game_id, data)
