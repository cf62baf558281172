"""The test of numbers by games: it decides, goes on where it stopped, and refuses what is no number."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ox88.apps.match.openings import RandomOpenings
from tests.apps.inline import InlineWorkers
from tests.tools.conftest import interrupted_after
from tools import sprt
from tools.selfplay import Pairs

BLIND = ("--against", "use_quiescence=0", "--against", "use_table=0")


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "book.epd"
    path.write_text("".join(f"{RandomOpenings(3).opening(number).board().epd()}\n" for number in range(30)))
    return str(path)


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    inline = InlineWorkers(Pairs)
    monkeypatch.setattr(sprt, "make_workers", lambda *_: inline)
    return inline


def test_it_stops_when_it_has_decided(tmp_path: Path, book: str, workers: InlineWorkers) -> None:
    arguments = [str(tmp_path / "file"), "--openings", book, "--nodes", "200", "--elo", "0", "50", *BLIND]
    told = CliRunner().invoke(sprt.main, arguments)
    assert told.exit_code == 0, told.stderr
    assert told.stdout.endswith("50 Elo accepted\n")
    assert len(workers.jobs) < 40
    again = CliRunner().invoke(sprt.main, arguments)
    assert again.stdout == told.stdout


def test_a_run_that_is_stopped_goes_on(tmp_path: Path, book: str, workers: InlineWorkers) -> None:
    arguments = [str(tmp_path / "file"), "--openings", book, "--nodes", "40", "--games", "40"]
    with interrupted_after(2):
        stopped = CliRunner().invoke(sprt.main, arguments)
    assert stopped.exit_code == 130
    assert stopped.stderr.endswith("; the same command resumes from there\n")
    workers.jobs.clear()
    told = CliRunner().invoke(sprt.main, arguments)
    assert [job.number for job in workers.jobs] == [2, 3, 4]
    assert told.stdout.startswith("40 games, Elo +0.0 ±0.0, pairs 0 0 20 0 0, LLR ")


@pytest.mark.parametrize("text", ["nothing=1", "use_table", "use_table=2", "use_table=x", "null_move_base=0"])
def test_what_is_refused(tmp_path: Path, book: str, text: str) -> None:
    told = CliRunner().invoke(sprt.main, [str(tmp_path / "file"), text, "--openings", book])
    assert told.exit_code == 2
    assert text in told.stderr
    assert "is expected" in told.stderr or "there is no such number" in told.stderr
