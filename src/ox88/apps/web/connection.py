"""A connection of a page: handles its messages one after another, and sends it what changes."""

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final

import chess

from ox88.apps.analyse.search import DEFAULT_NODES
from ox88.apps.clock import ChessClock
from ox88.apps.options import version
from ox88.apps.web.analysis import MOST_NODES, analyse_game, analyse_position
from ox88.apps.web.game import Opponent, PlayedGame
from ox88.apps.web.listing import describe_listing
from ox88.apps.web.messages import LONGEST_FEN, LONGEST_MESSAGE, MOST_MOVES, Message, MessageError, Tell, read_message
from ox88.apps.web.positions import describe_moves, describe_position, list_games, open_game, read_position
from ox88.apps.web.session import AppState, GameSession, no_game
from ox88.apps.web.thinking import find_window, read_place, read_search
from ox88.engines.base import EngineEntry
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO, SHIPPED_NETWORK
from ox88.engines.registry import ENGINES, MODERN
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.setup import parse_fen

MOST_LINES: Final = 5
_LONGEST_MOVE: Final = 20
_LONGEST_VIEW: Final = 20
_LONGEST_BITS: Final = 200
_MOST_PLIES: Final = 5  # Of a picture's search.
_DRAWING: Final = threading.Lock()  # All pictures of micro-Max use one machine.
_LONGEST_ID: Final = 40
_LONGEST_SEARCH: Final = 100
MOST_KNOWN: Final = 2000  # Games that a page remembers.
_SHORTEST_CLOCK: Final = 10.0  # Seconds.
_LONGEST_CLOCK: Final = 180 * 60.0
_LONGEST_INCREMENT: Final = 180.0
_LOGGER: Final = logging.getLogger(__name__)

_Answer = dict[str, Any] | None


class Connection:
    """One page. `receive` takes its messages, `tell` sends it answers, `close` ends its searches."""

    def __init__(self, state: AppState, tell: Tell) -> None:
        self.tell = tell
        self._state = state
        self._session: GameSession | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}  # Analyses and watched searches, by name.
        self._handlers: Mapping[str, Callable[[Message], Awaitable[_Answer]]] = {
            "new": self._new,
            "join": self._join,
            "move": self._move,
            "takeback": self._take_back,
            "resign": self._resign,
            "draw": self._draw,
            "rematch": self._rematch,
            "library": self._library,
            "delete": self._delete,
            "chess960": self._chess960,
            "position": self._position,
            "analyse": self._analyse,
            "stop": self._stop,
            "games": self._games,
            "open": self._open,
            "annotate": self._annotate,
            "cancel": self._cancel,
            "show": self._show,
            "think": self._think,
            "outline": self._outline,
            "unwatch": self._unwatch,
            "listing": self._listing,
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
        self._leave_watches()
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
        game, first = _read_game(message), message.maybe_text("move", _LONGEST_MOVE)
        if first is not None:
            if not game.is_persons_turn:
                raise MessageError(f"{first}: it is {game.opponent.engine}'s move")
            game.play(first, time.monotonic())
        self._join_session(self._state.start_session(game))

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

    async def _draw(self, _: Message) -> None:
        self._playing().offer_draw()

    async def _rematch(self, message: Message) -> None:
        game = self._playing().game.again(_new_id(), message.choice("colours", ("same", "swapped")) == "swapped")
        self._join_session(self._state.start_session(game))

    async def _library(self, message: Message) -> _Answer:
        search = message.maybe_text("search", _LONGEST_SEARCH) or ""
        return await self._state.list_games(search, message.texts("games", _LONGEST_ID, MOST_KNOWN))

    async def _delete(self, message: Message) -> _Answer:
        game = message.text("game", _LONGEST_ID)
        self._state.delete_game(game)
        return {"type": "deleted", "game": game}

    async def _chess960(self, message: Message) -> _Answer:
        """The start position of Chess960 with a number, or with a random one."""
        number = message.maybe_whole("number", 0, 959)
        number = secrets.randbelow(960) if number is None else number
        return {"type": "chess960", "number": number, "start": chess.Board.from_chess960_pos(number).fen()}

    def _playing(self) -> GameSession:
        if self._session is None:
            raise MessageError("there is no game: `new` begins one, `join` continues one")
        if self._session.is_deleted:  # By another page, of which this one has not heard yet.
            raise no_game(self._session.game.id)
        return self._session

    # --- Analysing --------------------------------------------------------------------------------------------------

    async def _position(self, message: Message) -> _Answer:
        """The position after some moves: legal moves, and for each move after the ply `after` its SAN and opening."""
        start, moves = message.text("start", LONGEST_FEN), message.moves("moves")
        after = message.maybe_whole("after", 0, MOST_MOVES) or 0

        def describe() -> dict[str, Any]:
            board = read_position(start, moves)
            described = describe_moves(board, self._state.names, after)
            answer = {"type": "position", "start": board.root().fen(), "chess960": board.chess960, "moves": described}
            return answer | {"position": describe_position(board)}

        return await asyncio.to_thread(describe)

    async def _analyse(self, message: Message) -> None:
        start, moves = message.text("start", LONGEST_FEN), message.moves("moves")
        lines = message.whole("lines", 1, MOST_LINES)
        engine = _read_engine(message) if message.has("engine") else MODERN
        self._end("position")
        board = await asyncio.to_thread(read_position, start, moves)
        tell = self._tagged(message)
        self._start("position", analyse_position(self._state.engines, self, engine, board, lines, tell), tell)

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
        depth = message.maybe_whole("depth", 1, _MOST_PLIES)
        return await asyncio.to_thread(_describe_picture, fen, view, square, bits, depth)

    # --- Watching micro-Max think -----------------------------------------------------------------------------------

    async def _think(self, message: Message) -> None:
        """A window of a search's events. A new message ends the work on the one before."""
        self._end("think")
        search, place, tell = read_search(message), read_place(message), self._tagged(message)

        async def work() -> None:
            tell(await find_window(self._state.watches, search, place, self.tell))

        self._start("think", work(), tell)

    async def _outline(self, message: Message) -> None:
        search, tell = read_search(message), self._tagged(message)

        async def work() -> None:
            tell(await self._state.watches.totals(search))

        self._start(f"outline {sorted(search.without)}", work(), tell)

    async def _unwatch(self, _: Message) -> None:
        self._leave_watches()

    def _leave_watches(self) -> None:
        names = [name for name in self._tasks if name.split()[0] in ("think", "outline")]
        for name in names:
            self._end(name)
        if names:
            self._state.watches.give_back()

    async def _listing(self, _: Message) -> _Answer:
        return await asyncio.to_thread(describe_listing)


def _describe_error(error: Exception, what: str) -> dict[str, Any]:
    """The message to the page. Errors that nobody expects are logged too."""
    if isinstance(error, Ox88Error):
        return {"type": "error", "message": str(error)}
    _LOGGER.error("%s has failed: %r", what, error, exc_info=_LOGGER.isEnabledFor(logging.DEBUG))
    return {"type": "error", "message": f"{what} has failed: {error!r}"}


def _describe_picture(fen: str, view: str, square: str | None, bits: str | None, depth: int | None) -> dict[str, Any]:
    from ox88.apps.show.svg import to_svg  # Imported late: the page is served before the compiler is loaded.
    from ox88.apps.show.views import draw

    with _DRAWING:
        picture = draw(parse_fen(fen), view, square, bits, depth)
    svg = to_svg(picture, with_words=False)
    return {"type": "picture", "svg": svg, "title": picture.title, "caption": picture.caption}


def welcome() -> dict[str, Any]:
    """The first message to the page."""
    engines = [{"name": entry.name, "levels": [LEAST_ELO, MOST_ELO] if entry is MODERN else None} for entry in ENGINES]
    has_network = SHIPPED_NETWORK.exists()
    return {
        "type": "welcome", "version": version(), "engines": engines, "longest": LONGEST_MESSAGE, "network": has_network
    }  # fmt: skip


def _read_engine(message: Message) -> EngineEntry:
    name = message.choice("engine", [entry.name for entry in ENGINES])
    return next(entry for entry in ENGINES if entry.name == name)


def _read_game(message: Message) -> PlayedGame:
    engine = message.choice("engine", [entry.name for entry in ENGINES])
    elo = message.maybe_whole("elo", LEAST_ELO, MOST_ELO)
    if elo is not None and engine != MODERN.name:
        raise MessageError(f"{engine} plays at one strength only: elo is for {MODERN.name}")
    side = message.choice("side", ("white", "black", "random"))
    if side == "random":
        side = secrets.choice(("white", "black"))
    seconds = message.number("seconds", 0.1, 60) if message.has("seconds") else 3.0
    start = message.maybe_text("fen", LONGEST_FEN) or STARTPOS
    return PlayedGame.begin(_new_id(), Opponent(engine, elo, seconds), side, start, _read_clock(message, side))


def _read_clock(message: Message, side: str) -> ChessClock | None:
    """The clock; the engine has the person's time unless the message says otherwise."""
    if not message.has("initial"):
        return None
    engine = person = _read_control(message, "")
    if message.has("engine_initial"):
        engine = _read_control(message, "engine_")
    white, black = (person, engine) if side == "white" else (engine, person)
    return ChessClock(*white, control_of_black=None if black == white else black)


def _read_control(message: Message, whose: str) -> tuple[float, float]:
    return (
        message.number(f"{whose}initial", _SHORTEST_CLOCK, _LONGEST_CLOCK),
        message.number(f"{whose}increment", 0, _LONGEST_INCREMENT),
    )


def _new_id() -> str:
    return secrets.token_urlsafe(12)
