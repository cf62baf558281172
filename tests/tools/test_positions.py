"""The folder of positions: jobs that end in any order, in several runs, are read once, ordered by number."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ox88.types import Ox88Error
from tools import positions
from tools.packing import PACKED, Packed
from tools.positions import PositionFolder, join_folders, read_positions

SETTINGS = {"nodes": 5, "openings": ["a"]}
COUNTS = {3: 4, 0: 1, 2: 0, 1: 2, 5: 3, 4: 1}  # Job to positions, in the order in which they end.


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "JOBS_A_PART", 2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "positions"


def records(job: int) -> Packed:
    made = np.zeros(COUNTS[job], PACKED)
    made["halfmove_clock"] = job
    made["score"] = -np.arange(COUNTS[job])
    return made


def check(path: Path, jobs: int) -> None:
    found = read_positions(path)
    assert (found.settings, found.jobs) == (SETTINGS, jobs)
    assert np.array_equal(found.records, np.concatenate([records(job) for job in range(jobs)]))
    assert np.array_equal(found.job, found.records["halfmove_clock"])


@pytest.mark.parametrize("ended", range(len(COUNTS) + 1))
def test_a_run_goes_on_where_it_ended(ended: int, path: Path) -> None:
    """With more jobs wanted than before."""
    order = list(COUNTS)
    folder = PositionFolder(path, SETTINGS)
    for job in order[:ended]:
        folder.add(job, records(job))
    assert (folder.jobs, folder.count) == (ended, sum(COUNTS[job] for job in order[:ended]))
    folder.close()
    folder = PositionFolder(path, SETTINGS)
    missing = set(folder.missing(len(COUNTS)))
    assert missing == set(order[ended:])
    for job in missing:
        folder.add(job, records(job))
    folder.finish()
    folder.close()
    check(path, len(COUNTS))
    assert [found.name for found in sorted(path.iterdir())] == [f"part-0000{number}.parquet" for number in range(3)]


def test_more_jobs_go_behind_a_finished_run(path: Path) -> None:
    for wanted in (1, 4, 4, 6):
        folder = PositionFolder(path, SETTINGS)
        for job in list(folder.missing(wanted)):
            folder.add(job, records(job))
        folder.finish()
        folder.close()
        check(path, wanted)


def test_what_is_refused(path: Path) -> None:
    for missing in (path, path.parent / "nowhere"):
        with pytest.raises(Ox88Error, match="cannot be read: a folder of positions is expected"):
            read_positions(missing)
    folder = PositionFolder(path, SETTINGS)
    with pytest.raises(Ox88Error, match="another process has it"):
        PositionFolder(path, SETTINGS)
    folder.add(0, records(0))
    folder.close()
    with pytest.raises(Ox88Error, match="nodes 5, and now 6"):
        PositionFolder(path, {**SETTINGS, "nodes": 6})
    with pytest.raises(Ox88Error, match="cannot be written"):
        PositionFolder(path / "no" / "where", SETTINGS)


def make_folder(path: Path, jobs: int) -> None:
    folder = PositionFolder(path, SETTINGS)
    for job in range(jobs):
        folder.add(job, records(job))
    folder.finish()
    folder.close()


def test_folders_are_joined_with_their_jobs_in_random_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "ROWS_A_PART", 4)
    paths = [tmp_path / "first", tmp_path / "second"]
    for path, jobs in zip(paths, (6, 4), strict=True):
        make_folder(path, jobs)
    told = CliRunner().invoke(positions.main, [*map(str, paths), "-o", str(tmp_path / "both"), "--seed", "3"])
    assert told.exit_code == 0, told.stderr
    assert [line.partition(": ")[2] for line in told.stdout.splitlines()] == [
        "6 jobs, 11 positions",
        "4 jobs, 7 positions",
        "18 positions",
    ]
    both = read_positions(tmp_path / "both")
    one, other = (read_positions(path) for path in paths)
    assert both.jobs == 10
    expected = [
        *zip(one.job, one.records, strict=True),
        *((job + 6, row) for job, row in zip(other.job, other.records, strict=True)),
    ]
    found = list(zip(both.job, both.records, strict=True))
    assert sorted((int(job), row.tobytes()) for job, row in found) == sorted(
        (int(job), row.tobytes()) for job, row in expected
    )
    numbers = [number for number, _ in itertools.groupby(map(int, both.job))]
    assert numbers != sorted(set(numbers)), "they are shuffled"
    assert len(numbers) == len(set(numbers)), "each is whole"
    for number in numbers:
        rows = [row.tobytes() for job, row in expected if job == number]
        assert both.records[both.job == number].tobytes() == b"".join(rows)
    assert len(list((tmp_path / "both").glob("*.parquet"))) == 5
    assert join_folders(paths, tmp_path / "again", 3) == 18
    assert np.array_equal(read_positions(tmp_path / "again").records, both.records)
    assert join_folders(paths, tmp_path / "other", 4) == 18
    assert not np.array_equal(read_positions(tmp_path / "other").records, both.records)


def test_an_output_with_positions_is_refused(tmp_path: Path) -> None:
    make_folder(tmp_path / "first", 3)
    told = CliRunner().invoke(positions.main, [str(tmp_path / "first"), "-o", str(tmp_path / "first")])
    assert told.exit_code == 2
    assert "has positions already: name another folder" in told.stderr
