"""Jobs given to workers: bounded, done again where a worker dies, ended by Ctrl-C with all that they have started."""

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.jobs import ClusterWorkers, LocalWorkers, do_jobs, make_workers
from ox88.errors import Ox88Error
from tests.apps import chores
from tests.apps.inline import ThreadWorkers
from tests.processes import PATIENCE, is_running, python, wait_until


@given(st.lists(st.integers()), st.integers(1, 3))
def test_every_job_is_done_once(jobs: list[int], count: int) -> None:
    with ThreadWorkers(count) as workers:
        done = list(do_jobs(workers, chores.square, jobs))
    assert sorted(done) == sorted((job, job**2) for job in jobs)


@pytest.mark.parametrize("count", [1, 2])
def test_jobs_are_made_when_they_can_be_submitted(count: int) -> None:
    """Two for each worker, though there is no end of them."""
    made = 0

    def jobs() -> Iterator[int]:
        nonlocal made
        while True:
            made += 1
            yield made

    with ThreadWorkers(count) as workers:
        for number, _ in enumerate(do_jobs(workers, chores.square, jobs()), 1):
            assert made <= number + 2 * count
            if number == 30:
                break


class LosingWorkers(ThreadWorkers):
    """The first result of each job is lost with its worker just before Dask's executor looks at its state."""

    has_lost = ClusterWorkers.has_lost

    def __init__(self) -> None:
        super().__init__(2)
        self.seen = set[Any]()

    def submit(self, function: Callable[[Any], Any], job: Any) -> "Future[Any]":
        if job in self.seen:
            return super().submit(function, job)
        self.seen.add(job)
        cascade, found = pytest.importorskip("distributed.cfexecutor")._cascade_future, Future[Any]()

        async def result(**_: object) -> Any:
            return function(job)

        async def tell() -> None:
            await cascade(SimpleNamespace(_result=result, status="lost"), found)

        asyncio.run(tell())
        return found


@pytest.mark.parametrize("result", [None, b"1234", 7])
def test_a_result_that_a_cluster_loses_is_computed_again(result: object) -> None:
    with LosingWorkers() as workers:
        assert sorted(do_jobs(workers, lambda _: result, range(5))) == [(job, result) for job in range(5)]


def test_an_error_of_a_job_is_not_taken_for_a_loss() -> None:
    def unpack(_: int) -> None:
        _first, _second = 1  # type: ignore[misc]

    with ThreadWorkers(2) as workers, pytest.raises(TypeError, match="cannot unpack"):
        list(do_jobs(workers, unpack, range(5)))
    with pytest.raises(TypeError) as error:
        unpack(0)
    assert not ClusterWorkers.has_lost(workers, error.value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, "1"])
def test_what_keeps_the_working_folder_from_workers_does_not_reach_what_they_start(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That may be an engine of other people, which needs its folder."""
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if value is not None:
        monkeypatch.setenv("PYTHONSAFEPATH", value)
    with LocalWorkers(1) as workers:
        assert list(do_jobs(workers, os.getenv, ["PYTHONSAFEPATH"])) == [("PYTHONSAFEPATH", value)]
    assert os.environ.get("PYTHONSAFEPATH") == value


@pytest.mark.parametrize("count", [1, 2])
def test_jobs_that_wait_for_others(count: int) -> None:
    """Each pair of them is made when both of the pair before are done, and have been looked at."""
    seen: list[int] = []

    def jobs() -> Iterator[int | None]:
        for number in range(10):
            while number % 2 == 0 and len(seen) < number:
                yield None
            yield number

    with ThreadWorkers(count) as workers:
        for job, _ in do_jobs(workers, chores.square, jobs()):
            assert job // 2 == len(seen) // 2
            seen.append(job)
    assert sorted(seen) == list(range(10))


def test_jobs_that_wait_for_nothing_and_errors() -> None:
    with ThreadWorkers(2) as workers:
        assert list(do_jobs(workers, chores.square, iter([1, None, 2]))) == [(1, 1), (2, 4)]
        assert list(do_jobs(workers, chores.square, iter([None, 1]))) == []
    with ThreadWorkers(1) as workers, pytest.raises(ValueError, match="job 7"):
        list(do_jobs(workers, chores.fail, [7]))


def test_as_many_jobs_run_at_a_time_as_there_are_workers() -> None:
    together = threading.Barrier(3, timeout=PATIENCE)
    with ThreadWorkers(3) as workers:
        assert len(list(do_jobs(workers, lambda _: together.wait(), range(6)))) == 6


def test_the_order_is_that_in_which_jobs_end() -> None:
    released = threading.Event()

    def work(number: int) -> int:
        if number == 0:
            assert released.wait(PATIENCE)
        return number

    with ThreadWorkers(2) as workers:
        done = do_jobs(workers, work, range(4))
        assert [next(done)[0] for _ in range(3)] == [1, 2, 3]
        released.set()
        assert next(done)[0] == 0


def test_processes_of_this_machine() -> None:
    """They do jobs, outlive an error, and are gone afterwards."""
    with make_workers(2, None) as workers:
        numbers = {result for _, result in do_jobs(workers, chores.process_id, range(8))}
        assert os.getpid() not in numbers
        with pytest.raises(ValueError, match="job 1"):
            list(do_jobs(workers, chores.fail, [1]))
        numbers |= {result for _, result in do_jobs(workers, chores.process_id, range(8))}
    assert len(numbers) <= 2
    assert not any(map(is_running, numbers))


def test_a_worker_that_dies_takes_no_job_with_it(tmp_path: Path) -> None:
    files = [str(tmp_path / str(number)) for number in range(4)]  # A job may bring four deaths.
    with LocalWorkers(2) as workers:
        assert sorted(do_jobs(workers, chores.die_once, files)) == [(file, file) for file in files]
        assert list(do_jobs(workers, chores.square, [3])) == [(3, 9)]


def test_a_job_that_kills_its_workers() -> None:
    with LocalWorkers(1) as workers, pytest.raises(Ox88Error, match="the workers die again and again"):
        list(do_jobs(workers, chores.die, [1]))


def test_leaving_without_waiting(tmp_path: Path) -> None:
    """After an error, workers end at once, with what they have started."""
    with pytest.raises(RuntimeError), LocalWorkers(1) as workers:  # noqa: PT012
        workers.submit(chores.start_child, str(tmp_path))
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        raise RuntimeError
    wait_until(lambda: not any(is_running(int(file.name)) for file in tmp_path.iterdir()))


@pytest.mark.parametrize(("how", "code"), [("SIGINT", 130), ("SIGKILL", -9)])
@pytest.mark.posix("signals")
def test_no_process_is_left_over(tmp_path: Path, how: str, code: int) -> None:
    """After Ctrl-C, which a terminal sends to all processes, and after the owner was killed."""
    with python("-m", "tests.apps.chores", tmp_path) as process:
        wait_until(lambda: len(list(tmp_path.iterdir())) == 4)
        if how == "SIGINT":
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.kill()
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == code
        assert errors == "" or how == "SIGKILL"  # After a kill Python's resource tracker prints a warning.
        wait_until(lambda: not any(is_running(int(file.name)) for file in tmp_path.iterdir()))


ADDRESSES = ["", "x", "tcp://:1", "http://127.0.0.1:1", "tcp://127.0.0.1", "tcp://a b:1", "a:1\n"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_of_no_scheduler(address: str) -> None:
    with pytest.raises(Ox88Error, match=r"is not a scheduler's address: expected one such as tcp://10.0.0.1:8786"):
        ClusterWorkers(address)


def test_dask_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        Ox88Error, match=r"--scheduler needs Dask, which is not installed: pip install 'ox88\[cluster\]'"
    ):
        make_workers(2, "tcp://127.0.0.1:1")


@pytest.mark.slow
def test_schedulers_that_are_not_there() -> None:
    """Nothing is there, or a server that takes calls and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        for address in ("tcp://127.0.0.1:1", f"127.0.0.1:{server.getsockname()[1]}"):
            with pytest.raises(Ox88Error, match=f"the scheduler '{address}' cannot be reached: ") as error:
                make_workers(2, address)
            assert len(str(error.value).splitlines()) == 1
