"""Games in an SQLite file. A saved game survives any end of the program."""

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ox88.errors import Ox88Error

# A summary describes the game as it was when it was last `changed`.
_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, changed REAL NOT NULL, data TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS summaries (id TEXT PRIMARY KEY, changed REAL NOT NULL, data TEXT NOT NULL)",
)
_SAVE: Final = """
    INSERT INTO games VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, data = excluded.data WHERE data != excluded.data
"""  # Where nothing has changed, the time of the last change stays.
_UNSUMMARISED: Final = (
    "SELECT id, changed, games.data FROM games LEFT JOIN summaries USING (id, changed) WHERE summaries.data IS NULL"
)
_SUMMARIES: Final = "SELECT id, summaries.data FROM games JOIN summaries USING (id, changed) ORDER BY changed DESC"
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
                for table in _TABLES:
                    self._connection.execute(table)
            except BaseException:
                self._connection.close()
                raise

    def save(self, game_id: str, data: dict[str, Any]) -> None:
        self._execute(_SAVE, game_id, time.time(), json.dumps(data))

    def load(self, game_id: str) -> dict[str, Any] | None:
        rows = self._execute("SELECT data FROM games WHERE id = ?", game_id)
        return json.loads(rows[0][0]) if rows else None

    def delete(self, game_id: str) -> None:
        self._execute("DELETE FROM games WHERE id = ?", game_id)
        self._execute("DELETE FROM summaries WHERE id = ?", game_id)

    def unsummarised(self) -> list[tuple[str, float, str]]:
        """The games without a summary, or with one of an earlier state: id, time of the last change, data as JSON."""
        return self._execute(_UNSUMMARISED)

    def summarise(self, game_id: str, changed: float, summary: dict[str, Any]) -> None:
        """Keep a summary of a game as it was at the time of a change."""
        self._execute("REPLACE INTO summaries VALUES (?, ?, ?)", game_id, changed, json.dumps(summary))

    def summaries(self) -> dict[str, dict[str, Any]]:
        """The summaries of all games that have one, by id; the game that was changed last comes first."""
        return {game_id: json.loads(data) for game_id, data in self._execute(_SUMMARIES)}

    def _execute(self, statement: str, *values: object) -> list[Any]:
        with self._explained():
            return self._connection.execute(statement, values).fetchall()

    def __enter__(self) -> "GameStore":
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise Ox88Error(f"games cannot be kept in {self._path}: {error}") from None
