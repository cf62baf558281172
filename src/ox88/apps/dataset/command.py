"""`ox88 dataset`: games as a table of positions, in Parquet."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.apps.dataset.columns import Context, import_pyarrow, make_table, needs_packed, needs_positions, tags_of
from ox88.apps.dataset.duplicates import find_first, open_first
from ox88.apps.dataset.filters import Filters
from ox88.apps.dataset.groups import Group, Part, grouped
from ox88.apps.dataset.output import Output, encode
from ox88.apps.dataset.progress import Progress
from ox88.apps.dataset.rows import Rows, all_rows
from ox88.apps.dataset.source import Source, name_of
from ox88.apps.files import check_writable, explained
from ox88.apps.journal import ENDING, Journal
from ox88.apps.live import LiveView
from ox88.apps.streams import lenient
from ox88.batch.chunks import count_threads
from ox88.batch.pgn.games import no_games
from ox88.batch.pgn.pipeline import in_order
from ox88.types import Ox88Error

GROUP_ROWS: Final = 1 << 17
SCORED_GROUP_ROWS: Final = 1 << 12  # They take longer, and what is not finished is lost when a run is killed.
COMPRESSIONS: Final = ("lz4", "zstd", "snappy")
_FIRST: Final = b"first"  # It is known which rows are the first with their position.


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the table shall hold. unique: a position only where it comes first. nodes, depth: of a search of each."""

    columns: tuple[str, ...]
    filters: Filters
    unique: bool = False
    nodes: int | None = None
    depth: int | None = None
    compression: str = COMPRESSIONS[0]

    @property
    def is_scored(self) -> bool:
        return self.nodes is not None or self.depth is not None

    @property
    def group_rows(self) -> int:
        return SCORED_GROUP_ROWS if self.is_scored else GROUP_ROWS


def make_dataset(files: Sequence[Path], output: Path, wanted: Wanted) -> int:
    """Write the positions of the games of some files as a table.

    It grows beside its place, with a journal, from which the same command goes on after whatever ended it; when all is
    done it gets its name. Returns the exit code: 0, or 1 where games had errors. Raises Ox88Error, KeyboardInterrupt.
    """
    files = list(dict.fromkeys(files))  # A file named twice is one input.
    import_pyarrow()
    source = Source(files, wanted.filters, tags_of(wanted.columns), needs_packed(wanted.columns), _report)
    source.check()
    if output.resolve() in {path.resolve() for path in files}:
        raise Ox88Error(f"{output} is both read and written: name another output")
    check_writable(output)
    with _opened(output, _work(files, wanted)) as (table, journal):
        if not table.is_finished:
            _Making(source, output, wanted, table, journal).run()
        _remove(journal, output)
    counts = source.counts
    flawed = f"; {counts.flawed} with errors" if counts.flawed else ""
    click.echo(f"{output}: {counts.games:,} games, {table.rows:,} rows{flawed}", file=lenient(sys.stdout))
    return 1 if counts.flawed else 0


def _report(text: str) -> None:
    click.echo(f"ox88: {text}", err=True)


def _work(files: Sequence[Path], wanted: Wanted) -> str:
    """What is done, and of which files: other work cannot go on where this has ended."""
    states = [(path, path.stat()) for path in files]
    inputs = ", ".join(f"{name_of(path)} ({state.st_size} bytes, {state.st_mtime_ns})" for path, state in states)
    return f"{wanted} of {inputs}"


@contextlib.contextmanager
def _opened(path: Path, work: str) -> Iterator[tuple[Output, Journal]]:
    """The growing table; it stays while there is something in it, so that somebody may go on from it."""
    with Journal(_beside(path, ENDING), work) as journal:
        table = Output(path, journal)
        if table.rows:
            click.echo(f"ox88: going on behind {table.rows:,} rows", err=True)
        try:
            yield table, journal
        except BaseException:
            table.save()
            if table.rows:
                click.echo(f"ox88: {table.rows:,} rows are done; the same command goes on from there", err=True)
            else:
                table.remove()
                _remove(journal, path)
            raise
        finally:
            table.close()


def _remove(journal: Journal, output: Path) -> None:
    journal.remove()
    _beside(output, ".first").unlink(missing_ok=True)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


class _Making:
    """One run of the command."""

    def __init__(self, source: Source, path: Path, wanted: Wanted, table: Output, journal: Journal) -> None:
        self._source = source
        self._path = path
        self._wanted = wanted
        self._table = table
        self._journal = journal
        self._pyarrow = import_pyarrow()
        self._names = [name_of(path) for path in source.files]
        self._threads = count_threads(None)

    def run(self) -> None:
        is_first = self._find_first() if self._wanted.unique else None
        begin = self._table.place
        progress = Progress(self._source.counts, self._source.size, begin.games, self._table.rows)
        with LiveView(progress.view):
            parts = self._source.parts(begin, self._make)
            if is_first is not None:
                parts = _only(is_first, parts)
            groups = grouped(parts, self._wanted.group_rows, begin.left_out)
            for encoded, group in self._encoded(groups):
                self._table.add(encoded, len(group), group.end)
                progress.rows = self._table.rows
        if not self._source.counts.games:
            raise Ox88Error(f"there is no game in {', '.join(map(name_of, self._source.files))}")
        self._table.finish(self._encode([self._make(all_rows(no_games(self._source.headers), 0))]))

    def _encoded(self, groups: Iterator[Group]) -> Iterator[tuple[memoryview, Group]]:
        """Groups as Parquet; several at a time, but where a search takes all threads for one."""
        return in_order(
            lambda group: (self._encode(group.tables), group), groups, 1 if self._wanted.is_scored else self._threads
        )

    def _make(self, rows: Rows) -> Any:
        """The table of some rows, but for what a search finds."""
        columns = self._wanted.columns
        positions = rows.positions() if needs_positions(columns) else ox88.Positions()
        return make_table(Context(self._pyarrow, rows, self._names, positions), columns)

    def _encode(self, tables: Sequence[Any]) -> memoryview:
        table = self._pyarrow.concat_tables(tables)
        return encode(self._pyarrow, table, self._wanted.columns, self._wanted.compression)

    def _find_first(self) -> NDArray[np.bool_]:
        """bool[rows]: which are the first with their position."""
        path = _beside(self._path, ".first")
        if _FIRST not in self._journal or not path.exists():
            if not all(path.is_file() for path in self._source.files):
                raise Ox88Error("--unique reads the games twice, which a pipe does not let it: give it files")
            progress = Progress(self._source.counts, self._source.size, step="looking for duplicates: ")
            with LiveView(progress.view), explained(path):
                find_first(self._source.map(_keys), _beside(self._path, ".keys"), path)
            if _FIRST not in self._journal:
                self._journal.add(_FIRST, b"")
        return open_first(path)


def _keys(rows: Rows) -> NDArray[np.uint64]:
    return rows.positions().key.copy()


def _only(is_first: NDArray[np.bool_], parts: Iterable[Part]) -> Iterator[Part]:
    for begin, table in parts:
        yield Part(begin, table.filter(is_first[begin.rows : begin.rows + len(table)]))
