"""The journal of finished jobs: a result stays in it, and is stored once."""

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ox88.apps.journal import Journal
from ox88.errors import Ox88Error
from tests.processes import PATIENCE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out.journal"


def test_results_stay(path: Path) -> None:
    with Journal(path, {}) as journal:
        assert len(journal) == 0
        journal.add(b"a", b"\0result")
        assert b"a" in journal
        assert b"b" not in journal
    with Journal(path, {}) as journal:
        assert (len(journal), journal.get(b"a"), journal.get(b"b")) == (1, b"\0result", None)
        with pytest.raises(Ox88Error, match="UNIQUE"):
            journal.add(b"a", b"again")
        journal.remove()
    assert list(path.parent.iterdir()) == []


def test_sizes_and_results_that_are_deleted(path: Path) -> None:
    with Journal(path, {}) as journal:
        assert journal.size(b"a") == 0
        for key, result in ((b"a1", b"123"), (b"a\0", b"\0"), (b"b", b"12345")):
            journal.add(key, result)
        assert [journal.size(prefix) for prefix in (b"a", b"a1", b"b", b"", b"c")] == [4, 3, 5, 9, 0]
        journal.forget([b"a1", b"b", b"d"])
        assert [key in journal for key in (b"a1", b"a\0", b"b")] == [False, True, False]
        journal.add(b"b", b"again")


def test_other_settings_are_refused(path: Path) -> None:
    with Journal(path, {"nodes": 100, "files": ("a", "b")}) as journal:
        journal.add(b"a", b"")
    with pytest.raises(Ox88Error, match=r"nodes 100, and now 200; unique none, and now true\. .* remove it"):
        Journal(path, {"nodes": 200, "files": ("a", "b"), "unique": True})
    with Journal(path, {"nodes": 100, "files": ("a", "b")}) as journal:
        assert len(journal) == 1


@pytest.mark.posix("copies of open files")
def test_killed_while_it_is_made(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files as they are before each statement: all of them are a journal of this work."""
    states: list[dict[str, bytes]] = []
    connect = sqlite3.connect

    def watched(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(
            lambda _: states.append({found.name: found.read_bytes() for found in path.parent.iterdir()})
        )
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", watched)
        Journal(path, {}).close()
    assert len(states) > 5
    for number, state in enumerate(states):
        folder = path.parent / str(number)
        folder.mkdir()
        for name, data in state.items():
            (folder / name).write_bytes(data)
        Journal(folder / path.name, {}).close()


def test_one_process_at_a_time(path: Path) -> None:
    with Journal(path, {}), pytest.raises(Ox88Error, match="another process has it"):
        Journal(path, {})


@pytest.mark.parametrize("content", [b"no data base at all, but a text that is long enough to be looked at" * 20, None])
def test_files_that_are_none(content: bytes | None, path: Path) -> None:
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(Ox88Error, match=f"the journal {path} cannot be used"):
        Journal(path, {})
    assert content is None or path.read_bytes() == content


def test_a_file_whose_text_is_damaged(path: Path) -> None:
    """SQLite's message quotes it, in bytes that are no text."""
    with Journal(path, {}):
        pass
    content = path.read_bytes()
    assert b"CREATE TABLE done" in content
    path.write_bytes(content.replace(b"CREATE TABLE done", b"CREATE \xe5ABLE done"))
    with pytest.raises(Ox88Error, match="cannot be used: "), Journal(path, {}):
        pass


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("DELETE FROM about WHERE name = 'settings'", "is damaged: its settings cannot be read; remove it"),
        ("UPDATE about SET value = '{' WHERE name = 'settings'", "is damaged: its settings cannot be read; remove it"),
        ("UPDATE about SET value = '0' WHERE name = 'format'", "a journal of another version of Ox88"),
    ],
)
def test_what_it_says_about_itself_is_damaged_or_of_another_version(path: Path, change: str, message: str) -> None:
    Journal(path, {}).close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(change)
    with pytest.raises(Ox88Error, match=message):
        Journal(path, {})


WRITER = """
import os, sys
from pathlib import Path
from ox88.apps.journal import Journal
with Journal(Path(sys.argv[1]), {{}}) as journal:
    for number in range(100):
        journal.add(bytes([number]), b"result" * 1000)
    {end}
"""


def test_what_was_added_survives_a_kill(path: Path) -> None:
    code = WRITER.format(end="os.kill(os.getpid(), 9)")
    process = subprocess.run([sys.executable, "-c", code, str(path)], check=False, timeout=PATIENCE)
    assert process.returncode != 0
    with Journal(path, {}) as journal:
        assert len(journal) == 100
        assert journal.get(bytes([99])) == b"result" * 1000


@pytest.mark.posix("limits of resources")
def test_a_full_disk(path: Path) -> None:
    limit = "import resource, signal; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
    code = limit + WRITER.format(end="")
    process = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert "Ox88Error: the journal" in process.stderr
    with Journal(path, {}) as journal:
        assert 0 < len(journal) < 100
        assert all(journal.get(bytes([number])) == b"result" * 1000 for number in range(len(journal)))
