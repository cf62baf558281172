"""`ox88 dataset`: games as a table of positions, in Parquet."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.apps.dataset.columns import Context, import_pyarrow, make_table, needs_positions, tags_of
from ox88.apps.dataset.duplicates import find_first, open_first
from ox88.apps.dataset.filters import Filters
from ox88.apps.dataset.groups import Group, Part, grouped
from ox88.apps.dataset.output import Output, encode
from ox88.apps.dataset.progress import Progress, ScoringProgress
from ox88.apps.dataset.rows import Rows
from ox88.apps.dataset.scoring import Scoring, count_scored
from ox88.apps.dataset.source import Source, name_of
from ox88.apps.dataset.worker import SCORE, Search
from ox88.apps.files import check_writable, explained
from ox88.apps.jobs import Workers, make_workers
from ox88.apps.journal import ENDING, Journal
from ox88.apps.live import LiveView
from ox88.apps.streams import lenient
from ox88.batch.chunks import count_threads
from ox88.batch.pgn.games import no_games
from ox88.batch.pgn.pipeline import in_order
from ox88.types import Ox88Error

GROUP_ROWS: Final = 1 << 17
SCORED_GROUP_ROWS: Final = 1 << 12  # Workers wait for a group to be read before they begin with it.
COMPRESSIONS: Final = ("lz4", "zstd", "snappy")
_FIRST: Final = b"first"  # It is known which rows are the first with their position.
_NO_SCORES: Final = np.empty(0, SCORE)


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
    def search(self) -> Search | None:
        return None if self.nodes is None and self.depth is None else Search(self.nodes, self.depth)

    @property
    def group_rows(self) -> int:
        return GROUP_ROWS if self.search is None else SCORED_GROUP_ROWS


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
    source = Source(files, wanted.filters, tags_of(wanted.columns), lambda text: click.echo(f"ox88: {text}", err=True))
    source.check()
    if output.resolve() in {path.resolve() for path in files}:
        raise Ox88Error(f"{output} is both read and written: name another output")
    check_writable(output)
    with _hands(wanted, workers, scheduler) as hands, _opened(output, _work(files, wanted)) as (table, journal):
        if not table.is_finished:
            _Making(source, output, wanted, table, journal, hands).run()
        _remove(journal, output)
    counts = source.counts
    flawed = f"; {counts.flawed} with errors" if counts.flawed else ""
    click.echo(f"{output}: {counts.games:,} games, {table.rows:,} rows{flawed}", file=lenient(sys.stdout))
    return 1 if counts.flawed else 0


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
    with Journal(_beside(path, ENDING), work) as journal:
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
    _beside(output, ".first").unlink(missing_ok=True)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


class _Making:
    """One run of the command."""

    def __init__(
        self, source: Source, path: Path, wanted: Wanted, table: Output, journal: Journal, workers: Workers | None
    ) -> None:
        self._source = source
        self._path = path
        self._wanted = wanted
        self._table = table
        self._journal = journal
        self._workers = workers
        self._pyarrow = import_pyarrow()
        self._threads = count_threads(None)

    def run(self) -> None:
        is_first = self._find_first() if self._wanted.unique else None
        if self._workers is None:
            self._write(is_first)
        else:
            self._write_scored(is_first, self._workers)
        if not self._source.counts.games:
            raise Ox88Error(f"there is no game in {', '.join(map(name_of, self._source.files))}")
        self._table.finish(self._encode(Rows(no_games(self._source.headers), *np.zeros((3, 0), np.int64))))

    def _write(self, is_first: NDArray[np.bool_] | None) -> None:
        progress = Progress(self._source.counts, self._source.size, self._table.place.games, self._table.rows)
        with LiveView(progress.view):
            for encoded, group in self._encoded(self._groups(is_first)):
                self._table.add(encoded, len(group.rows), group.end)
                progress.rows = self._table.rows

    def _encoded(self, groups: Iterator[Group]) -> Iterator[tuple[memoryview, Group]]:
        """Groups as Parquet, several at a time."""
        return in_order(lambda group: (self._encode(group.rows), group), groups, self._threads)

    def _write_scored(self, is_first: NDArray[np.bool_] | None, workers: Workers) -> None:
        progress = ScoringProgress(self._count_rows(is_first), self._table.rows)
        search = Search(self._wanted.nodes, self._wanted.depth)
        scoring = Scoring(workers, search, self._journal, progress, self._table.rows)
        with LiveView(progress.view):
            for group, scores in scoring.run(self._groups(is_first)):
                self._table.add(self._encode(group.rows, scores), len(group.rows), group.end)

    def _groups(self, is_first: NDArray[np.bool_] | None) -> Iterator[Group]:
        """Those that are not written."""
        begin = self._table.place
        parts = self._source.parts(begin)
        if is_first is not None:
            parts = _only(is_first, parts)
        return grouped(parts, self._wanted.group_rows, begin.left_out)

    def _encode(self, rows: Rows, scores: NDArray[Any] = _NO_SCORES) -> memoryview:
        columns = self._wanted.columns
        positions = rows.positions() if needs_positions(columns) else ox88.Positions()
        context = Context(self._pyarrow, rows, [name_of(path) for path in self._source.files], positions, scores)
        return encode(self._pyarrow, make_table(context, columns), columns, self._wanted.compression)

    def _count_rows(self, is_first: NDArray[np.bool_] | None) -> int | None:
        """How many the table will have, for somebody who looks on; to search them takes a hundred times as long."""
        if is_first is not None:
            return int(np.count_nonzero(is_first))
        progress = Progress(self._source.counts, self._source.size, step="counting positions")
        view = LiveView(progress.view)
        if not view.is_shown or not self._can_be_read_twice:
            return None
        with view:
            return sum(self._source.map(len))

    @property
    def _can_be_read_twice(self) -> bool:
        return all(path.is_file() for path in self._source.files)

    def _find_first(self) -> NDArray[np.bool_]:
        """bool[rows]: which are the first with their position."""
        path = _beside(self._path, ".first")
        if _FIRST not in self._journal or not path.exists():
            if not self._can_be_read_twice:
                raise Ox88Error("--unique reads the games twice, which a pipe does not let it: give it files")
            progress = Progress(self._source.counts, self._source.size, step="looking for duplicates")
            with LiveView(progress.view), explained(path):
                find_first(self._source.map(_keys), _beside(self._path, ".keys"), path)
            if _FIRST not in self._journal:
                self._journal.add(_FIRST, b"")
        return open_first(path)


def _keys(rows: Rows) -> NDArray[np.uint64]:
    return rows.positions().key.copy()


def _only(is_first: NDArray[np.bool_], parts: Iterable[Part]) -> Iterator[Part]:
    for begin, rows in parts:
        yield Part(begin, rows.take(np.asarray(is_first[begin.rows : begin.rows + len(rows)])))
