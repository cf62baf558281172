"""`ox88 epd`: let an engine solve test suites, and say how it did."""

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from ox88.apps.engines import Settings
from ox88.apps.epd.results import Results
from ox88.apps.epd.suite import BadLine, Case, read_suite
from ox88.apps.epd.table import results_table
from ox88.apps.epd.workers import try_cases
from ox88.apps.files import check_writable
from ox88.apps.live import LiveView, print_view
from ox88.engines.base import EngineEntry, Limit
from ox88.types import Ox88Error

DEFAULT_SECONDS: Final = 1.0  # A position.
STANDARD_OUTPUT: Final = Path("-")


@dataclass(frozen=True, slots=True)
class Way:
    """How to solve: what the options of `ox88 epd` say."""

    entry: EngineEntry
    settings: Settings
    limit: Limit
    workers: int = 1


def make_limit(seconds: float | None, depth: int | None, nodes: int | None) -> Limit:
    """The limit of a position: a second, where no other is given."""
    if seconds is None and depth is None and nodes is None:
        seconds = DEFAULT_SECONDS
    return Limit(nodes=nodes, time=seconds, depth=depth)


def solve_suites(paths: Sequence[Path], way: Way, json_path: Path | None) -> int:
    """Solve the suites, print a table on standard output, and write JSON. With JSON on standard output the table is on
    stderr. Ctrl-C ends it with what is there.

    Returns the exit code: 0; 1 where a line could not be used; 130 after Ctrl-C. Raises Ox88Error.
    """
    cases, bad_lines = _read(paths)
    if json_path is not None and json_path != STANDARD_OUTPUT:
        check_writable(json_path)
    results = Results(cases)
    interrupted = _solve(results, way)
    print_view(results_table(results), to_stderr=json_path == STANDARD_OUTPUT)
    failures = [BadLine(a.case.suite, a.case.line, Ox88Error(a.error)) for a in results.in_order() if a.error]
    _say(failures)
    if bad_lines or failures:
        click.echo(f"ox88: bad lines: {len(bad_lines)}, positions without a move: {len(failures)}", err=True)
    if json_path is not None:
        _write_json(json_path, _as_data(results, way, bad_lines, interrupted))
    if interrupted:
        return 130
    return 1 if bad_lines or failures else 0


def _read(paths: Sequence[Path]) -> tuple[list[Case], list[BadLine]]:
    cases: list[Case] = []
    bad_lines: list[BadLine] = []
    for path in dict.fromkeys(paths):  # A file named twice is one suite.
        more_cases, more_bad_lines = read_suite(path)
        cases += more_cases
        bad_lines += more_bad_lines
        _say(more_bad_lines)
    return cases, bad_lines


def _say(bad_lines: Sequence[BadLine]) -> None:
    for bad_line in bad_lines:
        click.echo(f"ox88: {bad_line}", err=True)


def _solve(results: Results, way: Way) -> bool:
    """Add the answers to the results. Whether Ctrl-C ended it."""
    try:
        found = try_cases(results.cases, way.entry, way.settings, way.limit, way.workers)
        with contextlib.closing(found) as answers, LiveView(lambda: results_table(results)):
            for answer in answers:
                results.add(answer)
    except KeyboardInterrupt:
        return True
    return False


def _as_data(results: Results, way: Way, bad_lines: Sequence[BadLine], interrupted: bool) -> dict[str, Any]:
    limit = {"seconds": way.limit.time, "depth": way.limit.depth, "nodes": way.limit.nodes}
    asked = {"engine": way.entry.name, "options": dict(way.settings), "workers": way.workers, "limit": limit}
    state = {"interrupted": interrupted, "bad_lines": [str(bad_line) for bad_line in bad_lines]}
    return asked | state | results.as_data()


def _write_json(path: Path, data: dict[str, Any]) -> None:
    text = json.dumps(data, indent=1)
    if path == STANDARD_OUTPUT:
        click.echo(text)
        return
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Ox88Error(f"{path} cannot be written: {error.strerror or error}") from None
