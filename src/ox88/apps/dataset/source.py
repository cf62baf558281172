"""PGN files as tables of rows, in batches of a fixed number of rows."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pyarrow
from rich.console import RenderableType

from ox88.apps.dataset.rows import Filters, Rows, all_rows
from ox88.apps.files import name_of, opened
from ox88.apps.live import progress_bar
from ox88.batch.pgn.games import Games
from ox88.batch.pgn.reading import no_games, read_parts

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the files, to resume reading from.

    file, game: numbers from 0. skipped: how many rows from this game on to skip. games, errors, rows: how many games,
    errors and rows (with duplicates) come before this game.
    """

    file: int = 0
    game: int = 0
    skipped: int = 0
    games: int = 0
    errors: int = 0
    rows: int = 0


class Chunk(NamedTuple):
    """The rows of some games. begin: the cursor at the first of them. table: a pyarrow.Table."""

    begin: Cursor
    table: Any


class Batch(NamedTuple):
    """Some rows, and the cursor after them. table: a pyarrow.Table."""

    table: Any
    end: Cursor

    def __len__(self) -> int:
        return len(self.table)


def cut_into_batches(chunks: Iterable[Chunk], size: int, skipped: int) -> Iterator[Batch]:
    """Batches of `size` rows. The last one has fewer, perhaps none. skipped: rows at the beginning to leave out."""
    tables: list[Any] = []
    count = 0
    end = Cursor()
    for begin, table in chunks:
        at = min(skipped, len(table))
        skipped -= at
        while count + len(table) - at >= size:
            taken = table.slice(at, size - count)
            at += len(taken)
            yield Batch(pyarrow.concat_tables([*tables, taken]), replace(begin, skipped=at))
            tables, count = [], 0
        tables.append(table.slice(at))
        count += len(table) - at
        end = begin
    yield Batch(pyarrow.concat_tables(tables), end)


@dataclass(slots=True)
class Source:
    """PGN files. tags: the tags that columns need. packed: True if rows need packed positions. report: for error lines.

    cursor, bytes_read: how far they are read.
    """

    files: Sequence[Path]
    filters: Filters
    tags: Sequence[str]
    packed: bool
    report: Callable[[str], None]
    cursor: Cursor = Cursor()
    bytes_read: int = 0

    @property
    def names(self) -> list[str]:
        return [name_of(path) for path in self.files]

    @property
    def can_be_read_twice(self) -> bool:
        return all(path.is_file() for path in self.files)

    def chunks(self, begin: Cursor, make: Callable[[Rows], Any]) -> Iterator[Chunk]:
        """The tables that `make` returns for the rows from a cursor on. The threads that read the games call `make`.

        The last chunk has no rows; its cursor is after all games.
        """
        self.cursor = begin
        for number, games, table in self._read(begin, make):
            before = self.cursor
            yield Chunk(replace(before, file=number, game=int(games.numbers[0]), skipped=0), table)
            self.cursor = replace(
                before,
                games=before.games + len(games),
                errors=before.errors + len(games.errors),
                rows=before.rows + len(table),
            )
            for error in games.errors:
                self.report(f"{name_of(self.files[number])}: {error}")
        end = replace(self.cursor, file=len(self.files), game=0, skipped=0)
        yield Chunk(end, make(all_rows(no_games(self._headers), 0)))

    def map(self, work: Callable[[Rows], _Result]) -> Iterator[_Result]:
        """The result of work for all rows, some at a time, in the threads that read. Nothing is reported."""
        return (result for _, _, result in self._read(Cursor(), work))

    def _read(self, begin: Cursor, work: Callable[[Rows], _Result]) -> Iterator[tuple[int, Games, _Result]]:
        """Some games at a time, with the number of their file, and the result of work for their rows."""
        before = 0
        for number, path in enumerate(self.files):
            if number >= begin.file:
                first = begin.game if number == begin.file else 0

                def find(games: Games, number: int = number) -> tuple[Games, _Result]:
                    return games, work(self.filters.rows(games, number))

                with opened(path) as stream:
                    for found in read_parts(stream, find, first=first, headers=self._headers, packed=self.packed):
                        self.bytes_read = before + (stream.tell() if stream.seekable() else 0)
                        yield number, *found
            before += path.stat().st_size

    @property
    def _headers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.filters.tags, *self.tags)))


@dataclass(slots=True)
class ReadingProgress:
    """How far a source is read.

    known_games: how many an earlier run has read. rows: how many are written. step: a text to show instead of numbers.
    """

    source: Source
    known_games: int = 0
    rows: int = 0
    step: str = ""
    started: float = field(default_factory=time.monotonic)

    def view(self) -> RenderableType:
        games, done = self.source.cursor.games, self.source.bytes_read
        speed = (games - self.known_games) / max(time.monotonic() - self.started, 1e-9)
        rows = f", {self.rows:,} rows" if self.rows else ""
        text = self.step or f"{games:,} games, {speed:,.0f} games/s{rows}"
        size = sum(path.stat().st_size for path in self.source.files)  # 0 for a pipe.
        return progress_bar(max(size, done, 1), done, text)
