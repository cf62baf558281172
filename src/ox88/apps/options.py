"""Options of the command line that several commands share, and engines made with them."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from ox88.engines.base import Engine, EngineEntry, OptionValue, get_ready
from ox88.engines.modern.options import SHIPPED_NETWORK
from ox88.engines.placed import PlacedEngine
from ox88.engines.registry import ENGINES
from ox88.errors import Ox88Error

Settings = Mapping[str, OptionValue]


class Whole(click.IntRange):
    """Whole numbers within limits. click says of any other text that it is not a valid integer range."""

    name = "integer"


class Number(click.FloatRange):
    """Numbers within limits. click says of any other text that it is not a valid float range."""

    name = "number"


NODES = Whole(min=1)
DEPTH = Whole(min=1)
SECONDS = Number(min=0, min_open=True)
THREADS = Whole(1, 256)
MEGABYTES = Whole(min=1)
FILE = click.Path(path_type=Path)


def engine_option(
    description: str, default: EngineEntry | None = ENGINES[0]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `--engine`. The command gets the engine's entry in the registry as `engine`."""
    names = click.Choice([entry.name for entry in ENGINES], case_sensitive=False)
    return click.option(
        "--engine",
        type=names,
        callback=lambda _context, _parameter, name: next((entry for entry in ENGINES if entry.name == name), None),
        default=default and default.name,
        show_default=True,
        help=description,
    )


def size_settings(hash_megabytes: int | None, threads: int | None) -> dict[str, OptionValue]:
    """The engine's options that `--hash` and `--threads` set."""
    sizes = {"Hash": hash_megabytes, "Threads": threads}
    return {name: size for name, size in sizes.items() if size is not None}


def evaluation_settings(evaluation: str | None) -> dict[str, OptionValue]:
    """The options of Ox88 that `--evaluation` sets: handcrafted, network, or the name of a network's file."""
    match evaluation:
        case None:
            return {}
        case "handcrafted":
            return {"Use NNUE": False}
        case "network" if SHIPPED_NETWORK.exists():
            return {"Use NNUE": True}
        case "network":
            raise Ox88Error("this copy of Ox88 has no network; --evaluation can name a network's file")
        case file:
            return {"EvalFile": file}


def make_engine(entry: EngineEntry, settings: Settings, tell: bool = True) -> Engine:
    """An engine with its options set. Its kernels are compiled, or loaded, by its first search.

    tell: True to print the engine's remarks on its options to stderr. Raises EngineError.
    """
    engine = entry.make()
    for name, value in settings.items():
        remark = engine.set_option(name, value)
        if remark and tell:
            click.echo(f"ox88: {remark}", err=True)
    return engine


def make_ready_engine(entry: EngineEntry, settings: Settings, tell: bool = True) -> Engine:
    """`make_engine`, with the engine's kernels compiled before a clock runs."""
    return get_ready(make_engine(entry, settings, tell))


def engine_of_thread(entry: EngineEntry, settings: Sequence[tuple[str, OptionValue]] = ()) -> PlacedEngine:
    """The engine that the current thread keeps for its next work, if that has the same settings."""
    wanted = entry, tuple(settings)
    kept: tuple[object, PlacedEngine] | None = getattr(_local, "kept", None)
    if kept is None or kept[0] != wanted:
        _local.kept = None  # Frees the old engine's memory first.
        kept = _local.kept = wanted, PlacedEngine(make_ready_engine(entry, dict(settings), tell=False))
    return kept[1]


_local: Final = threading.local()


def has_option(entry: EngineEntry, name: str) -> bool:
    return any(option.name == name for option in entry.options)


def read_settings(texts: tuple[str, ...]) -> dict[str, OptionValue]:
    """The options of texts such as `Hash=16`; a text without `=` is an option without a value. Raises Ox88Error."""
    settings: dict[str, OptionValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name.strip():
            raise Ox88Error(f"the option {text!r} has no name: Name=Value is expected, such as Hash=16")
        settings[name.strip()] = value.strip() if equals else None
    return settings


def program_name(engine: EngineEntry) -> str:
    """The program's name and version, followed by the engine's name unless it is the default."""
    return f"Ox88 {version()}" if engine is ENGINES[0] else f"Ox88 {version()} {engine.name}"


def version() -> str:
    """The version of this package, from its metadata."""
    from importlib.metadata import version  # Slow to import, and seldom needed.

    return version("ox88")
