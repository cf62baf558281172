"""What a worker does: it keeps the engines of its games running, and plays one game after another.

A worker is a thread of some process, here or on another machine; each has an event loop and engines of its own.
"""

import asyncio
import atexit
import contextlib
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from ox88.apps.match.contender import Contender
from ox88.apps.match.game import Game, Played, Rules
from ox88.apps.match.openings import Opening
from ox88.apps.match.player import Fault, Player

MOST_PLAYERS: Final = 6  # That a worker keeps running; of more contenders those that played last.


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played, complete with all that a worker needs."""

    opening: Opening
    white: Contender
    black: Contender
    rules: Rules
    tags: tuple[tuple[str, str], ...]


class _Worker:
    """A thread's event loop and players."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._players: OrderedDict[Contender, Player] = OrderedDict()

    def play(self, task: Task) -> Played:
        return self._runner.run(self._play(task))

    async def _play(self, task: Task) -> Played:
        white, black = await self._player(task.white), await self._player(task.black)
        return await Game(task.opening, white, black, task.rules).play(dict(task.tags))

    async def _player(self, contender: Contender) -> Player:
        player = self._players.pop(contender, None) or Player(contender)
        self._players[contender] = player
        while len(self._players) > MOST_PLAYERS:
            _, oldest = self._players.popitem(last=False)
            await oldest.stop()
        return player

    def check(self, contender: Contender) -> str:
        """Start the contender. What is wrong with it, in words; nothing if it starts."""
        return self._runner.run(self._check(contender))

    async def _check(self, contender: Contender) -> str:
        player = await self._player(contender)
        try:
            await player.start()
        except Fault as fault:
            return str(fault)
        return ""

    def close(self) -> None:
        with contextlib.suppress(RuntimeError):  # The thread of its loop may be gone.
            self._runner.run(self._stop())
        self._runner.close()

    async def _stop(self) -> None:
        for player in self._players.values():
            await player.stop()
        self._players.clear()


_local = threading.local()
_workers: list[_Worker] = []


def _worker() -> _Worker:
    """The worker of this thread."""
    if not hasattr(_local, "worker"):
        _local.worker = _Worker()
        _workers.append(_local.worker)
    worker: _Worker = _local.worker
    return worker


def play_task(task: Task) -> Played:
    """Play a game, here and now."""
    return _worker().play(task)


def check_contender(contender: Contender) -> str:
    """What is wrong with a contender, in words; nothing if it starts."""
    return _worker().check(contender)


@atexit.register
def close_workers() -> None:
    """Stop all engines of this process."""
    while _workers:
        _workers.pop().close()
