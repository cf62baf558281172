"""The search that runs beside XBoard's commands, for a move, while pondering or as an analysis; and what limits it."""

import enum
import functools
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ox88.engines.base import Clock, Info, Limit
from ox88.engines.host import BackgroundSearch, EngineHost
from ox88.engines.time_management import allot_time
from ox88.errors import Ox88Error

if TYPE_CHECKING:
    import chess


THINK_SECONDS: Final = 5.0  # For a move, if the GUI has set no limit.
# At the full time of `st` the flag falls, so this share of the time is kept for delays, but at most MOST_SPARE.
SPARE_SHARE: Final = 0.1
MOST_SPARE: Final = 0.1  # Seconds.
LATE_SHARE: Final = 0.9  # With less than this share of the expected clock left, a ponder hit starts a new search.
_NUMBER: Final = r"[0-9]{1,15}(?:\.[0-9]{0,9})?"
_LEVEL: Final = re.compile(rf"([0-9]{{1,9}})\s+(-?[0-9]{{1,9}})(?::([0-9]{{1,2}}))?[^\s.]*\s+({_NUMBER})")


class Purpose(enum.Enum):
    """What a search is for."""

    MOVE = "the engine's move"
    PONDER = "the engine's move after the move that is expected of the opponent"
    ANALYSIS = "thinking output alone"


class SearchSlot:
    """Holds at most one search at a time. Callers hold the lock, except for `finish` and `close`, which wait.

    Attributes:
        purpose: what the search that runs is for; None where none runs. A ponder hit changes it.
        limit: the engine's limit in the last search.
        best: the search's newest Info of the best line.
        newest: its newest Info of any kind.
    """

    def __init__(
        self,
        host: EngineHost,
        lock: threading.RLock,
        *,
        shown: Callable[[Info], None],
        failed: Callable[[Exception], None],
        moved: Callable[[tuple[int, ...]], None],
    ) -> None:
        """Hold no search yet.

        Args:
            host: the engine.
            lock: held while `moved` is called.
            shown: called with each Info, in the search's thread.
            failed: called with an exception of the engine, which then plays any move.
            moved: called with the line whose first move is to be played, in the search's thread.
        """
        self.purpose: Purpose | None = None
        self.limit = Limit()
        self.best: Info | None = None
        self.newest: Info | None = None
        self._host = host
        self._lock = lock
        self._shown = shown
        self._failed = failed
        self._moved = moved
        self._background: BackgroundSearch | None = None
        self._started = 0.0
        self._number = 0  # Counts searches. By its number an abandoned search is known, so that its moves are ignored.

    @property
    def elapsed(self) -> float:
        """Seconds since the engine's clock began to run, or would have."""
        return time.perf_counter() - self._started

    def begin(self, board: "chess.Board", limit: Limit, purpose: Purpose) -> None:
        """Search the last position of a game. An earlier search must have been abandoned."""
        self.purpose, self.limit, self.best, self.newest = purpose, limit, None, None
        self._background = None
        self._started = time.perf_counter()
        self._number += 1
        number = self._number
        try:
            self._host.place(board)
            engine = self._host.ready()
            self._background = BackgroundSearch(
                engine,
                engine.search(limit),
                listener=functools.partial(self._show, number),
                failed=self._failed,
                ended=functools.partial(self._end, number),
                held=purpose is not Purpose.MOVE,
                endless=purpose is Purpose.ANALYSIS,
            )
        except Exception as error:  # A GUI waits for a move, whatever has failed.
            self._failed(error)
            self._end(number, ())

    def ponder_hit(self) -> None:
        """The opponent has made the expected move: the search now finds the engine's move."""
        if self._background is not None:
            self.purpose = Purpose.MOVE
            self._started = time.perf_counter()
            self._background.ponder_hit()

    def move_now(self) -> None:
        """End the search for the engine's move soon."""
        if self._background is not None and self.purpose is Purpose.MOVE:
            self._background.stop()

    def abandon(self) -> None:
        """Stop the search without a result. The engine is free when this returns."""
        if self.purpose is not None:
            self.purpose = None
            if self._background is not None:
                self._background.free_engine()

    def finish(self) -> None:
        """Let the engine move now, if it is to move, and wait for its move."""
        with self._lock:
            background = self._background if self.purpose is Purpose.MOVE else None
        if background is not None:
            background.end()

    def close(self) -> None:
        """Abandon the search, and wait for its thread."""
        with self._lock:
            self.abandon()
            background = self._background
        if background is not None:
            background.end()

    def _is_current(self, number: int) -> bool:
        return number == self._number and self.purpose is not None

    def _show(self, number: int, info: Info) -> None:
        """Show an Info, unless the search was abandoned: a GUI would take it for an Info on the new position."""
        if self._is_current(number):
            self.newest = info
            if info.multipv == 1 and not info.current_move:
                self.best = info
            self._shown(info)

    def _end(self, number: int, line: tuple[int, ...]) -> None:
        """Play the move, unless the search was abandoned meanwhile."""
        with self._lock:
            if self._is_current(number):
                purpose, self.purpose = self.purpose, None
                if purpose is Purpose.MOVE:
                    self._moved(line)


class TimeControl:
    """What limits a move: the engine's clock, and `level`, `st`, `sd`, `nps` and `time`. Seconds throughout.

    Plies count from the start of the game; moves of a session, from the `level` that began the session.
    """

    def __init__(self) -> None:
        self._base: float | None = None  # None: there was no `level`.
        self._increment = 0.0
        self._session_moves = 0
        self._move_seconds: float | None = None
        self.new_game()

    def new_game(self) -> None:
        """Start the clock of `level` anew. `sd` and `nps` end with a game, `level` and `st` do not."""
        self._clock = self._base
        self._session_start = 0
        self._depth: int | None = None
        self._node_rate = 0.0

    # --- Commands -----------------------------------------------------------------------------------------------------

    def set_level(self, text: str, plies: int) -> None:
        """`40 5 0`, `0 2:30 1.5`: moves of a session, minutes or minutes:seconds, increment. Ends `st`.

        python-chess sends a time below 0 where a flag has fallen.
        """
        match = _LEVEL.fullmatch(text.strip())
        if match is None:
            raise Ox88Error("expected MOVES MINUTES[:SECONDS] INCREMENT, such as 40 5:00 0")
        moves, minutes, seconds, increment = match.groups(default="0")
        self._session_moves, self._session_start = int(moves), plies
        self._clock = self._base = 0.0 if minutes.startswith("-") else 60.0 * int(minutes) + int(seconds)
        self._increment = float(increment)
        self._move_seconds = None

    def set_move_seconds(self, text: str) -> None:
        """`st`: seconds for each move. Ends `level`."""
        self._move_seconds = _number(text)

    def set_depth(self, text: str) -> None:
        """`sd`: plies, beside any other limit."""
        self._depth = max(int(_number(text)), 1)

    def set_node_rate(self, text: str) -> None:
        """`nps`: measure time in nodes, this many a second; 0 measures by the clock."""
        self._node_rate = _number(text)

    def set_clock(self, text: str) -> None:
        """`time`: hundredths of a second that the engine has left, below 0 where its flag has fallen."""
        self._clock = 0.0 if re.fullmatch(r"-[0-9]+", text.strip()) else _number(text) / 100

    # --- Limits -------------------------------------------------------------------------------------------------------

    def limit(self, plies: int, ponder: bool = False) -> Limit:
        """The limit of a move after so many plies. `nps` turns the seconds for it into nodes."""
        seconds, clock, limit = self._move_seconds, None, Limit(depth=self._depth, ponder=ponder)
        if self._clock is not None:
            clock = Clock(self._clock, self._increment, self._moves_to_go(plies) if self._session_moves else None)
        if self._node_rate and (seconds is not None or clock is not None):
            if seconds is None and clock is not None:
                seconds = allot_time(clock, overhead=0.0, plies=plies).soft
            return replace(limit, nodes=max(int((seconds or 0.0) * self._node_rate), 1))
        if seconds is not None:
            return replace(limit, time=seconds - min(SPARE_SHARE * seconds, MOST_SPARE))
        if clock is not None:
            return replace(limit, clock=clock)
        return replace(limit, time=THINK_SECONDS if self._depth is None else None)

    def _moves_to_go(self, plies: int) -> int:
        played = max(plies - self._session_start, 0) // 2
        return self._session_moves - played % self._session_moves

    def spend(self, seconds: float, plies: int) -> None:
        """Count the time of the engine's move. `time` is more exact, but may come after the next move."""
        if self._clock is None:
            return
        self._clock = max(self._clock - seconds, 0.0) + self._increment
        if self._session_moves and self._moves_to_go(plies) == 1:
            self._clock += self._base or 0.0

    def has_time_for(self, limit: Limit) -> bool:
        """Whether a search that began under a limit may go on under it now."""
        if limit.clock is None or self._clock is None:
            return True
        return self._clock >= LATE_SHARE * limit.clock.remaining


def _number(text: str) -> float:
    if not re.fullmatch(_NUMBER, text.strip()):
        raise Ox88Error("a number from 0 on is expected")
    return float(text)
