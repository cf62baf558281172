"""The search of micro-Max in a thread: what waiting for it costs."""

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from ox88.engines.micromax.machine_search import MachineSearch
from ox88.threads import Background
from tests.processes import PATIENCE


class SlowToStop:
    """Stands in for a Machine whose search ends a while after it was stopped."""

    def __init__(self) -> None:
        self.record = SimpleNamespace(stop=0, log_length=0)
        self._is_stopped = threading.Event()

    def think(self, *_: int) -> None:
        self._is_stopped.wait(PATIENCE)
        time.sleep(0.1)

    def stop(self) -> None:
        self._is_stopped.set()

    def iterations(self, *_: object) -> list[object]:
        return []


def test_who_waits_for_the_end_leaves_python_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """To ask again and again without a pause would keep Python's lock, which the search needs to end."""
    waits: list[float] = []
    wait = Background.wait

    def counted(self: Background[None], seconds: float) -> bool:
        waits.append(seconds)
        return wait(self, seconds)

    monkeypatch.setattr(Background, "wait", counted)
    machine: Any = SlowToStop()
    assert list(MachineSearch(machine, seconds=0.01).iterations()) == []
    assert len(waits) < 200
