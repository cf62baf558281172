"""Which rows are the first with their position, among more than fit in memory.

Keys are sorted into files by their first byte; then each file alone is small enough to be looked through.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_FILES: Final = 256
_SHIFT: Final = np.uint64(56)
_KEYED: Final = np.dtype([("key", np.uint64), ("row", np.int64)])


def find_first(keys: Iterable[NDArray[np.uint64]], folder: Path, target: Path) -> None:
    """Write to a file a byte for each row, 1 for the first of each key. folder: for files of 16 bytes a row meanwhile.

    The file is there when all is done. Raises OSError.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        count = _sort_into_files(keys, folder)
        temporary = folder / "first"
        with temporary.open("wb") as file:
            file.truncate(count)
        if count:
            _mark_first(folder, np.memmap(temporary, np.bool_, "r+"))
        temporary.replace(target)  # At once or not at all.
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def open_first(path: Path) -> NDArray[np.bool_]:
    """bool[rows], in a file."""
    return np.memmap(path, np.bool_, "r") if path.stat().st_size else np.zeros(0, np.bool_)


def _sort_into_files(keys: Iterable[NDArray[np.uint64]], folder: Path) -> int:
    """Returns how many keys there were. A key twice in a part goes no further: first positions would fill a file."""
    count = 0
    for part in keys:
        found, rows = np.unique(part, return_index=True)
        keyed = np.empty(len(found), _KEYED)
        keyed["key"], keyed["row"] = found, rows + count
        ends = np.cumsum(np.bincount((found >> _SHIFT).astype(np.int64), minlength=_FILES))
        for number, some in enumerate(np.split(keyed, ends[:-1])):
            if len(some):
                with (folder / f"{number:02x}").open("ab") as file:
                    file.write(some.data)
        count += len(part)
    return count


def _mark_first(folder: Path, is_first: Any) -> None:
    for path in sorted(folder.glob("[0-9a-f][0-9a-f]")):
        keyed = np.fromfile(path, _KEYED)
        _, places = np.unique(keyed["key"], return_index=True)
        is_first[keyed["row"][places]] = True
    is_first.flush()
