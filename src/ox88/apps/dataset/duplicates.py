"""Find the first row of each position, among more rows than fit in memory.

Keys are sorted into files by their first byte. Equal keys are in the same file, and each file fits in memory.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

_FILES: Final = 256
_SHIFT: Final = np.uint64(56)
_KEYED: Final = np.dtype([("key", np.uint64), ("row", np.int64)])


def find_first(keys: Iterable[NDArray[np.uint64]], folder: Path, target: Path) -> None:
    """Find the first row of each key.

    Args:
        keys: the keys of all rows, in several arrays.
        folder: for temporary files, of 16 bytes per row.
        target: the file to write when all is done: a byte for each row, 1 for the first row of a key, else 0.

    Raises:
        OSError: A file cannot be written.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        count = _sort_into_files(keys, folder)
        temporary = folder / "first"
        with temporary.open("wb") as file:
            file.truncate(count)
        if count:
            is_first = np.memmap(temporary, np.bool_, "r+")
            for path in sorted(folder.glob("[0-9a-f][0-9a-f]")):
                keyed = np.fromfile(path, _KEYED)
                _, places = np.unique(keyed["key"], return_index=True)
                is_first[keyed["row"][places]] = True
            is_first.flush()
            del is_first  # Windows renames no file that is mapped.
        temporary.replace(target)  # The file appears at once or not at all.
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def open_first(path: Path) -> NDArray[np.bool_]:
    """bool[rows], in a file."""
    return np.memmap(path, np.bool_, "r") if path.stat().st_size else np.zeros(0, np.bool_)


def _sort_into_files(keys: Iterable[NDArray[np.uint64]], folder: Path) -> int:
    """Sort keys into files, and return how many there were.

    Of equal keys in a part only the first is kept: else the file with the start position would be too large.
    """
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
