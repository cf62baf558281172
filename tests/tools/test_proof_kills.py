"""The campaign `kills`: small commands that do something wrong when they are ended, which must be found."""

import signal
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

import pytest

from ox88.errors import Ox88Error
from tests.processes import is_running, wait_until
from tools.proof import runs
from tools.proof.campaign import FailureError, Tally
from tools.proof.kills import kills, tasks
from tools.proof.kills.tasks import TASKS, Task
from tools.proof.runs import Ended, Run, run_to_end

pytestmark = pytest.mark.posix("signals")

# Writes a file in eight steps, and goes on where it was ended.
COUNTS = """
import os, pathlib, time
path = pathlib.Path("out")
for number in range(len(path.read_text()) if path.exists() else 0, 8):
    with path.open("a") as file:
        file.write(str(number))
    time.sleep(0.03)
"""
STARTS_AGAIN = "import pathlib; pathlib.Path('out').unlink(missing_ok=True)\n" + COUNTS
LOCKS = "import os; os.mkdir('lock')\n" + COUNTS + "os.rmdir('lock')\n"
WRITES_TIME = "import pathlib, time; pathlib.Path('out').write_text(str(time.time()))"
WRITES_PARTS = """
import pathlib, time
for number in range(3):
    path = pathlib.Path(f"data/part-{number}.parquet")
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or AGAIN:
        path.with_suffix(".tmp").write_text("part")
        path.with_suffix(".tmp").replace(path)
    time.sleep(0.05)
"""
LEAVES_A_CHILD = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(99)"], start_new_session=True)
print(child.pid)
"""


def task(script: str) -> Task:
    return Task("test", ("-c", script))


@pytest.mark.parametrize("script", [COUNTS, STARTS_AGAIN])
def test_what_goes_on_is_right(script: str, tmp_path: Path) -> None:
    tally = Tally()
    for case in range(4):
        folder = tmp_path / str(case)
        folder.mkdir()
        kills.end_and_rerun(task(script), Random(case), folder, tally, "SIGKILL")
    assert tally.counts["test: the same after SIGKILL"] == 4
    assert tally.counts["ends by SIGKILL"] >= 4


def test_a_lock_that_is_held_is_found(tmp_path: Path) -> None:
    with pytest.raises(FailureError, match=r"(?s)that nothing disturbs fails.*File exists: 'lock'"):
        try_often(LOCKS, tmp_path)


def test_results_that_differ_are_found(tmp_path: Path) -> None:
    with pytest.raises(FailureError, match="out of two undisturbed runs"):
        try_often(WRITES_TIME, tmp_path)


def test_what_is_done_twice_is_found(tmp_path: Path) -> None:
    try_often(WRITES_PARTS.replace("AGAIN", "False"), tmp_path / "right")
    with pytest.raises(FailureError, match=r"written again: data/part-0"):
        try_often(WRITES_PARTS.replace("AGAIN", "True"), tmp_path / "wrong")


def try_often(script: str, path: Path) -> None:
    for case in range(8):
        folder = path / str(case)
        folder.mkdir(parents=True)
        kills.end_and_rerun(task(script), Random(case), folder, Tally(), "SIGKILL")


def test_a_process_that_is_left_is_found_and_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runs, "MOST_LINGERING", 0.5)
    with Run(("-c", LEAVES_A_CHILD), tmp_path) as run:
        with pytest.raises(FailureError, match=r"has ended, and left .*time.sleep\(99\)"):
            run.wait()
        child = int(run.said())
        assert is_running(child)
    wait_until(lambda: not is_running(child))


def test_a_hang_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runs, "MOST_SECONDS", 0.5)
    with pytest.raises(FailureError, match=r"runs for more than 0.5 seconds"):
        run_to_end(("-c", "import time; time.sleep(99)"), tmp_path)


@pytest.mark.parametrize("how", ["SIGTERM", "SIGINT"])
def test_a_traceback_is_found(how: str, tmp_path: Path) -> None:
    loop = "import sys, time\ntry:\n    time.sleep(9)\nexcept KeyboardInterrupt:\n    sys.exit(130)"
    kills.end_once(("-c", loop), how, 0.6, AtTheEnd(), tmp_path, Tally())
    if how == "SIGINT":
        runs.check_told(Ended(-signal.SIGINT, "", "", False, 0.0), signal.SIGINT)
        with pytest.raises(FailureError, match="after signal 2: "):
            runs.check_told(Ended(1, "", "", False, 0.0), signal.SIGINT)
        with pytest.raises(FailureError, match=r"(?s)after signal 2: .*Traceback"):
            kills.end_once(("-c", "import time; time.sleep(9)"), how, 0.6, AtTheEnd(), tmp_path, Tally())


class AtTheEnd(Random):
    """Its numbers are the largest."""

    def uniform(self, a: float, b: float) -> float:
        return max(a, b)


@pytest.mark.parametrize(
    ("code", "errors"), [(-6, "LLVM ERROR"), (1, ""), (1, "Traceback (most recent call last):\nMemoryError")]
)
def test_an_end_that_says_nothing_to_people_is_found(code: int, errors: str) -> None:
    kills.check_told_why(Ended(2, "", "ox88: the disk is full", False, 0.0))
    with pytest.raises(FailureError, match="does not say what is wrong"):
        kills.check_told_why(Ended(code, "", errors, False, 0.0))


def test_files_are_damaged(tmp_path: Path) -> None:
    content, path = bytes(range(200)), tmp_path / "file"
    for case in range(20):
        path.write_bytes(content)
        kills._cut_off(path, Random(case))
        assert content.startswith(path.read_bytes())
        path.write_bytes(content)
        kills._zero(path, Random(case))
        assert (len(path.read_bytes()), content.startswith(path.read_bytes().rstrip(b"\0"))) == (200, True)
        path.write_bytes(content)
        kills._turn_bits(path, Random(case))
        turned = sum((old ^ new).bit_count() for old, new in zip(content, path.read_bytes(), strict=True))
        assert 0 <= turned <= 8


def test_games_that_are_played_again_are_found(tmp_path: Path) -> None:
    match = next(each for each in TASKS if each.name == "match")
    ended = Ended(0, "", "", False, 0.0)
    games = [f'[Event "ox88 match"]\n[Round "{number}.1"]\n[Result "1-0"]\n\n1. e4 1-0\n\n' for number in (1, 2, 3)]
    path = tmp_path / "match.pgn"
    path.write_text("".join(games[:2]) + games[2][:-9])
    before = match.finished(tmp_path)
    assert len(before["games"]) == 2
    path.write_text("".join(games))
    match.check_finished(before, tmp_path, ended)
    for wrong in (games[1:], [*games, games[0]], [games[0], games[1].replace("e4", "d4")]):
        path.write_text("".join(wrong))
        with pytest.raises(FailureError, match="games were played again"):
            match.check_finished(before, tmp_path, ended)
    path.write_text("".join(reversed(games)))
    assert match.results(tmp_path) == {"match.pgn": "\n".join(sorted(game.strip() for game in games)).encode()}


def test_a_thousand_cases_have_every_kind() -> None:
    found = Counter(map(kills.kind_of, range(1000)))
    assert found.keys() == {*kills.KILLS, *kills.OTHERS}
    assert sum(found[kind] for kind in kills.KILLS) == 667
    assert min(found.values()) >= 30


FIRST: Final = {kills.kind_of(case): case for case in reversed(range(30))}  # The first case of each kind.


@pytest.mark.slow
@pytest.mark.parametrize("case", sorted(FIRST.values()))
def test_each_kind_finds_nothing(case: int) -> None:
    kills.Kills().run(case, 1, Tally())


def test_a_journal_that_is_not_used_is_found(tmp_path: Path) -> None:
    before = {"parts": {}, "rows": 3}
    task("").check_finished(before, tmp_path, Ended(0, "", "resuming after 96 games", False, 0.0))
    with pytest.raises(FailureError, match="the journal had 3 jobs, and the rerun does not go on from there"):
        task("").check_finished(before, tmp_path, Ended(0, "", "", False, 0.0))


def test_windows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kills, "HAS_SIGNALS", False)
    with pytest.raises(Ox88Error, match="Windows does not have"):
        kills.Kills()


def test_the_journal_is_counted_without_a_change(tmp_path: Path) -> None:
    from ox88.apps.journal import Journal

    with Journal(tmp_path / "a.journal", {}) as journal:
        for number in range(3):
            journal.add(bytes([number]), b"result")
        journal.add(b"mark", b"")
        before = {path: path.read_bytes() for path in tmp_path.iterdir()}
        assert tasks._rows(tmp_path / "a.journal") == 3
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
