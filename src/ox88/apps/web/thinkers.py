"""The engines of the server: a few at a time think, and whoever comes too late waits. Players come first."""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, TypeVar

from ox88.apps.engines import has_option, make_ready_engine
from ox88.engines.base import Engine, EngineEntry, OptionValue
from ox88.engines.registry import MICROMAX, MODERN

_STOP_AGAIN_AFTER: Final = 0.02  # Seconds; a search that was about to begin has not heard the first word.
_FULL_STRENGTH: Final[dict[str, OptionValue]] = {"UCI_LimitStrength": False, "MultiPV": 1}

Told = Callable[[str], None]
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Loan:
    """What an engine is wanted for. user: whose positions its table may know. studies: whether players go before."""

    entry: EngineEntry
    user: Hashable
    settings: Mapping[str, OptionValue] = field(default_factory=dict)
    studies: bool = True


class Thinker:
    """An engine, lent to one at a time. `is_stopped`: whether nobody waits for it any more."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.last_user: Hashable = None
        self._stopped = threading.Event()

    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def lend(self, loan: Loan) -> None:
        """Have the engine forget what it did for another user, and set its options."""
        self._stopped.clear()
        if loan.user != self.last_user:
            self.engine.new_game()
            self.last_user = loan.user
        for name, value in (_FULL_STRENGTH | dict(loan.settings)).items():
            if has_option(loan.entry, name):
                self.engine.set_option(name, value)

    def stop(self) -> None:
        self._stopped.set()
        self.engine.stop()


class Thinkers:
    """At most so many searches at a time, and of those that study all but one, so that players need not wait long.

    micro-Max has one engine, for its table is large. An engine is made when it is first needed.
    """

    def __init__(self, searches: int) -> None:
        self._executor = ThreadPoolExecutor(searches + 1, "ox88 search")
        self._seats = Seats(searches)
        self._idle: dict[str, list[Thinker]] = {MODERN.name: [], MICROMAX.name: []}
        self._micromax = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def borrow(self, loan: Loan, told: Told) -> AsyncIterator[Thinker]:
        """An engine, ready. told: hears what one has to wait for, if so."""
        async with contextlib.AsyncExitStack() as stack:
            if loan.entry is MICROMAX:
                if self._micromax.locked():
                    told("micro-Max plays another game just now: waiting for it")
                await stack.enter_async_context(self._micromax)
            await stack.enter_async_context(self._seats.taken(loan.studies, told))
            thinker = await self._obtained(loan, told)
            try:
                yield thinker
            except Exception:  # It may have failed in the middle of something: another takes its place.
                raise
            except BaseException:
                self._idle[loan.entry.name].append(thinker)
                raise
            self._idle[loan.entry.name].append(thinker)

    async def _obtained(self, loan: Loan, told: Told) -> Thinker:
        """An engine, made if need be. Who has left meanwhile leaves it to the next."""
        obtaining = asyncio.ensure_future(self._obtain(loan, told))
        try:
            return await asyncio.shield(obtaining)
        except asyncio.CancelledError:
            await asyncio.wait([obtaining])
            if obtaining.exception() is None:
                self._idle[loan.entry.name].append(obtaining.result())
            raise

    async def _obtain(self, loan: Loan, told: Told) -> Thinker:
        thinker = self._pick(loan)
        if thinker is None:
            told(f"{loan.entry.name} is getting ready, which may take some seconds the first time")
            thinker = Thinker(await self._call(make_ready_engine, loan.entry, {}, False))
        await self._call(thinker.lend, loan)
        return thinker

    async def run(self, thinker: Thinker, work: Callable[[], _Result]) -> _Result:
        """Work with the engine, in a thread. When the task is cancelled the search ends, and the task after it."""
        future = asyncio.get_running_loop().run_in_executor(self._executor, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            while not future.done():
                thinker.stop()
                await asyncio.wait([future], timeout=_STOP_AGAIN_AFTER)
            future.exception()
            raise

    def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _pick(self, loan: Loan) -> Thinker | None:
        """The engine that knows the user's positions, or any; None where there is none."""
        idle = self._idle[loan.entry.name]
        chosen = next((thinker for thinker in idle if thinker.last_user == loan.user), idle[0] if idle else None)
        if chosen is not None:
            idle.remove(chosen)
        return chosen

    async def _call(self, function: Callable[..., _Result], *arguments: object) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._executor, function, *arguments)


class Seats:
    """Who may search. Those who play go first, and one seat is never taken by those who study."""

    def __init__(self, count: int) -> None:
        self._free = {False: count, True: max(count - 1, 1)}  # By whether they are for studies.
        self._waiting: dict[bool, deque[asyncio.Future[None]]] = {False: deque(), True: deque()}

    @contextlib.asynccontextmanager
    async def taken(self, studies: bool, told: Told) -> AsyncIterator[None]:
        """A seat; told: hears that there is none yet."""
        if not self._take(studies):
            told("All engines are thinking: waiting for one")
            await self._wait(studies)
        try:
            yield
        finally:
            self._leave(studies)

    def _take(self, studies: bool) -> bool:
        if not self._free[False] or (studies and not self._free[True]):
            return False
        self._free[False] -= 1
        self._free[True] -= studies
        return True

    async def _wait(self, studies: bool) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[studies].append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # The seat was given in the same moment.
                self._leave(studies)
            elif turn in self._waiting[studies]:
                self._waiting[studies].remove(turn)
            raise

    def _leave(self, studied: bool) -> None:
        self._free[False] += 1
        self._free[True] += studied
        for studies in (False, True):
            waiting = self._waiting[studies]
            while waiting and (waiting[0].done() or self._take(studies)):
                turn = waiting.popleft()
                if not turn.done():
                    turn.set_result(None)
