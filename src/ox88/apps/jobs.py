"""Jobs for many workers: processes of this machine, or a Dask cluster, through any executor of concurrent.futures.

A bounded number of jobs is outstanding, so there may be any number of them, made as they are wanted. A worker that dies
takes no job with it: what it had is done again.
"""

import contextlib
import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, TypeVar

import psutil

from ox88.types import Ox88Error

_INTERRUPTIBLE: Final = 0.1  # Seconds of a wait after which Python looks for Ctrl-C, on Windows too.
_MOST_LOSSES: Final = 3  # Of the worker, in a row, with nothing done between: then something is wrong with the job.
_SCHEDULER_PATIENCE: Final = 5.0  # Seconds to reach a scheduler.

Job = TypeVar("Job")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Done(Generic[Job, Result]):
    """A job and what came of it."""

    job: Job
    result: Result


class Workers:
    """Who does the jobs. A context manager: leaving it ends the workers, at once after an error or Ctrl-C."""

    def __init__(self, count: int) -> None:
        self.count = count

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        raise NotImplementedError

    def renew(self) -> None:
        """Replace workers that have died, if nobody else does."""

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(at_once=kind is not None)

    def close(self, at_once: bool) -> None:
        """End the workers; at_once: without waiting for what they do."""


class LocalWorkers(Workers):
    """Spawned processes of this machine. They end with this process, however it ends."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # A forked process would share locks of the compiler's threads.
        self._lifeline, self._far_end = context.Pipe()
        self._pool: Executor = ProcessPoolExecutor(self.count, context, _start_worker, (self._far_end,))

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        with _interrupts_ignored():  # By a process that may start now; it is told by the lifeline.
            return self._pool.submit(function, job)

    def renew(self) -> None:
        self.close(at_once=True)
        self._start()

    def close(self, at_once: bool) -> None:
        if at_once:
            self._lifeline.close()
        self._pool.shutdown(wait=True, cancel_futures=at_once)
        self._lifeline.close()
        self._far_end.close()


def _start_worker(far_end: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent is told too, and it says when to stop.
    threading.Thread(target=_end_with_parent, args=(far_end,), daemon=True).start()


def _end_with_parent(far_end: Connection) -> None:
    """End this process, and all that it has started, when the lifeline is cut: closed, or its owner killed."""
    wait([far_end])
    kill_children(psutil.Process())
    os._exit(1)


def kill_children(process: psutil.Process) -> None:
    """Kill all that a process has started, and what that has started."""
    with contextlib.suppress(psutil.Error):
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()


class ClusterWorkers(Workers):
    """The workers of a Dask cluster. It replaces those it loses by itself."""

    def __init__(self, address: str) -> None:
        """Raises Ox88Error where the scheduler cannot be reached."""
        try:
            from distributed import Client
        except ImportError:
            raise Ox88Error("--scheduler needs Dask, which is not installed: pip install 'ox88[cluster]'") from None
        try:
            client: Any = Client  # Dask is not typed.
            self._client = client(address, timeout=_SCHEDULER_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            reason = " ".join(str(error).split())[:200]
            raise Ox88Error(f"the scheduler {address!r} cannot be reached: {reason}") from None
        super().__init__(max(1, sum(self._client.ncores().values())))
        self._executor: Executor = self._client.get_executor(pure=False, retries=_MOST_LOSSES)

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        return self._executor.submit(function, job)

    def close(self, at_once: bool) -> None:
        self._executor.shutdown(wait=not at_once, cancel_futures=at_once)
        self._client.close()


def make_workers(count: int, scheduler: str | None) -> Workers:
    """Local workers, or those of the cluster whose scheduler has this address. Raises Ox88Error."""
    return LocalWorkers(count) if scheduler is None else ClusterWorkers(scheduler)


def do_jobs(
    workers: Workers, function: Callable[[Job], Result], jobs: Iterable[Job], outstanding: int = 0
) -> Iterator[Done[Job, Result]]:
    """Do jobs, and tell each when it is done; the order is that in which they end.

    outstanding: the most jobs at a time that are not done; by default two for each worker. Raises what the function
    raises, and Ox88Error where workers die again and again. Closing the iterator leaves the rest undone.
    """
    yield from _Desk(workers, function, outstanding or 2 * workers.count).run(iter(jobs))


class _Desk(Generic[Job, Result]):
    """Where jobs lie that have been given out."""

    def __init__(self, workers: Workers, function: Callable[[Job], Result], size: int) -> None:
        self._workers = workers
        self._function = function
        self._size = size
        self._out: dict[Future[Result], Job] = {}
        self._ended: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
        self._losses = 0

    def run(self, jobs: Iterator[Job]) -> Iterator[Done[Job, Result]]:
        self._fill(jobs)
        while self._out:
            future = self._next_ended()
            job = self._out.pop(future, None)
            if job is None:  # It was given out again.
                continue
            try:
                result = future.result()
            except BrokenProcessPool:
                self._give_out_again(job)
                continue
            self._losses = 0
            self._fill(jobs)
            yield Done(job, result)

    def _fill(self, jobs: Iterator[Job]) -> None:
        while len(self._out) < self._size:
            try:
                job = next(jobs)
            except StopIteration:
                return
            self._give_out(job)

    def _give_out(self, job: Job) -> None:
        try:
            future = self._workers.submit(self._function, job)
        except BrokenProcessPool:
            self._give_out_again(job)
            return
        self._out[future] = job
        future.add_done_callback(self._ended.put)

    def _give_out_again(self, lost: Job) -> None:
        """A worker has died, and the pool with it: begin anew with all that was out."""
        self._losses += 1
        if self._losses > _MOST_LOSSES:
            raise Ox88Error("the workers die again and again, perhaps for want of memory: take fewer of them")
        jobs = [lost, *self._out.values()]
        self._out.clear()
        self._workers.renew()
        for job in jobs:
            self._give_out(job)

    def _next_ended(self) -> "Future[Result]":
        while True:
            with contextlib.suppress(queue.Empty):
                return self._ended.get(timeout=_INTERRUPTIBLE)


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
