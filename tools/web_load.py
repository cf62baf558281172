"""Measure a server on which many people play at once: how long each waits for an answer, and the memory it takes.

    python -m tools.web_load --players 20 --moves 20

It starts a server on the loopback address and lets players move at random.
"""

import asyncio
import json
import random
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any, Final

import chess
import click
import psutil
from websockets.asyncio.client import ClientConnection, connect

_PATIENCE: Final = 120.0  # Seconds for an answer.


@dataclass(slots=True)
class Measured:
    """answers: seconds from a move to the engine's answer. peak: the most memory of the server, in bytes."""

    answers: list[float] = field(default_factory=list)
    peak: int = 0


async def play(url: str, moves: int, elo: int, rest: float, measured: Measured) -> None:
    """Play games of random moves until `moves` moves are answered."""
    chooser = random.Random(url)  # noqa: S311 - No secrets.
    async with connect(url, max_size=None) as socket:
        await _hear(socket, "welcome")
        game = await _begin(socket, elo)
        for _ in range(moves):
            board = chess.Board(game["position"]["fen"])
            if game["ending"] is not None:
                game = await _begin(socket, elo)
                board = chess.Board()
            await asyncio.sleep(rest * chooser.random() * 2)
            asked = time.perf_counter()
            await socket.send(json.dumps({"type": "move", "move": chooser.choice(list(board.legal_moves)).uci()}))
            game = await _answer(socket)
            measured.answers.append(time.perf_counter() - asked)


async def _begin(socket: ClientConnection, elo: int) -> dict[str, Any]:
    await socket.send(json.dumps({"type": "new", "engine": "Ox88", "elo": elo, "side": "white"}))
    return await _answer(socket)


async def _answer(socket: ClientConnection) -> dict[str, Any]:
    """Wait until the player is to move, or the game is over. Returns the game."""
    while True:
        game = await _hear(socket, "game")
        if game["ending"] is not None or game["position"]["dests"]:
            return game


async def _hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        said: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), _PATIENCE))
        if said["type"] == "error":
            raise RuntimeError(said["message"])
        if said["type"] == kind:
            return said


async def _watch(server: psutil.Process, measured: Measured) -> None:
    while True:
        measured.peak = max(measured.peak, server.memory_info().rss)
        await asyncio.sleep(0.1)


async def measure(players: int, moves: int, elo: int, rest: float, data: str) -> Measured:
    """Start a server, let everybody play, and stop it."""
    command = (sys.executable, "-m", "ox88", "serve", "--port", "0", "--data", data)
    server = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    measured = Measured()
    try:
        assert server.stdout is not None  # noqa: S101
        found = re.search(r"http://\S+", (await server.stdout.readline()).decode())
        if found is None:
            raise SystemExit("the server has not started")
        url = found[0].replace("http", "ws") + "socket"
        watching = asyncio.create_task(_watch(psutil.Process(server.pid), measured))
        await asyncio.gather(*(play(f"{url}?{number}", moves, elo, rest, measured) for number in range(players)))
        watching.cancel()
    finally:
        server.terminate()
        await server.wait()
    return measured


@click.command()
@click.option("--players", type=click.IntRange(1), default=20, show_default=True)
@click.option("--moves", type=click.IntRange(1), default=20, show_default=True, help="Of each player.")
@click.option("--elo", type=int, default=1500, show_default=True)
@click.option("--rest", type=click.FloatRange(0), default=0.0, show_default=True, help="Seconds a player thinks.")
def main(players: int, moves: int, elo: int, rest: float) -> None:
    """Measure a server on which many people play at once."""
    with tempfile.TemporaryDirectory() as data:
        measured = asyncio.run(measure(players, moves, elo, rest, data))
    answers = sorted(measured.answers)
    click.echo(
        f"{players} players, {len(answers)} moves: answered in {statistics.median(answers):.3f} s (median), "
        f"{answers[int(0.95 * (len(answers) - 1))]:.3f} s (95 %), {answers[-1]:.3f} s (longest); "
        f"memory at most {measured.peak / 1e6:.0f} MB"
    )


if __name__ == "__main__":
    main()
