"""A connection of a page: handles its messages one after another, and sends it what changes."""

import asyncio
import functools
import logging
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import chess

from ox88.apps.clock import ChessClock
from ox88.apps.options import version
from ox88.apps.web import from_page
from ox88.apps.web.analysis import analyse_game, analyse_position
from ox88.apps.web.engine_pool import find_engine
from ox88.apps.web.from_server import Answer, Error, Picture, Position, Welcome
from ox88.apps.web.game import Opponent, PlayedGame
from ox88.apps.web.listing import describe_listing
from ox88.apps.web.messages import LONGEST_MESSAGE, Message, MessageError, Tell, about_of, read_message, read_object
from ox88.apps.web.positions import describe_moves, describe_position, list_games, open_game, read_position
from ox88.apps.web.session import AppState, GameSession, no_game
from ox88.apps.web.thinking import describe_window, search_of, to_find
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO, SHIPPED_NETWORK
from ox88.engines.registry import ENGINES, MODERN
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.setup import parse_fen

_DRAWING: Final = threading.Lock()  # All pictures of micro-Max use one machine.
_LOGGER: Final = logging.getLogger(__name__)


class Connection:
    """One page. `receive` takes its messages, `tell` sends it answers, `close` ends its searches.

    A message of the type `new` is handled by `on_new`, which returns the answer if there is one at once.
    """

    def __init__(self, state: AppState, tell: Tell) -> None:
        self.tell = tell
        self._state = state
        self._session: GameSession | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}  # Analyses and watched searches, by name.
        tell(welcome())

    async def receive(self, text: str | bytes) -> None:
        """Handle a message. An error is reported to the page, and changes nothing."""
        about: dict[str, Any] = {}
        try:
            given = read_object(text)
            about = about_of(given)
            message = read_message(given, from_page.MESSAGES)
            answer = await getattr(self, f"on_{message.kind()}")(message)
        except Exception as error:  # An error in the server must not end it or the connection.
            self.tell({**_describe_error(error, "the server"), **about})
        else:
            if answer is not None:
                self.tell({**answer, **about})

    def close(self) -> None:
        self._leave_watches()
        for task in self._tasks.values():
            task.cancel()
        self._join_session(None)
        self._state.analyses.leave(self.tell)

    def _join_session(self, session: GameSession | None) -> None:
        old, self._session = self._session, session
        if session is not None:
            session.join(self.tell)
        if old is not None:
            old.leave(self.tell)

    def _start(self, name: str, message: Message, search: Callable[[Tell], Awaitable[Answer]]) -> None:
        """Start a search in place of the one with the same name. The page is told its answer, or its error.

        search: gets a `tell` for the time until then, which names the message in all that it sends.
        """

        def tell(answer: Mapping[str, object]) -> None:
            self.tell({**answer, **message.about()})

        async def run() -> None:
            try:
                tell(await search(tell))
            except Exception as error:
                tell(_describe_error(error, "the search"))

        self._end(name)
        self._tasks[name] = asyncio.create_task(run())

    def _end(self, name: str) -> None:
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()

    # --- Playing ----------------------------------------------------------------------------------------------------

    async def on_new(self, message: from_page.New) -> None:
        game = _begin_game(message)
        if message.move:
            if not game.is_persons_turn:
                raise MessageError(f"{message.move}: it is {game.opponent.engine}'s move")
            game.play(message.move, time.monotonic())
        self._join_session(self._state.start_session(game))

    async def on_join(self, message: from_page.Join) -> None:
        self._join_session(self._state.find_session(message.game))

    async def on_move(self, message: from_page.Move) -> None:
        session = self._playing()
        if message.ply not in (None, len(session.game.board.move_stack)):
            raise MessageError("the game has continued meanwhile")
        session.play(message.move)

    async def on_takeback(self, _: from_page.Takeback) -> None:
        self._playing().act(PlayedGame.take_back)

    async def on_putback(self, _: from_page.Putback) -> None:
        self._playing().act(PlayedGame.put_back)

    async def on_hint(self, _: from_page.Hint) -> None:
        self._playing().act(PlayedGame.note_hint)

    async def on_resign(self, _: from_page.Resign) -> None:
        self._playing().act(lambda game: game.resign(game.side))

    async def on_draw(self, _: from_page.Draw) -> None:
        self._playing().act(PlayedGame.offer_draw)

    async def on_rematch(self, message: from_page.Rematch) -> None:
        game = self._playing().game.again(_new_id(), message.colours == "swapped")
        self._join_session(self._state.start_session(game))

    async def on_library(self, message: from_page.Library) -> Answer:
        return await self._state.list_games(message)

    async def on_delete(self, message: from_page.Delete) -> Answer:
        if message.analysis:
            self._state.analyses.delete(message.analysis)
            return {"type": "deleted", "analysis": message.analysis}
        self._state.delete_game(message.game)
        return {"type": "deleted", "game": message.game}

    async def on_chess960(self, message: from_page.Chess960) -> Answer:
        """The start position of Chess960 with a number, or with a random one."""
        number = secrets.randbelow(960) if message.number is None else message.number
        return {"type": "chess960", "number": number, "start": chess.Board.from_chess960_pos(number).fen()}

    def _playing(self) -> GameSession:
        if self._session is None:
            raise MessageError("there is no game: `new` begins one, `join` continues one")
        if self._session.is_deleted:  # By another page, of which this one has not heard yet.
            raise no_game(self._session.game.id)
        return self._session

    # --- Analysing --------------------------------------------------------------------------------------------------

    async def on_position(self, message: from_page.Position) -> Answer:
        """The position after some moves: legal moves, and for each move after the ply `after` its SAN and opening."""

        def describe() -> Position:
            board = read_position(message.start, message.moves)
            return {
                "type": "position",
                "start": board.root().fen(),
                "chess960": board.chess960,
                "moves": describe_moves(board, self._state.names, message.after),
                "position": describe_position(board),
            }

        return await asyncio.to_thread(describe)

    async def on_analyse(self, message: from_page.Analyse) -> None:
        self._end("position")
        board = await asyncio.to_thread(read_position, message.start, message.moves)
        engines, entry = self._state.engines, find_engine(message.engine)
        self._start(
            "position", message, lambda tell: analyse_position(engines, self, entry, board, message.lines, tell)
        )

    async def on_stop(self, _: from_page.Stop) -> None:
        self._end("position")

    async def on_games(self, message: from_page.Games) -> Answer:
        return {"type": "games", "games": await asyncio.to_thread(list_games, message.text)}

    async def on_open(self, message: from_page.Open) -> Answer:
        return await asyncio.to_thread(open_game, message.text, self._state.names)

    async def on_annotate(self, message: from_page.Annotate) -> None:
        engines, names, user = self._state.engines, self._state.names, (self, "game")
        self._start("game", message, lambda tell: analyse_game(engines, user, names, message.text, message.nodes, tell))

    async def on_cancel(self, message: from_page.Cancel) -> None:
        self._end({"annotate": "game"}.get(message.what, message.what))

    async def on_explore(self, message: from_page.Explore) -> Answer:
        return await asyncio.to_thread(self._state.library.explore, message.start, message.moves)

    async def on_past(self, message: from_page.Past) -> Answer:
        text = await asyncio.to_thread(self._state.library.text, message.past)
        return {"type": "games", "games": await asyncio.to_thread(list_games, text)}

    # --- Saved analyses ---------------------------------------------------------------------------------------------

    async def on_save(self, message: from_page.Save) -> Answer:
        name, chapters, analyses = message.name, message.chapters, self._state.analyses
        if message.analysis:
            return analyses.change(message.analysis, message.revision, name, chapters, self.tell)
        return analyses.begin(name, chapters, self.tell)

    async def on_load(self, message: from_page.Load) -> Answer:
        return self._state.analyses.watch(message.analysis, self.tell)

    async def on_copy(self, message: from_page.Copy) -> Answer:
        return self._state.analyses.copy(message.analysis)

    async def on_analyses(self, message: from_page.Analyses) -> Answer:
        return await self._state.list_analyses(message.search, message.analyses)

    # --- Training ---------------------------------------------------------------------------------------------------

    async def on_train(self, message: from_page.Train) -> Answer:
        await asyncio.to_thread(self._state.training.prepare)
        return self._state.training.begin(message)

    async def on_next(self, message: from_page.Next) -> Answer:
        return self._state.training.advance(message.done)

    async def on_try(self, message: from_page.Try) -> Answer:
        return self._state.training.play(message.key, message.move)

    async def on_reveal(self, message: from_page.Reveal) -> Answer:
        return self._state.training.reveal(message.key, message.what)

    async def on_statistics(self, _: from_page.Statistics) -> Answer:
        await asyncio.to_thread(self._state.training.prepare)
        return self._state.training.statistics()

    async def on_learn(self, message: from_page.Learn) -> None:
        self._start("learn", message, lambda tell: self._state.training.learn(message, tell))

    # --- Looking inside ---------------------------------------------------------------------------------------------

    async def on_show(self, message: from_page.Show) -> Answer:
        return await asyncio.to_thread(_describe_picture, message)

    # --- Watching micro-Max think -----------------------------------------------------------------------------------

    async def on_think(self, message: from_page.Think) -> None:
        """A window of a search's events. A new message ends the work on the one before."""
        self._end("think")
        watches, search, find = self._state.watches, search_of(message), to_find(message)
        work = functools.partial(describe_window, find=find, fen=search.fen)
        self._start("think", message, lambda _: watches.run(search, work, self.tell))

    async def on_outline(self, message: from_page.Outline) -> None:
        watches, search = self._state.watches, search_of(message)
        self._start(f"outline {sorted(search.without)}", message, lambda _: watches.outline(search))

    async def on_unwatch(self, _: from_page.Unwatch) -> None:
        self._leave_watches()

    def _leave_watches(self) -> None:
        """End what this page watches, and give back the memory of idle watches. Others make theirs again in no time."""
        names = [name for name in self._tasks if name.split()[0] in ("think", "outline")]
        for name in names:
            self._end(name)
        if names:
            self._state.watches.idle.clear()

    async def on_listing(self, _: from_page.Listing) -> Answer:
        return await asyncio.to_thread(describe_listing)


def _describe_error(error: Exception, what: str) -> Error:
    """The message to the page. Errors that nobody expects are logged too."""
    if isinstance(error, Ox88Error):
        return {"type": "error", "message": str(error)}
    _LOGGER.error("%s has failed: %r", what, error, exc_info=_LOGGER.isEnabledFor(logging.DEBUG))
    return {"type": "error", "message": f"{what} has failed: {error!r}"}


def _describe_picture(asked: from_page.Show) -> Picture:
    from ox88.apps.show.svg import to_svg  # Imported late: the page is served before the compiler is loaded.
    from ox88.apps.show.views import draw

    with _DRAWING:
        picture = draw(parse_fen(asked.fen), asked.view, asked.square or None, asked.bits or None, asked.depth)
    svg = to_svg(picture, with_words=False)
    return {"type": "picture", "svg": svg, "title": picture.title, "caption": picture.caption}


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


def _begin_game(asked: from_page.New) -> PlayedGame:
    if asked.elo is not None and asked.engine != MODERN.name:
        raise MessageError(f"{asked.engine} plays at one strength only: elo is for {MODERN.name}")
    side = secrets.choice(("white", "black")) if asked.side == "random" else asked.side
    opponent = Opponent(asked.engine, asked.elo, asked.seconds)
    return PlayedGame.begin(_new_id(), opponent, side, asked.fen or STARTPOS, _make_clock(asked, side))


def _make_clock(asked: from_page.New, side: str) -> ChessClock | None:
    if asked.initial is None:
        return None
    person = asked.initial, asked.increment
    engine = person if asked.engine_initial is None else (asked.engine_initial, asked.engine_increment)
    white, black = (person, engine) if side == "white" else (engine, person)
    return ChessClock(*white, control_of_black=black)


def _new_id() -> str:
    return secrets.token_urlsafe(12)
