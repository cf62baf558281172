"""Tune numbers of the search by games at a fixed number of nodes; see docs/tuning.md."""

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.console import RenderableType
from rich.table import Table

from ox88.apps.jobs import do_jobs, make_workers
from ox88.apps.journal import Journal
from ox88.apps.live import LiveView, print_view
from ox88.apps.match.openings import OpeningFile
from ox88.cores import cores
from ox88.engines.modern import options
from tools.command import Command
from tools.games import job_key
from tools.selfplay import Pairs, find_evaluation, openings_of, play_pairs
from tools.spsa.drawing import draw_paths
from tools.spsa.spsa import Spsa, read_numbers

PAIRS_AN_ITERATION: Final = 4
SOURCE: Final = Path(options.__file__)
_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("path", metavar="FILE", type=_PATH)
@click.option("--openings", "books", multiple=True, required=True, type=_PATH, help="PGN or EPD; may be repeated.")
@click.option("--number", "names", multiple=True, metavar="NAME[=STEP]", help="To tune; may be repeated. Default: all.")
@click.option("--games", type=click.IntRange(1), default=20_000, show_default=True)
@click.option("--nodes", type=click.IntRange(1), default=25_000, show_default=True, help="A move.")
@click.option("--gain", type=click.FloatRange(0, min_open=True), default=0.002, show_default=True, help="At the end.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--concurrency", type=click.IntRange(1), default=cores(), show_default="all cores")
@click.option("--scheduler", help="The address of a Dask cluster that plays the games.")
@click.option("--plot", type=_PATH, help="Draw each number's path into a picture (.svg, .png).")
@click.option("--write", is_flag=True, help="Write the values into options.py at the end.")
def main(
    path: Path,
    books: Sequence[Path],
    names: Sequence[str],
    games: int,
    nodes: int,
    gain: float,
    seed: int,
    concurrency: int,
    scheduler: str | None,
    plot: Path | None,
    write: bool,
) -> None:
    """Tune numbers of the search by games of the engine against itself.

    FILE keeps the results; the same command resumes a run that was stopped.
    """
    openings = [OpeningFile(book, seed) for book in books]
    iterations = -(-games // (2 * PAIRS_AN_ITERATION))
    numbers = read_numbers(names, options.PARAMETERS)
    spsa = Spsa(numbers, iterations, gain, seed)
    settings = {
        "numbers": [[number.name, number.start, number.step] for number in numbers],
        "openings": [book.identity for book in openings],
        "iterations": iterations,
        "nodes": nodes,
        "gain": gain,
        "seed": seed,
        **find_evaluation().settings,
    }
    try:
        with Journal(path, settings) as journal:
            tuning = Tuning(spsa, iterations, journal)
            with make_workers(concurrency, scheduler) as workers, LiveView(tuning.view):
                for job, counts in do_jobs(workers, play_pairs, tuning.jobs(openings, nodes)):
                    tuning.add(job.number, counts)
    except KeyboardInterrupt:
        click.echo(f"{tuning.done} of {iterations} iterations are done; the same command resumes from there", err=True)
        sys.exit(130)
    print_view(tuning.view())
    if plot is not None:
        draw_paths(numbers, tuning.path, 2 * PAIRS_AN_ITERATION, plot)
    if write:
        write_defaults(dict(zip((number.name for number in numbers), spsa.results(), strict=True)))


class Tuning:
    """Iterations and their journal. path: the values after each finished iteration. done: their number.

    Iterations end in any order, and each begins with the values so far. The journal keeps that order.
    """

    def __init__(self, spsa: Spsa, iterations: int, journal: Journal) -> None:
        self.path: list[list[float]] = []
        self._spsa = spsa
        self._iterations = iterations
        self._journal = journal
        self._finished: set[int] = set()
        self._points = 0.0
        for index in range(len(journal)):
            kept = json.loads(journal.get(job_key(index)) or b"")
            self._take(*kept)
        self._known = self.done
        self._started = time.monotonic()

    @property
    def done(self) -> int:
        return len(self.path)

    def jobs(self, books: Sequence[OpeningFile], nodes: int) -> Iterator[Pairs]:
        """The iterations that are missing, each with the values of the moment at which it is asked for."""
        for iteration in range(1, self._iterations + 1):
            if iteration not in self._finished:
                openings = openings_of(iteration - 1, PAIRS_AN_ITERATION, books)
                yield Pairs(iteration, openings, *self._spsa.players(iteration), nodes, find_evaluation())

    def add(self, iteration: int, counts: Sequence[int]) -> None:
        """Learn from an iteration. counts: of pairs with 0, 1/2, 1, 3/2 and 2 points for the first player."""
        self._journal.add(job_key(self.done), json.dumps([iteration, list(counts)]).encode())
        self._take(iteration, counts)

    def _take(self, iteration: int, counts: Sequence[int]) -> None:
        self._spsa.learn(iteration, sum(count * (points - 2) for points, count in enumerate(counts)))
        self._finished.add(iteration)
        self.path.append(list(self._spsa.values))

    def view(self) -> RenderableType:
        """A row for each number, under the count of games and the time left."""
        each = (time.monotonic() - self._started) / max(self.done - self._known, 1)
        games = 2 * PAIRS_AN_ITERATION
        table = Table(title=f"{self.done * games:,} of {self._iterations * games:,} games, {each / games:.2f} s each")
        table.add_column("number")
        for name in ("start", "value", "steps"):
            table.add_column(name, justify="right")
        for number, value in zip(self._spsa.numbers, self._spsa.values, strict=True):
            steps = (value - number.start) / number.step
            table.add_row(number.name, str(number.start), f"{value:.2f}", f"{steps:+.2f}")
        return table


def write_defaults(values: dict[str, Any], path: Path = SOURCE) -> None:
    """Write new defaults into options.py."""
    text = path.read_text(encoding="utf-8")
    for name, value in values.items():
        text, found = re.subn(rf'(_parameter\("{name}", )\d+', rf"\g<1>{value}", text)
        if found != 1:
            raise click.UsageError(f"{path} does not have exactly one number with the name {name}")
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
