"""Run a campaign: python -m tools.proof CAMPAIGN. docs/reliability.md tells what each one shows."""

import json
import os
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ox88.apps.jobs import do_jobs, make_workers
from ox88.apps.journal import Journal
from ox88.apps.live import LiveView, print_view
from tools.command import Command
from tools.matches import replace_section
from tools.proof.campaign import CAMPAIGNS, Block, Finding, Tally, campaign_class, run_block

PAGE: Final = Path(__file__).parents[2] / "docs" / "reliability.md"
_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("name", metavar="CAMPAIGN", type=click.Choice(sorted(CAMPAIGNS)))
@click.option("--count", type=click.IntRange(1), help="Cases in all. Default: as many as docs/reliability.md promises.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Stop after so long, wherever it is.")
@click.option("--case", type=click.IntRange(0), help="Run this case alone, such as one that failed.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--folder", type=_PATH, default=Path("proof"), show_default=True, help="Keeps results and failures.")
@click.option("--concurrency", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="all cores")
@click.option("--write", is_flag=True, help="Write the figures into docs/reliability.md.")
def main(
    name: str,
    count: int | None,
    minutes: float | None,
    case: int | None,
    seed: int,
    folder: Path,
    concurrency: int,
    write: bool,
) -> None:
    """Run the cases of a campaign, and keep what fails.

    The same command goes on where it stopped; a larger --count adds cases. A case that fails is written to a file of
    the folder. Exit code 1: some case has failed.
    """
    if case is not None:
        sys.exit(_run_alone(name, case, seed))
    folder.mkdir(parents=True, exist_ok=True)
    with Journal(folder / f"{name}.journal", {"campaign": name, "seed": seed}) as journal:
        results = Results(name, seed, count or campaign_class(name).goal, journal, folder)
        end = time.monotonic() + minutes * 60 if minutes is not None else None
        try:
            with make_workers(concurrency, None) as workers, LiveView(results.view):
                for block, finding in do_jobs(workers, run_block, results.missing(end)):
                    results.add(block, finding)
        except KeyboardInterrupt:
            click.echo(f"{results}; the same command goes on from there", err=True)
            sys.exit(130)
        print_view(results.view())
        if write:
            text = PAGE.read_text(encoding="utf-8")
            PAGE.write_text(replace_section(text, name, results.section()), encoding="utf-8")
    sys.exit(1 if results.failures else 0)


def _run_alone(name: str, case: int, seed: int) -> int:
    """Run one case, and tell what is wrong. Returns the exit code."""
    failure = run_block(Block(name, case, 1, seed)).failures.get(case)
    click.echo(f"case {case} of {name} fails:\n{failure}" if failure else f"case {case} of {name} is right")
    return 1 if failure else 0


class Results:
    """What the cases of a campaign have shown. The journal keeps the result of each block."""

    def __init__(self, name: str, seed: int, wanted: int, journal: Journal, folder: Path) -> None:
        """wanted: the number of cases."""
        self.cases = 0
        self.failures: dict[int, str] = {}
        self._name, self._seed, self._wanted = name, seed, wanted
        self._journal, self._folder = journal, folder
        self._tally, self._seconds = Tally(), 0.0
        self._last = ""

    def missing(self, end: float | None) -> Iterator[Block]:
        """The blocks that are not yet run, until time.monotonic() is `end`."""
        size = campaign_class(self._name).block
        for first in range(0, self._wanted, size):
            block = Block(self._name, first, min(size, self._wanted - first), self._seed)
            kept = self._journal.get(_key(block))
            if kept is not None:
                self._count(block, json.loads(kept))
            elif end is None or time.monotonic() < end:
                yield block

    def add(self, block: Block, finding: Finding) -> None:
        result = {
            **finding.tally.to_json(),
            "failures": finding.failures,
            "seconds": finding.seconds,
            "day": datetime.now(UTC).date().isoformat(),
        }
        self._journal.add(_key(block), json.dumps(result).encode())
        self._count(block, json.loads(json.dumps(result)))
        for case, text in finding.failures.items():
            head = f"python -m tools.proof {self._name} --seed {self._seed} --case {case}\n\n"
            (self._folder / f"{self._name}-{case}.txt").write_text(f"{head}{text}\n", encoding="utf-8")

    def _count(self, block: Block, result: dict[str, Any]) -> None:
        self.cases += block.count
        self.failures.update({int(case): text for case, text in result["failures"].items()})
        self._tally.add(Tally.from_json(result))
        self._seconds += result["seconds"]
        self._last = max(self._last, result["day"])

    def view(self) -> RenderableType:
        """A line, a table of what was counted and measured, and the last failures."""
        table = Table(show_header=False)
        for label, value in self._figures():
            table.add_row(label, value)
        failures = [Text(f"case {case}: {text[-400:]}") for case, text in list(self.failures.items())[-3:]]
        return Group(Text(str(self)), table, *failures)

    def _figures(self) -> Iterator[tuple[str, str]]:
        for label, count in sorted(self._tally.counts.items()):
            yield label, f"{count:,}"
        for label, number in sorted(self._tally.most.items()):
            yield f"{label}, at most", f"{number:,.3g}"

    def section(self) -> str:
        """The figures as a table of docs/reliability.md."""
        command = f"python -m tools.proof {self._name} --seed {self._seed}"
        rows = [("cases", f"{self.cases:,}"), ("failed", f"{len(self.failures):,}"), *self._figures()]
        rows += [("hours of one core", f"{self._seconds / 3600:.1f}"), ("last run", self._last)]
        lines = "".join(f"| {label} | {value} |\n" for label, value in rows)
        return f"\n    {command} --count {self.cases}\n\n| | |\n|---|---|\n{lines}\n"

    def __str__(self) -> str:
        return f"{self.cases:,} of {self._wanted:,} cases of {self._name}, {len(self.failures):,} failed"


def _key(block: Block) -> bytes:
    return f"{block.first} {block.count}".encode()


if __name__ == "__main__":
    main()
