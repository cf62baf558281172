"""Games in an SQLite file. A saved game survives any end of the program."""

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ox88.types import Ox88Error

_TABLE: Final = "CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, changed REAL NOT NULL, data TEXT NOT NULL)"
_PATIENCE: Final = 5.0  # Seconds to wait for another server that writes to the same file.


class GameStore:
    """Games by id, as plain data. A context manager. All methods raise Ox88Error if the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = NORMAL")
                self._connection.execute(_TABLE)
            except BaseException:
                self._connection.close()
                raise

    def save(self, game_id: str, data: dict[str, Any]) -> None:
        with self._explained():
            self._connection.execute("REPLACE INTO games VALUES (?, ?, ?)", (game_id, time.time(), json.dumps(data)))

    def load(self, game_id: str) -> dict[str, Any] | None:
        with self._explained():
            row = self._connection.execute("SELECT data FROM games WHERE id = ?", (game_id,)).fetchone()
        return None if row is None else json.loads(row[0])

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def __enter__(self) -> "GameStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise Ox88Error(f"games cannot be kept in {self._path}: {error}") from None
