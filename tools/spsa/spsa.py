"""SPSA: all numbers are changed at once by random steps, and moved towards the steps that win.

James C. Spall, "An Overview of the Simultaneous Perturbation Method for Efficient Optimization", Johns Hopkins APL
Technical Digest 19/4, 1998. Gains are given by their last values, as Fishtest does: https://www.cantate.be/Fishtest/.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ox88.engines.base import Option
from ox88.engines.modern.options import NUMBERS
from ox88.errors import Ox88Error
from tools.selfplay import Parameters

ALPHA: Final = 0.602  # How fast the rate of learning falls, ...
GAMMA: Final = 0.101  # ... and how fast the steps do, as Spall recommends.
STABILITY: Final = 0.1  # Of all iterations: so many more at the start make the first moves smaller.
USUAL_STEP: Final = 0.12  # Of a number's default, ...
LEAST_STEP: Final = 0.5  # ... but at least this, or rounding would hide most steps.


@dataclass(frozen=True, slots=True)
class Number:
    """A number to tune. step: by which it is raised and lowered in the last games; twice as much in the first."""

    name: str
    start: int
    minimum: int
    maximum: int
    step: float


def read_numbers(texts: Sequence[str], options: Sequence[Option]) -> list[Number]:
    """Numbers by name, or name=step. Without any, all of options.NUMBERS. Raises Ox88Error."""
    known = {option.name: option for option in options}
    named = [text.partition("=") for text in texts]
    for name, _, _ in named:
        if name not in known:
            raise Ox88Error(f"{name} is no number of the search: options.py names {', '.join(known)}")
    chosen = named or [(number.name, "", "") for number in NUMBERS]
    return [_number(known[name], step) for name, _, step in chosen]


def _number(option: Option, text: str) -> Number:
    start = int(option.default or 0)
    try:
        step = float(text) if text else max(USUAL_STEP * abs(start), LEAST_STEP)
    except ValueError:
        step = math.nan
    if not 0 < step < math.inf:
        raise Ox88Error(f"{option.name}={text}: the step is a number above 0")
    return Number(option.name, start, option.minimum, option.maximum, step)


class Spsa:
    """Each iteration plays the numbers, raised or lowered at random, against the opposite changes.

    values: the numbers so far.
    """

    def __init__(self, numbers: Sequence[Number], iterations: int, gain: float, seed: int) -> None:
        """gain: the rate of learning in the last iteration, in steps a point squared (Fishtest's r_end)."""
        self.numbers = list(numbers)
        self.values = [float(number.start) for number in numbers]
        self._iterations = iterations
        self._gain = gain
        self._seed = seed

    def players(self, iteration: int) -> tuple[Parameters, Parameters]:
        """The parameters of both players of an iteration, from 1 on: whole numbers, rounded up or down by chance."""
        chance, signs = self._chance_and_signs(iteration)
        first, second = [], []
        for number, value, sign in zip(self.numbers, self.values, signs, strict=True):
            step, rounding = sign * self._step(number, iteration), chance.random()
            first.append((number.name, _whole(number, value + step, rounding)))
            second.append((number.name, _whole(number, value - step, rounding)))
        return tuple(first), tuple(second)

    def learn(self, iteration: int, lead: float) -> None:
        """Move the values. lead: the first player's points less the second's."""
        _, signs = self._chance_and_signs(iteration)
        delay = STABILITY * self._iterations
        for index, (number, sign) in enumerate(zip(self.numbers, signs, strict=True)):
            step = self._step(number, iteration)
            last = self._gain * number.step**2
            rate = last * ((delay + self._iterations) / (delay + iteration)) ** ALPHA / step
            value = self.values[index] + rate * lead * sign
            self.values[index] = min(max(value, float(number.minimum)), float(number.maximum))

    def results(self) -> list[int]:
        return [round(value) for value in self.values]

    def _step(self, number: Number, iteration: int) -> float:
        return float(number.step * (self._iterations / iteration) ** GAMMA)

    def _chance_and_signs(self, iteration: int) -> tuple[random.Random, list[int]]:
        """What is left to chance in an iteration: the source of random numbers, and 1 or -1 for each number."""
        chance = random.Random(f"{self._seed} {iteration}")  # noqa: S311 - Games, no secret.
        return chance, [chance.choice((-1, 1)) for _ in self.numbers]


def _whole(number: Number, value: float, rounding: float) -> int:
    return min(max(math.floor(value + rounding), number.minimum), number.maximum)
