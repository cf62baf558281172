"""Cases tried in turn here, or by worker processes of which each owns an engine. The answers come as they are found."""

import contextlib
import functools
import multiprocessing
import queue
import signal
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event
from typing import Final

from ox88.apps.engines import Settings, make_ready_engine
from ox88.apps.epd.suite import Case
from ox88.apps.epd.trial import Answer, try_case
from ox88.engines.base import Engine, EngineEntry, Limit
from ox88.types import Ox88Error

_INTERRUPTIBLE: Final = 0.1  # Seconds of a wait after which Python looks for Ctrl-C, on Windows too.


def try_cases(
    cases: Sequence[Case], entry: EngineEntry, settings: Settings, limit: Limit, workers: int = 1
) -> Generator[Answer, None, None]:
    """An answer for each case; with several workers in the order in which they end.

    The engine is made here first in any case: it compiles once, and refuses wrong options. Raises EngineError, and
    Ox88Error where a worker dies. Closing the iterator stops the searches.
    """
    engine = make_ready_engine(entry, settings)
    workers = min(workers, len(cases))
    if workers <= 1:
        return (try_case(engine, case, limit) for case in cases)
    del engine
    return _try_in_processes(cases, functools.partial(make_ready_engine, entry, settings, tell=False), limit, workers)


def _try_in_processes(
    cases: Sequence[Case], make: "functools.partial[Engine]", limit: Limit, workers: int
) -> Generator[Answer, None, None]:
    context = multiprocessing.get_context("spawn")  # A forked process would share locks of the compiler's threads.
    stop = context.Event()
    ended: queue.SimpleQueue[Future[Answer]] = queue.SimpleQueue()
    pool = ProcessPoolExecutor(workers, context, _start_worker, (make, limit, stop))
    try:
        with _interrupts_ignored():  # By the processes that start now; they are told by `stop`.
            for case in cases:
                pool.submit(_try_in_worker, case).add_done_callback(ended.put)
        for _ in cases:
            yield _next_ended(ended).result()
    except BrokenProcessPool:
        raise Ox88Error(f"a worker process has died, perhaps for want of memory: take fewer than {workers}") from None
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _next_ended(ended: "queue.SimpleQueue[Future[Answer]]") -> "Future[Answer]":
    while True:
        with contextlib.suppress(queue.Empty):
            return ended.get(timeout=_INTERRUPTIBLE)


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ctrl-C does nothing to this process meanwhile, nor, on POSIX, ever to those that start meanwhile."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Worker:
    """What a worker process owns."""

    engine: Engine
    limit: Limit
    stop: Event


def _start_worker(make: "functools.partial[Engine]", limit: Limit, stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent is told too, and it says when to stop.
    _Worker.engine, _Worker.limit, _Worker.stop = make(), limit, stop
    threading.Thread(target=_stop_when_told, daemon=True).start()


def _stop_when_told() -> None:
    _Worker.stop.wait()
    while True:  # Until the process ends: a search may begin just after it was stopped.
        _Worker.engine.stop()
        time.sleep(_INTERRUPTIBLE)


def _try_in_worker(case: Case) -> Answer:
    return try_case(_Worker.engine, case, _Worker.limit)
