"""Time management: when a search that was given a clock has thought enough.

Its share of the clock is stretched while the best move changes, the score falls or many nodes go into other moves, and
cut where all is settled.
"""

import math
from typing import Final

from ox88.engines.clock import Budget
from ox88.engines.modern.thread import Line

SETTLED_DEPTHS: Final = 8  # Iterations with the same best move after which it is as settled as can be.
UNSETTLED: Final = 1.6  # Share of the soft limit while the best move has just changed, ...
SETTLED_STEP: Final = 0.085  # ... less for each iteration since then.
FALL_WEIGHT: Final = 0.006  # More for each centipawn that the score has fallen, ...
LONGEST_FALL: Final = 80  # ... up to so many.
EFFORT_BASE: Final = 1.95  # Less where the best move takes a great share of the nodes.
EFFORT_WEIGHT: Final = 1.0
LAST_ITERATION: Final = 0.95  # Of the time, after which a further depth would hardly be finished.
FIRST_DEPTHS: Final = 4  # Too shallow to be settled by.


class TimeManager:
    """Hears of each finished depth, and says whether that is enough. Seconds count from the start of the search."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._best_move = 0
        self._settled = 0
        self._values: list[int] = []

    @property
    def has_clock(self) -> bool:
        """Whether time that is saved now can be used later."""
        return math.isfinite(self._budget.soft)

    def is_enough(self, line: Line, effort: float, elapsed: float) -> bool:
        """line: the best of a depth. effort: share of all nodes that its first move took."""
        move = line.moves[0]
        self._settled = min(self._settled + 1, SETTLED_DEPTHS) if move == self._best_move else 0
        self._best_move = move
        self._values.append(line.value)
        if line.depth <= FIRST_DEPTHS:
            return elapsed > self._budget.soft
        return elapsed > self._budget.soft * self._stretch(effort) * LAST_ITERATION

    def _stretch(self, effort: float) -> float:
        before = self._values[max(len(self._values) - 4, 0)]
        fall = min(max(before - self._values[-1], -LONGEST_FALL // 2), LONGEST_FALL)
        stability = UNSETTLED - SETTLED_STEP * self._settled
        return stability * (1.0 + FALL_WEIGHT * fall) * (EFFORT_BASE - EFFORT_WEIGHT * effort)
