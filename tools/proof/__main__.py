"""Run a campaign: python -m tools.proof CAMPAIGN. docs/reliability.md tells what each one shows."""

import os
import sys
import time
from pathlib import Path
from typing import Final

import click

from ox88.apps.jobs import do_jobs, make_workers
from ox88.apps.journal import Journal
from ox88.apps.live import LiveView, print_view
from ox88.cores import cores
from tools.command import Command
from tools.proof import page
from tools.proof.campaign import CAMPAIGNS, WORKERS, Block, campaign_class, run_block
from tools.proof.results import Results

_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("name", metavar="CAMPAIGN", type=click.Choice(sorted(CAMPAIGNS)))
@click.option("--count", type=click.IntRange(1), help="Cases in all. Default: as many as docs/reliability.md promises.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Stop after so long, wherever it is.")
@click.option("--case", type=click.IntRange(0), help="Run this case alone, such as one that failed.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--folder", type=_PATH, default=Path("proof"), show_default=True, help="Keeps results and failures.")
@click.option("--concurrency", type=click.IntRange(1), default=cores(), show_default="all cores")
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
    os.environ[WORKERS] = str(concurrency)  # The workers inherit it.
    with Journal(folder / f"{name}-{seed}.journal", {"campaign": name, "seed": seed}) as journal:
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
            page.write(name, seed, results.total)
    sys.exit(1 if results.failures else 0)


def _run_alone(name: str, case: int, seed: int) -> int:
    """Run one case, and tell what is wrong. Returns the exit code."""
    failure = run_block(Block(name, case, 1, seed)).failures.get(case)
    click.echo(f"case {case} of {name} fails:\n{failure}" if failure else f"case {case} of {name} is right")
    return 1 if failure else 0


if __name__ == "__main__":
    main()
