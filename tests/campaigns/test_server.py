"""`ox88 serve` under load: it answers, and gives back its memory.

A short run has few visitors; with --rounds there are 200 players, and thousands of connections.
"""

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import chess
import psutil
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ox88.apps.web.app import MOST_UNREAD_TEXT
from ox88.apps.web.chessground import FILES
from ox88.fen import STARTPOS
from tests.apps.web.test_command import serving
from tests.processes import PATIENCE

pytestmark = pytest.mark.slow

LEVEL = 1500
LARGE_ANSWERS = 300  # Pictures that a page asks for and does not read, of more than 100 kB each.
LARGEST_ANSWER = 500_000  # Bytes of a picture while it is made and sent, at most.
DRAWING = 20.0  # Seconds in which more pictures are drawn than the server keeps; others play meanwhile.
SETTLING = 60  # Seconds until memory is given back.


class Load(NamedTuple):
    """How many visitors a server gets. seconds: how long they play."""

    players: int
    seconds: float
    visitors: int
    slow: int


SHORT, LONG = Load(3, 6.0, 30, 3), Load(200, 300.0, 10_000, 50)


class Server(NamedTuple):
    """A server that some have played at already."""

    url: str
    process: psutil.Process

    @property
    def page(self) -> str:
        """The address of the WebSocket."""
        return self.url.replace("http", "ws") + "socket"

    def memory(self) -> int:
        """Bytes of the server and its children."""
        return sum(one.memory_info().rss for one in (self.process, *self.process.children(recursive=True)))

    def ask_for_page(self, waits: bool = True) -> int:
        """The status of the answer; 0 if nobody waits for it."""
        host = urlsplit(self.url).netloc
        name, port = host.split(":")
        with socket.create_connection((name, int(port)), PATIENCE) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            return int(connection.recv(100).split()[1]) if waits else 0

    @contextlib.contextmanager
    def grows(self, most: float) -> Iterator[None]:
        """Afterwards the server takes so many bytes more, at most, and its page comes."""
        before = self.memory()
        yield
        end = time.monotonic() + SETTLING
        while self.memory() > before + most and time.monotonic() < end:
            time.sleep(1)
        grown = (self.memory() - before) / 1e6
        assert grown <= most / 1e6, f"{before / 1e6:.0f} MB have become {grown:.0f} MB more"
        assert self.ask_for_page() == 200


@pytest.fixture
def load(request: pytest.FixtureRequest) -> Load:
    return LONG if request.config.getoption("rounds") > 1 else SHORT


@pytest.fixture
def server(tmp_path: Path, chance: Random, load: Load) -> Iterator[Server]:
    (tmp_path / "chessground").mkdir()
    for name in FILES:
        (tmp_path / "chessground" / name).touch()
    with serving(tmp_path) as (process, url):
        server = Server(url, psutil.Process(process.pid))
        asyncio.run(play_together(server, min(load.players, 20), 15.0, 0.1, chance))
        yield server


# --- Players ----------------------------------------------------------------------------------------------------------


async def play_together(server: Server, players: int, seconds: float, rest: float, chance: Random) -> list[float]:
    """Let players play for some seconds. rest: seconds between their moves, on average. Returns seconds to answers."""
    end = time.perf_counter() + seconds
    playing = [play(server, end, rest, Random(chance.random())) for _ in range(players)]
    return sorted(answer for answers in await asyncio.gather(*playing) for answer in answers)


async def play(server: Server, end: float, rest: float, chance: Random) -> list[float]:
    answers = []
    async with connect(server.page, max_size=None, open_timeout=PATIENCE) as page:
        game: dict[str, Any] = {"ending": "none has begun"}
        while time.perf_counter() < end:
            await asyncio.sleep(2 * rest * chance.random())
            said, plies = {"type": "new", "engine": "Ox88", "elo": LEVEL, "side": "white"}, 0
            if game["ending"] is None:
                plies = len(game["moves"]) + 2
                moves = list(chess.Board(game["position"]["fen"]).legal_moves)
                said = {"type": "move", "move": chance.choice(moves).uci()}
            asked = time.perf_counter()
            await page.send(json.dumps(said))
            game = await own_turn(page, plies)
            answers.append(time.perf_counter() - asked)
    return answers


async def own_turn(page: ClientConnection, plies: int) -> dict[str, Any]:
    """Wait until the player is to move after so many plies, or the game is over. Returns the game.

    A game may also come again as it is, when the names of its openings are known.
    """
    while True:
        said: dict[str, Any] = json.loads(await asyncio.wait_for(page.recv(), PATIENCE))
        assert said["type"] != "error", said
        if said["type"] == "game" and (said["ending"] or (said["position"]["dests"] and len(said["moves"]) >= plies)):
            return said


def test_many_players(server: Server, load: Load, chance: Random, record_property: Any) -> None:
    with server.grows(0.1 * server.memory()):
        answers = asyncio.run(play_together(server, load.players, load.seconds, 10.0 if load is LONG else 0.1, chance))
    assert len(answers) >= load.players
    for name, share in (("median", 0.5), ("99 %", 0.99), ("longest", 1.0)):
        record_property(f"seconds to an answer, {name}", answers[round(share * (len(answers) - 1))])


# --- Visitors ---------------------------------------------------------------------------------------------------------


def test_many_visitors(server: Server, load: Load, chance: Random) -> None:
    """One after the other, faster than anybody needs; some open a WebSocket, some wait for no answer."""

    async def visit() -> None:
        async with connect(server.page) as page:
            await page.recv()

    with server.grows(0.1 * server.memory()):
        for number in range(load.visitors):
            if number % 10 == 0:
                asyncio.run(visit())
            else:
                waits = chance.random() < 0.9
                assert server.ask_for_page(waits) == (200 if waits else 0)


def test_slow_readers(server: Server, load: Load, chance: Random) -> None:
    """Pages that read nothing; others are served meanwhile.

    What unread messages have taken once stays with the process. So they come twice: the first time they take no more
    than they may, and the second time no more than the first.
    """
    for allowed in (load.slow * (MOST_UNREAD_TEXT + LARGEST_ANSWER), 0):
        with server.grows(0.1 * server.memory() + allowed):
            asyncio.run(slow_pages(server, load, chance))


async def slow_pages(server: Server, load: Load, chance: Random) -> None:
    show = json.dumps({"type": "show", "fen": STARTPOS, "view": "bitboard"})
    async with contextlib.AsyncExitStack() as stack:
        pages = []
        for _ in range(load.slow):
            options: dict[str, Any] = {"max_size": None, "max_queue": 1, "close_timeout": 0.1}
            pages.append(await stack.enter_async_context(connect(server.page, **options)))
            for _ in range(LARGE_ANSWERS):
                await pages[-1].send(show)
        await play_together(server, 5, DRAWING, 0.5, chance)
        for page in pages:
            assert await read_all(page) == 0, "the server kept all for a page that reads nothing"


async def read_all(page: ClientConnection) -> int:
    """The number of messages of a page, 0 where the server has closed the connection before the last."""
    with contextlib.suppress(ConnectionClosed):
        for _ in range(1 + LARGE_ANSWERS):  # It is welcomed first.
            await asyncio.wait_for(page.recv(), SETTLING)
        return 1 + LARGE_ANSWERS
    return 0
