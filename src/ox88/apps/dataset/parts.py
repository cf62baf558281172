"""A folder of Parquet files, the parts of a data set. The metadata of a part say where the next part begins."""

import contextlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from pyarrow import ArrowException, parquet

from ox88.apps.files import explained
from ox88.apps.journal import Journal, check_settings
from ox88.errors import Ox88Error

PART_ROWS: Final = 1 << 20
ROW_GROUP: Final = 1 << 17
_UNFINISHED: Final = ".unfinished"  # The folder of all but finished parts. Readers skip names that begin with a dot.
_METADATA: Final = b"ox88"


class PartFolder:
    """A folder with part-00000.parquet and so on.

    count: the number of parts. state: where the next part begins; empty if there is no part. journal: for results that
    are not in a part yet; it also keeps other processes out. work_folder: for temporary files.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        """Create the folder, or open one that was made with the same settings. Raises Ox88Error."""
        self._path = path
        self._settings = json.loads(json.dumps(settings))
        self.work_folder = path / _UNFINISHED
        names = sorted(found.name for found in path.glob("*.parquet"))
        self.count = len(names)
        self.state = self._read_state(names)
        with explained(path):
            path.mkdir(exist_ok=True)
            self.work_folder.mkdir(exist_ok=True)
        self.journal = Journal(self.work_folder / "done.journal", self._settings)

    def _read_state(self, names: list[str]) -> dict[str, Any]:
        for number, name in enumerate(names):
            if name != part_name(number):
                raise Ox88Error(f"{self._path} has {name} where {part_name(number)} is expected: name another folder")
        if not names:
            return {}
        found = read_metadata(self._path / names[-1])
        check_settings(self._path, found["settings"], self._settings)
        state: dict[str, Any] = found["state"]
        return state

    def write(self, number: int, pieces: Iterable[tuple[Any, dict[str, Any]]], **options: Any) -> dict[str, Any]:
        """Write a part under a temporary name. Several threads may do so at a time.

        Args:
            number: the number of the part.
            pieces: each a pyarrow.Table and a state, data for JSON that a later run needs to resume after this table.
            options: for pyarrow.parquet.ParquetWriter.

        Returns:
            The state of the last piece.
        """
        stream = iter(pieces)
        first = next(stream)
        with explained(self._path), (self.work_folder / part_name(number)).open("wb") as file:
            # With its own schema in the file, pyarrow would read texts as the kind of column they were written from.
            with parquet.ParquetWriter(file, first[0].schema, store_schema=False, **options) as writer:
                for piece in chain([first], stream):
                    writer.write_table(piece[0], row_group_size=ROW_GROUP)
                    state = piece[1]
                about = {"settings": self._settings, "state": state}
                writer.add_key_value_metadata({_METADATA: json.dumps(about)})
            file.flush()
            os.fsync(file.fileno())
        return state

    def add(self, state: Mapping[str, Any]) -> None:
        """Give the next part its name, so that it appears complete or not at all. state: as `write` returned it."""
        name = part_name(self.count)
        with explained(self._path):
            (self.work_folder / name).replace(self._path / name)
        self.count, self.state = self.count + 1, dict(state)

    def close(self, is_finished: bool) -> None:
        """Close the journal. is_finished: delete it and all other temporary files, and the folder if it is empty."""
        self.journal.close()
        if is_finished:
            shutil.rmtree(self.work_folder, ignore_errors=True)  # Windows keeps files that are open.
            with contextlib.suppress(OSError):
                self._path.rmdir()


def part_name(number: int) -> str:
    return f"part-{number:05}.parquet"


def read_metadata(path: Path) -> dict[str, Any]:
    """The settings and the state of a part. Raises Ox88Error if the file is no part."""
    try:
        found: dict[str, Any] = json.loads(parquet.read_metadata(path).metadata[_METADATA])
    except (OSError, ArrowException, KeyError, TypeError):
        raise Ox88Error(f"{path} is not part of a data set that ox88 has made: name another folder") from None
    return found
