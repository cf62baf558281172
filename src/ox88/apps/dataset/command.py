"""`ox88 dataset`: games as a table of positions, in Parquet."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import click

import ox88
from ox88.apps.dataset.columns import import_pyarrow, needs_packed, tags_of
from ox88.apps.dataset.making import FIRST_ENDING, Making
from ox88.apps.dataset.output import Output
from ox88.apps.dataset.scoring import count_scored
from ox88.apps.dataset.source import Source, name_of
from ox88.apps.dataset.wanted import Wanted
from ox88.apps.files import beside, check_writable
from ox88.apps.jobs import Workers, make_workers
from ox88.apps.journal import ENDING, Journal
from ox88.apps.streams import lenient
from ox88.types import Ox88Error


def make_dataset(
    files: Sequence[Path], output: Path, wanted: Wanted, workers: int = 1, scheduler: str | None = None
) -> int:
    """Write the positions of the games of some files as a table.

    It grows beside its place, with a journal, from which the same command goes on after whatever ended it; when all is
    done it gets its name. workers, scheduler: who searches, where that is wanted. Returns the exit code: 0, or 1 where
    games had errors. Raises Ox88Error, KeyboardInterrupt.
    """
    files = list(dict.fromkeys(files))  # A file named twice is one input.
    import_pyarrow()
    columns = wanted.columns_of_games
    source = Source(files, wanted.filters, tags_of(columns), needs_packed(columns), _report)
    source.check()
    target = output.resolve()  # A link stays one.
    if target in {path.resolve() for path in files}:
        raise Ox88Error(f"{output} is both read and written: name another output")
    check_writable(output)
    with _hands(wanted, workers, scheduler) as hands, _opened(target, _work(files, wanted)) as (table, journal):
        if not table.is_finished:
            Making(source, target, wanted, table, journal, hands).run()
        _remove(journal, target)
    counts = source.counts
    flawed = f"; {counts.flawed} with errors" if counts.flawed else ""
    click.echo(f"{output}: {counts.games:,} games, {table.rows:,} rows{flawed}", file=lenient(sys.stdout))
    return 1 if counts.flawed else 0


def _report(text: str) -> None:
    click.echo(f"ox88: {text}", err=True)


def _hands(wanted: Wanted, workers: int, scheduler: str | None) -> AbstractContextManager[Workers | None]:
    """Who searches; None where nobody does."""
    return contextlib.nullcontext() if wanted.search is None else make_workers(workers, scheduler)


def _work(files: Sequence[Path], wanted: Wanted) -> str:
    """What is done, and of which files: other work cannot go on where this has ended."""
    states = [(path, path.stat()) for path in files]
    inputs = ", ".join(f"{name_of(path)} ({state.st_size} bytes, {state.st_mtime_ns})" for path, state in states)
    engine = "" if wanted.search is None else f", searched by Ox88 {ox88.__version__}"
    return f"{wanted} of {inputs}{engine}"


@contextlib.contextmanager
def _opened(path: Path, work: str) -> Iterator[tuple[Output, Journal]]:
    """The growing table; it stays while there is something in it, so that somebody may go on from it."""
    with Journal(beside(path, ENDING), work) as journal:
        table = Output(path, journal)
        if done := _done(table, journal):
            click.echo(f"ox88: going on behind {done}", err=True)
        try:
            yield table, journal
        except BaseException:
            table.save()
            if done := _done(table, journal):
                click.echo(f"ox88: {done} are done; the same command goes on from there", err=True)
            else:
                table.remove()
                _remove(journal, path)
            raise
        finally:
            table.close()


def _done(table: Output, journal: Journal) -> str:
    """What nobody has to do again; empty where that is nothing."""
    if scored := count_scored(journal):
        return f"{scored:,} scores"
    return f"{table.rows:,} rows" if table.rows else ""


def _remove(journal: Journal, output: Path) -> None:
    journal.remove()
    with contextlib.suppress(PermissionError):  # Windows keeps it while an error holds it open; the journal counts.
        beside(output, FIRST_ENDING).unlink(missing_ok=True)
