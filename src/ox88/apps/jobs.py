"""Jobs for many workers: processes of this machine or a Dask cluster, through an executor of concurrent.futures.

Only a few jobs are submitted at a time, so a generator may make any number of them. If a worker dies, its jobs are
submitted again.
"""

import contextlib
import logging
import multiprocessing
import os
import queue
import re
import signal
import threading
import traceback
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, TypeVar

import psutil

from ox88.errors import Ox88Error
from ox88.threads import Background, next_item

_MAX_LOSSES: Final = 3  # Deaths of workers without a finished job in between. After more deaths a job is to blame.
_MAX_PROCESSES: Final = 61 if os.name == "nt" else 1024  # Windows cannot wait for more processes at once.
_SAFE_PATH: Final = "PYTHONSAFEPATH"  # Python's option -P, as a variable of the environment.
_SCHEDULER_PATIENCE: Final = 5.0  # Seconds to reach a scheduler.
_ADDRESS: Final = re.compile(r"(tcp://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}", re.ASCII)

Job = TypeVar("Job")
Result = TypeVar("Result")


class Workers(ABC):
    """A context manager that ends the workers. After an error or Ctrl-C it does not wait for their jobs.

    losses: the exceptions by which an executor says that its workers are lost.
    """

    losses: tuple[type[BaseException], ...] = ()

    def __init__(self, count: int) -> None:
        self.count = count

    @abstractmethod
    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        """Let a worker call the function with the job."""

    def renew(self) -> None:  # noqa: B027 - Most executors do it themselves.
        """Replace workers that have died, if the executor does not."""

    def explain(self, loss: BaseException) -> str:
        """The message for one of the `losses`."""
        return str(loss)

    def has_lost(self, error: Exception) -> bool:  # noqa: ARG002 - Only a cluster loses results.
        """True if the error says that a result was lost with its worker, so that the job must be done again."""
        return False

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(at_once=kind is not None)

    @abstractmethod
    def close(self, at_once: bool) -> None:
        """End the workers. at_once: without waiting for their jobs."""


class LocalWorkers(Workers):
    """Spawned processes. Each watches a pipe to this process, the lifeline, and ends when this process is gone."""

    def __init__(self, count: int) -> None:
        super().__init__(min(count, _MAX_PROCESSES))
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # A fork would copy locked locks of other threads.
        self._lifeline, self._far_end = context.Pipe()
        arguments = (self._far_end, os.environ.get(_SAFE_PATH))
        with _safe_path():  # The pool's queues start a process that keeps account of them.
            self._pool: Executor = ProcessPoolExecutor(self.count, context, _start_worker, arguments)

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        # A process that starts now ignores Ctrl-C too; it ends when the lifeline closes.
        with _interrupts_ignored(), _safe_path():
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


def _start_worker(far_end: Connection, safe_path: str | None) -> None:
    _set_safe_path(safe_path)  # The worker may start an engine of other people.
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent gets Ctrl-C too, and closes the lifeline.
    signal.signal(signal.SIGTERM, lambda *_: None)  # A broken pool sends it. Ending here would leave engines running.
    threading.Thread(target=_end_with_parent, args=(far_end,), daemon=True).start()


def _end_with_parent(far_end: Connection) -> None:
    """End this process and its children when the parent closes the lifeline, or ends in any way."""
    wait([far_end])
    kill_children(psutil.Process())
    os._exit(1)


def kill_children(process: psutil.Process) -> None:
    """Kill all descendants of a process."""
    with contextlib.suppress(psutil.Error):
        for child in process.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()


class ClusterWorkers(Workers):
    """The workers of a Dask cluster, which replaces lost ones itself. count: the threads that it has at the start."""

    def __init__(self, address: str) -> None:
        """Raises Ox88Error if the scheduler cannot be reached or has no workers."""
        if _ADDRESS.fullmatch(address) is None:  # Dask would try for ten seconds, and print warnings.
            raise Ox88Error(f"{address!r} is not a scheduler's address: expected one such as tcp://10.0.0.1:8786")
        distributed = _import_distributed()
        self.losses = (distributed.KilledWorker, distributed.CancelledError, CancelledError, ImportError, OSError)
        self._address = address
        try:
            options = {"timeout": _SCHEDULER_PATIENCE, "set_as_default": False}
            connecting = Background(lambda: distributed.Client(address, **options), lambda: None)
            if not connecting.wait(2 * _SCHEDULER_PATIENCE):  # If another program answers, Dask waits for ever.
                raise TimeoutError
            self._client = connecting.result()
        except (OSError, ValueError, TimeoutError) as error:
            reason = " ".join(str(error).split())[:200] or "it does not answer as Dask does"
            raise Ox88Error(f"the scheduler {address!r} cannot be reached: {reason}") from None
        try:
            self._client.wait_for_workers(1, timeout=_SCHEDULER_PATIENCE)
        except TimeoutError:
            self._client.close()
            text = f"the scheduler {address!r} has no workers: start some, by `dask worker {address}`"
            raise Ox88Error(text) from None
        super().__init__(sum(self._client.ncores().values()))
        self._executor: Executor = self._client.get_executor(pure=False)

    def submit(self, function: Callable[[Any], Any], job: object) -> "Future[Any]":
        return self._executor.submit(function, job)

    def explain(self, loss: BaseException) -> str:
        reason = " ".join(str(loss).split())[:200] or "the scheduler is gone"
        return f"the cluster of {self._address!r} has failed: {reason}"

    def has_lost(self, error: Exception) -> bool:
        """Dask's executor unpacks a result as an error if the worker dies before it looks at the result's state."""
        last = list(traceback.walk_tb(error.__traceback__))[-1:]
        return "unpack" in str(error) and any(frame.f_code.co_name == "_cascade_future" for frame, _ in last)

    def close(self, at_once: bool) -> None:  # noqa: ARG002 - The cluster stays, and drops the jobs.
        with contextlib.suppress(TimeoutError, OSError):
            self._client.close(timeout=_SCHEDULER_PATIENCE)


def _import_distributed() -> Any:
    """Dask, which is not typed, with its log messages and warnings off."""
    try:
        import distributed
    except ImportError:
        raise Ox88Error("--scheduler needs Dask, which is not installed: pip install 'ox88[cluster]'") from None
    for name in ("distributed", "distributed.client", "tornado.application"):  # Dask sets a level for each.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="distributed")
    return distributed


def make_workers(count: int, scheduler: str | None) -> Workers:
    """Local workers, or the workers of a cluster if there is the address of a scheduler. Raises Ox88Error."""
    return LocalWorkers(count) if scheduler is None else ClusterWorkers(scheduler)


def do_jobs(
    workers: Workers, function: Callable[[Job], Result], jobs: Iterable[Job | None]
) -> Iterator[tuple[Job, Result]]:
    """Do jobs, and yield each with its result, in the order in which they end. Closing the iterator cancels the rest.

    Two jobs for each worker are submitted at a time.

    Args:
        workers: these do the jobs.
        function: returns the result of a job.
        jobs: any number of them. A None says that the next job can be made only when a running one is done; if none is
            running, it ends the iteration.

    Raises:
        Ox88Error: workers die again and again. Errors of the function are raised too.
    """
    queued = _Queue(workers, function, iter(jobs))
    try:
        queued.fill()
        while queued.submitted:
            done = queued.take()
            queued.fill()
            if done is not None:
                yield done
                queued.fill()  # The caller may have more jobs now that it has this result.
    except workers.losses as loss:
        raise Ox88Error(workers.explain(loss)) from None


class _Queue(Generic[Job, Result]):
    """The jobs that are submitted, and the ones whose worker has died: they are submitted again before others."""

    def __init__(self, workers: Workers, function: Callable[[Job], Result], to_do: Iterator[Job | None]) -> None:
        self._workers, self._function, self._to_do = workers, function, to_do
        self._ended: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
        self._lost: list[Job] = []
        self._losses = 0
        self.submitted: dict[Future[Result], Job] = {}

    def fill(self) -> None:
        """Submit jobs until there are two for each worker, or none is left."""
        while self._lost or len(self.submitted) < 2 * self._workers.count:
            job = self._lost.pop(0) if self._lost else next(self._to_do, None)
            if job is None:
                return
            try:
                future = self._workers.submit(self._function, job)
            except BrokenProcessPool:
                self._renew_workers(job)
            else:
                self.submitted[future] = job
                future.add_done_callback(self._ended.put)

    def take(self) -> tuple[Job, Result] | None:
        """Wait for a job to end. Returns it with its result, or None if it is to be done again."""
        future = next_item(self._ended)
        if future not in self.submitted:  # The job has been submitted again under another future.
            return None
        job = self.submitted.pop(future)
        try:
            result = future.result()
        except BrokenProcessPool:
            self._renew_workers(job)
            return None
        except (TypeError, ValueError) as error:
            if not self._workers.has_lost(error):
                raise
            self._lost.append(job)
            return None
        self._losses = 0
        return job, result

    def _renew_workers(self, job: Job) -> None:
        """Start new workers: one has died with a job, which breaks the whole pool, so all jobs are lost."""
        self._losses += 1
        if self._losses > _MAX_LOSSES:
            raise Ox88Error("the workers die again and again, perhaps because memory is short: use fewer")
        self._lost += [job, *self.submitted.values()]
        self.submitted.clear()
        self._workers.renew()


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    """Let processes of Python that start in this context import nothing from the working folder.

    multiprocessing starts them by `python -c`, which looks in this folder first, and takes no options for Python.
    """
    before = os.environ.get(_SAFE_PATH)
    _set_safe_path("1")
    try:
        yield
    finally:
        _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    if value is None:
        os.environ.pop(_SAFE_PATH, None)
    else:
        os.environ[_SAFE_PATH] = value


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C in this context. On POSIX, processes that start in it ignore Ctrl-C for ever."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
