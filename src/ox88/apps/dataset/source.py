"""The rows of PGN files, one part after another, with what is to be said about the files meanwhile."""

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, TypeVar

import ox88
from ox88.apps.dataset.filters import Filters
from ox88.apps.dataset.groups import Part, Place
from ox88.apps.dataset.rows import Rows
from ox88.batch.pgn.reading import read_parts
from ox88.types import Ox88Error

_Result = TypeVar("_Result")


@dataclass(slots=True)
class Counts:
    """How far reading is: games, those with errors, rows, bytes of the files."""

    games: int = 0
    flawed: int = 0
    rows: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """files: to read. tags: to keep of each game. packed: whether rows need their packed positions. report: hears of
    each game with an error.
    """

    files: Sequence[Path]
    filters: Filters
    tags: Sequence[str]
    packed: bool
    report: Callable[[str], None]
    counts: Counts = field(default_factory=Counts)

    @property
    def size(self) -> int:
        """Bytes of all files; of a pipe nobody knows."""
        return sum(path.stat().st_size for path in self.files)

    def check(self) -> None:
        """Raises Ox88Error for a file that cannot be opened, before any is read."""
        for path in self.files:
            with _opened(path):
                pass

    def parts(self, begin: Place, make: Callable[[Rows], Any]) -> Iterator[Part]:
        """The tables that are made of the rows of all games from a place on, by the threads that read them."""
        counts = self.counts
        counts.games, counts.flawed, counts.rows = begin.games, begin.flawed, begin.rows
        for number, found in self._read(begin, make):
            place = Place(number, found.first, 0, counts.games, counts.flawed, counts.rows)
            self._count(number, found)
            yield Part(place, found.result)

    def map(self, work: Callable[[Rows], _Result]) -> Iterator[_Result]:
        """What comes of work on all rows, done by the threads that read them. Nothing is reported."""
        for _, found in self._read(Place(), work):
            yield found.result

    def _count(self, number: int, found: "_Found[Any]") -> None:
        counts = self.counts
        counts.games += found.games
        counts.flawed += len(found.errors)
        counts.rows += len(found.result)
        for error in found.errors:
            self.report(f"{name_of(self.files[number])}: {error}")

    def _read(self, begin: Place, work: Callable[[Rows], _Result]) -> "Iterator[tuple[int, _Found[_Result]]]":
        before = 0
        for number, path in enumerate(self.files):
            if number >= begin.file:
                first = begin.game if number == begin.file else 0
                with _opened(path) as stream:
                    find = functools.partial(_find, self.filters, number, work)
                    for found in read_parts(stream, find, first=first, headers=self.headers, packed=self.packed):
                        self.counts.bytes = before + _place(stream)
                        yield number, found
            before += path.stat().st_size

    @property
    def headers(self) -> tuple[str, ...]:
        """The tags to read."""
        return tuple(dict.fromkeys((*self.filters.tags, *self.tags)))


class _Found(NamedTuple, Generic[_Result]):
    """first: the number of the first game. games: how many. errors: of games. result: of work on the rows."""

    first: int
    games: int
    errors: list[ox88.GameError]
    result: _Result


def _find(filters: Filters, file: int, work: Callable[[Rows], _Result], games: ox88.Games) -> _Found[_Result]:
    return _Found(int(games.numbers[0]), len(games), games.errors, work(filters.rows(games, file)))


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise Ox88Error(f"{name_of(path)} cannot be opened: {error.strerror or error}") from None


def _place(stream: IO[bytes]) -> int:
    return stream.tell() if stream.seekable() else 0


def name_of(path: Path) -> str:
    """It may have any bytes, and shall be written anywhere."""
    return os.fsencode(path).decode("utf-8", "replace")
