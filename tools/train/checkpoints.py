"""Checkpoints of a training, in a journal."""

import time
from typing import Final

from ox88.apps.journal import Journal

_SLOTS: Final = (b"first", b"second")  # While a checkpoint is written into one, the other is kept.
_NUMBER: Final = 8  # Bytes in front of a checkpoint.


class Checkpoints:
    """latest: the last checkpoint of an earlier run; None without one."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._saved = time.monotonic()
        newest = max(journal.get(slot) or b"" for slot in _SLOTS)
        self._count = int.from_bytes(newest[:_NUMBER], "big")
        self.latest = newest[_NUMBER:] or None

    @property
    def age(self) -> float:
        """Seconds since the last one, or since the start."""
        return time.monotonic() - self._saved

    def save(self, checkpoint: bytes) -> None:
        """Raises Ox88Error if it cannot be written."""
        self._count += 1
        slot = _SLOTS[self._count % len(_SLOTS)]
        self._journal.forget([slot])
        self._journal.add(slot, self._count.to_bytes(_NUMBER, "big") + checkpoint)
        self._saved = time.monotonic()
