"""The server as an ASGI application: the page, its files, games and analyses as PGN, and the WebSocket."""

import asyncio
import contextlib
import datetime
import functools
import json
import re
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from markdown_it import MarkdownIt
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ox88.apps.store import Store
from ox88.apps.train.exchange import LONGEST_FILE, read_training, write_training
from ox88.apps.viewer.files import FOLDER as VIEWER
from ox88.apps.viewer.files import piece_file
from ox88.apps.web import analysing, playing, thinking, training  # noqa: F401 - They declare handlers of messages.
from ox88.apps.web.connection import Alive, Connection
from ox88.apps.web.game import PlayedGame
from ox88.apps.web.guard import Guard, is_local
from ox88.apps.web.messages import LONGEST_MESSAGE, MessageError, read_message, read_object
from ox88.apps.web.saved import SavedAnalysis, export_games, load_analysis
from ox88.apps.web.session import AppState
from ox88.errors import Ox88Error

HERE: Final = Path(str(files("ox88.apps.web")))
STATIC: Final = HERE / "static"
_PACKAGED_LEVELS: Final = HERE / "levels.md"  # In a wheel; a checkout has the page of docs itself.
LEVELS: Final = _PACKAGED_LEVELS if _PACKAGED_LEVELS.is_file() else HERE.parents[3] / "docs" / "levels.md"
MOST_CONNECTIONS: Final = 200
_MOST_UNREAD: Final = 500  # Messages that a page has not read; with more, ...
MOST_UNREAD_TEXT: Final = 2_000_000  # ... with so many characters behind the first message, ...
ALIVE_EVERY: Final = 5.0  # Seconds. A page that hears nothing for longer takes the connection for lost.
_UNREAD_SECONDS: Final = 60.0  # ... or with a message that has waited so long, the connection is closed.
_IMPORT: Final = re.compile(r'^(?:import .*|\}) from "(.+\.js)";$', re.MULTILINE)
_TRY_LATER, _TOO_SLOW = 1013, 1008  # Codes of the WebSocket protocol.


def make_app(
    store: Store, board: Path, hosts: Collection[str], searches: int, explored: Sequence[Path] = ()
) -> Starlette:
    """The application.

    Args:
        store: keeps the games.
        board: the folder with chessground's files.
        hosts: the server's own names.
        searches: how many run at a time, at most.
        explored: PGN files whose games the pages explore.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        state = app.state.shared = AppState(store, searches, not all(map(is_local, hosts)), explored)
        app.state.connections = 0
        preparing = asyncio.create_task(state.prepare())
        yield
        preparing.cancel()
        await asyncio.to_thread(state.close)

    routes = [
        Route("/", _page),
        Route("/game/{id}.pgn", _game),
        Route("/games.pgn", _games, methods=["GET", "POST"]),
        Route("/analysis/{id}.pgn", _analysis),
        Route("/training.json", _export, methods=["GET"]),
        Route("/training.json", _import, methods=["POST"]),
        Route("/docs/levels", _levels),
        WebSocketRoute("/socket", _socket),
        Mount("/chessground", _Files(directory=board)),
        Mount("/static", _Files(directory=STATIC)),
        Route("/viewer/pieces.svg", _pieces),
        Mount("/viewer", _Files(directory=VIEWER)),
    ]
    middleware = [Middleware(Guard, hosts=hosts)]
    return Starlette(routes=routes, middleware=middleware, lifespan=lifespan)


class _Files(StaticFiles):
    """Static files; browsers ask each time whether they have changed."""

    async def get_response(self, path: str, scope: Any) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


async def _page(_: Request) -> Response:
    """The page, with links to its modules, so that the browser asks for all of them at once."""
    links = "".join(f'<link rel="modulepreload" href="{address}">\n' for address in _modules())
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    return HTMLResponse(page.replace("<script", f"{links}<script", 1), headers={"Cache-Control": "no-cache"})


@functools.cache
def _modules() -> Sequence[str]:
    """The addresses of the modules with which the page begins."""
    found = ["/static/main.js"]
    for address in found:  # It grows.
        _, folder, name = address.split("/")
        if folder != "chessground":
            text = ({"static": STATIC, "viewer": VIEWER}[folder] / name).read_text(encoding="utf-8")
            imported = (other.replace("./", f"/{folder}/") for other in _IMPORT.findall(text))
            found += [other for other in dict.fromkeys(imported) if other not in found]
    return found


async def _pieces(_: Request) -> Response:
    return Response(piece_file(), media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})


async def _levels(_: Request) -> Response:
    if not LEVELS.is_file():
        raise HTTPException(404, "this installation has no docs/levels.md")
    words = MarkdownIt().enable("table").render(LEVELS.read_text(encoding="utf-8"))
    words = words.replace("<pre>", '<pre tabindex="0">')  # So that keys can scroll it.
    page = (STATIC / "text.html").read_text(encoding="utf-8")
    return HTMLResponse(page.replace("<main></main>", f"<main>{words}</main>"))


async def _game(request: Request) -> Response:
    return _pgn(request, request.app.state.shared.load_game)


async def _analysis(request: Request) -> Response:
    return _pgn(request, functools.partial(load_analysis, request.app.state.shared))


def _pgn(request: Request, load: Callable[[str], PlayedGame | SavedAnalysis]) -> Response:
    try:
        found = load(request.path_params["id"])
    except Ox88Error as error:
        raise HTTPException(404, str(error)) from None
    return _file(found.pgn().strip() + "\n", f"ox88-{found.date:%Y-%m-%d}.pgn")


def _file(content: str | AsyncIterator[str], name: str) -> Response:
    """A file that the browser saves."""
    kind = "application/json" if name.endswith(".json") else "application/x-chess-pgn"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    response = Response if isinstance(content, str) else StreamingResponse
    return response(content, headers=headers, media_type=kind)


async def _games(request: Request) -> Response:
    """All games that a page may see, or of them the ones that fit the message `library` that it posts."""
    body = await _body(request, LONGEST_MESSAGE)
    try:
        _, wish = read_message(read_object(body or b"{}") | {"type": "library"})
    except MessageError as error:
        raise HTTPException(400, str(error)) from None
    return _file(export_games(request.app.state.shared, **wish), "ox88-games.pgn")


async def _body(request: Request, longest: int) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > longest:
            raise HTTPException(413, f"more than {longest >> 20} MB")
    return bytes(body)


async def _export(request: Request) -> Response:
    """All of the training, as a file."""
    text = write_training(request.app.state.shared.trainer.records)
    return _file(text, f"ox88-training-{datetime.date.today()}.json")


async def _import(request: Request) -> Response:
    """Add what such a file has to the training, and say how many puzzles and answers are new."""
    body = await _body(request, LONGEST_FILE)
    try:
        cards, answers = read_training(body, request.app.state.shared.trainer.records)
    except Ox88Error as error:
        raise HTTPException(400, str(error)) from None
    return JSONResponse({"cards": cards, "answers": answers})


async def _socket(socket: WebSocket) -> None:
    state = socket.app.state
    await socket.accept()
    if state.connections >= MOST_CONNECTIONS:
        await socket.close(_TRY_LATER, "too many pages are open")
        return
    state.connections += 1
    outbox = Outbox()
    connection = Connection(state.shared, outbox.put)
    tasks = [asyncio.create_task(_write(socket, outbox)), asyncio.create_task(_say_alive(outbox))]
    try:
        await _read(socket, connection)
    finally:
        state.connections -= 1
        connection.close()
        for task in tasks:
            task.cancel()


async def _read(socket: WebSocket, connection: Connection) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        await connection.receive(message.get("text") or message.get("bytes") or "")


async def _say_alive(outbox: "Outbox") -> None:
    while True:
        await asyncio.sleep(ALIVE_EVERY)
        outbox.put(Alive(type="alive"))


async def _write(socket: WebSocket, outbox: "Outbox") -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # The page has gone; `_read` sees it too.
        with contextlib.suppress(TimeoutError):
            async for text in outbox:
                async with asyncio.timeout(_UNREAD_SECONDS):
                    await socket.send_text(text)
        outbox.close()
        await socket.close(_TOO_SLOW, "the page does not read its messages")


class Outbox:
    """The messages to a page, as an asynchronous iterator of JSON texts. It ends when too much is unread.

    It keeps texts, which are smaller than what they are made from, and nothing at all once it has ended.
    """

    def __init__(self, messages: int = _MOST_UNREAD, characters: int = MOST_UNREAD_TEXT) -> None:
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._most_messages, self._most_characters = messages, characters
        self._characters = 0
        self._is_closed = False

    def put(self, message: Mapping[str, object]) -> None:
        if self._is_closed:
            return
        text = json.dumps(message, separators=(",", ":"))
        waiting = self._texts.qsize()
        if waiting >= self._most_messages or (waiting and self._characters + len(text) > self._most_characters):
            self.close()
            return
        self._characters += len(text)
        self._texts.put_nowait(text)

    def close(self) -> None:
        """Forget all messages, and take no more."""
        self._is_closed = True
        while not self._texts.empty():
            self._texts.get_nowait()
        self._texts.put_nowait(None)  # Ends an iteration that waits.

    def __aiter__(self) -> "Outbox":
        return self

    async def __anext__(self) -> str:
        text = await self._texts.get()
        if text is None:
            raise StopAsyncIteration
        self._characters -= len(text)
        return text
