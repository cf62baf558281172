"""The table made: games to rows, rows to row groups, those scored where that is wanted, and written."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.apps.dataset.columns import Context, add_scores, import_pyarrow, make_table, needs_positions
from ox88.apps.dataset.duplicates import find_first, open_first
from ox88.apps.dataset.groups import Group, Part, grouped
from ox88.apps.dataset.output import Output, encode
from ox88.apps.dataset.progress import Progress, ScoringProgress
from ox88.apps.dataset.rows import Rows, all_rows
from ox88.apps.dataset.scoring import Scoring
from ox88.apps.dataset.source import Source, name_of
from ox88.apps.dataset.wanted import Wanted
from ox88.apps.dataset.worker import SCORE, Search
from ox88.apps.files import beside, explained
from ox88.apps.jobs import Workers
from ox88.apps.journal import Journal
from ox88.apps.live import LiveView
from ox88.batch.chunks import count_threads, in_order
from ox88.batch.pgn.games import no_games
from ox88.types import Ox88Error

FIRST_ENDING: Final = ".first"  # Of a file with a byte for each row: whether it is the first with its position.
_FIRST: Final = b"first"  # That file is written.


class Making:
    """One run of the command. workers: who searches; None where nobody does."""

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
        self._names = [name_of(path) for path in source.files]

    def run(self) -> None:
        is_first = self._find_first() if self._wanted.unique else None
        search = self._wanted.search
        if self._workers is None or search is None:
            self._write(is_first)
        else:
            self._write_scored(is_first, self._workers, search)
        if not self._source.counts.games:
            raise Ox88Error(f"there is no game in {', '.join(self._names)}")
        nothing = self._make_part(all_rows(no_games(self._source.headers), 0))
        scores = None if search is None else np.empty(0, SCORE)
        self._table.finish(self._encode([nothing], scores))

    def _write(self, is_first: NDArray[np.bool_] | None) -> None:
        progress = Progress(self._source.counts, self._source.size, self._table.place.games, self._table.rows)
        with LiveView(progress.view):
            for encoded, group in self._encoded(self._groups(is_first)):
                self._table.add(encoded, len(group), group.end)
                progress.rows = self._table.rows

    def _encoded(self, groups: Iterator[Group]) -> Iterator[tuple[memoryview, Group]]:
        """Groups as Parquet, several at a time."""
        return in_order(lambda group: (self._encode(group.tables), group), groups, count_threads(None))

    def _write_scored(self, is_first: NDArray[np.bool_] | None, workers: Workers, search: Search) -> None:
        progress = ScoringProgress(self._count_rows(is_first), self._table.rows)
        scoring = Scoring(workers, search, self._journal, progress, self._table.rows)
        with LiveView(progress.view):
            for group, scores in scoring.run(self._groups(is_first)):
                self._table.add(self._encode(group.tables, scores), len(group), group.end)

    def _groups(self, is_first: NDArray[np.bool_] | None) -> Iterator[Group]:
        """Those that are not written."""
        begin = self._table.place
        parts = self._source.parts(begin, self._make_part)
        if is_first is not None:
            parts = _only(is_first, parts)
        return grouped(parts, self._wanted.group_rows, begin.left_out)

    def _make_part(self, rows: Rows) -> Any:
        """The table of some rows, but for what a search finds."""
        columns = self._wanted.columns_of_games
        positions = rows.positions() if needs_positions(columns) else ox88.Positions()
        return make_table(Context(self._pyarrow, rows, self._names, positions), columns)

    def _encode(self, tables: list[Any], scores: NDArray[Any] | None = None) -> memoryview:
        table = self._pyarrow.concat_tables(tables)
        if scores is not None:
            table = add_scores(self._pyarrow, table, scores)
        columns = self._wanted.columns
        return encode(self._pyarrow, table.select(columns), columns, self._wanted.compression)

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
        path = beside(self._path, FIRST_ENDING)
        if _FIRST not in self._journal or not path.exists():
            if not self._can_be_read_twice:
                raise Ox88Error("--unique reads the games twice, which a pipe does not let it: give it files")
            progress = Progress(self._source.counts, self._source.size, step="looking for duplicates")
            with LiveView(progress.view), explained(path):
                find_first(self._source.map(_keys), beside(self._path, ".keys"), path)
            if _FIRST not in self._journal:
                self._journal.add(_FIRST, b"")
        return open_first(path)


def _keys(rows: Rows) -> NDArray[np.uint64]:
    return rows.positions().key.copy()


def _only(is_first: NDArray[np.bool_], parts: Iterable[Part]) -> Iterator[Part]:
    for begin, table in parts:
        yield Part(begin, table.filter(is_first[begin.rows : begin.rows + len(table)]))
