"""Strength on request: fewer nodes, and below a club player's level a choice among all moves that errs.

Elo as UCI_Elo means it is a scale of this engine's own; games of level against level show that it rises all the way.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ox88.engines.base import OptionValue
from ox88.engines.modern.options import FULL_SKILL, LEAST_ELO, MOST_ELO
from ox88.engines.modern.thread import Line

FLAWLESS_ELO: Final = 1500  # From here on the best move is played, of ...
FLAWLESS_NODES: Final = 400  # ... so many nodes, ...
DOUBLING_ELO: Final = 130  # ... and of twice as many every so many points.
ERRING_NODES: Final = 1500  # Below, enough to look at every move, ...
ERRING_LINES: Final = 64
LEAST_NOISE: Final = 15.0  # ... and misjudge it by so many centipawns, ...
NOISE_GROWTH: Final = 1.35  # ... times this for each 100 points.


@dataclass(frozen=True, slots=True)
class Strength:
    """How many nodes a move may take, among how many lines it is chosen, and how far the choice errs, centipawns."""

    nodes: int
    lines: int
    noise: float

    def choose(self, lines: list[Line]) -> Line:
        """The best line as one sees it who misjudges every line by some random amount."""
        return max(lines, key=lambda line: line.value + random.gauss(0.0, self.noise))  # No secret.


def strength_of(elo: int) -> Strength:
    if elo >= FLAWLESS_ELO:
        return Strength(int(FLAWLESS_NODES * 2 ** ((elo - FLAWLESS_ELO) / DOUBLING_ELO)), 1, 0.0)
    return Strength(ERRING_NODES, ERRING_LINES, LEAST_NOISE * NOISE_GROWTH ** ((FLAWLESS_ELO - elo) / 100))


def requested(options: Mapping[str, OptionValue]) -> Strength | None:
    """The strength that UCI_LimitStrength and UCI_Elo, or else Skill Level, ask for; nothing for all there is."""
    if options["UCI_LimitStrength"]:
        return strength_of(int(options["UCI_Elo"] or 0))
    level = int(options["Skill Level"] or 0)
    if level == FULL_SKILL:
        return None
    return strength_of(LEAST_ELO + (MOST_ELO - LEAST_ELO) * level // FULL_SKILL)
