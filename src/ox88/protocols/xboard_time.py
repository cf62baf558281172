"""XBoard's time control: reads `level`, `st`, `sd`, `nps` and `time`, and makes a `Limit` of them."""

import re
from typing import Final

from ox88.engines.base import Clock, Limit
from ox88.engines.time_management import allot_time
from ox88.errors import Ox88Error

THINK_SECONDS: Final = 5.0  # For a move, if the GUI has set no limit.
# At the full time of `st` the flag falls, so this share of the time is kept for delays, but at most MOST_SPARE.
SPARE_SHARE: Final = 0.1
MOST_SPARE: Final = 0.1  # Seconds.
LATE_SHARE: Final = 0.9  # With less than this share of the expected clock left, a ponder hit starts a new search.
_NUMBER: Final = r"[0-9]{1,15}(?:\.[0-9]{0,9})?"
_LEVEL: Final = re.compile(rf"([0-9]{{1,9}})\s+([0-9]{{1,9}})(?::([0-9]{{1,2}}))?[^\s.]*\s+({_NUMBER})")


class TimeControl:
    """The engine's clock, and what else limits a move. Seconds throughout.

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
        """`40 5 0`, `0 2:30 1.5`: moves of a session, minutes or minutes:seconds, increment. Ends `st`."""
        match = _LEVEL.fullmatch(text.strip())
        if match is None:
            raise Ox88Error("expected MOVES MINUTES[:SECONDS] INCREMENT, such as 40 5:00 0")
        moves, minutes, seconds, increment = match.groups(default="0")
        self._session_moves, self._session_start = int(moves), plies
        self._clock = self._base = 60.0 * int(minutes) + int(seconds)
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
        """The limit of a move after so many plies."""
        if self._node_rate and (self._move_seconds is not None or self._clock is not None):
            return Limit(nodes=max(int(self._seconds(plies) * self._node_rate), 1), depth=self._depth, ponder=ponder)
        if self._move_seconds is not None:
            spare = min(SPARE_SHARE * self._move_seconds, MOST_SPARE)
            return Limit(time=self._move_seconds - spare, depth=self._depth, ponder=ponder)
        if self._clock is not None:
            return Limit(clock=self._clock_now(plies, self._clock), depth=self._depth, ponder=ponder)
        return Limit(time=THINK_SECONDS if self._depth is None else None, depth=self._depth, ponder=ponder)

    def _seconds(self, plies: int) -> float:
        """Seconds for the next move, which `nps` then turns into nodes."""
        if self._move_seconds is not None:
            return self._move_seconds
        return allot_time(self._clock_now(plies, self._clock or 0.0), overhead=0.0, plies=plies).soft

    def _clock_now(self, plies: int, remaining: float) -> Clock:
        return Clock(remaining, self._increment, self._moves_to_go(plies) if self._session_moves else None)

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
