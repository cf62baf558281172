"""Limited strength: fewer nodes and, below a club player's level, random errors in the choice among all moves.

UCI_Elo is this engine's own scale; matches of level against level (docs/levels.md) show that it rises throughout.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ox88.engines.base import OptionValue
from ox88.engines.modern.options import FULL_SKILL, LEAST_ELO, MOST_ELO
from ox88.engines.modern.thread import Line

ERRORLESS_ELO: Final = 1500  # From this level on the best move is played.
ERRORLESS_NODES: Final = 400  # Nodes at the errorless level ...
DOUBLING_ELO: Final = 130  # ... which double each time the level rises by this much.
ERRING_NODES: Final = 1500  # Nodes below the errorless level: enough to search every move.
ERRING_LINES: Final = 64
MIN_NOISE: Final = 15.0  # Standard deviation of the errors in centipawns just below the errorless level ...
NOISE_GROWTH: Final = 1.35  # ... which grows by this factor with each 100 points further down.


@dataclass(frozen=True, slots=True)
class Strength:
    """Nodes for a move, number of lines to choose from, and standard deviation of the errors in centipawns."""

    nodes: int
    lines: int
    noise: float

    def choose(self, lines: list[Line]) -> Line:
        """The best line after adding a random error to the value of each."""
        return max(lines, key=lambda line: line.value + random.gauss(0.0, self.noise))


def strength_of(elo: int) -> Strength:
    if elo >= ERRORLESS_ELO:
        return Strength(int(ERRORLESS_NODES * 2 ** ((elo - ERRORLESS_ELO) / DOUBLING_ELO)), 1, 0.0)
    return Strength(ERRING_NODES, ERRING_LINES, MIN_NOISE * NOISE_GROWTH ** ((ERRORLESS_ELO - elo) / 100))


def requested_strength(options: Mapping[str, OptionValue]) -> Strength | None:
    """The strength set by UCI_LimitStrength and UCI_Elo, else by Skill Level; None for full strength."""
    if options["UCI_LimitStrength"]:
        return strength_of(int(options["UCI_Elo"] or 0))
    level = int(options["Skill Level"] or 0)
    if level == FULL_SKILL:
        return None
    return strength_of(LEAST_ELO + (MOST_ELO - LEAST_ELO) * level // FULL_SKILL)
