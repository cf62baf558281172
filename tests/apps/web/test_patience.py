"""Connections that ask for nothing are closed; slow answers and WebSockets are not."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from websockets.sync.client import connect

from ox88.apps.web.patience import with_patience
from tests.processes import wait_until

SECONDS = 0.3


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


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    config = uvicorn.Config(application, port=0, log_level="critical", lifespan="off", ws="websockets-sansio")
    config.load()
    config.http_protocol_class = with_patience(config.http_protocol_class, SECONDS)
    server = uvicorn.Server(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        wait_until(lambda: server.started)
        yield listening.getsockname()
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_request_that_is_not_finished(address: tuple[str, int], begun: bytes) -> None:
    with socket.create_connection(address, 10) as connection:
        connection.sendall(begun)
        assert connection.recv(100) == b""


def test_an_answer_may_take_its_time(address: tuple[str, int]) -> None:
    with socket.create_connection(address, 10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET / HT")  # Another one, which is not finished.
        while answer := connection.recv(100):
            assert answer.endswith(b"ok")


def test_a_web_socket_may_be_silent(address: tuple[str, int]) -> None:
    with connect("ws://{}:{}/".format(*address)) as page:
        time.sleep(3 * SECONDS)
        page.send("still there")
        assert page.recv(10) == "still there"
