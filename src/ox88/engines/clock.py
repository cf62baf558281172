"""How much of the clock a move may take: plain arithmetic, no clock is read here."""

from dataclasses import dataclass
from typing import Final

from ox88.engines.base import Clock

SUDDEN_DEATH_MOVES: Final = 40  # As many are provided for where no time control is in sight, and no more before one.
LONGEST_RESERVE: Final = 1.0  # Seconds, kept for what a busy machine may do to us; less where the clock has less.
RESERVE_SHARE: Final = 0.65  # Of what is left, if that is less than the longest reserve.
HARD_FACTOR: Final = 6.0  # How many times its share a move may take at the very most.
LAST_MOVE_SHARE: Final = 0.9  # Of the spare time for the last move before the time control, ...
ANY_MOVE_SHARE: Final = 0.3  # ... and for one that has many after it.
MINIMUM: Final = 0.001  # Seconds, for a clock that has run down already.


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for one move. soft: what it should take, to be scaled by how settled the search is. hard: the end."""

    soft: float
    hard: float


def budget(clock: Clock, overhead: float) -> Budget:
    """Share a clock out. overhead: seconds that each move loses on its way to the clock.

    Except for MINIMUM, hard is below what the clock has left less the overhead, and soft is never above hard.
    """
    left = max(clock.remaining - overhead, 0.0)
    spare = left - min(LONGEST_RESERVE, RESERVE_SHARE * left)
    moves = min(max(clock.moves_to_go or SUDDEN_DEATH_MOVES, 1), SUDDEN_DEATH_MOVES)
    income = (moves - 1) * max(clock.increment - overhead, 0.0)
    share = (spare + income) / moves
    most = spare * (ANY_MOVE_SHARE + (LAST_MOVE_SHARE - ANY_MOVE_SHARE) / moves)
    hard = max(min(HARD_FACTOR * share, most), MINIMUM)
    return Budget(min(max(share, MINIMUM), hard), hard)
