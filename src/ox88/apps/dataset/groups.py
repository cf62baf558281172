"""Row groups: rows as they come, in groups that have the same rows each time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Place:
    """Where to go on: at a game of a file, by their numbers, leaving out so many of the rows from there on.

    games, flawed, rows: how many came before that game; games with errors; rows, duplicates among them.
    """

    file: int = 0
    game: int = 0
    left_out: int = 0
    games: int = 0
    flawed: int = 0
    rows: int = 0


class Part(NamedTuple):
    """The rows of some games as a table of pyarrow's; the first game is at a place."""

    begin: Place
    table: Any


class Group(NamedTuple):
    """Tables whose rows are written together, and the place behind them."""

    tables: list[Any]
    end: Place

    def __len__(self) -> int:
        return sum(map(len, self.tables))


def grouped(parts: Iterable[Part], size: int, left_out: int) -> Iterator[Group]:
    """Groups of `size` rows, but for the last. left_out: how many of the first rows are in no group."""
    waiting: list[Any] = []
    count = 0
    end = Place()
    for begin, table in parts:
        at = min(left_out, len(table))
        left_out -= at
        while at < len(table):
            taken = table.slice(at, size - count)
            at += len(taken)
            count += len(taken)
            waiting.append(taken)
            end = replace(begin, left_out=at)
            if count == size:
                yield Group(waiting, end)
                waiting, count = [], 0
    if count:
        yield Group(waiting, end)
