"""Train the ranker of people's moves, or measure the one that Ox88 comes with; see docs/levels.md."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

import click
import numpy as np

from ox88.apps.files import check_writable
from ox88.apps.live import LiveView, print_view, progress_bar, results_table
from ox88.engines.modern.human.ranker import FILE, read_ranker
from ox88.errors import Ox88Error
from tools.command import Command
from tools.humans import measuring
from tools.humans.data import Plies, Samples, make_samples, read_plies
from tools.humans.trainer import BATCH, Trainer
from tools.humans.writing import (
    chances_of,
    empty_ranker,
    fill_books,
    fit_temperatures,
    make_openings,
    quantise,
    write_ranker,
)

PUZZLES: Final = 2000
_PATHS: Final = click.argument(
    "paths", metavar="GAMES...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)


@click.group()
def main() -> None:
    """Train the ranker of people's moves, or measure it."""


@main.command(cls=Command)
@_PATHS
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file, .npz.")
@click.option("--positions", type=click.IntRange(BATCH), default=1_000_000, show_default=True)
@click.option("--epochs", type=click.IntRange(1), default=5, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def train(paths: Sequence[Path], output: Path, positions: int, epochs: int, seed: int) -> None:
    """Train with games of people: PGN, or Parquet with the columns moves, white and black. Next comes `temper`."""
    check_writable(output)
    started = time.monotonic()
    plies = read_plies(paths)
    kept = np.flatnonzero(~plies.held_out)
    if len(kept) < BATCH:
        raise Ox88Error(f"{len(kept)} moves of rated games: at least {BATCH} are needed")
    rows = np.sort(np.random.default_rng(seed).permutation(kept)[:positions])
    samples = sampled(plies.take(rows))
    openings = make_openings(plies.take(kept))
    ranker = empty_ranker(openings)
    fill_books(ranker, samples, left_out=True)
    trainer = Trainer(samples, seed)
    done, steps, loss = 0, 1, 0.0

    def report(*now: float) -> None:
        nonlocal done, steps, loss
        done, steps, loss = int(now[0]), int(now[1]), now[2]

    with LiveView(lambda: progress_bar(steps, done, f"training, loss {loss:.3f}")):
        trainer.train(np.arange(len(rows)), epochs, report)
    quantise(trainer.weights, ranker)
    games = len(np.unique(plies.games[kept]))
    about = {"games": games, "positions": len(rows), "epochs": epochs, "seed": seed}
    write_ranker(output, ranker, openings, about)
    click.echo(f"{output}: {output.stat().st_size} bytes, {len(rows)} positions, {time.monotonic() - started:.0f} s")


@main.command(cls=Command)
@_PATHS
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def temper(paths: Sequence[Path], seed: int) -> None:
    """Fit the temperatures of the ranker that Ox88 comes with to what people lose, and write them into its file."""
    plies = read_plies(paths)
    ranker = read_ranker()
    fit_temperatures(ranker, plies.take(np.flatnonzero(~plies.held_out)), seed)
    with np.load(FILE) as file:
        arrays = dict(file)
    np.savez_compressed(FILE, **cast(Any, {**arrays, "temperatures": ranker.temperatures}))
    click.echo(f"{FILE}: temperatures {ranker.temperatures.tolist()}")


@main.command(cls=Command)
@_PATHS
@click.option("--positions", type=click.IntRange(1), default=60_000, show_default=True)
@click.option("--all", "takes_all", is_flag=True, help="Of all games, not of those that training leaves out.")
@click.option("--judged", type=click.IntRange(0), default=0, help="Positions of a band whose losses are judged.")
@click.option("--nodes", type=click.IntRange(1), default=20_000, show_default=True, help="Of a search that judges.")
@click.option("--puzzles", type=click.Path(path_type=Path, exists=True), help="Lichess's puzzles, as Parquet.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def measure(
    paths: Sequence[Path], positions: int, takes_all: bool, judged: int, nodes: int, puzzles: Path | None, seed: int
) -> None:
    """Print how often the likeliest move is the one played, and how much is lost, by ratings."""
    plies = read_plies(paths)
    kept = np.arange(len(plies)) if takes_all else np.flatnonzero(plies.held_out)
    if len(kept) == 0:
        raise Ox88Error("no rated games are held out: one in ten is")
    rows = np.sort(np.random.default_rng(seed).permutation(kept)[:positions])
    samples = sampled(plies.take(rows))
    ranker = read_ranker()
    fill_books(ranker, samples, left_out=False)
    chances = chances_of(ranker, samples)
    _print(
        ("rating", "positions", "matched", "log loss", "plies 1 to 10", "matched"), measuring.foreseen(samples, chances)
    )
    mates = "rating", "can mate in one", "does: people / level, %", "can allow one", "does, %"
    _print(mates, measuring.mates_in_one(samples, chances))
    if judged:
        losses = "rating", "positions", "mean loss: people / level", "blunders, %"
        _print(losses, measuring.lost(samples, chances, nodes, judged, seed))
    if puzzles is not None:
        _print(
            ("level", "mistake is likeliest", "is played", "solved"), measuring.puzzles(puzzles, ranker, PUZZLES, seed)
        )


def _print(titles: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    table = results_table(*titles)
    for row in rows:
        table.add_row(*row)
    print_view(table)


def sampled(plies: Plies) -> Samples:
    """`make_samples` with a progress bar."""
    done = 0

    def report(count: int) -> None:
        nonlocal done
        done += count

    with LiveView(lambda: progress_bar(len(plies), done, "features")):
        return make_samples(plies, report)


if __name__ == "__main__":
    main()
