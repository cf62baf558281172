"""The Parquet file while it grows: whole row groups, of which a journal says where they lie."""

import contextlib
import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from ox88.apps.dataset import footer
from ox88.apps.dataset.columns import MOVES, with_dictionaries, with_statistics
from ox88.apps.dataset.groups import Place
from ox88.apps.files import beside, explained
from ox88.apps.journal import Journal
from ox88.types import Ox88Error

_PART: Final = ".part"
_FINISHED: Final = b"finished"  # The footer is written, and perhaps the file has its name.
_PATIENCE: Final = 1.0  # Seconds of work that may be lost: waiting for a disk takes time.
_KEY_BYTES: Final = 8
_MANY: Final = 1 << 16  # Rows, beside which the dictionary of all moves is small.
_PAGE: Final = 1 << 18  # Bytes: small enough to be copied while it is still near the core.


class Output:
    """OUT.parquet.part and its journal. rows: so many are written. place: what comes next. is_finished: all is done."""

    def __init__(self, path: Path, journal: Journal) -> None:
        """Go on where the journal ends. Raises Ox88Error where the file is not what it says."""
        self._path = path
        self._part = beside(path, _PART)
        self._journal = journal
        self._groups: list[bytes] = []  # As footer.moved gives them.
        self._unsaved: list[dict[str, Any]] = []
        self._records = 0
        self._saved_at = time.monotonic()
        self.is_finished = _FINISHED in journal and not self._part.exists()
        self.place, self.rows, size = Place(), 0, len(footer.MAGIC)
        while (record := journal.get(_key(self._records))) is not None:
            for entry in json.loads(record):
                self._groups.append(footer.moved(bytes.fromhex(entry["footer"]), size, len(self._groups)))
                self.place, size = Place(**entry["place"]), entry["end"]
                self.rows += entry["rows"]
            self._records += 1
        if not self.is_finished:
            self._open(size)

    def _open(self, size: int) -> None:
        with explained(self._part):
            if self._groups and (not self._part.exists() or self._part.stat().st_size < size):
                raise Ox88Error(f"{self._part} is not what its journal says, {size} bytes or more: remove the journal")
            self._file = self._part.open("r+b" if self._groups else "wb")
            self._file.truncate(size if self._groups else 0)
            self._file.seek(0, os.SEEK_END)
            if not self._groups:
                self._file.write(footer.MAGIC)

    def add(self, encoded: memoryview, rows: int, end: Place) -> None:
        """Take a row group that is a Parquet file of its own; it is on the disk some seconds later."""
        data, own = footer.split(encoded)
        with explained(self._part):
            begin = self._file.tell()
            self._file.write(data)
        entry = {"end": begin + len(data), "rows": rows, "place": asdict(end), "footer": own.hex()}
        self._unsaved.append(entry)
        self._groups.append(footer.moved(own, begin, len(self._groups)))
        self.rows += rows
        self.place = end
        if time.monotonic() > self._saved_at + _PATIENCE:
            self.save()

    def save(self) -> None:
        """Let all groups be on the disk, then let the journal say so. Raises Ox88Error."""
        if self._unsaved:
            with explained(self._part):
                _to_disk(self._file)
            self._journal.add(_key(self._records), json.dumps(self._unsaved).encode())
            self._records += 1
            self._unsaved.clear()
        self._saved_at = time.monotonic()

    def finish(self, empty: memoryview) -> None:
        """Write the footer, and give the file its name. empty: a Parquet file of the same columns without rows."""
        self.save()
        with explained(self._path):
            self._file.write(footer.join(footer.split(empty)[1], self.rows, self._groups))
            _to_disk(self._file)
            self._file.close()
            if _FINISHED not in self._journal:
                self._journal.add(_FINISHED, b"")
            self._part.replace(self._path)  # At once or not at all.

    def close(self) -> None:
        if not self.is_finished:
            with contextlib.suppress(OSError):  # What is wrong was told when it was written.
                self._file.close()

    def remove(self) -> None:
        """Close the file and delete it: there is nothing in it."""
        self.close()
        self._part.unlink(missing_ok=True)


def _key(number: int) -> bytes:
    return number.to_bytes(_KEY_BYTES, "big")


def _to_disk(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())


def encode(pyarrow: Any, table: Any, columns: Sequence[str], compression: str) -> memoryview:
    """A table as a Parquet file with one row group."""
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(
        table,
        sink,
        row_group_size=max(len(table), 1),
        data_page_size=_PAGE,
        compression={name: _compression(name, compression, len(table)) for name in columns},
        use_dictionary=with_dictionaries(columns),
        write_statistics=with_statistics(columns),
        store_schema=False,  # Texts are texts for the reader, however they are kept.
    )
    return memoryview(sink.getvalue())


def _compression(column: str, chosen: str, rows: int) -> str:
    """Moves are numbers of words, in which LZ4 finds nothing; of few moves the words are most, and those it packs."""
    return "none" if column in MOVES and chosen != "zstd" and rows > _MANY else chosen
