"""What a position is worth, from White's view, and what chance to win that is.

The curve from centipawns to chances is Lichess's: https://lichess.org/page/accuracy, and `WinPercent` in scalachess's
core/src/main/scala/eval.scala.
"""

import math
from dataclasses import dataclass
from typing import Final

from ox88.engines.base import Score

CEILING: Final = 1000  # Centipawns; more is worth no more, and a mate in sight is worth as much.
_STEEPNESS: Final = 0.00368208  # Of the curve, fitted by Lichess to games of rapid chess between players rated 2300.


@dataclass(frozen=True, slots=True)
class Evaluation:
    """White's view. centipawns: with a mate in sight the ceiling, signed. mate: moves to it, negative where White is
    mated, 0 where the mate is on the board.
    """

    centipawns: int
    mate: int | None = None

    def __str__(self) -> str:
        """As `[%eval ...]` has it: pawns, or #-3."""
        return f"{self.centipawns / 100 + 0.0:.2f}" if self.mate is None else f"#{self.mate}"

    @property
    def ceiled(self) -> int:
        """Centipawns within the ceiling."""
        return min(max(self.centipawns, -CEILING), CEILING)

    @property
    def win_percent(self) -> float:
        """White's chance to win, 0 to 100; a draw counts half."""
        return 50 + 50 * winning_chances(self.ceiled)

    def seen_by(self, white: bool) -> "Evaluation":
        """From a player's own view."""
        return self if white else Evaluation(-self.centipawns, None if self.mate is None else -self.mate)


def winning_chances(centipawns: int) -> float:
    """From -1, surely lost, to 1, surely won."""
    return 2 / (1 + math.exp(-_STEEPNESS * centipawns)) - 1


def evaluation(score: Score, white_to_move: bool) -> Evaluation:
    """What an engine's score, which is the mover's view, says of White."""
    sign = 1 if white_to_move else -1
    if score.mate is not None:
        return Evaluation(sign * (CEILING if score.mate > 0 else -CEILING), sign * score.mate)
    return Evaluation(sign * (score.centipawns or 0))
