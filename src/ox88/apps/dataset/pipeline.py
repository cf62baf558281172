"""From games to parts: games -> rows -> tables -> batches -> scores (optional) -> Parquet files."""

import shutil
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import chain, count, islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import numpy as np
import pyarrow
from numpy.typing import NDArray

from ox88.apps.dataset import parts
from ox88.apps.dataset.columns import POSITION, SCORED, add_scores, make_table, parquet_options
from ox88.apps.dataset.parts import PartFolder
from ox88.apps.dataset.rows import Filters
from ox88.apps.dataset.scoring import Scoring, ScoringProgress, Search
from ox88.apps.dataset.source import Batch, Chunk, Cursor, ReadingProgress, Source, cut_into_batches
from ox88.apps.files import explained
from ox88.apps.jobs import Workers
from ox88.apps.live import LiveView
from ox88.batch.rows.chunks import count_threads
from ox88.errors import Ox88Error
from ox88.threads import wait_for

SCORED_ROWS: Final = 1 << 12  # In a batch with scores; workers wait until a batch is read. PART_ROWS is a multiple.
_MOST_WRITERS: Final = 4  # Threads that write parts. Each part takes up to 64 MB of memory.
_FIRST: Final = b"first"  # A key in the journal: the file of first positions is complete.
_FILES: Final = 256
_SHIFT: Final = np.uint64(56)
_KEYED: Final = np.dtype([("key", np.uint64), ("row", np.int64)])


@dataclass(frozen=True, slots=True)
class DatasetSpec:
    """What a data set contains.

    columns: their names. unique: True to keep only the first row of each position. search: None if there are no scores.
    """

    columns: tuple[str, ...]
    filters: Filters
    unique: bool
    search: Search | None
    compression: str

    @property
    def game_columns(self) -> tuple[str, ...]:
        """The columns that need no search, and the positions if there is a search."""
        columns = tuple(name for name in self.columns if name not in SCORED)
        return columns if self.search is None or POSITION in columns else (*columns, POSITION)

    @property
    def settings(self) -> dict[str, Any]:
        """The options that are set, by their names."""
        search = {} if self.search is None else self.search._asdict()
        named = {"columns": ",".join(self.columns), **asdict(self.filters), "unique": self.unique, **search}
        is_set = {name: value for name, value in named.items() if value not in (None, ()) and value is not False}
        return {name.replace("_", " "): value for name, value in is_set.items()} | {"compression": self.compression}


class Pipeline:
    """One run of the command. workers: they search; None if there are no scores to make."""

    def __init__(self, source: Source, spec: DatasetSpec, folder: PartFolder, workers: Workers | None) -> None:
        self._source = source
        self._spec = spec
        self._folder = folder
        self._workers = workers
        self._begin = Cursor(**folder.state["cursor"]) if folder.count else Cursor()
        self._rows: int = folder.state.get("rows", 0)
        self._is_first: NDArray[np.bool_] | None = None  # True for the first row of each position.

    def run(self) -> None:
        """Write all parts that are missing. Raises Ox88Error, KeyboardInterrupt."""
        if self._spec.unique:
            self._is_first = self._find_first()
        if self._workers is None or self._spec.search is None:
            self._write_parts()
        else:
            self._write_scored_parts(self._workers, self._spec.search)

    def _write_parts(self) -> None:
        progress = ReadingProgress(self._source, self._begin.games, self._rows)
        with LiveView(progress.view):
            for state in self._written(self._batches(parts.ROW_GROUP)):
                self._folder.add(state)
                progress.rows = state["rows"]

    def _written(self, batches: Iterator[Batch]) -> Iterator[dict[str, Any]]:
        """Write parts, each in a thread while its batches come. Yields their states in order."""
        writers = min(count_threads(None), _MOST_WRITERS)
        waiting: deque[Future[dict[str, Any]]] = deque()
        with ThreadPoolExecutor(writers) as pool:
            for number in count(self._folder.count):
                if len(waiting) == writers:
                    yield wait_for(waiting.popleft())
                some = islice(batches, parts.PART_ROWS // parts.ROW_GROUP)
                first = next(some, None)
                if first is None:
                    break
                queue: SimpleQueue[Batch | None] = SimpleQueue()
                waiting.append(pool.submit(self._write, number, iter(queue.get, None)))
                try:
                    for batch in chain([first], some):
                        queue.put(batch)
                finally:
                    queue.put(None)
            while waiting:
                yield wait_for(waiting.popleft())

    def _write_scored_parts(self, workers: Workers, search: Search) -> None:
        progress = ScoringProgress(self._count_rows(), self._rows)
        scoring = Scoring(workers, search, self._folder.journal, progress, self._rows)
        with LiveView(progress.view):
            batches = scoring.run(self._batches(SCORED_ROWS))
            while some := list(islice(batches, parts.PART_ROWS // SCORED_ROWS)):
                table = pyarrow.concat_tables(add_scores(batch.table, scores) for batch, scores in some)
                self._folder.add(self._write(self._folder.count, [Batch(table, some[-1][0].end)]))

    def _batches(self, size: int) -> Iterator[Batch]:
        """The rows that are not in a part yet."""
        names, columns = self._source.names, self._spec.game_columns
        chunks = self._source.chunks(self._begin, lambda rows: make_table(rows, columns, names))
        if self._is_first is not None:
            is_first, every = self._is_first, chunks
            chunks = (Chunk(at, table.filter(is_first[at.rows : at.rows + len(table)])) for at, table in every)
        return cut_into_batches(chunks, size, self._begin.skipped)

    def _write(self, number: int, batches: Iterable[Batch]) -> dict[str, Any]:
        """Write a part under a temporary name. Returns its state."""

        def pieces() -> Iterator[tuple[Any, dict[str, Any]]]:
            rows = number * parts.PART_ROWS
            for batch in batches:
                rows += len(batch)
                if not rows and not batch.end.games:
                    raise Ox88Error(f"there is no game in {', '.join(self._source.names)}")
                yield batch.table.select(self._spec.columns), {"cursor": asdict(batch.end), "rows": rows}

        return self._folder.write(number, pieces(), **parquet_options(self._spec.columns, self._spec.compression))

    def _count_rows(self) -> int | None:
        """The rows of the whole data set, if the progress is shown. Counting takes a hundredth of the search's time."""
        if self._is_first is not None:
            return int(np.count_nonzero(self._is_first))
        progress = ReadingProgress(self._source, step="counting positions")
        view = LiveView(progress.view)
        if not view.is_shown or not self._source.can_be_read_twice:
            return None
        with view:
            return sum(self._source.map(len))

    def _find_first(self) -> NDArray[np.bool_]:
        """bool[rows]: True for the first row of each position."""
        path, journal = self._folder.work_folder / "first", self._folder.journal
        if _FIRST not in journal or not path.exists():
            if not self._source.can_be_read_twice:
                raise Ox88Error("--unique reads the games twice, so they must be files: a pipe can be read once")
            progress = ReadingProgress(self._source, step="looking for duplicates")
            with LiveView(progress.view), explained(path):
                keys = self._source.map(lambda rows: rows.positions.key.copy())
                find_first(keys, self._folder.work_folder / "keys", path)
            if _FIRST not in journal:
                journal.add(_FIRST, b"")
        return open_first(path)


# --- Duplicates, among more rows than fit in memory -------------------------------------------------------------------

# Keys are sorted into files by their first byte. Equal keys are in the same file, and each file fits in memory.


def find_first(keys: Iterable[NDArray[np.uint64]], folder: Path, target: Path) -> None:
    """Find the first row of each key.

    Args:
        keys: the keys of all rows, in several arrays.
        folder: for temporary files, of 16 bytes per row.
        target: the file to write when all is done: a byte for each row, 1 for the first row of a key, else 0.

    Raises:
        OSError: A file cannot be written.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        count = _sort_into_files(keys, folder)
        temporary = folder / "first"
        with temporary.open("wb") as file:
            file.truncate(count)
        if count:
            is_first = np.memmap(temporary, np.bool_, "r+")
            for path in sorted(folder.glob("[0-9a-f][0-9a-f]")):
                keyed = np.fromfile(path, _KEYED)
                _, places = np.unique(keyed["key"], return_index=True)
                is_first[keyed["row"][places]] = True
            is_first.flush()
            del is_first  # Windows renames no file that is mapped.
        temporary.replace(target)  # The file appears at once or not at all.
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def open_first(path: Path) -> NDArray[np.bool_]:
    """bool[rows], in a file."""
    return np.memmap(path, np.bool_, "r") if path.stat().st_size else np.zeros(0, np.bool_)


def _sort_into_files(keys: Iterable[NDArray[np.uint64]], folder: Path) -> int:
    """Sort keys into files, and return how many there were.

    Of equal keys in a part only the first is kept: else the file with the start position would be too large.
    """
    count = 0
    for part in keys:
        found, rows = np.unique(part, return_index=True)
        keyed = np.empty(len(found), _KEYED)
        keyed["key"], keyed["row"] = found, rows + count
        ends = np.cumsum(np.bincount((found >> _SHIFT).astype(np.int64), minlength=_FILES))
        for number, some in enumerate(np.split(keyed, ends[:-1])):
            if len(some):
                with (folder / f"{number:02x}").open("ab") as file:
                    file.write(some.data)
        count += len(part)
    return count
