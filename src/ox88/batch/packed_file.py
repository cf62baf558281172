"""Packed positions in files: a header of 64 bytes, then PACKED records.

    bytes 0-7     `OX88POS` and the byte 0x88, which no text has
    bytes 8-11    version, 1
    bytes 12-15   bytes of each position, 32
    bytes 16-23   number of positions
    bytes 24-63   zeros

All numbers are little-endian.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.packed import PACKED, pack
from ox88.errors import Ox88Error, unreadable

MAGIC: Final = b"OX88POS\x88"
VERSION: Final = 1
HEADER: Final = np.dtype(
    [("magic", "V8"), ("version", "<u4"), ("itemsize", "<u4"), ("count", "<u8"), ("unused", "V40")]
)
_BLOCK: Final = 1 << 20  # Positions packed at a time.


class PositionFileError(Ox88Error):
    """A file is not a file of positions, or is incomplete.

    Attributes:
        path: The file.
        reason: A description of the error.
    """

    def __init__(self, path: os.PathLike[str] | str, reason: str) -> None:
        super().__init__(f"{os.fspath(path)}: {reason}")
        self.path: Path = Path(path)
        self.reason = reason


def save(records: NDArray[Any], path: os.PathLike[str] | str, threads: int | None) -> None:
    header = np.zeros(1, HEADER)
    header["magic"] = np.void(MAGIC)
    header["version"], header["itemsize"], header["count"] = VERSION, PACKED.itemsize, len(records)
    try:
        with _replaced(Path(path)) as file:
            file.write(header.tobytes())
            for first in range(0, len(records), _BLOCK):
                file.write(pack(records[first : first + _BLOCK], threads).data)
    except OSError as error:
        raise unreadable(os.fspath(path), error, "cannot be written") from error


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, which at the end takes the place of the one at a path. After an error that one is unchanged.

    It may be mapped, and a mapped file that becomes shorter kills its process. Pipes and devices are written directly.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))  # The file, if the path is a link to it.
    temporary = target.with_name(f"ox88-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            yield file
        if target.exists():
            target.open("r+b").close()  # Fails if the file is write-protected.
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def open_packed(path: os.PathLike[str] | str) -> NDArray[Any]:
    """PACKED[n], memory-mapped. Raises PositionFileError, and FileError if it cannot be read."""
    try:
        size = Path(path).stat().st_size
        with Path(path).open("rb") as file:
            start = file.read(HEADER.itemsize)
    except OSError as error:
        raise unreadable(os.fspath(path), error) from error
    if not start.startswith(MAGIC):
        raise PositionFileError(path, f"not a file of positions: {MAGIC!r} is expected at its beginning")
    if len(start) < HEADER.itemsize:
        raise PositionFileError(path, f"cut off: it has {size} bytes, less than its header of {HEADER.itemsize}")
    header = np.frombuffer(start, HEADER)[0]
    if header["version"] != VERSION or header["itemsize"] != PACKED.itemsize:
        found = f"version {header['version']} with {header['itemsize']} bytes a position"
        raise PositionFileError(path, f"{found}: version {VERSION} with {PACKED.itemsize} is expected")
    expected = HEADER.itemsize + int(header["count"]) * PACKED.itemsize
    if size != expected:
        what = "cut off" if size < expected else "too long"
        raise PositionFileError(path, f"{what}: it has {size} bytes, and {header['count']} positions take {expected}")
    if header["count"] == 0:
        return np.empty(0, PACKED)
    return np.memmap(path, PACKED, "r", HEADER.itemsize, int(header["count"]))
