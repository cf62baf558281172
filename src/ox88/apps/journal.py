"""A journal of finished jobs, in SQLite. It survives any end of the program, so a later run resumes from it."""

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from ox88.apps.files import beside
from ox88.errors import Ox88Error

ENDING: Final = ".journal"
_FORMAT: Final = "2"
_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS done (key BLOB PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID;
"""


class Journal:
    """Results by key, in a file. A context manager that closes the file; `remove` deletes it too.

    Each result is on the disk when `add` returns. Only one process at a time can use the file.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        """Open or create a journal. settings: all that the results depend on, as data for JSON.

        Raises Ox88Error if the file cannot be used, or was made with other settings.
        """
        self._path = path
        with self._explained():
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(json.dumps(settings))
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self, settings: str) -> None:
        self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.executescript(_TABLES)
        own = {"format": _FORMAT, "settings": settings}
        found = dict(self._connection.execute("SELECT name, value FROM about")) or own
        if found.get("format") != _FORMAT:
            text = f"{self._path} is a journal of another version of Ox88: remove it, or go on with that version"
            raise Ox88Error(text)
        try:
            kept = json.loads(found["settings"])
        except (KeyError, ValueError):
            kept = None
        if not isinstance(kept, dict):
            raise Ox88Error(f"the journal {self._path} is damaged: its settings cannot be read; remove it")
        check_settings(self._path, kept, json.loads(settings))
        query = "INSERT OR IGNORE INTO about VALUES ('format', :format), ('settings', :settings)"
        self._connection.execute(query, own)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _first_row(self, query: str, *arguments: object) -> Any:
        """The first row that a query finds; None if there is none."""
        with self._explained():
            return self._connection.execute(query, arguments).fetchone()

    def __len__(self) -> int:
        return int(self._first_row("SELECT count(*) FROM done")[0])

    def __contains__(self, key: bytes) -> bool:
        return self._first_row("SELECT 1 FROM done WHERE key = ?", key) is not None

    def add(self, key: bytes, result: bytes) -> None:
        """Keep the result of a job. Raises Ox88Error if it cannot be written, such as on a full disk."""
        self._first_row("INSERT INTO done VALUES (?, ?)", key, result)

    def get(self, key: bytes) -> bytes | None:
        """The result of a job; None if it is not done."""
        row = self._first_row("SELECT result FROM done WHERE key = ?", key)
        return None if row is None else bytes(row[0])

    def size(self, prefix: bytes) -> int:
        """The sum of the sizes in bytes of all results whose keys begin with the prefix."""
        query = "SELECT coalesce(sum(length(result)), 0) FROM done WHERE substr(key, 1, ?) = ?"
        return int(self._first_row(query, len(prefix), prefix)[0])

    def forget(self, keys: Iterable[bytes]) -> None:
        """Delete the results of some jobs."""
        with self._explained(), self._connection:
            self._connection.execute("BEGIN")
            self._connection.executemany("DELETE FROM done WHERE key = ?", ((key,) for key in keys))

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):  # `add` has raised it already.
            self._connection.close()

    def remove(self) -> None:
        """Close the journal, and delete its files."""
        self.close()
        for ending in ("", "-wal", "-shm"):
            beside(self._path, ending).unlink(missing_ok=True)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:  # SQLite's message may quote a damaged file.
            reason = "another process has it" if "locked" in str(error) else str(error)
            raise Ox88Error(f"the journal {self._path} cannot be used: {reason}") from None


def check_settings(path: Path, found: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    """Raises Ox88Error, which names the settings that have changed since the work began."""
    names = [name for name in {**found, **own} if found.get(name) != own.get(name)]
    if names:
        different = "; ".join(f"{name} {_text(found.get(name))}, and now {_text(own.get(name))}" for name in names)
        advice = "Give the old settings, name another output or remove it"
        raise Ox88Error(f"{path} was made with other settings: {different}. {advice}")


def _text(value: Any) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
