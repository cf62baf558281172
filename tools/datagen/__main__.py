"""Let the engine play itself, and keep the games, with the search's score of each move.

python -m tools.datagen --openings 8moves_v3.pgn.zip --games 10000 games/
"""

import contextlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from rich.text import Text

from ox88.apps.jobs import do_jobs, make_workers
from ox88.apps.live import LiveView
from ox88.apps.match.openings import Opening, OpeningFile
from ox88.cores import cores
from tools.command import Command
from tools.datagen.job import GAMES_A_JOB, RULES, Job, play_job
from tools.games import GameFolder, Settings
from tools.selfplay import find_evaluation

_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("path", metavar="FOLDER", type=_PATH)
@click.option("--openings", "books", multiple=True, type=_PATH, help="PGN or EPD; may be repeated.")
@click.option("--only-openings", is_flag=True, help="All games begin with an opening, which may be an endgame.")
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True)
@click.option(
    "--nodes", type=click.IntRange(1), default=2000, show_default=True, help="Per move; the last depth is finished."
)
@click.option(
    "--random-plies",
    nargs=2,
    type=click.IntRange(0),
    default=(6, 9),
    show_default=True,
    help="The least and the most random plies after an opening.",
)
@click.option(
    "--evaluation", metavar="[handcrafted|network|FILE]", help="Who plays. Default: Ox88's network, if it has one."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--concurrency", type=click.IntRange(1), default=cores(), show_default="all cores")
@click.option("--scheduler", help="The address of a Dask cluster that plays the games.")
def main(
    path: Path,
    books: Sequence[Path],
    only_openings: bool,
    games: int,
    nodes: int,
    random_plies: tuple[int, int],
    evaluation: str | None,
    seed: int,
    concurrency: int,
    scheduler: str | None,
) -> None:
    """Let the engine play itself, and keep the games in FOLDER, in Parquet.

    Half of the games begin at the start position, and half with an opening of the books; then come random plies.
    The same command resumes a run that was stopped; with more --games it adds to the folder.
    """
    if random_plies[0] > random_plies[1]:
        raise click.UsageError(f"--random-plies {random_plies[0]} {random_plies[1]}: the smaller comes first")
    if only_openings and not books:
        raise click.UsageError("--only-openings: there are none; name a file with --openings")
    openings = [OpeningFile(book, seed) for book in books]
    player = find_evaluation(evaluation)
    settings = {
        "openings": [book.name for book in books],
        "identities": [book.identity for book in openings],
        "nodes": nodes,
        "random_plies": random_plies,
        "seed": seed,
        "rules": RULES,
        **player.settings,
    }
    if only_openings:
        settings["only_openings"] = True
    folder = GameFolder(path, settings)
    wanted = -(-games // GAMES_A_JOB)
    missing = list(folder.missing(wanted))
    progress = Progress(folder, wanted)
    if folder.jobs:
        click.echo(f"resuming after {folder.jobs * GAMES_A_JOB:,} games", err=True)
    jobs = (
        Job(number, openings_of(number, openings, only_openings), random_plies, nodes, seed, player)
        for number in missing
    )
    try:
        with contextlib.closing(folder), make_workers(concurrency, scheduler) as workers, LiveView(progress.view):
            for job, games_played in do_jobs(workers, play_job, jobs):
                folder.add(job.number, games_played)
            folder.finish()
    except KeyboardInterrupt:
        click.echo(f"{progress}; the same command resumes from there", err=True)
        sys.exit(130)
    click.echo(str(progress))


def command(settings: Settings, jobs: int, path: Path) -> str:
    """The command that made a folder with these settings. jobs: the number of jobs in it.

    A network's file is called by the beginning of its checksum.
    """
    if "sources" in settings:
        names = [f"part-{number}" for number in range(1, len(settings["sources"]) + 1)]
        made = [
            command(source["settings"], source["jobs"], Path(name))
            for source, name in zip(settings["sources"], names, strict=True)
        ]
        return "; ".join([*made, f"python -m tools.games {' '.join(names)} -o {path.name} --seed {settings['seed']}"])
    words = [f"--openings {name}" for name in settings["openings"]]
    if settings.get("only_openings"):
        words.append("--only-openings")
    words += [f"--games {jobs * GAMES_A_JOB} --nodes {settings['nodes']}"]
    least, most = settings["random_plies"]
    words += [f"--random-plies {least} {most} --seed {settings['seed']}"]
    words += [f"--evaluation {settings['network'][:8]}.npz" if "network" in settings else "--evaluation handcrafted"]
    return f"python -m tools.datagen {' '.join(words)} {path.name}"


def openings_of(number: int, books: Sequence[OpeningFile], only_openings: bool = False) -> tuple[Opening, ...]:
    """The openings of a job; the books take turns. Without only_openings every second game has the start position."""
    games = range(number * GAMES_A_JOB, (number + 1) * GAMES_A_JOB)
    if only_openings:
        return tuple(_nth(game, books) for game in games)
    return tuple(Opening() if game % 2 == 0 or not books else _nth(game // 2, books) for game in games)


def _nth(game: int, books: Sequence[OpeningFile]) -> Opening:
    return books[game % len(books)].opening(game // len(books))


class Progress:
    """wanted: the number of jobs."""

    def __init__(self, folder: GameFolder, wanted: int) -> None:
        self.wanted = wanted
        self._folder = folder
        self._count_before = folder.count
        self._started = time.monotonic()

    def view(self) -> Text:
        return Text(str(self))

    def __str__(self) -> str:
        games = f"{self._folder.jobs * GAMES_A_JOB:,} of {self.wanted * GAMES_A_JOB:,} games"
        speed = (self._folder.count - self._count_before) / max(time.monotonic() - self._started, 1e-9) * 3600
        return f"{games}, {self._folder.count:,} moves, {speed:,.0f} an hour"


if __name__ == "__main__":
    main()
