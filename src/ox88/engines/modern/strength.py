"""Strength on request: fewer nodes, and below a club player's level a choice among the best moves that errs.

Elo as UCI_Elo means it is a scale of this engine's own, laid so that each doubling of the nodes is a step of 100; games
of level against level show that it rises all the way.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ox88.engines.base import OptionValue
from ox88.engines.modern.options import FULL_SKILL, LEAST_ELO, MOST_ELO
from ox88.engines.modern.thread import Line

BASE_NODES: Final = 100
BASE_ELO: Final = 1300  # Where BASE_NODES are searched; below, not fewer, but the choice gets worse.
DOUBLING_ELO: Final = 100
FLAWLESS_ELO: Final = 1500  # From here on the best line is played.
NOISE: Final = 0.45  # Centipawns of error for each point below.
CHOICES: Final = 8  # Lines to choose from.


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
    nodes = int(BASE_NODES * 2 ** (max(elo - BASE_ELO, 0) / DOUBLING_ELO))
    noise = NOISE * max(FLAWLESS_ELO - elo, 0)
    return Strength(nodes, CHOICES if noise else 1, noise)


def requested(options: Mapping[str, OptionValue]) -> Strength | None:
    """The strength that UCI_LimitStrength and UCI_Elo, or else Skill Level, ask for; nothing for all there is."""
    if options["UCI_LimitStrength"]:
        return strength_of(int(options["UCI_Elo"] or 0))
    level = int(options["Skill Level"] or 0)
    if level == FULL_SKILL:
        return None
    return strength_of(LEAST_ELO + (MOST_ELO - LEAST_ELO) * level // FULL_SKILL)
