"""Connections that ask for nothing are closed, and the oldest of too many; slow answers and WebSockets are not."""

import asyncio
import contextlib
import gc
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import InvalidMessage
from websockets.sync.client import connect

from ox88.apps.web.patience import raise_file_limit, with_patience
from tests.conftest import RunPython
from tests.processes import wait_until

SECONDS = 0.3
LONG = 600.0
MOST = 3  # Connections for requests, and WebSockets.


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers after three times the patience; echoes on a WebSocket."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        said = await receive()
        await send({"type": "websocket.send", "text": said["text"]})
        await receive()
    elif scope["type"] == "http":
        await asyncio.sleep(3 * SECONDS)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


class Connections:
    """A server that remembers the connections which are in memory."""

    def __init__(self) -> None:
        self.alive: weakref.WeakSet[Any] = weakref.WeakSet()

    @contextlib.contextmanager
    def serve(self, seconds: float) -> Iterator[tuple[str, int]]:
        config = uvicorn.Config(application, port=0, log_level="critical", lifespan="off", ws="websockets-sansio")
        config.load()
        protocol: Any = config.http_protocol_class
        alive = self.alive

        class Remembered(protocol):  # type: ignore[misc]
            def connection_made(self, transport: asyncio.Transport) -> None:
                super().connection_made(transport)
                alive.add(self)

        config.http_protocol_class = with_patience(Remembered, MOST, seconds)
        server = uvicorn.Server(config)
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            thread = threading.Thread(target=server.run, args=([listening],))
            thread.start()
            wait_until(lambda: server.started)
            yield listening.getsockname()
            server.should_exit = True
            thread.join()


def is_closed(connection: socket.socket) -> bool:
    """Wait for what the server sends; True if it closes the connection instead, perhaps before it has read all."""
    with contextlib.suppress(ConnectionError):
        return connection.recv(100) == b""
    return True


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    with Connections().serve(SECONDS) as address:
        yield address


@pytest.fixture
def patient() -> Iterator[tuple[str, int]]:
    """A server that closes nothing because of the time."""
    with Connections().serve(LONG) as address:
        yield address


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_request_that_is_not_finished(address: tuple[str, int], begun: bytes) -> None:
    with socket.create_connection(address, 10) as connection:
        connection.sendall(begun)
        assert connection.recv(100) == b""


def test_an_answer_may_take_its_time(address: tuple[str, int]) -> None:
    with socket.create_connection(address, 10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        with contextlib.suppress(ConnectionError):  # On a slow day it is closed before the server reads what follows.
            connection.sendall(b"GET / HT")  # Another one, which is not finished.
            while answer := connection.recv(100):
                assert answer.endswith(b"ok")


def test_a_web_socket_may_be_silent(address: tuple[str, int]) -> None:
    with connect("ws://{}:{}/".format(*address)) as page:
        time.sleep(3 * SECONDS)
        page.send("still there")
        assert page.recv(10) == "still there"


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"])
def test_the_oldest_of_too_many_is_closed(patient: tuple[str, int], begun: bytes) -> None:
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection(patient, 10)) for _ in range(MOST)]
        for connection in opened:
            connection.sendall(begun)
        with socket.create_connection(patient, 10) as visitor:
            assert is_closed(opened[0])
            visitor.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert visitor.recv(100).startswith(b"HTTP/1.1 200")


def test_of_too_many_web_sockets_the_newest_is_closed(patient: tuple[str, int]) -> None:
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(connect("ws://{}:{}/".format(*patient))) for _ in range(MOST)]
        with pytest.raises((InvalidMessage, ConnectionError)):
            connect("ws://{}:{}/".format(*patient))
        for page in pages:
            page.send("still there")
            assert page.recv(10) == "still there"


@pytest.mark.parametrize("is_page", [False, True])
def test_a_connection_that_was_closed_leaves_nothing(is_page: bool) -> None:
    connections = Connections()
    with connections.serve(LONG) as address:
        with connect("ws://{}:{}/".format(*address)) if is_page else socket.create_connection(address, 10):
            wait_until(lambda: is_page or len(connections.alive) == 1)
        wait_until(lambda: gc.collect() >= 0 and not connections.alive)  # A timer would keep it.


@pytest.mark.posix("limits of files")
@pytest.mark.parametrize(
    ("soft", "hard", "expected"),
    [(1024, 524_288, 8192), (256, -1, 8192), (256, 1024, 1024), (20_000, 20_000, 8192), (-1, -1, 8192)],
)
def test_the_limit_of_files(soft: int, hard: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    limits = [resource.RLIM_INFINITY if limit < 0 else limit for limit in (soft, hard)]
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(limits))
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: told.append(new))
    assert raise_file_limit() == expected
    assert told == ([(expected, limits[1])] if 0 <= soft < expected else [])


@pytest.mark.posix("limits of files")
def test_a_limit_of_files_that_the_system_does_not_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    def refuse(_: int, __: object) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert raise_file_limit() == 256


@pytest.mark.posix("limits of files")
def test_the_limit_is_raised(run_python: RunPython) -> None:
    code = (
        "import resource\nfrom ox88.apps.web.patience import raise_file_limit\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))\n"
        "print(raise_file_limit(), *resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    assert run_python("-c", code).stdout == "200 200 200\n"
