"""The worker's side of a match: each thread keeps the engines of its games running, and plays one game after another.

A worker is a thread of some process, here or on another machine, with its own event loop and engines.
"""

import asyncio
import atexit
import threading
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from ox88.apps.match.engine_process import EngineFailure, EngineProcess
from ox88.apps.match.game import FinishedGame, Fixture, MatchGame, Rules
from ox88.apps.match.openings import Opening
from ox88.apps.match.participant import Participant

MAX_ENGINES: Final = 6  # A worker keeps the engines that played last.
IDLE_TIMEOUT: Final = 60.0  # Seconds without a game; then engines end, since a cluster's workers outlive the match.

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class GameJob:
    """A game to be played, with all that a worker needs."""

    fixture: Fixture
    opening: Opening
    white: Participant
    black: Participant
    rules: Rules
    tags: dict[str, str]


class Check(NamedTuple):
    """What the start of a participant has shown.

    reason: why the engine cannot play; empty if it can. unknown_options: names given by --option that it does not have.
    """

    reason: str
    unknown_options: frozenset[str] = frozenset()


class _Worker:
    """The event loop and the engines of a thread."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._runner.get_loop().set_exception_handler(_ignore_late_timers)
        self._engines: OrderedDict[Participant, EngineProcess] = OrderedDict()
        self._busy = threading.Lock()
        self._idle: threading.Timer | None = None
        self._is_closed = self._is_ended = False

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        if self._idle is not None:
            self._idle.cancel()
        try:
            with self._busy:
                return self._runner.run(coroutine)
        finally:
            if self._is_closed:
                self.close()
            else:
                self._idle = threading.Timer(IDLE_TIMEOUT, self.end_engines)
                self._idle.daemon = True
                self._idle.start()

    def end_engines(self) -> bool:
        """End the engines, and the event loop of a worker that is closed. False while a game is being played."""
        if not self._busy.acquire(blocking=False):
            return False
        try:
            if not self._is_ended:
                self._runner.run(self._stop())
            if self._is_closed:
                self._is_ended = True
                self._runner.close()
        finally:
            self._busy.release()
        if self._is_closed and not self._is_ended:  # Another thread wanted to close this worker while it was busy.
            return self.end_engines()
        return True

    async def play(self, job: GameJob) -> FinishedGame:
        white, black = await self._engine(job.white), await self._engine(job.black)
        return await MatchGame(job.opening, white, black, job.rules).play(job.tags)

    async def _engine(self, participant: Participant) -> EngineProcess:
        engine = self._engines.pop(participant, None) or EngineProcess(participant)
        self._engines[participant] = engine
        while len(self._engines) > MAX_ENGINES:
            _, oldest = self._engines.popitem(last=False)
            await oldest.stop()
        return engine

    async def check(self, participant: Participant, opening: Opening) -> "Check":
        engine = await self._engine(participant)
        try:
            await engine.start()
        except EngineFailure as failure:
            return Check(str(failure))
        return Check(engine.why_unplayable(opening.board()), engine.unknown_options())

    def close(self) -> None:
        """End the engines, also in the middle of a game; the game's thread then closes the event loop."""
        self._is_closed = True
        if self._idle is not None:
            self._idle.cancel()
        if not self.end_engines():
            for engine in list(self._engines.values()):
                engine.kill_process()

    async def _stop(self) -> None:
        await asyncio.gather(*(engine.stop() for engine in self._engines.values()))
        self._engines.clear()


def _ignore_late_timers(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """python-chess waits two seconds for an XBoard engine's features, even if the engine has ended."""
    if not isinstance(context.get("exception"), asyncio.InvalidStateError):
        loop.default_exception_handler(context)


_local = threading.local()
_workers: list[_Worker] = []


def _worker() -> _Worker:
    """The worker of this thread; a new one if it was closed."""
    worker: _Worker | None = getattr(_local, "worker", None)
    if worker is None or worker not in _workers:
        worker = _local.worker = _Worker()
        _workers.append(worker)
    return worker


def play_game(job: GameJob) -> FinishedGame:
    """Play a game in this thread."""
    worker = _worker()
    return worker.run(worker.play(job))


def check_participant(job: tuple[Participant, Opening]) -> Check:
    """Start a participant, to see whether it can play games with such an opening."""
    worker = _worker()
    return worker.run(worker.check(*job))


@atexit.register
def close_workers() -> None:
    """End all engines of this process."""
    while _workers:
        _workers.pop().close()
