"""`ox88 dataset`: its options."""

from pathlib import Path
from typing import Any

import click

from ox88.apps.options import DEPTH, FILE, NODES, Number, Whole


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="GAMES.pgn...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=FILE,
    metavar="FOLDER",
    help="Write Parquet files into this folder, or a file .plain, .binpack or .gz (Leela's). A stopped run resumes.",
)
@click.option(
    "--columns",
    multiple=True,
    metavar="NAMES",
    help="Separated by commas: game, ply, file, position, fen, key, move, result, eval, eval_after, clock, time, depth,"
    " or tags such as White. Default: game,ply,position,move,result,eval,clock,WhiteElo,BlackElo.",
)
@click.option("--min-rating", type=Whole(min=0), help="Keep games if both ratings are at least this.")
@click.option("--max-rating", type=Whole(min=0), help="Keep games if both ratings are at most this.")
@click.option("--result", "results", multiple=True, metavar="RESULTS", help="Keep only these results, such as 1-0,0-1.")
@click.option(
    "--time-control",
    "time_controls",
    multiple=True,
    metavar="WORDS",
    help="Keep games of ultrabullet, bullet, blitz, rapid, classical, correspondence, or a tag such as 180+2.",
)
@click.option("--min-plies", type=Whole(min=0), help="Keep games with at least this many plies.")
@click.option("--max-plies", type=Whole(min=0), help="Keep games with at most this many plies.")
@click.option("--from-ply", type=Whole(min=0), help="Keep positions after at least this many plies.")
@click.option("--to-ply", type=Whole(min=0), help="Keep positions after at most this many plies.")
@click.option("--evaluated", is_flag=True, help="Keep positions that have an [%eval].")
@click.option("--sample", type=Number(0, 1, min_open=True), metavar="SHARE", help="Keep this share of positions: 0.1.")
@click.option("--per-game", type=Whole(min=1), metavar="N", help="Keep at most N positions of each game.")
@click.option("--seed", type=Whole(0, 2**63 - 1), default=0, show_default=True, help="Seed of the sampling.")
@click.option("--unique", is_flag=True, help="Keep only the first occurrence of each position.")
@click.option("--nodes", type=NODES, help="Nodes a position: adds columns score and best.")
@click.option("--depth", type=DEPTH, help="Plies a position: adds columns score and best.")
@click.option("--workers", type=Whole(1, 1024), help="Processes that search. Default: one a core.")
@click.option("--scheduler", metavar="ADDRESS", help="Search on a Dask cluster, such as tcp://10.0.0.1:8786.")
@click.option(
    "--compression",
    type=click.Choice(["lz4", "zstd", "snappy"]),
    default="lz4",
    show_default=True,
    help="zstd makes smaller files and takes a little longer; snappy is for old readers.",
)
def dataset(
    files: tuple[Path, ...],
    output: Path,
    columns: tuple[str, ...],
    unique: bool,
    nodes: int | None,
    depth: int | None,
    workers: int | None,
    scheduler: str | None,
    compression: str,
    **filters: Any,
) -> None:
    """Make a data set of the positions of games.

    It is for learning or statistics: a folder of Parquet files with one row a move.

    The PGN files may be packed (.gz, .bz2, .zst, .zip) and larger than memory. Files .plain, .binpack and .gz (of
    Leela's, also many in a .tar) and folders of Parquet files are converted to one another.
    """
    from ox88.batch.positions.arrow import import_pyarrow

    import_pyarrow("ox88 dataset")
    from ox88.apps.dataset.command import make_dataset, read_columns, read_filters, read_workers
    from ox88.apps.dataset.converting import COLUMNS, check_options, convert, convert_games, is_training_data
    from ox88.apps.dataset.pipeline import DatasetSpec
    from ox88.apps.dataset.scoring import Search
    from ox88.batch.training.formats import is_training_file

    is_training = any(map(is_training_data, files))
    if is_training or is_training_file(output):
        check_options(files, output, given_options())
    if is_training:
        raise click.exceptions.Exit(convert(files, output))
    is_scored = nodes is not None or depth is not None
    search = Search(nodes, depth) if is_scored else None
    columns = COLUMNS if is_training_file(output) else columns
    spec = DatasetSpec(read_columns(columns, is_scored), read_filters(**filters), unique, search, compression)
    workers = read_workers(workers, scheduler, is_scored)
    make = convert_games if is_training_file(output) else make_dataset
    raise click.exceptions.Exit(make(files, output, spec, workers, scheduler))


def given_options() -> list[str]:
    """The options that the command line has, without the output."""
    context = click.get_current_context()
    options = [option for option in context.command.params if isinstance(option, click.Option)]
    written = click.core.ParameterSource.COMMANDLINE
    return [o.opts[-1] for o in options if o.name != "output" and context.get_parameter_source(o.name or "") is written]
