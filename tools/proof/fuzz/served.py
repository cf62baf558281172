"""Messages and requests to `ox88 serve`, for the campaign fuzz. Each is answered, and the server goes on."""

import asyncio
import json
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from starlette.testclient import TestClient

from ox88.apps.web.app import LEVELS, STATIC, make_app
from ox88.apps.web.chessground import FILES
from ox88.apps.web.store import GameStore
from tests.apps.web import test_fuzz
from tests.apps.web.conftest import SOCKET, Page
from tests.batch.pgn import samples
from tests.positions import FENS
from tools.proof.campaign import FailureError, Tally
from tools.proof.fuzz.inputs import BYTES, TEXTS, Kind, changed, json_value, same

_FIELDS: Final[dict[str, tuple[Any, ...]]] = {
    "id": (0, 9), "engine": ("Ox88", "Fritz"), "elo": (500, 1500, 2801), "side": ("white", "black", "random"),
    "seconds": (0.1,), "initial": (10, 60), "increment": (0, 1), "fen": (*test_fuzz.FENS, *FENS),
    "start": (*test_fuzz.FENS, *FENS), "moves": (["e4"], ["e2e4", "e7e5"], ["Qh5", "--"], ["0000"], ["a8=Q"]),
    "move": ("e4", "d2d4", "Ra8", "O-O", "e7e8q"), "ply": (0, 1, 2), "lines": (0, 1, 5, 6), "after": (-1, 0, 5),
    "text": ("1. e4 e5 *", "1. e9", '[FEN "x"]\n\n*', "{", "\ufeff", *(game.decode() for game in samples.GAMES)),
    "nodes": (1, 100), "view": ("board", "attacks", "bitboard", "rotated", "micromax", "0x88"), "square": ("e4", "i9"),
    "bits": ("white", "white & (", "~", "~white | pawns"), "engine_initial": (10, 60), "engine_increment": (0, 1),
    "colours": ("same", "swapped"), "search": ("won", "\0"), "games": (["x"], []), "number": (-1, 0, 959, 960),
    "game": ("x",), "node": (-1, 1, 50), "event": (-1, 0, 5000), "aim": ("over", "out", "recapture"),
    "depth": (1, 2, 6), "without": (["hash"], ["best", "x"]), "step": (0, 3), "from": (0x14,), "to": (0x34, 0x88),
}  # fmt: skip


def messages(dice: Random) -> list[str | bytes]:
    """Frames of a page: messages with any fields, and what is no message."""
    return [_frame(dice) for _ in range(dice.randint(1, 6))]


def _frame(dice: Random) -> str | bytes:
    said: dict[str, Any] = {"type": dice.choice(test_fuzz.TYPES)}
    for name in dice.sample(sorted(_FIELDS), dice.randint(0, 8)):
        costs_time = name in ("seconds", "nodes")
        said[name] = json_value(dice) if dice.random() < 0.3 and not costs_time else dice.choice(_FIELDS[name])
    if dice.random() < 0.7:
        return json.dumps(said)
    text = changed(dice, (json.dumps(said), "[" * 5000, '{"type": "open", "text": "("'), TEXTS)
    return text.encode(errors="replace") if dice.random() < 0.3 else text.encode(errors="replace").decode()


class Request(NamedTuple):
    """What a browser, or anybody, asks a server for."""

    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes

    @property
    def is_socket(self) -> bool:
        """True if a WebSocket is to be opened."""
        return _UPGRADE in self.headers


_PATHS: Final = (
    "/", "/static/main.js", "/static/style.css", "/static/icon.svg", *(f"/chessground/{name}" for name in FILES),
    "/docs/levels.md", "/game/x.pgn", "/socket", "/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd",
    "/chessground/..%2f..%2fetc/passwd", "/static/..%5capp.py", "/static/%00", "/game/%2e%2e%2fx.pgn",
    "/static/" + "../" * 20 + "etc/passwd",
)  # fmt: skip
_UPGRADE: Final = (b"upgrade", b"websocket")
_HEADERS: Final = (
    (b"host", b"localhost"), (b"host", b"localhost:8088"), (b"host", b"127.0.0.1"), (b"host", b"[::1]:80"),
    (b"host", b"evil.example"), (b"origin", b"http://localhost"), (b"origin", b"http://evil.example"), _UPGRADE,
    (b"origin", b"null"), (b"range", b"bytes=0-10"), (b"range", b"bytes=-5,0-1,3-"), (b"range", b"bytes=9999999999-"),
    (b"if-none-match", b"*"), (b"if-modified-since", b"Thu, 01 Jan 1970 00:00:00 GMT"),
    (b"content-length", b"-1"), (b"accept-encoding", b"gzip"), (b"cookie", b"a=b"), (b"if-range", b'"x"'),
)  # fmt: skip


def request(dice: Random) -> Request:
    path = dice.choice(_PATHS) if dice.random() < 0.5 else changed(dice, _PATHS, TEXTS, 3000)
    headers = [_header(dice) for _ in range(dice.choice((0, 0, 1, 1, 2, 5)))]
    if dice.random() < 0.9:
        headers.insert(0, (b"host", b"localhost"))
    if dice.random() < 0.15:
        path, headers = "/socket", [*headers, _UPGRADE]
    method = dice.choice((*["GET"] * 8, "HEAD", "POST", "OPTIONS", "", "get", "X" * 100))
    query, body = changed(dice, ("", "a=b&c"), TEXTS, 1000), changed(dice, (b"", b"{}"), BYTES)
    return Request(method, _ascii(path), _ascii(query).encode(), headers, body)


def _ascii(text: str) -> str:
    """The text as a request line may have it."""
    return "".join(letter for letter in text if "!" <= letter <= "~")


def _header(dice: Random) -> tuple[bytes, bytes]:
    name, value = dice.choice(_HEADERS)
    return name, changed(dice, (value,), BYTES, 3000) if dice.random() < 0.5 else value


_SOCKET: Final = ({"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1000})

# --- Checks -----------------------------------------------------------------------------------------------------------


@cache
def client() -> TestClient:
    """The server of this process, which ends with it."""
    folder = Path(tempfile.mkdtemp())
    for name in FILES:
        (folder / name).write_text(f"{name} of the board")
    store = GameStore(folder / "games.sqlite3")
    return TestClient(make_app(store, folder, {"localhost"}, 2), base_url="http://localhost").__enter__()


def check_messages(frames: list[str | bytes], tally: Tally) -> None:
    """After any frames a good message is answered, and no answer says that the server has failed."""
    with client().websocket_connect(SOCKET) as socket:
        page = Page(socket)
        test_fuzz.send_frames(socket, frames)
        same("an answer to the last message", test_fuzz.still_answers(page), True)
    tally.counts["frames of pages"] += len(frames)


@cache
def _public() -> frozenset[bytes]:
    """The content of the files that anybody may have."""
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    return frozenset(
        {path.read_bytes() for path in (*files, LEVELS)} | {f"{name} of the board".encode() for name in FILES}
    )


def check_request(request: Request, tally: Tally) -> None:
    """One answer comes, which is no failure and has no file but the server's own."""
    sent = _ask(request)
    if request.is_socket:
        check_socket(request, sent[0]["type"], tally)
        return
    starts = [message for message in sent if message["type"] == "http.response.start"]
    same("the number of answers", len(starts), 1)
    status = starts[0]["status"]
    body = b"".join(message.get("body", b"") for message in sent)
    if status >= 500 or (status == 200 and request.method == "GET" and body not in _public()):
        raise FailureError(f"the answer is {status}, {body[:500]!r}")
    same("the answer may be shown by other sites", b"x-frame-options" in dict(starts[0]["headers"]), True)
    tally.counts[f"requests with the answer {status // 100}xx"] += 1


def check_socket(request: Request, answer: str, tally: Tally) -> None:
    """A WebSocket is opened or refused; pages of other sites are refused."""
    same("the answer is one", answer in ("websocket.accept", "websocket.close"), True)
    first = dict(reversed(request.headers))  # Of headers that are given twice. A browser gives each once.
    if answer == "websocket.accept" and b"evil" in first.get(b"origin", b"") + first.get(b"host", b""):
        raise FailureError("another site has got a WebSocket")
    tally.counts[f"WebSockets, {answer}"] += 1


def _ask(request: Request) -> list[dict[str, Any]]:
    """What the application sends."""
    sent: list[dict[str, Any]] = []
    received = iter(_SOCKET if request.is_socket else [{"type": "http.request", "body": request.body}])

    async def receive() -> dict[str, Any]:
        message = next(received, None)
        if message is None:
            await asyncio.Event().wait()  # The connection stays, and nothing more comes.
        return message or {}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "websocket" if request.is_socket else "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote(request.path),
        "raw_path": request.path.encode(),
        "root_path": "",
        "query_string": request.query,
        "headers": request.headers,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8088),
        "subprotocols": [],
    }
    portal: Any = client().portal
    portal.call(client().app, scope, receive, send)
    return sent


KINDS: Final = (
    Kind("messages of a page", messages, check_messages, 10),
    Kind("HTTP request", request, check_request, 35),
)
