"""The command line's words as settings of an analysis."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import click

from ox88.apps.analyse.worker import AnalysisSettings
from ox88.apps.engines import read_settings
from ox88.engines.base import EngineEntry, Limit, OptionValue
from ox88.engines.settings import find_option, fit

DEFAULT_NODES: Final = 100_000  # A position.


def read_analysis_settings(
    entry: EngineEntry,
    annotator: str,
    nodes: int | None,
    depth: int | None,
    seconds: float | None,
    multipv: int | None,
    options: Sequence[str],
) -> AnalysisSettings:
    """Raises EngineError for an option that the engine does not have, or for a wrong value."""
    if nodes is None and depth is None and seconds is None:
        nodes = DEFAULT_NODES
    given = read_settings(tuple(options)) | ({} if multipv is None else {"MultiPV": multipv})
    limit = Limit(nodes=nodes, depth=depth, time=seconds)
    return AnalysisSettings(entry, tuple(_fitted(entry, given)), limit, annotator)


def _fitted(entry: EngineEntry, given: Mapping[str, OptionValue]) -> Iterator[tuple[str, OptionValue]]:
    """The options with the engine's spelling and ranges; remarks on them go to stderr."""
    for name, value in given.items():
        option = find_option(entry.options, name)
        fitted, remark = fit(option, value)
        if remark:
            click.echo(f"ox88: {remark}", err=True)
        yield option.name, fitted


def default_workers(settings: AnalysisSettings) -> int:
    """As many workers as keep all cores busy with the threads of each."""
    threads = next((int(value or 1) for name, value in settings.options if name == "Threads"), 1)
    return max(1, (os.cpu_count() or 1) // threads)
