"""Players at a server, who move at random: how long each waits for an answer."""

import asyncio
import json
import time
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import chess
from websockets.asyncio.client import ClientConnection, connect

from tools.proof.campaign import FailureError
from tools.proof.serving import socket_of

LEVEL: Final = 1500
_PATIENCE: Final = 120.0  # Seconds for an answer.


async def play_together(url: str, players: int, seconds: float, rest: float, random: Random) -> list[float]:
    """Let players play for some seconds. rest: seconds between their moves, on average. Returns seconds to answers.

    url: of the page. Raises FailureError if a player gets an error or no answer.
    """
    end = time.perf_counter() + seconds
    playing = (_Player(Random(random.random()), rest).play(socket_of(url), end) for _ in range(players))  # noqa: S311
    return [answer for answers in await asyncio.gather(*playing) for answer in answers]


def percentile(numbers: Sequence[float], share: float) -> float:
    """The number that this share of the numbers does not exceed."""
    return sorted(numbers)[round(share * (len(numbers) - 1))]


class _Player:
    """One who plays game after game."""

    def __init__(self, random: Random, rest: float) -> None:
        self._random, self._rest = random, rest

    async def play(self, url: str, end: float) -> list[float]:
        answers: list[float] = []
        async with connect(url, max_size=None, open_timeout=_PATIENCE) as socket:
            game = await self._begin(socket)
            while time.perf_counter() < end:
                await asyncio.sleep(2 * self._rest * self._random.random())
                board = chess.Board(game["position"]["fen"])
                move = self._random.choice(list(board.legal_moves)).uci()
                asked = time.perf_counter()
                await socket.send(json.dumps({"type": "move", "move": move}))
                game = await _own_turn(socket)
                answers.append(time.perf_counter() - asked)
                if game["ending"] is not None:
                    game = await self._begin(socket)
        return answers

    async def _begin(self, socket: ClientConnection) -> dict[str, Any]:
        await socket.send(json.dumps({"type": "new", "engine": "Ox88", "elo": LEVEL, "side": "white"}))
        return await _own_turn(socket)


async def _own_turn(socket: ClientConnection) -> dict[str, Any]:
    """Wait until the player is to move, or the game is over. Returns the game."""
    while True:
        said: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), _PATIENCE))
        if said["type"] == "error":
            raise FailureError(f"the server answers a move with {said}")
        if said["type"] == "game" and (said["ending"] is not None or said["position"]["dests"]):
            return said
