"""What a worker does: it keeps the engines of its games running, and plays one game after another.

A worker is a thread of some process, here or on another machine; each has an event loop and engines of its own.
"""

import asyncio
import atexit
import threading
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from ox88.apps.match.contender import Contender
from ox88.apps.match.game import Game, Played, Rules
from ox88.apps.match.openings import Opening
from ox88.apps.match.player import Fault, Player

MOST_PLAYERS: Final = 6  # That a worker keeps running; of more contenders those that played last.
IDLE_PATIENCE: Final = 60.0  # Seconds without a game after which engines end: a cluster's workers outlive the match.

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played, complete with all that a worker needs."""

    opening: Opening
    white: Contender
    black: Contender
    rules: Rules
    tags: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """A contender to be tried, with an opening that it will have to begin from."""

    contender: Contender
    opening: Opening


class _Worker:
    """A thread's event loop and players. The players end when they have had no game for a while."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._runner.get_loop().set_exception_handler(_leave_out_late_timers)
        self._players: OrderedDict[Contender, Player] = OrderedDict()
        self._busy = threading.Lock()
        self._rest: threading.Timer | None = None

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        if self._rest is not None:
            self._rest.cancel()
        try:
            with self._busy:
                return self._runner.run(coroutine)
        finally:
            self._rest = threading.Timer(IDLE_PATIENCE, self.rest)
            self._rest.daemon = True
            self._rest.start()

    def rest(self) -> bool:
        """End the players, unless they play. Whether they do not."""
        if not self._busy.acquire(blocking=False):
            return False
        try:
            self._runner.run(self._stop())
        finally:
            self._busy.release()
        return True

    async def play(self, task: Task) -> Played:
        white, black = await self._player(task.white), await self._player(task.black)
        return await Game(task.opening, white, black, task.rules).play(dict(task.tags))

    async def _player(self, contender: Contender) -> Player:
        player = self._players.pop(contender, None) or Player(contender)
        self._players[contender] = player
        while len(self._players) > MOST_PLAYERS:
            _, oldest = self._players.popitem(last=False)
            await oldest.stop()
        return player

    async def try_out(self, trial: Trial) -> str:
        player = await self._player(trial.contender)
        try:
            await player.start()
        except Fault as fault:
            return str(fault)
        return player.obstacle(trial.opening.board())

    def close(self) -> None:
        """End the players, whatever they do."""
        if self._rest is not None:
            self._rest.cancel()
        if self.rest():
            self._runner.close()
            return
        for player in self._players.values():
            player.kill_process()

    async def _stop(self) -> None:
        await asyncio.gather(*(player.stop() for player in self._players.values()))
        self._players.clear()


def _leave_out_late_timers(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """python-chess waits two seconds for an XBoard engine's features, even for one that has ended."""
    if not isinstance(context.get("exception"), asyncio.InvalidStateError):
        loop.default_exception_handler(context)


_local = threading.local()
_workers: list[_Worker] = []


def _worker() -> _Worker:
    """The worker of this thread, another one if it has been closed."""
    worker: _Worker | None = getattr(_local, "worker", None)
    if worker is None or worker not in _workers:
        worker = _local.worker = _Worker()
        _workers.append(worker)
    return worker


def play_task(task: Task) -> Played:
    """Play a game, here and now."""
    worker = _worker()
    return worker.run(worker.play(task))


def try_contender(trial: Trial) -> str:
    """Start a contender. Why it cannot play, in words; nothing if it can."""
    worker = _worker()
    return worker.run(worker.try_out(trial))


@atexit.register
def close_workers() -> None:
    """End all engines of this process."""
    while _workers:
        _workers.pop().close()
