"""Time management: when a search on a clock may stop before its hard limit.

More time helps most while the value falls or the best move changes, for then it may find a better move. So the soft
limit is made longer there, and shorter elsewhere, most of all where the best move has been the same for many depths.
Hard moves can use what easy moves have saved. (These three signs are those of Stockfish 11.)
"""

import math
from typing import Final

from ox88.engines.base import Limit
from ox88.engines.modern.thread import Line
from ox88.engines.time_allotment import MINIMUM, Budget, allot_time

# The soft limit is multiplied by three factors. The first is STEADY while the value does not fall. It grows by
# FALL_WEIGHT for each centipawn that the value is below that of the engine's previous move, and by as much again for
# each centipawn below the value of RECENT depths ago.
STEADY: Final = 0.35
FALL_WEIGHT: Final = 0.018
RECENT: Final = 3
MOST_FALLEN: Final = 2.0  # The largest first factor.
# The second is 1, and CHANGE_WEIGHT more when the best move changes. Each further depth halves what was added.
CHANGE_WEIGHT: Final = 1.0
# The third is UNSETTLED until the best move has been the same for SETTLED_DEPTHS, then SETTLED.
UNSETTLED: Final = 2.0
SETTLED: Final = 0.8
SETTLED_DEPTHS: Final = 10
FIRST_DEPTHS: Final = 4  # Too shallow for the factors above.


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
        self._depths = 0  # With the same best move.

    @property
    def has_clock(self) -> bool:
        """True if time saved now can be used later."""
        return math.isfinite(self._budget.soft)

    def is_enough(self, line: Line, elapsed: float) -> bool:
        """True if the search should stop. line: the best of a depth."""
        self._changes /= 2
        self._depths += 1
        if line.moves[0] != self._best_move:
            self._changes += 1 if self._best_move else 0
            self._best_move, self._depths = line.moves[0], 1
        self._values.append(line.value)
        if line.depth <= FIRST_DEPTHS:
            return elapsed > self._budget.soft
        return elapsed > self._budget.soft * self._stretch()

    def _stretch(self) -> float:
        value, recent = self._values[-1], self._values[max(len(self._values) - 1 - RECENT, 0)]
        fallen = self._values[0] - value + recent - value
        factor = min(max(STEADY + FALL_WEIGHT * fallen, STEADY), MOST_FALLEN)
        settled = SETTLED if self._depths >= SETTLED_DEPTHS else UNSETTLED
        return factor * settled * (1.0 + CHANGE_WEIGHT * self._changes)
