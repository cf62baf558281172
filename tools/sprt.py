"""Test by games at a fixed number of nodes whether some values of the search's numbers are better than others.

python -m tools.sprt use_probcut=1 --against use_probcut=0 --openings 8moves_v3.pgn.zip games.journal
"""

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
from rich.text import Text

from ox88.apps.jobs import do_jobs, make_workers
from ox88.apps.journal import Journal
from ox88.apps.live import LiveView
from ox88.apps.match.openings import Book
from ox88.apps.match.standings import elo_text
from ox88.apps.match.statistics import PAIR_SCORES, Sample, Sprt, elo_estimate
from ox88.engines.modern.options import PARAMETERS
from ox88.types import Ox88Error
from tools.command import Command
from tools.selfplay import Pairs, Parameters, add_counts, play_pairs

PAIRS_A_JOB: Final = 4
_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("path", metavar="FILE", type=_PATH)
@click.argument("new", metavar="NAME=VALUE...", nargs=-1)
@click.option("--against", "old", multiple=True, metavar="NAME=VALUE", help="Of the other player; may be repeated.")
@click.option("--openings", "books", multiple=True, required=True, type=_PATH, help="PGN or EPD; may be repeated.")
@click.option("--elo", nargs=2, type=float, default=(0.0, 5.0), show_default=True, help="The two hypotheses.")
@click.option("--games", type=click.IntRange(2), default=60_000, show_default=True, help="At most.")
@click.option("--nodes", type=click.IntRange(1), default=5000, show_default=True, help="A move.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--concurrency", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="all cores")
@click.option("--scheduler", help="The address of a Dask cluster that plays the games.")
def main(
    path: Path,
    new: Sequence[str],
    old: Sequence[str],
    books: Sequence[Path],
    elo: tuple[float, float],
    games: int,
    nodes: int,
    seed: int,
    concurrency: int,
    scheduler: str | None,
) -> None:
    """Play the search with new values of some numbers against the search with old ones, or with the defaults.

    It stops when the sequential test has decided. FILE keeps the results; the same command resumes a run that was
    stopped.
    """
    players = read_parameters(new), read_parameters(old)
    openings = [Book(book, seed) for book in books]
    settings = {
        "players": players,
        "openings": [book.identity for book in openings],
        "elo": elo,
        "nodes": nodes,
        "seed": seed,
    }
    try:
        with Journal(path, settings) as journal:
            test = Test(Sprt(*elo), -(-games // (2 * PAIRS_A_JOB)), journal)
            with make_workers(concurrency, scheduler) as workers, LiveView(test.view):
                for job, counts in do_jobs(workers, play_pairs, test.jobs(openings, *players, nodes)):
                    test.add(job.number, counts)
    except KeyboardInterrupt:
        click.echo(f"{test}; the same command resumes from there", err=True)
        sys.exit(130)
    click.echo(str(test))


def read_parameters(texts: Sequence[str]) -> Parameters:
    """Numbers of options.py and their values. Raises Ox88Error."""
    known = {option.name: option for option in PARAMETERS}
    parameters = []
    for text in texts:
        name, _, value = text.partition("=")
        option = known.get(name)
        if option is None:
            raise Ox88Error(f"{text}: there is no such number of the search; options.py names {', '.join(known)}")
        if not value.lstrip("-").isdecimal() or not option.minimum <= int(value) <= option.maximum:
            raise Ox88Error(f"{text}: a whole number from {option.minimum} to {option.maximum} is expected")
        parameters.append((name, int(value)))
    return tuple(parameters)


class Test:
    """The results so far. jobs: the most to be played. The journal keeps the result of each by its number."""

    def __init__(self, sprt: Sprt, jobs: int, journal: Journal) -> None:
        self._sprt = sprt
        self._jobs = jobs
        self._journal = journal
        self._counts = [0] * 5
        self._known = len(journal)
        self._started = time.monotonic()

    def jobs(self, books: Sequence[Book], new: Parameters, old: Parameters, nodes: int) -> Iterator[Pairs]:
        """The jobs that are missing, until the test has decided."""
        for number in range(self._jobs):
            kept = self._journal.get(_key(number))
            if kept is not None:
                self._counts = add_counts([self._counts, json.loads(kept)])
            elif self._sprt.accepted(self._sample) is None:
                games = range(number * PAIRS_A_JOB, (number + 1) * PAIRS_A_JOB)
                openings = tuple(books[game % len(books)].opening(game // len(books)) for game in games)
                yield Pairs(number, openings, new, old, nodes)

    def add(self, number: int, counts: Sequence[int]) -> None:
        self._journal.add(_key(number), json.dumps(list(counts)).encode())
        self._counts = add_counts([self._counts, counts])

    @property
    def _sample(self) -> Sample:
        return Sample(tuple(self._counts), PAIR_SCORES)

    def view(self) -> Text:
        done = (len(self._journal) - self._known) * 2 * PAIRS_A_JOB
        return Text(f"{self}, {(time.monotonic() - self._started) / max(done, 1):.2f} s a game")

    def __str__(self) -> str:
        sample = self._sample
        if not sample.size:
            return "no games"
        accepted = self._sprt.accepted(sample)
        decision = "" if accepted is None else f", {accepted:g} Elo accepted"
        counts = " ".join(map(str, self._counts))
        elo = elo_text(elo_estimate(sample))
        return f"{2 * sample.size:,} games, Elo {elo}, pairs {counts}, LLR {self._sprt.ratio(sample):+.2f}{decision}"


def _key(number: int) -> bytes:
    return number.to_bytes(4, "big")


if __name__ == "__main__":
    main()
