"""Games and analyses in an SQLite file. What is saved survives any end of the program."""

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import platformdirs

from ox88.errors import Ox88Error

STORE: Final = "games.sqlite3"  # The file's name in the data folder.
GAMES, ANALYSES = KINDS = ("games", "analyses")  # Each kind has a table of its own.
# A summary has the `changed` of the item that it was made of. An id is unique among the items of all kinds.
_TABLE: Final = "CREATE TABLE IF NOT EXISTS {} (id TEXT PRIMARY KEY, changed REAL NOT NULL, data TEXT NOT NULL)"
_SAVE: Final = """
    INSERT INTO {} VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, data = excluded.data WHERE data != excluded.data
"""  # Where nothing has changed, the time of the last change stays.
_UNSUMMARISED: Final = (
    "SELECT id, changed, item.data FROM {} item LEFT JOIN summaries USING (id, changed) WHERE summaries.data IS NULL "
    # An older version's of a game has no position.
    """OR summaries.data GLOB '*"plies":*' AND summaries.data NOT GLOB '*"fen":*'"""
)
_SUMMARIES: Final = (
    "SELECT id, changed, summaries.data FROM {} JOIN summaries USING (id, changed) ORDER BY changed DESC"
)
_PATIENCE: Final = 5.0  # Seconds to wait for another server that writes to the same file.


def data_folder() -> Path:
    """Where a person's games and training are kept."""
    return Path(platformdirs.user_data_dir("ox88", appauthor=False))


class Store:
    """The file, as a context manager. Its methods and its tables' methods raise Ox88Error if it cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = NORMAL")
                for table in (*KINDS, "summaries"):
                    self._connection.execute(_TABLE.format(table))
            except BaseException:
                self._connection.close()
                raise
        self.games, self.analyses = Table(self, GAMES), Table(self, ANALYSES)

    def execute(self, statement: str, *values: object) -> list[Any]:
        """The rows that a statement of SQL answers."""
        with self._explained():
            return self._connection.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is executed within is saved, or nothing. Nobody else writes meanwhile."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.execute("ROLLBACK")
            raise
        self.execute("COMMIT")

    def __enter__(self) -> "Store":
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


class Table:
    """The items of one kind by id, as plain data."""

    def __init__(self, store: Store, kind: str) -> None:
        self._store = store
        self._kind = kind

    def save(self, item_id: str, data: dict[str, Any]) -> None:
        self._execute(_SAVE, item_id, time.time(), json.dumps(data))

    def load(self, item_id: str) -> dict[str, Any] | None:
        rows = self._execute("SELECT data FROM {} WHERE id = ?", item_id)
        return json.loads(rows[0][0]) if rows else None

    def ids(self) -> list[str]:
        """Of all items; what was changed last comes last."""
        return [item_id for (item_id,) in self._execute("SELECT id FROM {} ORDER BY changed")]

    def delete(self, item_id: str) -> tuple[Any, ...] | None:
        """What `restore` takes; None if there is no such item."""
        rows = self._execute("SELECT id, changed, data FROM {} WHERE id = ?", item_id)
        self._execute("DELETE FROM {} WHERE id = ?", item_id)
        self._execute("DELETE FROM summaries WHERE id = ?", item_id)
        return rows[0] if rows else None

    def restore(self, deleted: tuple[Any, ...]) -> None:
        self._execute("INSERT INTO {} VALUES (?, ?, ?)", *deleted)

    def unsummarised(self) -> list[tuple[str, float, str]]:
        """The items without a summary, or with one of an earlier state: id, time of the last change, data as JSON."""
        return self._execute(_UNSUMMARISED)

    def summarise(self, item_id: str, changed: float, summary: dict[str, Any]) -> None:
        """Keep a summary of an item as it was at the time of a change."""
        self._execute("REPLACE INTO summaries VALUES (?, ?, ?)", item_id, changed, json.dumps(summary))

    def summaries(self) -> Iterator[tuple[str, float, dict[str, Any]]]:
        """The items that have a summary: id, time of the last change, summary; what was changed last comes first."""
        for item_id, changed, data in self._execute(_SUMMARIES):
            yield item_id, changed, json.loads(data)

    def _execute(self, statement: str, *values: object) -> list[Any]:
        return self._store.execute(statement.format(self._kind), *values)
