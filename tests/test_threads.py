"""Calls in the background, and Ctrl-C while they are waited for."""

import _thread
import threading
import time

import pytest

from ox88.threads import Background


def test_a_result_and_an_error() -> None:
    assert Background(lambda: 7, lambda: None).result() == 7
    with pytest.raises(ZeroDivisionError):
        Background(lambda: 1 // 0, lambda: None).result()


@pytest.mark.parametrize("delay", [0.05, 0.15, 0.25])
def test_ctrl_c_stops_the_call_before_it_is_raised(delay: float) -> None:
    stopped, ended = threading.Event(), threading.Event()

    def work() -> None:
        stopped.wait(30)
        time.sleep(0.05)
        ended.set()

    background = Background(work, stopped.set)
    threading.Timer(delay, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        background.result()
    assert ended.is_set()
