"""The library that pages explore: the PGN files that the command line names. No page can name a file."""

import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Required, TypedDict

import chess

from ox88.apps.explore import Explored as Found
from ox88.apps.explore import describe
from ox88.apps.files import name_of
from ox88.apps.web.messages import MessageError
from ox88.errors import Ox88Error

if TYPE_CHECKING:
    from ox88.batch.pgn.explorer import Explorer

_MOST_GAMES: Final = 30  # As many games are listed for a position.
_LOGGER: Final = logging.getLogger(__name__)


class Explored(TypedDict, total=False):
    """What was played in a position, over `total` games of some files. share: how much of their index is made."""

    type: Required[Literal["explored"]]
    files: Required[list[str]]
    share: float
    total: int
    found: Found


class _ClosedError(Exception):
    """Nobody needs the index any more."""


class ExploredLibrary:
    """The games of some files. `prepare` makes their index; until then, answers say how far it is.

    A question after a file has changed or come makes the index anew, while the one before answers.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._indexed: list[tuple[int, int] | None] = []  # The files as they were when their index was begun.
        self._explorer: Explorer | None = None
        self._share: float | None = 0.0  # Of the index that is made.
        self._failure = ""
        self._lock = threading.Lock()  # One index is made at a time.
        self._is_closed = False

    def prepare(self) -> None:
        """Make the index, unless the files are as they were."""
        with self._lock:
            files = self._look()
            if files == self._indexed:
                self._share = None
                return
            self._indexed, self._share = files, 0.0
            try:
                from ox88.batch.pgn.explorer import Explorer  # Imports the compiler, which would delay the start.

                self._explorer, self._failure = Explorer(self._files, progress=self._note), ""
            except _ClosedError:
                pass
            except Exception as error:  # It must not end the server. Pages of other people see no folders of it.
                _LOGGER.error("the games cannot be explored: %s", error)
                self._failure = "the games cannot be explored: the server has written why, where it was started"
            self._share = None

    def _look(self) -> list[tuple[int, int] | None]:
        """Size and time of each file; None for one that is not there."""
        found: list[tuple[int, int] | None] = []
        for file in self._files:
            try:
                status = file.stat()
            except OSError:
                found.append(None)
            else:
                found.append((status.st_size, status.st_mtime_ns))
        return found

    def close(self) -> None:
        self._is_closed = True

    def _note(self, share: float) -> None:
        if self._is_closed:
            raise _ClosedError
        self._share = share

    def explore(self, board: chess.Board) -> Explored:
        """What was played in a position. Raises Ox88Error."""
        if not self._is_closed and not self._lock.locked() and self._look() != self._indexed:
            self._share = 0.0
            threading.Thread(target=self.prepare, daemon=True).start()
        answer: Explored = {"type": "explored", "files": [name_of(Path(path.name)) for path in self._files]}
        if self._share is not None and self._files:
            answer["share"] = self._share
        elif self._failure:
            raise Ox88Error(self._failure)
        if self._explorer is None:
            return answer
        return {**answer, "total": len(self._explorer), "found": describe(self._explorer, board, _MOST_GAMES)}

    def text(self, game: int) -> str:
        """The text of a game, by its row. Raises Ox88Error."""
        if self._explorer is None or game >= len(self._explorer):
            raise MessageError(f"there is no game {game} in the library")
        return self._explorer.pgn(game)
