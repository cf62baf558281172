"""Time management: when a search on a clock may stop before its hard limit.

The soft limit is stretched while the best move changes, the score falls or other moves take many nodes. It is cut when
the best move is settled.
"""

import math
from typing import Final

from ox88.engines.base import Limit
from ox88.engines.modern.thread import Line
from ox88.engines.time_allotment import Budget, allot_time

SETTLED_DEPTHS: Final = 8  # Iterations with the same best move that count at most.
UNSETTLED: Final = 1.6  # Factor on the soft limit when the best move has just changed, ...
SETTLED_STEP: Final = 0.085  # ... less this for each iteration since then.
FALL_WEIGHT: Final = 0.006  # Added for each centipawn that the score has fallen, ...
MAX_FALL: Final = 80  # ... up to this many.
EFFORT_BASE: Final = 1.95  # Factor when the best move took no nodes ...
EFFORT_WEIGHT: Final = 1.0  # ... less this times its share of the nodes.
LAST_ITERATION: Final = 0.95  # Of the soft limit: after it a further depth would hardly be finished.
FIRST_DEPTHS: Final = 4  # Too shallow for the factors above.


def move_budget(limit: Limit, overhead: float) -> Budget | None:
    """The time for a move, or None without a time limit. overhead: seconds that each move loses outside the engine."""
    time = math.inf if limit.time is None else limit.time
    if limit.clock is not None:
        share = allot_time(limit.clock, overhead)
        return Budget(share.soft, min(share.hard, time))
    return None if limit.time is None else Budget(math.inf, time)


class TimeManager:
    """Decides after each finished depth whether to stop. Times are seconds since the start of the search."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._best_move = 0
        self._settled = 0
        self._values: list[int] = []

    @property
    def has_clock(self) -> bool:
        """True if time saved now can be used later."""
        return math.isfinite(self._budget.soft)

    def is_enough(self, line: Line, effort: float, elapsed: float) -> bool:
        """True if the search should stop. line: best of a depth. effort: share of the nodes spent on its first move."""
        move = line.moves[0]
        self._settled = min(self._settled + 1, SETTLED_DEPTHS) if move == self._best_move else 0
        self._best_move = move
        self._values.append(line.value)
        if line.depth <= FIRST_DEPTHS:
            return elapsed > self._budget.soft
        return elapsed > self._budget.soft * self._stretch(effort) * LAST_ITERATION

    def _stretch(self, effort: float) -> float:
        before = self._values[max(len(self._values) - 4, 0)]
        fall = min(max(before - self._values[-1], -MAX_FALL // 2), MAX_FALL)
        stability = UNSETTLED - SETTLED_STEP * self._settled
        return stability * (1.0 + FALL_WEIGHT * fall) * (EFFORT_BASE - EFFORT_WEIGHT * effort)
