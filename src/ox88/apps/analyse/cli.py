"""The command line of `ox88 analyse`."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from ox88.apps.options import DEPTH, FILE, NODES, SECONDS, Whole, engine_option, program_name, read_settings
from ox88.cores import cores
from ox88.engines.base import EngineEntry, OptionValue, find_option, fit


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="GAMES.pgn...")
@click.option("-o", "--output", "pgn", type=FILE, metavar="FILE", help="Write the annotated games; - is stdout.")
@click.option("--nodes", type=NODES, help="Nodes a position. Default, without another limit: 100000.")
@click.option("--depth", type=DEPTH, help="Plies a position.")
@click.option("--time", "seconds", type=SECONDS, help="Seconds a position; results then vary from run to run.")
@click.option("--multipv", type=Whole(1, 256), help="Best lines to show. Default: 1.")
@engine_option("The engine that annotates.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the engine; repeatable.")
@click.option("--workers", type=Whole(1, 1024), help="Games at a time. Default: one a core.")
@click.option("--scheduler", metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://10.0.0.1:8786.")
@click.option("--json", type=FILE, metavar="FILE", help="Write a JSON object for each game; - is stdout.")
@click.option("--parquet", type=FILE, metavar="FILE", help="Write a table with a row for each move.")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page that shows the games in a browser; - is stdout.")
def analyse(
    files: tuple[Path, ...],
    pgn: Path | None,
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

    Also computes accuracy and names openings.

    The PGN files may be packed (.gz, .bz2, .zst, .zip) and larger than memory. At least one output is needed. A journal
    beside the first output lets the same command resume a run that was stopped.
    """
    from ox88.apps.analyse.command import Outputs, analyse_files
    from ox88.apps.analyse.search import make_limit
    from ox88.apps.analyse.worker import AnalysisSettings

    files_to_write = Outputs(pgn, **outputs)
    if not files_to_write.paths:
        raise click.UsageError("no output is named: give one or more of -o, --html, --json and --parquet")
    given = read_settings(options) | ({} if multipv is None else {"MultiPV": multipv})
    fitted = tuple(_fit_options(engine, given))
    settings = AnalysisSettings(engine, fitted, make_limit(nodes, depth, seconds), program_name(engine))
    threads = next((int(value or 1) for name, value in fitted if name == "Threads"), 1)
    workers = workers or max(1, cores() // threads)
    raise click.exceptions.Exit(analyse_files(files, settings, files_to_write, workers, scheduler))


def _fit_options(entry: EngineEntry, given: Mapping[str, OptionValue]) -> Iterator[tuple[str, OptionValue]]:
    """The options with the engine's spelling and ranges; remarks on them go to stderr. Raises EngineError."""
    for name, value in given.items():
        option = find_option(entry.options, name)
        fitted, remark = fit(option, value)
        if remark:
            click.echo(f"ox88: {remark}", err=True)
        yield option.name, fitted
