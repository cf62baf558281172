"""Options of the command line that several commands share."""

from collections.abc import Callable

import click

from ox88.engines.base import EngineEntry, OptionValue
from ox88.engines.registry import ENGINES

NODES = click.IntRange(min=1)
DEPTH = click.IntRange(min=1)
SECONDS = click.FloatRange(min=0, min_open=True)
THREADS = click.IntRange(1, 256)
MEGABYTES = click.IntRange(min=1)


def engine_option(
    description: str, default: EngineEntry | None = ENGINES[0]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `--engine`. The command gets the engine's entry in the registry as `engine`."""
    names = click.Choice([entry.name for entry in ENGINES], case_sensitive=False)
    return click.option(
        "--engine",
        type=names,
        callback=lambda _context, _parameter, name: _find_engine(name),
        default=default and default.name,
        show_default=True,
        help=description,
    )


def _find_engine(name: str | None) -> EngineEntry | None:
    return next((entry for entry in ENGINES if entry.name == name), None)


def size_settings(hash_megabytes: int | None, threads: int | None) -> dict[str, OptionValue]:
    """The engine's options that `--hash` and `--threads` set."""
    sizes = {"Hash": hash_megabytes, "Threads": threads}
    return {name: size for name, size in sizes.items() if size is not None}


def program_name(engine: EngineEntry) -> str:
    """The program's name and version, followed by the engine's name unless it is the default."""
    from ox88 import __version__

    return f"Ox88 {__version__}" if engine is ENGINES[0] else f"Ox88 {__version__} {engine.name}"
