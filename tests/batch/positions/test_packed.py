"""Packed positions and files of them."""

import errno
import os
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ox88
from ox88.batch.positions.packed import HEADER, MAGIC, PACKED
from tests.batch.samples import positions


def test_packed_and_unpacked() -> None:
    packed = positions().pack()
    assert (packed.dtype, packed.nbytes) == (PACKED, 32 * len(positions()))
    assert ox88.Positions.from_packed(packed) == positions()
    assert ox88.Positions.from_packed(packed[::-2]) == positions()[::-2]
    assert len(np.unique(packed.view("V32"))) == len({(str(setup)) for setup in positions()})


def test_the_documented_bytes() -> None:
    (packed,) = ox88.Positions.from_fens(["4k3/8/8/4p3/8/8/8/R3K2R w K e6 5 300"]).pack()
    occupied = 1 << 0 | 1 << 4 | 1 << 7 | 1 << 36 | 1 << 60
    pieces = bytes([4 | 6 << 4, 7 | 9 << 4, 14]) + bytes(13)
    assert packed.tobytes() == struct.pack("<Q16sHHBBH", occupied, pieces, 5, 300, 0, 44, 0)


@given(st.data())
def test_changed_bytes_are_a_position_or_an_error(data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(positions()) - 1))
    content = bytearray(positions()[[row]].pack().tobytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, 31))] ^= data.draw(st.integers(0, 255))
    packed = np.frombuffer(bytes(content), PACKED)
    try:
        found = ox88.Positions.from_packed(packed)
    except ox88.RowError:
        return
    assert found.pack().tobytes() == bytes(content)
    found[0].check()
    assert found.fens() == [ox88.format_fen(found[0])]


def test_bytes_that_are_no_position() -> None:
    packed = positions()[:3].pack()
    for name, value in (("turn", 2), ("en_passant", 64), ("unused", 1), ("occupied", 2**64 - 1), ("pieces", 0)):
        broken = packed.copy()
        broken[name][1] = value
        with pytest.raises(ox88.RowError, match="row 1: not a legal position: ") as caught:
            ox88.Positions.from_packed(broken)
        assert caught.value.row == 1
    few = ox88.Positions.from_fens(["4k3/8/8/8/8/8/8/4K2R w K - 0 1"] * 2).pack()
    for number in (3, 4, 31):  # A piece of no kind, beyond the three that are there.
        broken = few.copy()
        broken["pieces"][1, number >> 1] |= 8 << 4 * (number & 1)
        with pytest.raises(ox88.RowError, match="row 1: not a legal position: its 32 bytes are malformed"):
            ox88.Positions.from_packed(broken)
    for wrong in (packed.view(np.uint8), packed.tobytes(), [1], None):
        with pytest.raises(TypeError, match="packed positions as"):
            ox88.Positions.from_packed(wrong)  # type: ignore[arg-type]
    with pytest.raises(ox88.Ox88Error, match="shape"):
        ox88.Positions.from_packed(packed.reshape(1, 3))


def test_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "some.ox88"
    for some in (positions(), positions()[:0]):
        some.save(path)
        assert path.stat().st_size == 64 + 32 * len(some)
        assert ox88.Positions.load(path) == some
        assert ox88.Positions.load(str(path), threads=2) == some


@pytest.mark.posix("a file that is mapped can be replaced")
def test_saved_over_a_file_that_is_open(tmp_path: Path) -> None:
    path = tmp_path / "some.ox88"
    positions().save(path)
    with path.open("rb") as old, ox88.PositionFile(path) as file:
        file[:10].save(path)
        assert os.fstat(old.fileno()).st_size == 64 + 32 * len(positions())  # Read beyond its end, it kills Python.
        assert file[-1] == positions()[-1]
    assert ox88.Positions.load(path) == positions()[:10]


def test_a_file_is_kept_if_it_cannot_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "some.ox88"
    positions()[:5].save(path)
    monkeypatch.setattr("ox88.batch.positions.packed.pack_positions", fail)
    with pytest.raises(ox88.Ox88Error, match=r"some\.ox88 cannot be written: No space left on device"):
        positions().save(path)
    assert ox88.Positions.load(path) == positions()[:5]
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_write_protected_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder would let another file take its place. The superuser may write to any file, so the refusal is made."""
    path, open_any = tmp_path / "some.ox88", Path.open

    def open_but_protected(file: Path, mode: str = "r") -> Any:
        if file == path and mode != "rb":
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_any(file, mode)

    positions()[:5].save(path)
    monkeypatch.setattr(Path, "open", open_but_protected)
    with pytest.raises(ox88.Ox88Error, match=r"some\.ox88 cannot be written: Permission denied"):
        positions().save(path)
    assert ox88.Positions.load(path) == positions()[:5]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.posix("links and modes of files")
def test_a_file_that_is_replaced_keeps_its_links_and_its_mode(tmp_path: Path) -> None:
    path, link = tmp_path / "some.ox88", tmp_path / "link"
    positions()[:5].save(path)
    path.chmod(0o600)
    link.symlink_to(path)
    positions().save(link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o600
    assert ox88.Positions.load(path) == positions()


@pytest.mark.posix("named pipes")
def test_saved_to_a_pipe(tmp_path: Path) -> None:
    path, pipe = tmp_path / "some.ox88", tmp_path / "pipe"
    positions().save(path)
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as executor:
        reading = executor.submit(pipe.read_bytes)
        positions().save(pipe)
        assert reading.result() == path.read_bytes()
    assert pipe.is_fifo()


def test_parts_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "some.ox88"
    positions().save(path)
    with ox88.PositionFile(path, chunk=300) as file:
        assert len(file) == len(positions())
        assert file[5] == positions()[5]
        assert file[-1] == positions()[-1]
        for rows in (slice(10, 500, 7), [3, 1, 3], positions().turn == 1):
            assert file[rows] == positions()[rows]
        assert [len(part) for part in file][:-1] == [300] * (len(positions()) // 300)
        assert ox88.Positions.concatenate(file) == positions()
        for row in (len(positions()), [len(positions())]):
            with pytest.raises(IndexError):
                file[row]
        with pytest.raises(TypeError, match="rows of"):
            file["turn"]  # type: ignore[index]
    assert len(file) == 0
    with pytest.raises(ox88.Ox88Error, match="chunk is 0: at least 1 is expected"):
        ox88.PositionFile(path, chunk=0)


def test_files_that_are_none_or_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "some.ox88"
    positions()[:5].save(path)
    content = path.read_bytes()
    version = len(MAGIC)
    for damaged, reason in (
        (b"", "not a file of positions"),
        (b'[Event "?"]\n' * 50, "not a file of positions"),
        (content[:20], "cut off: it has 20 bytes, less than its header of 64"),
        (content[:-1], "cut off: it has 223 bytes, and 5 positions take 224"),
        (content + b"\n", "too long"),
        (content[:version] + b"\x02" + content[version + 1 :], "version 2 with 32 bytes a position"),
    ):
        path.write_bytes(damaged)
        for read in (ox88.Positions.load, ox88.PositionFile):
            with pytest.raises(ox88.PositionFileError, match=reason) as caught:
                read(path)
            assert str(caught.value).startswith(str(path))
    broken = bytearray(content)
    broken[HEADER.itemsize + 32 * 3 + 28] = 7
    path.write_bytes(broken)
    with pytest.raises(ox88.RowError, match="row 3: not a legal position"):
        ox88.Positions.load(path)
    with pytest.raises(ox88.MissingFileError, match="none cannot be opened: No such file or directory"):
        ox88.Positions.load(tmp_path / "none")
    with pytest.raises(ox88.Ox88Error, match="cannot be opened: "):
        ox88.Positions.load(tmp_path)
    with pytest.raises(ox88.Ox88Error, match="cannot be written: No such file or directory"):
        ox88.Positions().save(tmp_path / "none" / "file")
