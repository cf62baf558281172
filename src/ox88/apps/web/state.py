"""What all connections share: the games in progress, what is kept, and the engines."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.store import Store
from ox88.apps.train.sessions import Trainer
from ox88.apps.web.engine_pool import EnginePool, Lease
from ox88.apps.web.explorer import ExploredLibrary
from ox88.apps.web.game import PlayedGame
from ox88.apps.web.messages import Tell
from ox88.apps.web.session import GameSession, no_game
from ox88.apps.web.watches import Watches
from ox88.engines.registry import MODERN
from ox88.errors import Ox88Error

_PAGE_FIRST: Final = 1.0  # Seconds for a browser to load the page, before an engine takes the processor.
_LOGGER: Final = logging.getLogger(__name__)


class AppState:
    """What all connections share.

    names: of openings; empty until `prepare` has read them, so that the server starts at once. trainer: there is one
    trainee on a server. is_shared: people from other machines can reach the server, so a game is shown only to those
    who know its id. watched: the analysis that a page shows, whose changes it is told; one at most.
    """

    def __init__(self, store: Store, searches: int, is_shared: bool, explored: Sequence[Path] = ()) -> None:
        self.engines = EnginePool(searches)
        self.watches = Watches()
        self.names = OpeningNames({})
        self.names_read = asyncio.Event()
        self.library = ExploredLibrary(explored)
        self.store = store
        self.watched: dict[Tell, str] = {}
        self.trainer = Trainer(store)
        self.is_shared = is_shared
        self.sessions: dict[str, GameSession] = {}

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

    def delete_game(self, game_id: str) -> None:
        """Raises Ox88Error if the game is unknown."""
        session = self.sessions.pop(game_id, None)
        if session is not None:
            session.delete()
        elif self.store.games.load(game_id) is None:
            raise no_game(game_id)
        self.store.games.delete(game_id)
