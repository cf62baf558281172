"""The folder of positions: jobs that end in any order, in several runs, are read once, ordered by number."""

from pathlib import Path

import numpy as np
import pytest

from ox88.types import Ox88Error
from tools import positions
from tools.packing import PACKED, Packed
from tools.positions import PositionFolder, read_positions

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
