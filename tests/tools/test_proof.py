"""Campaigns: a short run of each, and what happens to cases that fail."""

import platform
from pathlib import Path
from typing import Any, ClassVar

import click
import pytest
from click.testing import CliRunner

from ox88.cores import cores
from tests.apps.inline import InlineWorkers
from tools.proof import __main__ as command
from tools.proof import campaign
from tools.proof import page as pages
from tools.proof.campaign import CAMPAIGNS, Block, Campaign, FailureError, Tally


class Divides(Campaign):
    """Fails for 7, and stumbles over 12."""

    goal: ClassVar = 20
    block: ClassVar = 5

    def run(self, case: int, seed: int, tally: Tally) -> None:
        tally.counts["divisions"] += 1
        tally.measure("quotient", seed / (12 - case))
        if case == 7:
            raise FailureError("seven is wrong")


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    inline = InlineWorkers(Block)
    monkeypatch.setattr(command, "make_workers", lambda *_: inline)
    monkeypatch.setitem(CAMPAIGNS, "divides", (__name__, "Divides"))
    monkeypatch.setattr(command.main.params[0], "type", click.Choice([*CAMPAIGNS]))
    campaign.campaign.cache_clear()
    return inline


def run(*arguments: object) -> Any:
    return CliRunner().invoke(command.main, [*map(str, arguments)])


@pytest.mark.usefixtures("workers")
def test_what_fails_is_kept_and_can_be_run_again(tmp_path: Path) -> None:
    told = run("divides", "--folder", tmp_path, "--seed", "6")
    assert told.exit_code == 1
    assert told.stdout.startswith("20 of 20 cases of divides, 2 failed\n")
    assert "seven is wrong" in told.stdout
    assert "ZeroDivisionError" in told.stdout
    assert sorted(path.name for path in tmp_path.glob("*.txt")) == ["divides-6-12.txt", "divides-6-7.txt"]
    text = (tmp_path / "divides-6-7.txt").read_text()
    assert text == "python -m tools.proof divides --seed 6 --case 7\n\nseven is wrong\n"
    alone = run("divides", "--seed", "6", "--case", "7")
    assert (alone.exit_code, alone.stdout) == (1, "case 7 of divides fails:\nseven is wrong\n")
    other = run("divides", "--seed", "6", "--case", "8")
    assert (other.exit_code, other.stdout) == (0, "case 8 of divides is right\n")


def test_a_campaign_goes_on_where_it_stopped(workers: InlineWorkers, tmp_path: Path) -> None:
    first = run("divides", "--folder", tmp_path, "--count", "10")
    assert (first.exit_code, len(workers.jobs)) == (1, 2)
    workers.jobs.clear()
    told = run("divides", "--folder", tmp_path)
    assert [job.first for job in workers.jobs] == [10, 15]
    assert "20 of 20 cases of divides, 2 failed" in told.stdout
    assert "divisions         │ 20" in told.stdout
    assert "quotient, at most │ 1" in told.stdout
    workers.jobs.clear()
    late = run("divides", "--folder", tmp_path, "--count", "30", "--minutes", "1e-9")
    assert not workers.jobs
    assert "20 of 30 cases" in late.stdout


@pytest.mark.usefixtures("workers")
def test_the_page_gets_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- divides -->\n<!-- end of divides -->\nAfter.\n")
    monkeypatch.setattr(pages, "PAGE", page)
    run("divides", "--folder", tmp_path / "a", "--seed", "3", "--count", "5", "--write")
    text = page.read_text()
    assert text.startswith(
        "Before.\n<!-- divides -->\n\n    python -m tools.proof divides --seed 3 --count 5\n\n| | |\n|---|---|\n"
        "| cases wanted | 20 |\n| cases | 5 |\n| failed | 0 |\n| divisions | 5 |\n| quotient, at most | 0.375 |\n"
    )
    assert f", {cores()} cores, Python {platform.python_version()}, {platform.system()} |\n" in text
    assert text.endswith(" |\n\n<!-- end of divides -->\nAfter.\n")
    run("divides", "--folder", tmp_path / "a", "--seed", "3", "--count", "10", "--write")
    run("divides", "--folder", tmp_path / "b", "--seed", "4", "--count", "5", "--write")
    text = page.read_text()
    assert "divides --seed 3 --count 10\n    python -m tools.proof divides --seed 4 --count 5\n" in text
    assert (
        "| cases wanted | 20 |\n| cases | 15 |\n| failed | 1 |\n| divisions | 15 |\n| quotient, at most | 1 |\n" in text
    )
    told = run("divides", "--folder", tmp_path / "elsewhere", "--seed", "3", "--count", "5", "--write")
    assert told.exit_code == 2
    assert "page.md has 10 cases of seed 3 already: give another --seed" in told.stderr
    assert page.read_text() == text


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_page_has_a_section_for_each(name: str) -> None:
    page = pages.PAGE.read_text(encoding="utf-8")
    assert 0 < page.find(f"<!-- {name} -->") < page.find(f"<!-- end of {name} -->")


# Cases of a short run, a few seconds long. Those of games, kills and server have tests of their own.
SHORT = {"endings": 40}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_a_short_run_finds_nothing(name: str, tmp_path: Path) -> None:
    told = run(name, "--folder", tmp_path, "--count", SHORT[name], "--concurrency", "2")
    assert told.exit_code == 0, told.stdout
    assert f"{SHORT[name]} of {SHORT[name]} cases of {name}, 0 failed" in told.stdout
