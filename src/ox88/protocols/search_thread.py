"""One `go` at work: a search in a thread of its own, which ends in exactly one best line."""

import threading
from collections.abc import Callable, Iterator
from typing import Final

from ox88.engines.base import Engine, Info
from ox88.threads import Background
from ox88.types import Setup

Listener = Callable[[Info], None]

_PATIENCE: Final = 0.1  # Seconds until a search is told again to stop.


class Search:
    """Hands each Info on, and at the end the line to be played: at once, or if it is held when it is released.

    infos: what `engine.search` has returned; the search counts as begun. held: `stop`, or a ponder hit unless endless,
    must come before the end is told. failed: told of an exception, after which the best line so far stands.
    """

    def __init__(
        self,
        engine: Engine,
        infos: Iterator[Info],
        *,
        listener: Listener,
        failed: Callable[[Exception], None],
        ended: Callable[[tuple[int, ...]], None],
        held: bool = False,
        endless: bool = False,
    ) -> None:
        self._engine = engine
        self._infos = infos
        self._listener = listener
        self._failed = failed
        self._ended = ended
        self._is_endless = endless
        self._released = threading.Event()
        self._is_through = threading.Event()
        if not held:
            self._released.set()
        self._background = Background(self._run, self.stop)

    def stop(self) -> None:
        """Let it end soon; its end is then told. Does not wait, so that whoever hears of the end may hold a lock."""
        self._released.set()
        self._engine.stop()

    def end(self) -> None:
        """Stop the search, if it still goes on, and wait until its end is told."""
        self._background.cancel()

    def free_engine(self) -> None:
        """Stop the search and wait until it is through with the engine. Its end may be told later than that."""
        self.stop()
        while not self._is_through.wait(_PATIENCE):
            self.stop()

    def ponder_hit(self) -> None:
        """The move pondered on was played: time counts from now, and the end may be told."""
        self._engine.ponder_hit()
        if not self._is_endless:
            self._released.set()

    def _run(self) -> None:
        line: tuple[int, ...] = ()
        try:
            for info in self._infos:
                self._listener(info)
                if info.multipv == 1 and info.line:
                    line = info.line
        except Exception as error:  # Whatever it is: a GUI waits for a move, and a game goes on.
            self._failed(error)
        self._is_through.set()
        self._released.wait()
        self._ended(line)


def any_legal_move(setup: Setup) -> tuple[int, ...]:
    """A line of one legal move, found without the engine; empty where there is none. Loads python-chess."""
    from ox88.convert import from_chess_move, to_chess_board

    board = to_chess_board(setup)
    return tuple(from_chess_move(move, board) for move in list(board.legal_moves)[:1])
