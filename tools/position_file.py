"""A file of packed positions that grows job by job: whatever ends the program, no job that was finished is lost.

A line of text tells the settings that it was made with, as JSON. Behind it come chunks, one a job: 32 bytes that name
the job, and its PACKED records.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from ox88.types import Ox88Error
from tools.packing import PACKED, Packed

_CHUNK: Final = np.dtype([("mark", "S8"), ("job", "<u4"), ("count", "<u4"), ("checksum", "<u4"), ("unused", "V12")])
_FILE_MARK: Final = b"ox88 positions 1 "
_CHUNK_MARK: Final = b"ox88 job"

Settings = Mapping[str, Any]


class Chunk(NamedTuple):
    """A finished job, and its positions: PACKED records."""

    job: int
    records: Packed


class PositionFile:
    """A file of positions to go on with. jobs: those that it holds. count: of its positions."""

    def __init__(self, path: Path, settings: Settings) -> None:
        """Raises Ox88Error where the file cannot be used, or comes of other settings.

        settings: all that the positions depend on, as JSON has it. A job at the end that was cut short is wiped.
        """
        self._path = path
        head = _head(settings)
        try:
            data = path.read_bytes() if path.exists() else b""
            if data[: len(head)] != head[: len(data)]:
                raise Ox88Error(f"{path} was not made with these settings: name another file, or remove it")
            chunks = list(_chunks(path, data, len(head)))
            self._file = path.open("ab", buffering=0)
            self._file.truncate(len(head) + _size(chunks) if len(data) >= len(head) else 0)
            if len(data) < len(head):
                self._file.write(head)
        except OSError as error:
            raise Ox88Error(f"{path} cannot be used: {error.strerror or error}") from None
        self.jobs = {chunk.job for chunk in chunks}
        self.count = sum(len(chunk.records) for chunk in chunks)

    def add(self, job: int, records: Packed) -> None:
        """Keep what came of a job. Raises Ox88Error where nothing can be written, such as on a full disk."""
        body = records.tobytes()
        chunk = np.zeros(1, _CHUNK)
        chunk["mark"], chunk["job"], chunk["count"] = _CHUNK_MARK, job, len(records)
        chunk["checksum"] = _checksum(chunk.tobytes(), body)
        data = chunk.tobytes() + body
        try:
            if self._file.write(data) != len(data):
                raise OSError("the disk is full")
        except OSError as error:
            raise Ox88Error(f"{self._path} cannot be written: {error.strerror or error}") from None
        self.jobs.add(job)
        self.count += len(records)

    def close(self) -> None:
        self._file.close()


def read_positions(path: Path) -> tuple[Settings, list[Chunk]]:
    """The settings of a file, and its jobs by number, each once: the same in whatever order they ended.

    Raises Ox88Error for a file that cannot be read, or is none of positions.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Ox88Error(f"{path} cannot be read: {error.strerror or error}") from None
    line, end, _ = data.partition(b"\n")
    if not end or not line.startswith(_FILE_MARK):
        raise Ox88Error(f"{path} is no file of positions: python -m tools.datagen makes them")
    by_job = {chunk.job: chunk for chunk in _chunks(path, data, len(line) + 1)}
    settings: Settings = json.loads(line[len(_FILE_MARK) :])
    return settings, [by_job[job] for job in sorted(by_job)]


def _head(settings: Settings) -> bytes:
    return _FILE_MARK + json.dumps(settings, sort_keys=True).encode() + b"\n"


def _size(chunks: Sequence[Chunk]) -> int:
    """Bytes of the chunks."""
    return sum(_CHUNK.itemsize + chunk.records.nbytes for chunk in chunks)


def _chunks(path: Path, data: bytes, start: int) -> Iterator[Chunk]:
    """The chunks of a file, the first of them at start, without one at the end that was cut short.

    Raises Ox88Error where others follow a damaged one.
    """
    while start + _CHUNK.itemsize <= len(data):
        head_end = start + _CHUNK.itemsize
        head = np.frombuffer(data, _CHUNK, 1, start)[0]
        end = head_end + int(head["count"]) * PACKED.itemsize
        body = data[head_end:end]
        is_right = end <= len(data) and head["checksum"] == _checksum(data[start:head_end], body)
        if head["mark"] != _CHUNK_MARK or not is_right:
            if _CHUNK_MARK in data[start + 1 :]:
                raise Ox88Error(f"{path} is damaged at byte {start}: its positions cannot be used")
            return
        yield Chunk(int(head["job"]), np.frombuffer(body, PACKED))
        start = end


def _checksum(head: bytes, body: bytes) -> int:
    """Of a chunk: of its mark, job and count, and of its records."""
    return zlib.crc32(body, zlib.crc32(head[:16]))
