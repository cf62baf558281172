"""A connection of a page: has its messages handled one after another, and sends it what changes."""

import asyncio
import inspect
import logging
from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict

from ox88.apps.options import version
from ox88.apps.web.messages import LONGEST_MESSAGE, Handler, MessageError, Tell, about_of, read_message, read_object
from ox88.apps.web.session import AppState, GameSession, no_game
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO, SHIPPED_NETWORK
from ox88.engines.registry import ENGINES, MODERN
from ox88.errors import Ox88Error

_LOGGER: Final = logging.getLogger(__name__)


class EngineChoice(TypedDict):
    """An engine. levels: the least and the most Elo, if it has levels."""

    name: str
    levels: list[int] | None


class Welcome(TypedDict):
    """The first message. longest: bytes of a message of the page. network: Ox88 has one."""

    type: Literal["welcome"]
    version: str
    engines: list[EngineChoice]
    longest: int
    network: bool


class Error(TypedDict):
    """A message cannot be handled, or an analysis has failed. Nothing else changes."""

    type: Literal["error"]
    message: str


class Alive(TypedDict):
    """Nothing has happened, but the connection is there. It is said every few seconds."""

    type: Literal["alive"]


class Connection:
    """One page. `receive` takes its messages, `tell` sends it answers, `close` ends its searches."""

    def __init__(self, state: AppState, tell: Tell) -> None:
        self.tell = tell
        self.state = state
        self._session: GameSession | None = None
        self._has_pace = False
        self._tasks: dict[str, asyncio.Task[None]] = {}  # Analyses and watched searches, by name.
        tell(welcome())

    async def receive(self, text: str | bytes) -> None:
        """Handle a message. An error is reported to the page, and changes nothing."""
        about: dict[str, Any] = {}
        try:
            given = read_object(text)
            about = about_of(given)
            handler, fields = read_message(given)
        except Exception as error:
            self.tell({**_describe_error(error, "the server"), **about})
            return
        if handler.task:
            name = handler.task.format(**fields)
            self.end(name)
            self._tasks[name] = asyncio.create_task(self._handle(handler, fields, about))
        else:
            await self._handle(handler, fields, about)

    async def _handle(self, handler: Handler, fields: Mapping[str, Any], about: Mapping[str, Any]) -> None:
        def tell(answer: Mapping[str, object]) -> None:
            self.tell({**answer, **about})

        try:
            if not inspect.iscoroutinefunction(handler.call):
                answer = await asyncio.to_thread(handler.call, self, **fields)
            elif handler.task:
                answer = await handler.call(self, tell, **fields)
            else:
                answer = await handler.call(self, **fields)
        except Exception as error:  # An error in the server must not end it or the connection.
            tell(_describe_error(error, "the search" if handler.task else "the server"))
        else:
            if answer is not None:
                tell(answer)

    def end(self, name: str) -> None:
        """End a task, if it goes on."""
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()

    def leave_watches(self) -> None:
        """End what this page watches, and give back the memory of idle watches. Others make theirs again in no time."""
        names = [name for name in self._tasks if name.startswith(("think", "outline"))]
        for name in names:
            self.end(name)
        if names:
            self.state.watches.idle.clear()

    def close(self) -> None:
        self.leave_watches()
        for task in self._tasks.values():
            task.cancel()
        self.join_session(None)
        self.state.shown_analyses.pop(self.tell, None)

    def join_session(self, session: GameSession | None) -> None:
        """Watch a game in place of the one before."""
        old, self._session = self._session, session
        if session is not None:
            session.has_pace = self._has_pace
            session.join(self.tell)
        if old is not None:
            old.leave(self.tell)

    def set_pace(self, is_human: bool) -> None:
        """Let levels take as long for a move as a person would, in this game and those to come."""
        self._has_pace = is_human
        if self._session is not None:
            self._session.has_pace = is_human

    def playing(self) -> GameSession:
        """The game that the page watches. Raises Ox88Error if there is none."""
        if self._session is None:
            raise MessageError("there is no game: `new` begins one, `join` continues one")
        if self._session.is_deleted:  # By another page, of which this one has not heard yet.
            raise no_game(self._session.game.id)
        return self._session


def _describe_error(error: Exception, what: str) -> Error:
    """The message to the page. Errors that nobody expects are logged too."""
    if isinstance(error, Ox88Error):
        return {"type": "error", "message": str(error)}
    _LOGGER.error("%s has failed: %r", what, error, exc_info=_LOGGER.isEnabledFor(logging.DEBUG))
    return {"type": "error", "message": f"{what} has failed: {error!r}"}


def welcome() -> Welcome:
    """The first message to the page."""
    return {
        "type": "welcome",
        "version": version(),
        "engines": [
            {"name": entry.name, "levels": [LEAST_ELO, MOST_ELO] if entry is MODERN else None} for entry in ENGINES
        ],
        "longest": LONGEST_MESSAGE,
        "network": SHIPPED_NETWORK.exists(),
    }
