"""The test of numbers by games: it decides, goes on where it stopped, and refuses what is no number."""

import itertools
from pathlib import Path

import pytest
from click.testing import CliRunner

from ox88.apps.match.openings import RandomOpenings
from ox88.apps.time_control import TimeControl
from ox88.engines.modern.network.file import write_network
from tests.apps.inline import InlineWorkers
from tests.engines.modern.network.naive import random_network
from tests.tools.conftest import interrupted_after
from tools import sprt
from tools.selfplay import Pairs

BLIND = "use_quiescence=0,use_table=0"


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


def rows(text: str) -> dict[str, list[str]]:
    """The table's cells by change."""
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in text.splitlines() if line.startswith("│")]
    return {name: cells for name, *cells in lines}


def test_it_stops_when_it_has_decided(tmp_path: Path, book: str, workers: InlineWorkers) -> None:
    arguments = [str(tmp_path / "file"), BLIND, "--openings", book, "--nodes", "200", "--elo", "0", "50"]
    told = CliRunner().invoke(sprt.main, arguments)
    assert told.exit_code == 0, told.stderr
    elo, _, ratio, accepted = rows(told.stdout)[BLIND]
    assert elo.startswith("-")
    assert (float(ratio) < -2.9, accepted) == (True, "0 Elo")
    assert len(workers.jobs) < 40
    again = CliRunner().invoke(sprt.main, arguments)
    assert rows(again.stdout) == rows(told.stdout)


def test_each_change_is_tested_among_the_others(tmp_path: Path, book: str, workers: InlineWorkers) -> None:
    """Whoever sees nothing loses. The other change is none, and what both players have is the other half of it."""
    arguments = [str(tmp_path / "file"), BLIND, "use_killers=1", "--with", "use_table=1,use_killers=1"]
    told = CliRunner().invoke(
        sprt.main, [*arguments, "--openings", book, "--nodes", "100", "--elo", "0", "50", "--games", "160"]
    )
    assert told.exit_code == 0, told.stderr
    found = rows(told.stdout)
    assert float(found[BLIND][2]) < -2 < float(found["use_killers=1"][2])
    blind = {"use_quiescence": 0, "use_table": 0, "use_killers": 1}
    assert {frozenset(dict(player).items()) for job in workers.jobs for player in (job.first, job.second)} == {
        frozenset(blind.items()),
        frozenset({"use_table": 1, "use_killers": 1}.items()),
    }


def test_a_network_is_tested_too(tmp_path: Path, book: str, workers: InlineWorkers) -> None:
    """A network of random weights loses. The other player has the handcrafted evaluation."""
    write_network(tmp_path / "new.npz", random_network())
    new, by_hand = f"evaluation={tmp_path / 'new.npz'}", "evaluation=handcrafted"
    arguments = [str(tmp_path / "file"), f"{new},use_killers=0", "--with", by_hand, "--openings", book]
    told = CliRunner().invoke(sprt.main, [*arguments, "--nodes", "100", "--games", "80", "--elo", "0", "100"])
    assert told.exit_code == 0, told.stderr
    ((name, (elo, *_)),) = [row for row in rows(told.stdout).items() if row[0]]
    assert name.startswith("evaluation=")
    assert elo.startswith(("-", "all lost"))
    found = {(dict(job.first).get("use_killers", 1), job.evaluation.file) for job in workers.jobs}
    assert found == {(0, str(tmp_path / "new.npz")), (1, "handcrafted")}
    several = CliRunner().invoke(sprt.main, [str(tmp_path / "file"), new, by_hand, "--openings", book])
    assert several.exit_code == 2
    assert "test one at a time" in several.stderr


def test_games_by_a_clock(tmp_path: Path, book: str, workers: InlineWorkers) -> None:
    arguments = [str(tmp_path / "file"), BLIND, "--openings", book, "--nodes", "2000", "--games", "16", "--clock"]
    told = CliRunner().invoke(sprt.main, [*arguments, "1+0.01"])
    assert told.exit_code == 0, told.stderr
    assert rows(told.stdout)[BLIND][0].startswith(("-", "all lost"))
    assert {(job.clock, job.nodes) for job in workers.jobs} == {(TimeControl(1, 0.01), 2000)}
    other = CliRunner().invoke(sprt.main, [*arguments, "2+0.01"])
    assert (other.exit_code, "clock" in other.stderr) == (2, True)
    wrong = CliRunner().invoke(sprt.main, [*arguments, "fast"])
    assert (wrong.exit_code, "time control 'fast' cannot be read" in wrong.stderr) == (2, True)


def test_a_coin_decides_who_has_a_change() -> None:
    players = sprt.Players((sprt.Change((("use_table", 0),)),) * 3, sprt.Change(()), 5)
    tossed = [tuple(players.owners(job)) for job in range(800)]
    assert tossed == [tuple(players.owners(job)) for job in range(800)]
    assert all(60 < tossed.count(owners) < 140 for owners in itertools.product((False, True), repeat=3))


def test_a_run_that_is_stopped_goes_on(tmp_path: Path, book: str, workers: InlineWorkers) -> None:
    arguments = [str(tmp_path / "file"), "use_killers=1", "--openings", book, "--nodes", "40", "--games", "40"]
    with interrupted_after(2):
        stopped = CliRunner().invoke(sprt.main, arguments)
    assert stopped.exit_code == 130
    assert stopped.stderr.endswith("16 games are played; the same command resumes from there\n")
    workers.jobs.clear()
    told = CliRunner().invoke(sprt.main, arguments)
    assert [job.number for job in workers.jobs] == [2, 3, 4]
    assert "40 games, " in told.stdout
    assert rows(told.stdout)["use_killers=1"][:2] == ["+0.0 ±0.0", "0 0 20 0 0"]


@pytest.mark.parametrize(
    "text", ["nothing=1", "use_table", "use_table=2", "use_table=x", "null_move_base=0", "use_table=1,null_move_base=0"]
)
def test_what_is_refused(tmp_path: Path, book: str, text: str) -> None:
    told = CliRunner().invoke(sprt.main, [str(tmp_path / "file"), text, "--openings", book])
    assert told.exit_code == 2
    assert text.split(",")[-1] in told.stderr
    assert "is expected" in told.stderr or "there is no such number" in told.stderr
