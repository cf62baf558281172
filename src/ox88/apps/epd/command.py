"""`ox88 epd`: suites are read, solved and reported."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

import click
from rich.text import Text

from ox88.apps.epd.results import Results
from ox88.apps.epd.solving import Solver
from ox88.apps.epd.suite import Case, read_suite
from ox88.apps.files import STANDARD_OUTPUT, check_distinct, check_writable, write_json
from ox88.apps.live import LiveView, print_view
from ox88.apps.streams import Reports


def solve_suites(paths: Sequence[Path], solver: Solver, json_path: Path | None) -> int:
    """Solve suites, print a table, and write JSON. With JSON on standard output the table goes to stderr.

    Ctrl-C ends it with the results so far. Returns the exit code: 0; 1 if a line could not be used; 130 after Ctrl-C.
    Raises Ox88Error.
    """
    if json_path is not None:
        check_distinct(paths, [json_path])
        check_writable(json_path)
    cases, bad_lines = _read(paths)
    results = Results(cases)
    interrupted = _solve(results, solver)
    has_json_on_stdout = json_path == STANDARD_OUTPUT
    print_view(results.table(), to_stderr=has_json_on_stdout)
    if unsolved := results.unsolved():
        print_view(Text(unsolved), to_stderr=has_json_on_stdout)
    failed = [(answer.case, answer.error) for answer in results.in_order() if answer.error]
    failures = [f"{case.suite}:{case.line}: {error}" for case, error in failed]
    _report(failures)
    if bad_lines or failures:
        click.echo(f"ox88: bad lines: {len(bad_lines)}, positions without a move: {len(failures)}", err=True)
    if json_path is not None:
        limit = {"seconds": solver.limit.time, "depth": solver.limit.depth, "nodes": solver.limit.nodes}
        options = dict(solver.settings)
        settings = {"engine": solver.entry.name, "options": options, "workers": solver.workers, "limit": limit}
        state = {"interrupted": interrupted, "bad_lines": bad_lines}
        write_json(json_path, settings | state | results.as_data())
    return 130 if interrupted else int(bool(bad_lines or failures))


def _read(paths: Sequence[Path]) -> tuple[list[Case], list[str]]:
    suites = [read_suite(path) for path in dict.fromkeys(paths)]  # A file that is named twice is one suite.
    bad_lines = [line for _, lines in suites for line in lines]
    _report(bad_lines)
    return [case for cases, _ in suites for case in cases], bad_lines


def _report(bad_lines: Sequence[str]) -> None:
    report = Reports()
    for bad_line in bad_lines:
        report(bad_line)
    report.close()


def _solve(results: Results, solver: Solver) -> bool:
    """Add the answers to the results. True if Ctrl-C ended it."""
    try:
        with contextlib.closing(solver.solve(results.cases)) as answers, LiveView(results.table):
            for answer in answers:
                results.add(answer)
    except KeyboardInterrupt:
        return True
    return False
