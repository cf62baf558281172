"""The words of the command line as an analysis."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import click

from ox88.apps.analyse.worker import Way
from ox88.apps.engines import read_settings
from ox88.engines.base import EngineEntry, Limit, OptionValue
from ox88.engines.settings import find_option, fit

DEFAULT_NODES: Final = 100_000  # A position.


def read_way(
    entry: EngineEntry,
    annotator: str,
    nodes: int | None,
    depth: int | None,
    seconds: float | None,
    multipv: int | None,
    options: Sequence[str],
) -> Way:
    """How to analyse. Raises EngineError for an option that the engine has not, or a value that is none of its."""
    if nodes is None and depth is None and seconds is None:
        nodes = DEFAULT_NODES
    given = read_settings(tuple(options)) | ({} if multipv is None else {"MultiPV": multipv})
    return Way(entry, tuple(_fitted(entry, given)), Limit(nodes=nodes, depth=depth, time=seconds), annotator)


def _fitted(entry: EngineEntry, settings: Mapping[str, OptionValue]) -> Iterator[tuple[str, OptionValue]]:
    """The settings as the engine has them; what is to be said about them goes to stderr."""
    for name, value in settings.items():
        option = find_option(entry.options, name)
        fitted, remark = fit(option, value)
        if remark:
            click.echo(f"ox88: {remark}", err=True)
        yield option.name, fitted


def default_workers(way: Way) -> int:
    """As many as there are cores for the threads of each."""
    threads = next((int(value or 1) for name, value in way.settings if name == "Threads"), 1)
    return max(1, (os.cpu_count() or 1) // threads)
