"""The cores that a process may use: pinned to some of them, or with a quota of processor time."""

import os
import sys
from pathlib import Path

import pytest

from ox88.cores import cores, quota

V1, V2, NO_LIMIT = "4:cpu,cpuacct:/a/b\n3:cpuset:/\n1:name=systemd:/a/b\n", "0::/a/b\n", sys.maxsize


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        (V2, {"a/b": "200000 100000\n"}, 2),
        (V2, {"a/b": "max 100000\n"}, NO_LIMIT),
        (V2, {"a/b": "max 100000\n", "a": "350000 100000\n", "": "800000 100000\n"}, 3),  # A group around it limits it.
        (V2, {"": "50000 25000\n"}, 2),  # A container, which sees its own group as the outermost.
        (V2, {"a/b": "50000 100000\n"}, 0),  # Half a core.
        (V2, {"c": "100000 100000\n"}, NO_LIMIT),
        ("0::/\n", {"": "300000 100000\n"}, 3),
        ("0::/../../c\n", {"": "300000 100000\n"}, 3),  # The group is outside of what the process sees.
        (V1, {"cpu,cpuacct/a/b": "150000 50000"}, 3),
        (V1, {"cpu,cpuacct/a/b": "-1 100000"}, NO_LIMIT),
        (V1, {"cpu,cpuacct/a/b": "-1 100000", "cpu,cpuacct/a": "400000 100000"}, 4),
        (V1 + "0::/\n", {"cpu,cpuacct": "500000 100000", "cpuset/": "100000 100000"}, 5),
        ("1:cpu:/a:b\n", {"cpu/a:b": "200000 100000"}, 2),
        ("2:cpuacct:/\n", {"cpuacct": "100000 100000"}, NO_LIMIT),
        ("0::/a\n", {"..": "100000 100000\n"}, NO_LIMIT),  # No file of a group.
        ("", {"": "100000 100000\n"}, NO_LIMIT),
    ],
)
def test_what_control_groups_leave(groups: str, limits: dict[str, str], expected: int, tmp_path: Path) -> None:
    file, mounted = tmp_path / "groups", tmp_path / "mounted"
    file.write_text(groups)
    for name, limit in limits.items():
        folder = mounted / name
        folder.mkdir(parents=True, exist_ok=True)
        if groups.startswith("0:"):
            (folder / "cpu.max").write_text(limit)
        else:
            for kind, number in zip(("quota", "period"), limit.split(), strict=True):
                (folder / f"cpu.cfs_{kind}_us").write_text(f"{number}\n")
    assert quota(file, mounted) == expected


def test_without_control_groups(tmp_path: Path) -> None:
    assert quota(tmp_path / "groups", tmp_path) == NO_LIMIT


@pytest.mark.parametrize(("unpinned", "quota", "expected"), [(8, 0, 1), (8, 3, 3), (2, 3, 2), (8, NO_LIMIT, 8)])
def test_the_smaller_number_counts(unpinned: int, quota: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.cores._unpinned", lambda: unpinned)
    monkeypatch.setattr("ox88.cores._quota", lambda: quota)
    assert cores() == expected


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system pins no process")
def test_a_pinned_process_starts_work_for_its_cores_alone() -> None:
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert cores() == 1
    finally:
        os.sched_setaffinity(0, before)
