"""The engines of the server. At most N searches run at once; people who play have priority over analyses."""

import asyncio
import contextlib
import functools
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, TypeVar

import chess

from ox88.apps.options import has_option, make_ready_engine
from ox88.convert import legal_line
from ox88.engines.base import Engine, EngineEntry, EngineError, Info, Limit, OptionValue, Score
from ox88.engines.placed import PlacedEngine
from ox88.engines.registry import ENGINES, MICROMAX

_STOP_AGAIN_AFTER: Final = 0.02  # Seconds. A search that has not begun yet does not see the first stop.
_FULL_STRENGTH: Final[dict[str, OptionValue]] = {"UCI_LimitStrength": False, "MultiPV": 1}

Notify = Callable[[str], None]
_Result = TypeVar("_Result")


def find_engine(name: str) -> EngineEntry:
    return next(entry for entry in ENGINES if entry.name == name)


@dataclass(frozen=True, slots=True)
class Lease:
    """What an engine is needed for. user: an engine that changes users forgets what it has searched."""

    entry: EngineEntry
    user: Hashable
    settings: Mapping[str, OptionValue] = field(default_factory=dict)
    is_analysis: bool = True


class PooledEngine:
    """An engine that is used by one task at a time. All methods but `stop` run in a thread of the pool."""

    def __init__(self, entry: EngineEntry) -> None:
        self.entry = entry
        self.last_user: Hashable = None
        self._stopped = threading.Event()

    @functools.cached_property
    def placed(self) -> PlacedEngine:
        """The engine, made and compiled when it is first needed, and the position that it holds."""
        return PlacedEngine(make_ready_engine(self.entry, {}, tell=False))

    @property
    def engine(self) -> Engine:
        """The engine itself. Only `placed` may set its position."""
        return self.placed.engine

    def prepare(self, lease: Lease) -> None:
        self._stopped.clear()
        if lease.user != self.last_user:
            self.engine.new_game()
            self.last_user = lease.user
        for name, value in (_FULL_STRENGTH | dict(lease.settings)).items():
            if has_option(self.entry, name):
                self.engine.set_option(name, value)

    def find_move(self, board: chess.Board, limit: Limit) -> tuple[chess.Move, Score]:
        """The engine's move, and its view of the position. Raises EngineError if there is no move."""
        last: deque[Info] = deque(maxlen=1)
        self.search(board, limit, last.append)
        moves = legal_line(last[0].line[:1], board) if last else []
        if not moves:
            raise EngineError(f"{self.entry.name} has found no move in {board.fen()}")
        return moves[0], last[0].score

    def search(self, board: chess.Board, limit: Limit, listen: Callable[[Info], None]) -> None:
        """Search until the limit or `stop`. Raises Ox88Error if the engine refuses the position."""
        self.placed.place(board)
        if self.is_stopped():
            return
        try:
            for info in self.engine.search(limit):
                listen(info)
                if self.is_stopped():
                    return
        finally:
            self.engine.stop()

    def is_stopped(self) -> bool:
        """True if nobody waits for the result any more."""
        return self._stopped.is_set()

    def stop(self) -> None:
        self._stopped.set()
        self.engine.stop()


class EnginePool:
    """Runs searches in threads. Engines are made when needed; there is one micro-Max, because its table is large."""

    def __init__(self, searches: int) -> None:
        self._executor = ThreadPoolExecutor(searches + 1, "ox88 search")
        self._slots = Slots(searches)
        self._idle: list[PooledEngine] = []
        self._micromax = Slots(1)
        self._micromax_analysis: PooledEngine | None = None  # Ends as soon as a game needs micro-Max.

    async def run(
        self,
        lease: Lease,
        work: Callable[[PooledEngine], _Result],
        notify: Notify = lambda _: None,
        on_start: Callable[[], None] = lambda: None,
    ) -> _Result:
        """The result of `work(engine)`, which runs in a thread. If the task is cancelled, the search is stopped first.

        Args:
            lease: the engine that is needed.
            work: called with the engine when it is ready.
            notify: gets a text for the user if there is something to wait for.
            on_start: called when the work begins.
        """
        async with contextlib.AsyncExitStack() as stack:
            needed = [self._slots.taken(lease.is_analysis, notify)]
            if lease.entry is MICROMAX:  # An analysis that waits for another slot must not keep it from games.
                waiting = functools.partial(self._wait_for_micromax, lease, notify)
                needed.insert(int(lease.is_analysis), self._micromax.taken(lease.is_analysis, waiting))
            for slot in needed:
                await stack.enter_async_context(slot)
            engine = self._pick(lease)
            if engine is None:
                notify(f"{lease.entry.name} is getting ready, which may take some seconds the first time")
                engine = PooledEngine(lease.entry)
            # After an error, which the caller gets, the engine is not used again, since its state is unknown.
            try:
                await call_in_thread(self._executor, functools.partial(engine.prepare, lease), stop=lambda: None)
                on_start()
                with self._giving_way(lease, engine):
                    result = await call_in_thread(self._executor, functools.partial(work, engine), engine.stop)
            except asyncio.CancelledError:
                self._idle.append(engine)
                raise
            self._idle.append(engine)
            return result

    def _wait_for_micromax(self, lease: Lease, notify: Notify, _: str) -> None:
        notify("micro-Max is busy just now: waiting for it")
        if self._micromax_analysis is not None and not lease.is_analysis:
            self._micromax_analysis.stop()

    @contextlib.contextmanager
    def _giving_way(self, lease: Lease, engine: PooledEngine) -> Iterator[None]:
        """Let games end an analysis by micro-Max."""
        if not (lease.entry is MICROMAX and lease.is_analysis):
            yield
            return
        self._micromax_analysis = engine
        if self._micromax.games_wait:
            engine.stop()
        try:
            yield
        finally:
            self._micromax_analysis = None

    def _pick(self, lease: Lease) -> PooledEngine | None:
        """An idle engine, preferably the one that the user had before."""
        idle = [engine for engine in self._idle if engine.entry is lease.entry]
        chosen = next((engine for engine in idle if engine.last_user == lease.user), idle[0] if idle else None)
        if chosen is not None:
            self._idle.remove(chosen)
        return chosen

    def close(self) -> None:
        """Wait for the searches; they stop by themselves when nobody waits for their results."""
        self._executor.shutdown(wait=True, cancel_futures=True)


async def call_in_thread(
    executor: ThreadPoolExecutor, function: Callable[[], _Result], stop: Callable[[], None]
) -> _Result:
    """Call a function in a thread. If the task is cancelled, call `stop` until the function has returned."""
    future = asyncio.get_running_loop().run_in_executor(executor, function)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            stop()
            await asyncio.wait([future], timeout=_STOP_AGAIN_AFTER)
        future.exception()
        raise


class Slots:
    """Limits how many searches run at once. Games have priority, and analyses never take the last slot."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._free_for_analysis = max(count - 1, 1)
        self._games_waiting = 0
        self._changed = asyncio.Event()

    @contextlib.asynccontextmanager
    async def taken(self, is_analysis: bool, notify: Notify) -> AsyncIterator[None]:
        """Hold a slot. `notify` is called if there is none yet."""
        if not self._has_one(is_analysis):
            notify("All engines are thinking: waiting for one")
            await self._wait(is_analysis)
        self._free -= 1
        self._free_for_analysis -= is_analysis
        try:
            yield
        finally:
            self._free += 1
            self._free_for_analysis += is_analysis
            self._wake()

    @property
    def games_wait(self) -> bool:
        return self._games_waiting > 0

    def _has_one(self, is_analysis: bool) -> bool:
        if is_analysis and (self._games_waiting or not self._free_for_analysis):
            return False
        return self._free > 0

    async def _wait(self, is_analysis: bool) -> None:
        self._games_waiting += not is_analysis
        try:
            while not self._has_one(is_analysis):
                await self._changed.wait()
        finally:
            self._games_waiting -= not is_analysis
            self._wake()

    def _wake(self) -> None:
        """Wake all waiting tasks, in their order, to look for a free slot again."""
        self._changed.set()
        self._changed.clear()
