"""How much of the clock a move may take. Plain arithmetic: no clock is read here."""

from dataclasses import dataclass
from typing import Final

from ox88.engines.base import Clock

OPENING_MOVES: Final = 45  # Moves to save time for, at the start of a game, ...
PLIES_A_MOVE: Final = 3  # ... one less after so many plies, since a long game is nearer its end, ...
ENDING_MOVES: Final = 20  # ... but at least so many. If the next time control is nearer, its moves count.
MAX_RESERVE: Final = 0.06  # Seconds kept in reserve for delays on a busy machine.
RECOVERY: Final = 0.4  # Seconds; with less on the clock only a part of each increment is used.
TURN: Final = 0.004  # Seconds of each increment that a turn may take beside the search.
RESERVE_SHARE: Final = 0.65  # The reserve is at most this share of the time left.
HARD_FACTOR: Final = 6.0  # The hard limit is at most this many times the soft one, ...
LAST_MOVE_SHARE: Final = 0.9  # ... and at most this share of the spare time on the last move before a time control, ...
ANY_MOVE_SHARE: Final = 0.3  # ... falling to this share if many moves follow.
MINIMUM: Final = 0.001  # Seconds, even if the clock has run out.


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for one move. soft: the usual time, scaled by how settled the search is. hard: never more."""

    soft: float
    hard: float

    def after(self, seconds: float) -> "Budget":
        """What is left when some of the time has been used for other things than the search."""
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
