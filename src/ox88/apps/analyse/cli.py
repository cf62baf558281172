"""`ox88 analyse`: its options."""

from pathlib import Path

import click

from ox88.apps.options import DEPTH, NODES, SECONDS, engine_option, program_name
from ox88.engines.base import EngineEntry


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="GAMES.pgn...")
@click.option(
    "-o",
    "--output",
    "pgn",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the annotated games here. Beside it lies a journal, from which a run that was stopped goes on.",
)
@click.option("--nodes", type=NODES, help="Positions searched a position. Default, without another limit: 100000.")
@click.option("--depth", type=DEPTH, help="Plies a position.")
@click.option("--time", "seconds", type=SECONDS, help="Seconds a position; the output then differs from run to run.")
@click.option("--multipv", type=click.IntRange(1, 256), help="How many of the best lines to show. Default: 1.")
@engine_option("The engine that annotates.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the engine; repeatable.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Games at a time. Default: as the cores allow.")
@click.option("--scheduler", metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://10.0.0.1:8786.")
@click.option("--json", type=click.Path(path_type=Path), metavar="FILE", help="Write one JSON object a game.")
@click.option("--parquet", type=click.Path(path_type=Path), metavar="FILE", help="Write a table with a row a move.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a page to look at the games.")
def analyse(
    files: tuple[Path, ...],
    pgn: Path,
    nodes: int | None,
    depth: int | None,
    seconds: float | None,
    multipv: int | None,
    engine: EngineEntry,
    options: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    **outputs: Path | None,
) -> None:
    """Annotate games with evaluations, mistakes and better lines.

    Also computes accuracy and names openings. The same input gives the same output.

    The games are read from PGN files, plain or packed (.gz, .bz2, .zst, .zip), and may be more than fit in memory.
    """
    from ox88.apps.analyse.arguments import default_workers, read_analysis_settings
    from ox88.apps.analyse.command import Outputs, analyse_files

    settings = read_analysis_settings(engine, program_name(engine), nodes, depth, seconds, multipv, options)
    workers = workers or default_workers(settings)
    raise click.exceptions.Exit(analyse_files(files, settings, Outputs(pgn, **outputs), workers, scheduler))
