"""What a value of the search means to people: centipawns or moves to mate, and the chance to win, draw or lose."""

import math
from typing import Final

from ox88.engines.base import Score
from ox88.engines.modern.records import MATE, MATE_BOUND

EVEN_CHANCE: Final = 150.0  # Centipawns at which a win is as likely as not, ...
CHANCE_SPREAD: Final = 75.0  # ... and how many change that chance from one half to 73 %.


def moves_to_mate(value: int) -> int:
    """Moves to mate, negative for the side that is mated; 0 where there is none in sight."""
    if value > MATE_BOUND:
        return (MATE - value + 1) // 2
    if value < -MATE_BOUND:
        return -(MATE + value) // 2
    return 0


def score(value: int) -> Score:
    if abs(value) > MATE_BOUND:
        return Score(mate=moves_to_mate(value))
    return Score(centipawns=value)


def outcomes(value: int) -> tuple[int, int, int]:
    """Win, draw and loss to expect, in thousandths that add up to 1,000."""
    win = round(1000 * _chance(value))
    loss = round(1000 * _chance(-value))
    return win, 1000 - win - loss, loss


def _chance(value: int) -> float:
    """A logistic curve, as game results follow it."""
    exponent = (EVEN_CHANCE - value) / CHANCE_SPREAD
    return 1.0 / (1.0 + math.exp(min(exponent, 500.0)))
