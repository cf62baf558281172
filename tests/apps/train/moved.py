"""The clock moved, for a program that is not ours to stop: all that it has kept moves back instead."""

import contextlib
import sqlite3
from pathlib import Path

_DAY = 86_400


def days_later(store: Path, days: float) -> None:
    """Move what is kept of the training in a store back, as if some days had passed."""
    with contextlib.closing(sqlite3.connect(store, timeout=5)) as file, file:
        file.execute("UPDATE cards SET due = due - ?, added = added - ?", (days * _DAY, days * _DAY))
        file.execute("UPDATE sessions SET time = time - ?", (days * _DAY,))
        moved = "UPDATE answers SET time = time - ?, data = json_set(data, '$.time', time - ?)"
        file.execute(moved, (days * _DAY, days * _DAY))
