"""Time management: how much of the clock a move may take, and when a search may stop before that.

More time helps most while the value falls or the best move changes, for then it may find a better move. So the soft
limit is longer then, and shorter otherwise, most of all if the best move has been the same for many depths.
Hard moves can use what easy moves have saved. (Stockfish 11 uses the same three signs.)

This is plain arithmetic: no clock is read here.
"""

import math
from dataclasses import dataclass
from typing import Final

from ox88.engines.base import Clock, Limit

OPENING_MOVES: Final = 45  # Moves to save time for, at the start of a game, ...
PLIES_A_MOVE: Final = 3  # ... one fewer after each so many plies, since a long game is nearer its end, ...
ENDING_MOVES: Final = 20  # ... but at least this many. If the next time control is nearer, the moves until then count.
MAX_RESERVE: Final = 0.06  # Seconds kept in reserve for delays on a busy machine.
RECOVERY: Final = 0.4  # Seconds; with less on the clock only a part of each increment is used.
TURN: Final = 0.004  # Seconds that a turn may cost outside the search; an increment is worth as much less.
RESERVE_SHARE: Final = 0.65  # The reserve is at most this share of the time left.
HARD_FACTOR: Final = 6.0  # The hard limit is at most this many times the soft one, ...
LAST_MOVE_SHARE: Final = 0.9  # ... and at most this share of the spare time on the last move before a time control, ...
ANY_MOVE_SHARE: Final = 0.3  # ... falling to this share if many moves follow.
MINIMUM: Final = 0.001  # Seconds, even if the clock has run out.

# The soft limit is multiplied by three factors. The first is STEADY while the value does not fall. It grows by
# FALL_WEIGHT for each centipawn that the value has lost since the engine's previous move, and by as much again for
# each centipawn below the value of RECENT depths ago.
STEADY: Final = 0.35
FALL_WEIGHT: Final = 0.018
RECENT: Final = 3
MOST_FALLEN: Final = 2.0  # The largest first factor.
# The second factor is 1, and CHANGE_WEIGHT more when the best move changes. Each further depth halves what was added.
CHANGE_WEIGHT: Final = 1.0
# The third factor is UNSETTLED until the best move has been the same for SETTLED_DEPTHS, then SETTLED.
UNSETTLED: Final = 2.0
SETTLED: Final = 0.8
SETTLED_DEPTHS: Final = 10
FIRST_DEPTHS: Final = 4  # At these depths the factors are not used.


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for one move. soft: the usual time, scaled by how settled the search is. hard: never more."""

    soft: float
    hard: float

    def after(self, seconds: float) -> "Budget":
        """The budget that is left when some of the time has been used for other things than the search."""
        return Budget(max(self.soft - seconds, MINIMUM), max(self.hard - seconds, MINIMUM))


def allot_time(clock: Clock, overhead: float, plies: int = 0) -> Budget:
    """The time for the next move. overhead: seconds that each move loses outside the engine. plies: of the game so far.

    soft <= hard, and hard < clock.remaining - overhead unless that is less than MINIMUM.
    """
    left = max(clock.remaining - overhead, 0.0)
    spare = left - min(MAX_RESERVE, RESERVE_SHARE * left)
    expected = max(OPENING_MOVES - plies // PLIES_A_MOVE, ENDING_MOVES)
    moves = min(max(clock.moves_to_go or expected, 1), expected)
    recovery = min(left / RECOVERY, 1.0)
    income = (moves - 1) * max(clock.increment - TURN, 0.0) * recovery
    share = (spare + income) / moves
    most = spare * (ANY_MOVE_SHARE + (LAST_MOVE_SHARE - ANY_MOVE_SHARE) / moves)
    hard = max(min(HARD_FACTOR * share, most), MINIMUM)
    return Budget(min(max(share, MINIMUM), hard), hard)


def move_budget(limit: Limit, overhead: float, plies: int = 0) -> Budget | None:
    """The time for a move, or None without a time limit.

    overhead: seconds that each move loses outside the engine. plies: of the game so far.
    """
    time = math.inf if limit.time is None else limit.time
    if limit.clock is not None:
        share = allot_time(limit.clock, overhead, plies)
        return Budget(share.soft, max(min(share.hard, time), MINIMUM))
    return None if limit.time is None else Budget(math.inf, max(time, MINIMUM))


class TimeManager:
    """Decides after each finished depth whether to stop. Times are seconds since the start of the search."""

    def __init__(self, budget: Budget, last_value: int | None = None) -> None:
        """last_value: of the search for the engine's previous move, in centipawns; None if it is not known."""
        self._budget = budget
        self._values = [] if last_value is None else [last_value]
        self._best_move = 0
        self._changes = 0.0
        self._depths = 0  # Depths with the same best move.

    @property
    def has_clock(self) -> bool:
        """True if time saved now can be used later."""
        return math.isfinite(self._budget.soft)

    def is_enough(self, depth: int, value: int, best_move: int, elapsed: float) -> bool:
        """True if the search should stop after a depth. value: in centipawns. elapsed: seconds."""
        self._changes /= 2
        self._depths += 1
        if best_move != self._best_move:
            self._changes += 1 if self._best_move else 0
            self._best_move, self._depths = best_move, 1
        self._values.append(value)
        if depth <= FIRST_DEPTHS:
            return elapsed > self._budget.soft
        recent = self._values[max(len(self._values) - 1 - RECENT, 0)]
        fallen = self._values[0] - value + recent - value
        factor = min(max(STEADY + FALL_WEIGHT * fallen, STEADY), MOST_FALLEN)
        settled = SETTLED if self._depths >= SETTLED_DEPTHS else UNSETTLED
        return elapsed > self._budget.soft * factor * settled * (1.0 + CHANGE_WEIGHT * self._changes)
