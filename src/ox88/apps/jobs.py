"""Jobs for many workers: processes of this machine, or a Dask cluster, through any executor of concurrent.futures.

A bounded number of jobs is outstanding, so there may be any number of them, made as they are wanted. A worker that dies
takes no job with it: what it had is done again.
"""

import contextlib
import logging
import multiprocessing
import os
import queue
import re
import signal
import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, TypeVar

import psutil

from ox88.threads import Background, next_item
from ox88.types import Ox88Error

_MOST_LOSSES: Final = 3  # Of the worker, in a row, with nothing done between: then something is wrong with the job.
_MOST_PROCESSES: Final = 61 if os.name == "nt" else 1024  # Windows waits for no more at a time.
_SCHEDULER_PATIENCE: Final = 5.0  # Seconds to reach a scheduler.
_ADDRESS: Final = re.compile(r"(tcp://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}", re.ASCII)

Job = TypeVar("Job")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Done(Generic[Job, Result]):
    """A job and what came of it."""

    job: Job
    result: Result


class Workers(ABC):
    """Who does the jobs. A context manager: leaving it ends the workers, at once after an error or Ctrl-C.

    losses: exceptions that tell of workers which cannot go on.
    """

    losses: tuple[type[BaseException], ...] = ()

    def __init__(self, count: int) -> None:
        self.count = count

    @abstractmethod
    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        """Have a worker call the function with the job. Each kind of workers has its own way."""

    @abstractmethod
    def renew(self) -> None:
        """Replace workers that have died, if nobody else does."""

    def explain(self, loss: BaseException) -> str:
        """One of the `losses` in words."""
        return str(loss)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(at_once=kind is not None)

    @abstractmethod
    def close(self, at_once: bool) -> None:
        """End the workers; at_once: without waiting for what they do."""


class LocalWorkers(Workers):
    """Spawned processes of this machine. They end with this process, however it ends."""

    def __init__(self, count: int) -> None:
        super().__init__(min(count, _MOST_PROCESSES))
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
    signal.signal(signal.SIGTERM, lambda *_: None)  # From a broken pool; it would orphan what this process has started.
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
    """The workers of a Dask cluster. It replaces those it loses by itself. count: of the threads that it has now."""

    def __init__(self, address: str) -> None:
        """Raises Ox88Error where the scheduler cannot be reached, or has no workers."""
        self._address = address
        if _ADDRESS.fullmatch(address) is None:  # Dask would try it for ten seconds, and then complain aloud.
            raise Ox88Error(f"{address!r} is no address of a scheduler: expected is one such as tcp://10.0.0.1:8786")
        self._client = self._connect()
        super().__init__(sum(self._client.ncores().values()))
        self._executor: Executor = self._client.get_executor(pure=False)

    def _connect(self) -> Any:
        """A client that has workers."""
        distributed = _import_distributed()
        self.losses = (distributed.KilledWorker, distributed.CancelledError, CancelledError, ImportError, OSError)
        try:
            options = {"timeout": _SCHEDULER_PATIENCE, "set_as_default": False}
            connecting = Background(lambda: distributed.Client(self._address, **options), lambda: None)
            if not connecting.wait(2 * _SCHEDULER_PATIENCE):  # It waits for ever where something else answers.
                raise TimeoutError
            client = connecting.result()
        except (OSError, ValueError, TimeoutError) as error:
            reason = " ".join(str(error).split())[:200] or "it speaks otherwise than Dask"
            raise Ox88Error(f"the scheduler {self._address!r} cannot be reached: {reason}") from None
        try:
            client.wait_for_workers(1, timeout=_SCHEDULER_PATIENCE)
        except TimeoutError:
            client.close()
            text = f"the scheduler {self._address!r} has no workers: start some, by `dask worker {self._address}`"
            raise Ox88Error(text) from None
        return client

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        return self._executor.submit(function, job)

    def renew(self) -> None:
        """The scheduler does."""

    def explain(self, loss: BaseException) -> str:
        reason = " ".join(str(loss).split())[:200] or "the scheduler has gone"
        return f"the cluster of {self._address!r} has failed: {reason}"

    def close(self, at_once: bool) -> None:  # noqa: ARG002 - Its workers stay, and forget what nobody waits for.
        with contextlib.suppress(TimeoutError, OSError):
            self._client.close(timeout=_SCHEDULER_PATIENCE)


def _import_distributed() -> Any:
    """Dask, which is not typed, keeping to itself what it has to remark."""
    try:
        import distributed
    except ImportError:
        raise Ox88Error("--scheduler needs Dask, which is not installed: pip install 'ox88[cluster]'") from None
    for name in ("distributed", "distributed.client", "tornado.application"):  # Each of which Dask sets a level for.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="distributed")
    return distributed


def make_workers(count: int, scheduler: str | None) -> Workers:
    """Local workers, or those of the cluster whose scheduler has this address. Raises Ox88Error."""
    return LocalWorkers(count) if scheduler is None else ClusterWorkers(scheduler)


def do_jobs(
    workers: Workers, function: Callable[[Job], Result], jobs: Iterable[Job | None], outstanding: int = 0
) -> Iterator[Done[Job, Result]]:
    """Do jobs, and tell each when it is done; the order is that in which they end.

    jobs: None among them says that there is none until another is done; where no job is out, that is the end.
    outstanding: the most jobs at a time that are not done; by default two for each worker. Raises what the function
    raises, and Ox88Error where workers die again and again. Closing the iterator leaves the rest undone.
    """
    try:
        yield from _Desk(workers, function, outstanding or 2 * workers.count).run(iter(jobs))
    except workers.losses as loss:
        raise Ox88Error(workers.explain(loss)) from None


class _Desk(Generic[Job, Result]):
    """Where jobs lie that have been given out."""

    def __init__(self, workers: Workers, function: Callable[[Job], Result], size: int) -> None:
        self._workers = workers
        self._function = function
        self._size = size
        self._out: dict[Future[Result], Job] = {}
        self._ended: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
        self._losses = 0

    def run(self, jobs: Iterator[Job | None]) -> Iterator[Done[Job, Result]]:
        self._fill(jobs)
        while self._out:
            future = next_item(self._ended)
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
            self._fill(jobs)  # Again: there may be more now that somebody knows of this one.

    def _fill(self, jobs: Iterator[Job | None]) -> None:
        while len(self._out) < self._size:
            job = next(jobs, None)
            if job is None:
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
