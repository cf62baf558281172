"""Calls in other threads: results, errors, and Ctrl-C while the main thread waits for them."""

import functools
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from ox88.threads import IDLE_THREAD, Background, next_item, noting_interrupts, run_all, wait_for
from tests.processes import PATIENCE, interrupt_when_waiting


def test_a_result_and_an_error() -> None:
    assert Background(lambda: 7, lambda: None).result() == 7
    with pytest.raises(ZeroDivisionError):
        Background(lambda: 1 // 0, lambda: None).result()


def test_calls_in_turn_share_a_thread_and_calls_at_once_do_not() -> None:
    seen = [Background(threading.current_thread, lambda: None).result()]
    for _ in range(20):
        while seen[-1].name != IDLE_THREAD:
            time.sleep(0.001)
        seen.append(Background(threading.current_thread, lambda: None).result())
    assert len(set(seen)) == 1
    barrier = threading.Barrier(4)
    together = [Background(lambda: barrier.wait(PATIENCE), lambda: None) for _ in range(4)]
    assert sorted(each.result() for each in together) == [0, 1, 2, 3]


def test_an_idle_thread_ends_after_a_while_and_keeps_nothing_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    class Large:
        def call(self, barrier: threading.Barrier) -> threading.Thread:
            barrier.wait(PATIENCE)
            return threading.current_thread()

    monkeypatch.setattr("ox88.threads.IDLE_SECONDS", 0.05)
    large = Large()
    gone = weakref.ref(large)
    barrier = threading.Barrier(12)  # More calls than threads that may be idle already.
    others = [Background(lambda: barrier.wait(PATIENCE), lambda: None) for _ in range(11)]
    background = Background(functools.partial(large.call, barrier), lambda: None)
    thread = background.result()
    del large, background
    until = time.monotonic() + PATIENCE
    while (gone() is not None or thread.is_alive()) and time.monotonic() < until:
        time.sleep(0.01)
    assert gone() is None
    assert not thread.is_alive()
    assert all(other.wait(PATIENCE) for other in others)


_FORKING = """
import os
from ox88.threads import Background

Background(lambda: 7, lambda: None).result()
child = os.fork()
if child == 0:
    os._exit(0 if Background(lambda: 7, lambda: None).wait(600) else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.posix("fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    """The thread that is idle in the parent does not exist in the child."""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", _FORKING]
    assert subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout == "0\n"


@pytest.mark.parametrize("delay", [0.05, 0.15, 0.25])
def test_ctrl_c_stops_the_call_before_it_is_raised(delay: float) -> None:
    stopped, ended = threading.Event(), threading.Event()

    def work() -> None:
        stopped.wait(PATIENCE)
        time.sleep(0.05)
        ended.set()

    background = Background(work, stopped.set)
    interrupt_when_waiting(delay)
    with pytest.raises(KeyboardInterrupt):
        background.result()
    assert ended.is_set()


def test_one_future_and_the_next_item() -> None:
    def late() -> int:
        time.sleep(0.1)
        return 7

    items: queue.SimpleQueue[int] = queue.SimpleQueue()
    threading.Timer(0.1, items.put, (8,)).start()
    assert next_item(items) == 8
    with ThreadPoolExecutor(1) as pool:
        assert wait_for(pool.submit(late)) == 7
        with pytest.raises(ZeroDivisionError):
            wait_for(pool.submit(lambda: 1 // 0))


def test_all_calls_end_before_an_error_is_raised() -> None:
    stopped, ended = threading.Event(), threading.Event()

    def work() -> None:
        assert stopped.wait(PATIENCE)
        time.sleep(0.1)
        ended.set()

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(ZeroDivisionError):
            run_all(pool, [work, lambda: 1 // 0], stopped.set)
        assert ended.is_set()


def test_ctrl_c_ends_all_calls() -> None:
    stopped = threading.Event()
    interrupt_when_waiting()
    with ThreadPoolExecutor(2) as pool, pytest.raises(KeyboardInterrupt):
        run_all(pool, [lambda: stopped.wait(PATIENCE)] * 2, stopped.set)
    assert stopped.is_set()


def test_interrupts_are_noted() -> None:
    stops: list[str] = []
    with noting_interrupts(lambda: stops.append("stop")) as interrupts:
        assert not interrupts
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert interrupts == [signal.SIGINT] * 2
        assert stops == ["stop"] * 2
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
