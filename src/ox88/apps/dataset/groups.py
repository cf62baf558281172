"""Row groups: rows as they come, in groups that have the same rows each time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from ox88.apps.dataset.rows import Rows, join_rows


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
    """The rows of some games, the first of which is at a place."""

    begin: Place
    rows: Rows


class Group(NamedTuple):
    """Rows that are written together, and the place behind them."""

    rows: Rows
    end: Place


def grouped(parts: Iterable[Part], size: int, left_out: int) -> Iterator[Group]:
    """Groups of `size` rows, but for the last. left_out: how many of the first rows are in no group."""
    waiting: list[Rows] = []
    count = 0
    end = Place()
    for begin, rows in parts:
        at = min(left_out, len(rows))
        left_out -= at
        while at < len(rows):
            taken = rows.take(slice(at, at + size - count))
            at += len(taken)
            count += len(taken)
            waiting.append(taken)
            end = replace(begin, left_out=at)
            if count == size:
                yield Group(join_rows(waiting), end)
                waiting, count = [], 0
    if count:
        yield Group(join_rows(waiting), end)
