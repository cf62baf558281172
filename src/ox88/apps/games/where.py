"""Conditions on games as expressions of SQLite, over the tags as columns.

SQLite comes with Python, and its expressions are those of SQL: https://sqlite.org/lang_expr.html
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.games import Games
from ox88.batch.pgn.records import NO_ERROR
from ox88.errors import Ox88Error

_OWN: Final = ("plies", "error")  # Columns that are no tags.
BY_MOVES: Final = {"Opening": "name", "ECO": "eco"}  # Tags that the moves tell, and their fields in Openings.
# SQL does not tell small letters from capitals, so these tags are known by either.
_TAGS: Final = (
    "Event Site Date Round White Black Result WhiteElo BlackElo WhiteTitle BlackTitle WhiteTeam BlackTeam WhiteFideId"
    " BlackFideId ECO Opening Variation EventDate EventType UTCDate UTCTime TimeControl Termination PlyCount Annotator"
    " Variant FEN SetUp WhiteRatingDiff BlackRatingDiff Board Mode Source Link"
)
_KNOWN: Final = {tag.lower(): tag for tag in _TAGS.split()}
_NAME: Final = re.compile(r"""'(?:[^']|'')*'|"([^"]+)"|(?i:true|false)\b|([A-Za-z_]\w*)""", re.ASCII)
_IS_NUMBER: Final = re.compile(r"Elo$|^PlyCount$|^plies$|^error$")
_UNKNOWN: Final = ("", "?", "-", "????.??.??")  # What PGN writes for what is not known: NULL in SQL.


class Where:
    """Games for which an expression is true. tags: those that it names. Raises Ox88Error for what is no expression."""

    def __init__(self, expression: str) -> None:
        self._expression = expression
        words = (quoted or plain for quoted, plain in _NAME.findall(expression))
        names = {word.lower(): _KNOWN.get(word.lower(), word) for word in words if word}
        used: set[str] = set()
        selects: list[int] = []

        def note(action: int, _table: str | None, column: str | None, *_: object) -> int:
            if action == sqlite3.SQLITE_READ and column:
                used.add(column)
            elif action == sqlite3.SQLITE_SELECT:
                selects.append(action)
            return sqlite3.SQLITE_OK

        self._columns: Sequence[str] = [*_OWN, *(name for word, name in names.items() if word not in _OWN)]
        with closing(self._table()) as table:
            table.set_authorizer(note)
            self._select(table)
        if len(selects) > 1:  # The table has some of the games at a time.
            raise Ox88Error(f"--where {expression!r} has a SELECT in it: a condition on a game by itself is expected")
        self._columns = [name for name in self._columns if name in used] or ["plies"]  # A table has a column.
        self.tags = tuple(name for name in self._columns if name not in _OWN)

    def __call__(self, games: Games) -> NDArray[np.bool_]:
        """bool[n]: for which games it is true."""
        found = np.zeros(len(games), np.bool_)
        with closing(self._table()) as table:
            marks = ", ".join("?" * len(self._columns))
            columns = [self._values(games, name) for name in self._columns]
            table.executemany(f"INSERT INTO games VALUES ({marks})", zip(*columns, strict=True))  # noqa: S608 - Marks.
            found[[row - 1 for (row,) in self._select(table)]] = True
        return found

    def _table(self) -> sqlite3.Connection:
        """An empty table of games in memory. Its texts are compared as texts, its numbers as numbers."""
        table = sqlite3.connect(":memory:")
        kinds = [f'"{name}" {"NUMERIC" if _IS_NUMBER.search(name) else "TEXT"}' for name in self._columns]
        table.execute(f"CREATE TABLE games ({', '.join(kinds)})")
        return table

    def _select(self, table: sqlite3.Connection) -> list[tuple[int]]:
        try:
            return table.execute(f"SELECT rowid FROM games WHERE ({self._expression}\n)").fetchall()  # noqa: S608 - The user's own.
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            reason = str(error).replace("\n)", "")  # It may quote the end of the statement.
            raise Ox88Error(f"--where {self._expression!r}: {reason}: an expression of SQLite is expected") from None

    def _values(self, games: Games, name: str) -> list[Any]:
        if name == "plies":
            return list(games.lengths.tolist())
        if name == "error":
            return [int(error != NO_ERROR) for error in games._arrays.games["error"]]
        if _IS_NUMBER.search(name):
            return [number or None for number in games.headers.numbers(name).tolist()]
        texts: list[str | None] = [None if text in _UNKNOWN else text for text in games.headers[name]]
        if name in BY_MOVES and None in texts:
            names = getattr(games.openings(threads=1), BY_MOVES[name])
            texts = [text or found or None for text, found in zip(texts, names, strict=True)]
        return texts
