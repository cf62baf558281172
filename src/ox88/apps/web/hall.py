"""What all connections share: the games that are being played, their store, the engines, the names of openings."""

import asyncio
import contextlib
import functools
from typing import Final

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.web.played import PlayedGame
from ox88.apps.web.room import Room
from ox88.apps.web.store import GameStore
from ox88.apps.web.thinkers import Loan, Thinkers
from ox88.engines.registry import MODERN
from ox88.types import Ox88Error

_PAGE_FIRST: Final = 1.0  # Seconds for a browser to load the page, before an engine takes the processor.


class Hall:
    """names: empty until they are read, which a start need not wait for."""

    def __init__(self, store: GameStore, searches: int) -> None:
        self.thinkers = Thinkers(searches)
        self.names = OpeningNames({})
        self._store = store
        self._rooms: dict[str, Room] = {}

    async def prepare(self) -> None:
        """Read the names, and have an engine ready for the first who comes."""
        self.names = await asyncio.to_thread(OpeningNames.load)
        await asyncio.sleep(_PAGE_FIRST)
        with contextlib.suppress(Ox88Error):  # Whoever needs it will be told.
            async with self.thinkers.borrow(Loan(MODERN, None), told=lambda _: None):
                pass

    def close(self) -> None:
        """Wait for the last searches, which end by themselves when nobody listens."""
        self.thinkers.close()

    def open(self, game: PlayedGame) -> Room:
        """A room for a game. It is forgotten when the last one leaves; what happened in it is in the store."""
        forget = functools.partial(self._forget, game.id)
        room = Room(game, self._store, self.thinkers, lambda: self.names, forget)
        self._rooms[game.id] = room
        return room

    def _forget(self, game_id: str) -> None:
        self._rooms.pop(game_id, None)

    def find(self, game_id: str) -> Room:
        """The room of a game that was begun before. Raises Ox88Error where there is none."""
        room = self._rooms.get(game_id)
        return self.open(self.load(game_id)) if room is None else room

    def load(self, game_id: str) -> PlayedGame:
        """Raises Ox88Error."""
        if game_id in self._rooms:
            return self._rooms[game_id].game
        data = self._store.load(game_id)
        if data is None:
            raise Ox88Error(f"there is no game {game_id!r}")
        return PlayedGame.load(game_id, data)
