"""The file of positions: cut anywhere it goes on, and what is no such file is left alone."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.types import Ox88Error
from tools.packing import PACKED, Packed
from tools.position_file import PositionFile, read_positions

SETTINGS = {"nodes": 5, "openings": ["a"]}
HEAD = len('ox88 positions 1 {"nodes": 5, "openings": ["a"]}\n')  # Bytes.
CHUNK = RECORD = 32
COUNTS = {3: 4, 0: 1, 7: 0, 5: 2}  # Job to positions, in the order in which they end.


def records(job: int) -> Packed:
    made = np.zeros(COUNTS[job], PACKED)
    made["ply"] = job
    made["score"] = -np.arange(COUNTS[job])
    return made


def fill(path: Path) -> bytes:
    file = PositionFile(path, SETTINGS)
    for job in COUNTS:
        if job not in file.jobs:
            file.add(job, records(job))
    assert file.jobs == set(COUNTS)
    assert file.count == sum(COUNTS.values())
    file.close()
    return path.read_bytes()


def check(path: Path) -> None:
    settings, chunks = read_positions(path)
    assert settings == SETTINGS
    assert [chunk.job for chunk in chunks] == sorted(COUNTS)
    for chunk in chunks:
        assert np.array_equal(chunk.records, records(chunk.job))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "positions"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files") / "positions"


def test_jobs_are_read_by_number(path: Path) -> None:
    fill(path)
    check(path)
    assert path.stat().st_size == HEAD + len(COUNTS) * CHUNK + sum(COUNTS.values()) * RECORD


@given(st.data())
def test_cut_anywhere_it_keeps_whole_jobs_and_goes_on(room: Path, data: st.DataObject) -> None:
    room.unlink(missing_ok=True)
    whole = fill(room)
    size = data.draw(st.integers(0, len(whole)))
    zeros = data.draw(st.sampled_from([0, 1, 100]))
    room.write_bytes(whole[:size] + bytes(zeros if size >= HEAD else 0))
    kept, end = set(), HEAD
    for job, count in COUNTS.items():
        end += CHUNK + count * RECORD
        if end <= size:
            kept.add(job)
    file = PositionFile(room, SETTINGS)
    assert file.jobs >= kept  # What was cut off may have been zeros.
    file.close()
    assert fill(room) == whole
    check(room)


def test_a_job_that_is_there_twice_is_read_once(path: Path) -> None:
    whole = fill(path)
    path.write_bytes(whole + whole[HEAD:])
    check(path)


def test_damage_in_the_middle_is_told_and_nothing_is_changed(path: Path) -> None:
    whole = bytearray(fill(path))
    for place in (HEAD, HEAD + 8, HEAD + 16, HEAD + CHUNK + 3):
        damaged = whole.copy()
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(Ox88Error, match=f"damaged at byte {HEAD}"):
            PositionFile(path, SETTINGS)
        with pytest.raises(Ox88Error, match=f"damaged at byte {HEAD}"):
            read_positions(path)
        assert path.read_bytes() == damaged


def test_what_is_something_else_is_refused_and_stays(path: Path) -> None:
    whole = fill(path)
    with pytest.raises(Ox88Error, match="these settings"):
        PositionFile(path, {**SETTINGS, "nodes": 6})
    assert path.read_bytes() == whole
    path.write_text("a text")
    with pytest.raises(Ox88Error, match="these settings"):
        PositionFile(path, SETTINGS)
    with pytest.raises(Ox88Error, match="no file of positions"):
        read_positions(path)
    assert path.read_text() == "a text"


def test_what_cannot_be_read_or_written_is_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "file"):
        with pytest.raises(Ox88Error, match="cannot be used"):
            PositionFile(path, SETTINGS)
        with pytest.raises(Ox88Error, match="cannot be read"):
            read_positions(path)
