"""Requests to `ox88 serve` that no browser sends: each gets one answer, no failure, no file but the server's own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from ox88.apps.store import Store
from ox88.apps.viewer.files import piece_file
from ox88.apps.web.app import LEVELS, STATIC, make_app
from ox88.apps.web.chessground import FILES
from tests.campaigns.changing import BYTES, TEXTS, changed, fuzzing

pytestmark = pytest.mark.slow

PATHS = [
    "/", "/static/main.js", "/viewer/pieces.svg", "/static/icon.svg", *(f"/chessground/{name}" for name in FILES),
    "/training.json", "/docs/levels", "/game/x.pgn", "/socket", "/static/../app.py", "/static/%2e%2e/app.py",
    "/static//etc/passwd", "/chessground/..%2f..%2fetc/passwd", "/static/..%5capp.py", "/static/%00",
    "/game/%2e%2e%2fx.pgn", "/static/" + "../" * 20 + "etc/passwd",
]  # fmt: skip
UPGRADE = (b"upgrade", b"websocket")
HEADERS = [
    (b"host", b"localhost"), (b"host", b"localhost:8088"), (b"host", b"127.0.0.1"), (b"host", b"[::1]:80"),
    (b"host", b"evil.example"), (b"origin", b"http://localhost"), (b"origin", b"http://evil.example"), UPGRADE,
    (b"origin", b"null"), (b"range", b"bytes=0-10"), (b"range", b"bytes=-5,0-1,3-"), (b"range", b"bytes=9999999999-"),
    (b"if-none-match", b"*"), (b"if-modified-since", b"Thu, 01 Jan 1970 00:00:00 GMT"),
    (b"content-length", b"-1"), (b"accept-encoding", b"gzip"), (b"cookie", b"a=b"), (b"if-range", b'"x"'),
]  # fmt: skip
SOCKET = ({"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1000})

some_headers = st.sampled_from(HEADERS) | st.sampled_from(HEADERS).flatmap(
    lambda header: st.tuples(st.just(header[0]), changed([header[1]], BYTES, 3000))
)


def printable(text: str) -> str:
    """The text as a request line may have it."""
    return "".join(letter for letter in text if "!" <= letter <= "~")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("server")
    for name in FILES:
        (folder / name).write_text(f"{name} of the board")
    with (
        Store(folder / "games.sqlite3") as store,
        TestClient(make_app(store, folder, {"localhost"}, 2), base_url="http://localhost") as client,
    ):
        yield client


@pytest.fixture(scope="module")
def public(client: TestClient) -> set[bytes]:
    """The content of the files that anybody may have."""
    files = {path.read_bytes() for path in (*STATIC.rglob("*"), LEVELS) if path.is_file()}
    made = {piece_file().encode(), *(client.get(path).content for path in ("/", "/docs/levels", "/training.json"))}
    return files | made | {f"{name} of the board".encode() for name in FILES}


@fuzzing
@given(
    method=st.sampled_from((*["GET"] * 8, "HEAD", "POST", "OPTIONS", "", "get", "X" * 100)),
    path=st.sampled_from(PATHS) | changed(PATHS, TEXTS, 3000),
    query=changed(["", "a=b&c"], TEXTS, 1000),
    own=st.sampled_from([[(b"host", b"localhost")], [(b"host", b"localhost"), UPGRADE], []]),
    others=st.lists(some_headers, max_size=5),
    body=changed([b"", b"{}"], BYTES),
)
def test_requests(
    method: str,
    path: str,
    query: str,
    own: list[tuple[bytes, bytes]],
    others: list[tuple[bytes, bytes]],
    body: bytes,
    client: TestClient,
    public: set[bytes],
) -> None:
    headers = own + others
    is_socket = UPGRADE in headers
    sent = ask(client, method, "/socket" if is_socket else printable(path), printable(query), headers, body)
    if is_socket:
        first = dict(reversed(headers))  # Of headers that are given twice. A browser gives each once.
        assert sent[0]["type"] in ("websocket.accept", "websocket.close")
        is_foreign = b"evil" in first.get(b"origin", b"") + first.get(b"host", b"")
        assert not (is_foreign and sent[0]["type"] == "websocket.accept")
        return
    (start,) = (message for message in sent if message["type"] == "http.response.start")
    assert start["status"] < 500
    assert b"x-frame-options" in dict(start["headers"])
    if start["status"] == 200 and method == "GET":
        assert b"".join(message.get("body", b"") for message in sent) in public


def ask(
    client: TestClient, method: str, path: str, query: str, headers: list[tuple[bytes, bytes]], body: bytes
) -> list[dict[str, Any]]:
    """What the application sends."""
    is_socket = UPGRADE in headers
    sent: list[dict[str, Any]] = []
    received = iter(SOCKET if is_socket else [{"type": "http.request", "body": body}])

    async def receive() -> dict[str, Any]:
        message = next(received, None)
        if message is None:
            await asyncio.Event().wait()  # The connection stays, and nothing more comes.
        return message or {}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "websocket" if is_socket else "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": headers,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8088),
        "subprotocols": [],
    }
    portal: Any = client.portal
    portal.call(client.app, scope, receive, send)
    return sent
