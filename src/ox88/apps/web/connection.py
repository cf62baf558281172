"""A connection of a page: handles its messages one after another, and sends it what changes."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final

from ox88.apps.analyse.search import DEFAULT_NODES
from ox88.apps.clock import ChessClock
from ox88.apps.options import version
from ox88.apps.web.analysis import MOST_NODES, analyse_game, analyse_position
from ox88.apps.web.game import Opponent, PlayedGame
from ox88.apps.web.messages import LONGEST_FEN, LONGEST_MESSAGE, Message, MessageError, Tell, read_message
from ox88.apps.web.positions import describe_moves, describe_position, list_games, open_game, read_position
from ox88.apps.web.session import AppState, GameSession
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from ox88.engines.registry import ENGINES, MODERN
from ox88.fen import STARTPOS, parse_fen
from ox88.types import Ox88Error

MOST_LINES: Final = 5
_LONGEST_MOVE: Final = 20
_LONGEST_VIEW: Final = 20
_LONGEST_BITS: Final = 200
_LONGEST_ID: Final = 40
_LONGEST_CLOCK: Final = 180 * 60.0
_LOGGER: Final = logging.getLogger(__name__)

_Answer = dict[str, Any] | None


class Connection:
    """One page. `receive` takes its messages, `tell` sends it answers, `close` ends its searches."""

    def __init__(self, state: AppState, tell: Tell) -> None:
        self.tell = tell
        self._state = state
        self._session: GameSession | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}  # The analyses of a position and of a game.
        self._handlers: Mapping[str, Callable[[Message], Awaitable[_Answer]]] = {
            "new": self._new,
            "join": self._join,
            "move": self._move,
            "takeback": self._take_back,
            "resign": self._resign,
            "position": self._position,
            "analyse": self._analyse,
            "stop": self._stop,
            "games": self._games,
            "open": self._open,
            "annotate": self._annotate,
            "cancel": self._cancel,
            "show": self._show,
        }
        tell(welcome())

    async def receive(self, text: str | bytes) -> None:
        """Handle a message. An error is reported to the page, and changes nothing."""
        about: dict[str, Any] = {}
        try:
            message = read_message(text)
            about = message.about()
            handler = self._handlers.get(message.type)
            if handler is None:
                raise MessageError(f"type is {message.type!r}: one of {', '.join(self._handlers)} is expected")
            answer = await handler(message)
        except Exception as error:  # An error in the server must not end it or the connection.
            self.tell(_describe_error(error, "the server") | about)
        else:
            if answer is not None:
                self.tell(answer | about)

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._join_session(None)

    def _join_session(self, session: GameSession | None) -> None:
        old, self._session = self._session, session
        if session is not None:
            session.join(self.tell)
        if old is not None:
            old.leave(self.tell)

    def _start(self, name: str, work: Coroutine[Any, Any, None], tell: Tell) -> None:
        """Start a task in place of the one with the same name. Its errors are sent to the page."""

        async def run() -> None:
            try:
                await work
            except Exception as error:
                tell(_describe_error(error, "the search"))

        self._end(name)
        self._tasks[name] = asyncio.create_task(run())

    def _end(self, name: str) -> None:
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()

    # --- Playing ----------------------------------------------------------------------------------------------------

    async def _new(self, message: Message) -> None:
        self._join_session(self._state.start_session(_read_game(message)))

    async def _join(self, message: Message) -> None:
        self._join_session(self._state.find_session(message.text("game", _LONGEST_ID)))

    async def _move(self, message: Message) -> None:
        session = self._playing()
        ply = message.maybe_whole("ply", 0, 100_000)
        if ply is not None and ply != len(session.game.board.move_stack):
            raise MessageError("the game has continued meanwhile")
        session.play(message.text("move", _LONGEST_MOVE))

    async def _take_back(self, _: Message) -> None:
        self._playing().take_back()

    async def _resign(self, _: Message) -> None:
        self._playing().resign()

    def _playing(self) -> GameSession:
        if self._session is None:
            raise MessageError("there is no game: `new` begins one, `join` continues one")
        return self._session

    # --- Analysing --------------------------------------------------------------------------------------------------

    async def _position(self, message: Message) -> _Answer:
        """The position after some moves: legal moves, the moves in SAN, the opening."""
        start, moves = message.text("start", LONGEST_FEN), message.moves("moves")

        def describe() -> dict[str, Any]:
            board = read_position(start, moves)
            described = describe_moves(board, self._state.names)
            position = describe_position(board)
            return {"type": "position", "start": board.root().fen(), "moves": described, "position": position}

        return await asyncio.to_thread(describe)

    async def _analyse(self, message: Message) -> None:
        start, moves = message.text("start", LONGEST_FEN), message.moves("moves")
        lines = message.whole("lines", 1, MOST_LINES)
        self._end("position")
        board = await asyncio.to_thread(read_position, start, moves)
        tell = self._tagged(message)
        self._start("position", analyse_position(self._state.engines, self, board, lines, tell), tell)

    async def _stop(self, _: Message) -> None:
        self._end("position")

    async def _games(self, message: Message) -> _Answer:
        text = message.text("text", LONGEST_MESSAGE)
        return {"type": "games", "games": await asyncio.to_thread(list_games, text)}

    async def _open(self, message: Message) -> _Answer:
        text = message.text("text", LONGEST_MESSAGE)
        return await asyncio.to_thread(open_game, text, self._state.names)

    async def _annotate(self, message: Message) -> None:
        text = message.text("text", LONGEST_MESSAGE)
        nodes = message.maybe_whole("nodes", 1, MOST_NODES) or DEFAULT_NODES
        tell = self._tagged(message)

        async def work() -> None:
            tell(await analyse_game(self._state.engines, (self, "game"), self._state.names, text, nodes, tell))

        self._start("game", work(), tell)

    async def _cancel(self, _: Message) -> None:
        self._end("game")

    def _tagged(self, message: Message) -> Tell:
        """A `tell` that names the message in each answer."""
        return lambda answer: self.tell(answer | message.about())

    # --- Looking inside ---------------------------------------------------------------------------------------------

    async def _show(self, message: Message) -> _Answer:
        fen, view = message.text("fen", LONGEST_FEN), message.text("view", _LONGEST_VIEW)
        square, bits = message.maybe_text("square", 2), message.maybe_text("bits", _LONGEST_BITS)
        return await asyncio.to_thread(_describe_picture, fen, view, square, bits)


def _describe_error(error: Exception, what: str) -> dict[str, Any]:
    """The message to the page. Errors that nobody expects are logged too."""
    if isinstance(error, Ox88Error):
        return {"type": "error", "message": str(error)}
    _LOGGER.error("%s has failed: %r", what, error, exc_info=_LOGGER.isEnabledFor(logging.DEBUG))
    return {"type": "error", "message": f"{what} has failed: {error!r}"}


def _describe_picture(fen: str, view: str, square: str | None, bits: str | None) -> dict[str, Any]:
    from ox88.apps.show.svg import to_svg  # Imported late: the page is served before the compiler is loaded.
    from ox88.apps.show.views import draw

    picture = draw(parse_fen(fen), view, square, bits)
    return {"type": "picture", "svg": to_svg(picture), "title": picture.title, "caption": picture.caption}


def welcome() -> dict[str, Any]:
    """The first message to the page."""
    engines = [{"name": entry.name, "levels": [LEAST_ELO, MOST_ELO] if entry is MODERN else None} for entry in ENGINES]
    return {"type": "welcome", "version": version(), "engines": engines, "longest": LONGEST_MESSAGE}


def _read_game(message: Message) -> PlayedGame:
    engine = message.choice("engine", [entry.name for entry in ENGINES])
    elo = message.maybe_whole("elo", LEAST_ELO, MOST_ELO)
    if elo is not None and engine != MODERN.name:
        raise MessageError(f"{engine} plays at one strength only: elo is for {MODERN.name}")
    side = message.choice("side", ("white", "black", "random"))
    if side == "random":
        side = secrets.choice(("white", "black"))
    seconds = message.number("seconds", 0.1, 60) if message.has("seconds") else 3.0
    clock = None
    if message.has("initial"):
        clock = ChessClock(message.number("initial", 10, _LONGEST_CLOCK), message.number("increment", 0, 60))
    start = message.maybe_text("fen", LONGEST_FEN) or STARTPOS
    return PlayedGame.begin(secrets.token_urlsafe(12), Opponent(engine, elo, seconds), side, start, clock)
