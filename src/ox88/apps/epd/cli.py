"""`ox88 epd`: its options."""

from pathlib import Path

import click

from ox88.apps.options import DEPTH, FILE, MEGABYTES, NODES, SECONDS, THREADS, Whole, engine_option, size_settings
from ox88.engines.base import EngineEntry, Limit


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--time", "seconds", type=SECONDS, help="Seconds a position. Default, without another limit: 1.")
@click.option("--depth", type=DEPTH, help="Plies a position.")
@click.option("--nodes", type=NODES, help="Nodes a position.")
@click.option("--workers", type=Whole(1, 61), default=1, show_default=True, help="Processes that search.")
@engine_option("The engine to test.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the engine; repeatable.")
@click.option("--hash", "hash_megabytes", type=MEGABYTES, help="Megabytes of hash table a worker.")
@click.option("--threads", type=THREADS, help="Threads a worker.")
@click.option("--json", "json_path", type=FILE, metavar="FILE", help="Write all results; - is stdout.")
def epd(
    files: tuple[Path, ...],
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    workers: int,
    engine: EngineEntry,
    options: tuple[str, ...],
    hash_megabytes: int | None,
    threads: int | None,
    json_path: Path | None,
) -> None:
    """Let an engine solve test suites.

    FILES are EPD files with bm (best moves), am (moves to avoid) or points for moves.
    """
    from ox88.apps.epd.command import solve_suites
    from ox88.apps.epd.solving import Solver
    from ox88.apps.options import read_settings

    if seconds is None and depth is None and nodes is None:
        seconds = 1.0
    settings = size_settings(hash_megabytes, threads) | read_settings(options)
    solver = Solver(engine, tuple(settings.items()), Limit(nodes=nodes, time=seconds, depth=depth), workers)
    raise click.exceptions.Exit(solve_suites(files, solver, json_path))
