"""The command line of `ox88 puzzles`."""

from pathlib import Path

import click

from ox88.apps import options
from ox88.cores import cores
from ox88.engines.base import Limit
from ox88.engines.registry import ENGINES


@click.command()
@click.argument("files", nargs=-1, required=True, type=options.FILE, metavar="GAMES.pgn...")
@click.option(
    "-o", "--output", required=True, type=options.FILE, metavar="FILE", help="Its name ends in .parquet, .csv or .pgn."
)
@click.option("--player", metavar="NAME", help="Only the mistakes of this player.")
@click.option("--nodes", type=options.NODES, help="Nodes of the first look at a position. Default: 5000.")
@click.option("--workers", type=options.Whole(1, 1024), help="Games at a time. Default: one a core.")
@click.option("--scheduler", metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://10.0.0.1:8786.")
def puzzles(
    files: tuple[Path, ...],
    output: Path,
    player: str | None,
    nodes: int | None,
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Make puzzles of the mistakes in games.

    A puzzle is a position in which somebody erred and exactly one move wins, saves or mates, by two searches of 20 and
    30 times the nodes of the first look. The PGN files may be packed (.gz, .bz2, .zst, .zip) and larger than memory. A
    journal beside the output lets the same command resume a run that was stopped.
    """
    from ox88.apps.puzzles.command import PuzzleSettings, make_puzzle_file
    from ox88.apps.puzzles.making import NODES

    if player is not None and not player.strip():
        raise click.UsageError("--player has no name: a name in the games is expected, or no --player for all players")
    settings = PuzzleSettings(
        ENGINES[0], (), Limit(nodes=nodes or NODES), options.program_name(ENGINES[0]), player or ""
    )
    raise click.exceptions.Exit(make_puzzle_file(files, settings, output, workers or cores(), scheduler))
