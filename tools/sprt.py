"""Test by games of the engine against itself whether changes of the search's numbers, or a network, make it stronger.

    python -m tools.sprt games.journal null_move_base=3 razoring_base=200,razoring_depth=3 --openings 8moves_v3.pgn.zip
    python -m tools.sprt games.journal evaluation=new.npz --clock 5+0.05 --nodes 300000 --openings 8moves_v3.pgn.zip

A search ends after a fixed number of nodes. With --clock the engine divides its time, on a clock that counts nodes.

All changes are tested in the same games. Before each four pairs of games, a coin is tossed for each change: the first
or the second player gets it. Over many games the other changes favour neither side of a test, so each test needs hardly
more games than it would alone. (A factorial design: Ronald A. Fisher, "The Design of Experiments", 1935.)
"""

import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from rich.console import RenderableType
from rich.table import Table

from ox88.apps.jobs import do_jobs, make_workers
from ox88.apps.journal import Journal
from ox88.apps.live import LiveView, print_view
from ox88.apps.match.openings import Opening, OpeningFile
from ox88.apps.match.standings import elo_text
from ox88.apps.match.statistics import PAIR_SCORES, Sample, Sprt, elo_estimate
from ox88.apps.time_control import TimeControl, parse_time_control
from ox88.cores import cores
from ox88.engines.modern.options import PARAMETERS
from ox88.errors import Ox88Error
from tools.command import Command
from tools.games import job_key
from tools.selfplay import Evaluation, Pairs, Parameters, add_counts, find_evaluation, openings_of, play_pairs

PAIRS_A_JOB: Final = 4
_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("path", metavar="FILE", type=_PATH)
@click.argument("texts", metavar="CHANGE...", nargs=-1, required=True)
@click.option("--with", "both", metavar="CHANGE", default="", help="That both players have.")
@click.option("--openings", "books", multiple=True, required=True, type=_PATH, help="PGN or EPD; may be repeated.")
@click.option("--elo", nargs=2, type=float, default=(0.0, 5.0), show_default=True, help="The two hypotheses.")
@click.option("--games", type=click.IntRange(2), default=60_000, show_default=True, help="At most.")
@click.option(
    "--nodes", type=click.IntRange(1), default=25_000, show_default=True, help="A move; with --clock, a second."
)
@click.option("--clock", help="A clock that counts nodes, such as 5+0.05.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--concurrency", type=click.IntRange(1), default=cores(), show_default="all cores")
@click.option("--scheduler", help="The address of a Dask cluster that plays the games.")
def main(
    path: Path,
    texts: Sequence[str],
    both: str,
    books: Sequence[Path],
    elo: tuple[float, float],
    games: int,
    nodes: int,
    clock: str | None,
    seed: int,
    concurrency: int,
    scheduler: str | None,
) -> None:
    """Play the search with changes of its numbers against the search without.

    A change is NAME=VALUE, or several of these with commas between them; evaluation=FILE is another network than
    Ox88's, and evaluation=handcrafted none. The run stops when a sequential test has
    decided about each change whether it is worth as much as --elo says, or nothing. FILE keeps the results; the same
    command resumes a run that was stopped.
    """
    changes = {text: read_change(text) for text in texts}
    if sum(change.evaluation is not None for change in changes.values()) > 1:
        raise click.UsageError("several changes name an evaluation, but a player can have only one: test one at a time")
    openings = [OpeningFile(book, seed) for book in books]
    control = None if clock is None else parse_time_control(clock)
    settings = {
        "changes": {text: change.settings for text, change in changes.items()},
        "both": read_change(both).settings,
        "openings": [book.identity for book in openings],
        "elo": elo,
        "nodes": nodes,
        **({} if control is None else {"clock": str(control)}),
        "seed": seed,
        **find_evaluation().settings,
    }
    try:
        with Journal(path, settings) as journal:
            players = Players(tuple(changes.values()), read_change(both), seed)
            tests = Tests(Sprt(*elo), tuple(changes), players, -(-games // (2 * PAIRS_A_JOB)), journal)
            with make_workers(concurrency, scheduler) as workers, LiveView(tests.view):
                for job, counts in do_jobs(workers, play_pairs, tests.jobs(openings, nodes, control)):
                    tests.add(job.number, counts)
    except KeyboardInterrupt:
        click.echo(f"{tests.games:,} games are played; the same command resumes from there", err=True)
        sys.exit(130)
    print_view(tests.view())


@dataclass(frozen=True, slots=True)
class Change:
    """What a player has that others have not. evaluation: None for the engine's."""

    parameters: Parameters
    evaluation: Evaluation | None = None

    @property
    def settings(self) -> list[object]:
        """For the journal."""
        return [self.parameters, None if self.evaluation is None else self.evaluation.checksum]


def read_change(text: str) -> Change:
    """Numbers of options.py and their values, with commas between them, or an evaluation. Raises Ox88Error."""
    known = {option.name: option for option in PARAMETERS}
    parameters, evaluation = [], None
    for part in text.split(",") if text else ():
        name, _, value = part.partition("=")
        if name == "evaluation":
            evaluation = find_evaluation(value)
            continue
        option = known.get(name)
        if option is None:
            raise Ox88Error(f"{part}: there is no such number of the search; options.py names {', '.join(known)}")
        if not value.lstrip("-").isdecimal() or not option.minimum <= int(value) <= option.maximum:
            raise Ox88Error(f"{part}: a whole number from {option.minimum} to {option.maximum} is expected")
        parameters.append((name, int(value)))
    return Change(tuple(parameters), evaluation)


@dataclass(frozen=True, slots=True)
class Players:
    """Who has which changes. both: what both players have."""

    changes: tuple[Change, ...]
    both: Change
    seed: int

    def owners(self, job: int) -> list[bool]:
        """For each change, whether the first player of a job has it; else the second has it."""
        coin = random.Random(f"{self.seed} {job}")  # noqa: S311 - Games, no secret.
        return [coin.random() < 0.5 for _ in self.changes]

    def pairs(self, job: int, openings: tuple[Opening, ...], nodes: int, clock: TimeControl | None) -> Pairs:
        parameters = [dict(self.both.parameters), dict(self.both.parameters)]
        evaluations = [self.both.evaluation or find_evaluation()] * 2
        for change, is_first in zip(self.changes, self.owners(job), strict=True):
            player = 0 if is_first else 1
            parameters[player].update(change.parameters)
            evaluations[player] = change.evaluation or evaluations[player]
        first, second = (tuple(numbers.items()) for numbers in parameters)
        return Pairs(job, openings, first, second, nodes, evaluations[0], evaluations[1], clock)


class Tests:
    """The results so far, from the view of each change. jobs: the most to be played. The journal keeps each result."""

    def __init__(self, sprt: Sprt, names: Sequence[str], players: Players, jobs: int, journal: Journal) -> None:
        self._sprt = sprt
        self._counts = {name: [0] * 5 for name in names}
        self._accepted: dict[str, float] = {}  # The hypothesis that the test of a change accepted first.
        self._players = players
        self._jobs = jobs
        self._journal = journal
        self._known = len(journal) * 2 * PAIRS_A_JOB
        self._started = time.monotonic()

    @property
    def games(self) -> int:
        return 2 * max(map(sum, self._counts.values()))

    def jobs(self, books: Sequence[OpeningFile], nodes: int, clock: TimeControl | None) -> Iterator[Pairs]:
        """The jobs that are missing, until all tests have decided."""
        for job in range(self._jobs):
            kept = self._journal.get(job_key(job))
            if kept is not None:
                self._count(job, json.loads(kept))
            elif len(self._accepted) < len(self._counts):
                yield self._players.pairs(job, openings_of(job, PAIRS_A_JOB, books), nodes, clock)

    def add(self, job: int, counts: Sequence[int]) -> None:
        self._count(job, counts)
        self._journal.add(job_key(job), json.dumps(list(counts)).encode())

    def _count(self, job: int, counts: Sequence[int]) -> None:
        """counts: of pairs with 0, 1/2, 1, 3/2 and 2 points for the first player."""
        for name, is_first in zip(self._counts, self._players.owners(job), strict=True):
            self._counts[name] = add_counts([self._counts[name], counts if is_first else counts[::-1]])
            accepted = self._sprt.accepted(self._sample(name))
            if accepted is not None:
                self._accepted.setdefault(name, accepted)

    def _sample(self, name: str) -> Sample:
        return Sample(tuple(self._counts[name]), PAIR_SCORES)

    def view(self) -> RenderableType:
        """A table with a row for each change. Its title is the number of games and the time that one takes."""
        each = (time.monotonic() - self._started) / max(self.games - self._known, 1)
        table = Table(title=f"{self.games:,} games, {each:.2f} s each")
        for title in ("change", "Elo", "pairs 0, ½, 1, 1½, 2", "LLR", "accepted"):
            table.add_column(title, justify="left" if title == "change" else "right")
        for name, counts in self._counts.items():
            sample, accepted = self._sample(name), self._accepted.get(name)
            table.add_row(
                name,
                elo_text(elo_estimate(sample)) if sample.size else "",
                " ".join(map(str, counts)),
                f"{self._sprt.ratio(sample):+.2f}" if sample.size else "",
                "" if accepted is None else f"{accepted:g} Elo",
            )
        return table


if __name__ == "__main__":
    main()
