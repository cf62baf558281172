"""What is kept in SQLite: games, analyses, and their summaries."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from ox88.apps.store import KINDS, Store
from ox88.errors import Ox88Error


def test_what_is_saved_is_there_for_the_next(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite3"
    with Store(path) as first:
        first.games.save("a", {"moves": ["e2e4"]})
        first.games.save("a", {"moves": ["e2e4", "e7e5"]})
        with Store(path) as second:  # The first was not closed, as if it were killed.
            assert second.games.load("a") == {"moves": ["e2e4", "e7e5"]}
            assert second.games.load("b") is None


@pytest.mark.parametrize("kind", KINDS)
def test_items_are_listed_and_deleted(store: Store, tmp_path: Path, kind: str) -> None:
    items, other = (store.games, store.analyses) if kind == "games" else (store.analyses, store.games)
    other.save("other", {"moves": []})
    other.summarise("other", 1.0, {})
    for item_id in "abc":
        items.save(item_id, {"moves": [item_id]})
    todo = items.unsummarised()
    assert [(item_id, json.loads(data)) for item_id, _, data in todo] == [(name, {"moves": [name]}) for name in "abc"]
    for item_id, changed, _ in todo:
        items.summarise(item_id, changed, {"plies": 1})
        assert item_id in [each for each, _, _ in items.unsummarised()]  # An older version's, without a position.
        items.summarise(item_id, changed, {"name": item_id})
    assert items.unsummarised() == []
    items.save("a", {"moves": ["a"]})  # Nothing has changed.
    assert [item_id for item_id, _, _ in items.summaries()] == ["c", "b", "a"]
    items.save("b", {"moves": ["b", "d"]})
    assert [item_id for item_id, _, _ in items.summaries()] == ["c", "a"]
    assert [item_id for item_id, _, _ in items.unsummarised()] == ["b"]
    items.delete("c")
    assert list(items.summaries()) == [("a", todo[0][1], {"name": "a"})]
    assert items.load("c") is None
    with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite3")) as file:
        for table, kept in ((kind, {"a", "b"}), ("summaries", {"a", "b", "other"})):
            assert {item_id for (item_id,) in file.execute(f"SELECT id FROM {table}")} == kept  # noqa: S608


def test_a_store_of_an_older_version_is_read_and_written_by_both(tmp_path: Path) -> None:
    """The older one knows no analyses, and joins games with all summaries."""
    path = tmp_path / "games.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as older:
        for table in ("games", "summaries"):
            older.execute(f"CREATE TABLE {table} (id TEXT PRIMARY KEY, changed REAL NOT NULL, data TEXT NOT NULL)")
        older.execute("REPLACE INTO games VALUES ('a', 1.0, '{}')")
        older.commit()
        with Store(path) as store:
            assert store.games.load("a") == {}
            store.games.summarise("a", 1.0, {})
            older.execute("REPLACE INTO games VALUES ('a', 2.0, '[]')")
            older.commit()
            assert store.games.unsummarised() == [("a", 2.0, "[]")]
            store.analyses.save("b", {})
            store.analyses.summarise("b", store.analyses.unsummarised()[0][1], {"name": "b"})
            listed = older.execute("SELECT id, summaries.data FROM games JOIN summaries USING (id, changed)")
            assert listed.fetchall() == []
            assert [name for name, _, _ in store.analyses.summaries()] == ["b"]


def test_a_store_that_fails_says_so(store: Store, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite3")) as other:
        other.execute("DROP TABLE games")
        with pytest.raises(Ox88Error, match=r"games cannot be kept in .*no such table"):
            store.games.save("a", {})
    path = tmp_path / "file"
    path.write_text("This is no database, although it is long enough to be taken for one." * 20)
    for other_path in (path, path / "games.sqlite3"):
        with pytest.raises(Ox88Error, match="games cannot be kept in"):
            Store(other_path)


def test_a_transaction_is_saved_as_a_whole_or_not_at_all(store: Store, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite3") as other:
        with contextlib.suppress(ZeroDivisionError), store.transaction():
            store.games.save("a", {})
            assert other.games.load("a") is None
            raise ZeroDivisionError
        assert store.games.load("a") is None
        with store.transaction():
            store.games.save("b", {})
        assert other.games.load("b") == {}
