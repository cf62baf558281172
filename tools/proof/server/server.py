"""A server with two hundred players, and with visitors who do harm: it answers, and gives back its memory."""

import asyncio
import contextlib
import json
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import ClassVar, Final
from urllib.parse import urlsplit

import psutil
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ox88.apps.web.app import MOST_UNREAD_TEXT
from ox88.apps.web.messages import LONGEST_MESSAGE
from ox88.fen import STARTPOS
from tools.proof.campaign import Campaign, FailureError, Tally
from tools.proof.runs import Run
from tools.proof.server.players import percentile, play_together
from tools.proof.serving import prepare, serving, socket_of

PLAYERS: Final = 200
SECONDS: Final = 600.0  # That they play.
REST: Final = 10.0  # Seconds between the moves of a player, on average.
FIRST_PLAYERS: Final = 20  # They play before memory is measured, ...
FIRST_SECONDS: Final = 15.0  # ... so long.
MOST_GROWTH: Final = 1.1  # Of the memory.
VISITORS: Final = 10_000  # Connections, ...
VISITS_SECONDS: Final = 60.0  # ... in this time.
SLOW: Final = 50  # Pages that do not read what they are sent, ...
LARGE_ANSWERS: Final = 300  # ... though they ask for so many pictures, of more than 100 kB each.
LARGEST_ANSWER: Final = 500_000  # Bytes of a picture while it is made and sent, at most.
SLOW_SECONDS: Final = 150.0  # Others play meanwhile; it is enough to draw the pictures.
_OUTSIDE: Final = (
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/static/..%2f..%2f..%2fetc/passwd",
    "/../../etc/passwd",
)
_SETTLING: Final = 60.0  # Seconds until memory is given back.
_ANSWER: Final = 5.0  # Seconds for an answer to a request.


class Server(Campaign):
    """A case is one kind of load, at a server of its own."""

    goal: ClassVar = 4
    block: ClassVar = 1

    def run(self, case: int, seed: int, tally: Tally) -> None:
        random = Random(f"{seed} {case}")  # noqa: S311 - No secrets.
        with tempfile.TemporaryDirectory(prefix="ox88-server-") as name:
            prepare(Path(name))
            with serving(Path(name)) as (run, url):
                asyncio.run(play_together(url, FIRST_PLAYERS, FIRST_SECONDS, 0.1, random))
                kind = KINDS[case % len(KINDS)]
                if kind is idle_visitors:
                    # What unread messages have taken once stays with the process. So they come twice: the first time
                    # they take no more than they may, and the second time no more than the first.
                    with memory_within(run, SLOW * (MOST_UNREAD_TEXT + LARGEST_ANSWER)):
                        asyncio.run(_slow_pages(url, random, Tally()))
                with memory_given_back(run, tally):
                    kind(url, random, tally)
                check_serves(url)


# --- Kinds of load ----------------------------------------------------------------------------------------------------


def many_players(url: str, random: Random, tally: Tally) -> None:
    """Each waits for the answers to the own moves."""
    answers = asyncio.run(play_together(url, PLAYERS, SECONDS, REST, random))
    tally.counts["moves of players"] += len(answers)
    tally.measure("seconds to an answer, median", statistics.median(answers))
    tally.measure("seconds to an answer, 99 %", percentile(answers, 0.99))
    tally.measure("seconds to an answer", max(answers))


def many_visitors(url: str, random: Random, tally: Tally) -> None:
    """Connections one after the other, faster than anybody needs; some of them are WebSockets."""
    started = time.perf_counter()
    for number in range(VISITORS):
        if number % 10 == 0:
            asyncio.run(_visit(url))
        else:
            _ask(url, f"GET / HTTP/1.1\r\nHost: {_host(url)}\r\nConnection: close\r\n\r\n", random.random() < 0.9)
        if time.perf_counter() - started > VISITS_SECONDS:
            raise FailureError(f"only {number:,} connections in {VISITS_SECONDS:g} seconds")
    tally.counts["connections one after the other"] += VISITORS
    tally.measure("seconds for 10,000 connections", time.perf_counter() - started)


async def _visit(url: str) -> None:
    async with connect(socket_of(url)) as page:
        await page.recv()


def idle_visitors(url: str, random: Random, tally: Tally) -> None:
    """Pages that read nothing; others are served meanwhile."""
    asyncio.run(_slow_pages(url, random, tally))
    tally.counts["pages that read nothing"] += SLOW


async def _slow_pages(url: str, random: Random, tally: Tally) -> None:
    pages: list[ClientConnection] = []
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(SLOW):
            page = await stack.enter_async_context(
                connect(socket_of(url), max_size=None, max_queue=1, close_timeout=0.1)
            )
            for _ in range(LARGE_ANSWERS):
                await page.send(json.dumps({"type": "show", "fen": STARTPOS, "view": "bitboard"}))
            pages.append(page)
        answers = await play_together(url, 5, SLOW_SECONDS, 0.5, random)
        tally.measure("seconds to an answer beside idle visitors", max(answers))
        await asyncio.gather(*map(_check_left, pages))


async def _check_left(page: ClientConnection) -> None:
    """Raise FailureError if the server has kept all that a page has not read."""
    with contextlib.suppress(ConnectionClosed):
        for _ in range(1 + LARGE_ANSWERS):  # It is welcomed first.
            await asyncio.wait_for(page.recv(), _SETTLING)
        raise FailureError(f"the server kept {LARGE_ANSWERS} answers for a page that reads nothing")


def foreign_visitors(url: str, random: Random, tally: Tally) -> None:
    """Requests of other sites, under other names, for other files; messages that are too long."""
    host, refused = _host(url), (403,)
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + "A" * 22
    for name in ("evil.example", f"evil.example:{urlsplit(url).port}", "localhost.evil.example", ""):
        _check_status(url, "/", f"Host: {name}", refused, tally)
        _check_status(url, "/socket", f"Host: {name}\r\n{upgrade}==", refused, tally)
    others = ("http://localhost:1", f"http://{urlsplit(url).hostname}:1")  # Other ports of this machine.
    for origin in ("http://evil.example", "null", f"http://{host}.evil.example", *others):
        _check_status(url, "/socket", f"Host: {host}\r\nOrigin: {origin}\r\n{upgrade}==", refused, tally)
    for path in _OUTSIDE:
        _check_status(url, path, f"Host: {host}", (400, 404), tally)
    _check_status(url, "/" + "a" * 100_000, f"Host: {host}", (0, 400, 404, 414), tally)
    _check_status(url, "/", f"Host: {host}\r\n" + f"X: {'a' * 1000}\r\n" * 200, (0, 400, 431), tally)
    for size in (LONGEST_MESSAGE + 1, 2 * LONGEST_MESSAGE + 1, 8 * LONGEST_MESSAGE):
        asyncio.run(_send_too_long(url, size + random.randrange(1000)))
        tally.counts["messages that are too long"] += 1


async def _send_too_long(url: str, size: int) -> None:
    """It is answered by an error, or the connection is closed."""
    async with connect(socket_of(url), max_size=None) as page:
        await page.recv()
        with contextlib.suppress(ConnectionClosed):
            await page.send("x" * size)
            said = json.loads(await asyncio.wait_for(page.recv(), _ANSWER))
            if said["type"] == "error":
                return
            raise FailureError(f"a message of {size:,} characters is answered by {said}")


# --- Requests ---------------------------------------------------------------------------------------------------------


def check_serves(url: str) -> None:
    """Raise FailureError if the page does not come."""
    status = _ask(url, f"GET / HTTP/1.1\r\nHost: {_host(url)}\r\nConnection: close\r\n\r\n")
    if status != 200:
        raise FailureError(f"the page is answered by {status}")


def _check_status(url: str, path: str, headers: str, expected: tuple[int, ...], tally: Tally) -> None:
    status = _ask(url, f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n")
    if status not in expected:
        raise FailureError(f"GET {path[:100]} with {headers[:200]!r} is answered by {status}, expected {expected}")
    tally.counts["requests that are refused"] += 1


def _ask(url: str, request: str, waits: bool = True) -> int:
    """The status of an answer; 0 if the connection is closed without one, or if nobody waits for it."""
    with socket.create_connection(_address(url), _ANSWER) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(request.encode())
        first = connection.recv(100) if waits else b""
        words = first.split(maxsplit=2)
        return int(words[1]) if len(words) > 1 else 0
    return 0


def _host(url: str) -> str:
    return urlsplit(url).netloc


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or 80


# --- Memory -----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def memory_given_back(run: Run, tally: Tally) -> Iterator[None]:
    """Raise FailureError if a server keeps more memory than it had before."""
    before = _memory(run)
    yield
    for _ in range(int(_SETTLING)):
        after = _memory(run)
        if after <= MOST_GROWTH * before:
            break
        time.sleep(1)
    tally.measure("megabytes of the server", max(before, after) / 1e6)
    tally.measure("memory afterwards, of that before", after / before)
    if after > MOST_GROWTH * before:
        raise FailureError(f"the server had {before / 1e6:.0f} MB, and has {after / 1e6:.0f} MB afterwards")


@contextlib.contextmanager
def memory_within(run: Run, growth: int) -> Iterator[None]:
    """Raise FailureError if the memory of a server grows by more than so many bytes."""
    before = _memory(run)
    yield
    grown = _memory(run) - before
    if grown > growth:
        raise FailureError(f"the server took {grown / 1e6:.0f} MB more; at most {growth / 1e6:.0f} MB are expected")


def _memory(run: Run) -> int:
    """Bytes of a server and its children."""
    process = psutil.Process(run.pid)
    return sum(one.memory_info().rss for one in (process, *process.children(recursive=True)))


Kind = Callable[[str, Random, Tally], None]
KINDS: Final[tuple[Kind, ...]] = (many_players, many_visitors, idle_visitors, foreign_visitors)
